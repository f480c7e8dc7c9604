package runs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/clopt/clopt/internal/shard/stages"
	"github.com/clopt/clopt/internal/solvers/restart"
	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// Session is a run that writes to its folder. Its steps are those of Run.Make: Run.Open, Together, which makes and ends
// it, and Close.
type Session struct {
	run      *Run
	dir      *folder
	number   uint32
	task     record.Task // as at the first start
	log      io.Closer
	devices  []record.Device
	recorder *recorder
	keeper   *keeper
	from     *checkpoints.Saved   // the checkpoint from which it is resumed; nil: a new run
	best     *solvers.Incumbent   // the best point in the folder of a resumed run; nil: none
	origin   checkpoints.Position // of a new run before its first step
	begun    checkpoints.File     // the trace then
	before   time.Duration        // Caller.Before
	start    *record.StartTimes   // nil: not measured
	without  map[string]bool      // methods of which dropped has said that they cannot work
	began    time.Time            // when Open was called, then when the run was made
}

// Open makes the files of run number n in the folder dir, which the caller has locked, and starts its clock. The run is
// resumed from a checkpoint, or is a new one if from is nil. If a new run cannot be begun, Open removes the folder.
func (r *Run) Open(dir string, n uint32, from *checkpoints.Saved) (_ *Session, err error) {
	observer := r.observer()
	r.Devices.Stages().Next(stages.Files)
	s := &Session{run: r, number: n, from: from, devices: r.devices(), before: r.Before, began: time.Now()}
	r.Before = 0
	begun := from != nil
	defer func() {
		if err != nil {
			observer.Log(nil)
			if s.log != nil {
				s.log.Close()
			}
			if s.dir != nil {
				s.dir.Close()
			}
			if !begun {
				os.RemoveAll(dir) // it has only parts of files
			}
		}
	}()
	s.dir, err = r.folder(dir)
	if err != nil {
		return nil, err
	}
	log, err := s.dir.OpenLog()
	if err != nil {
		return nil, fault(Output, "log: %w", err)
	}
	s.log = log
	observer.Log(log)
	if err := r.writeRecipe(s.dir, r.recipe(n)); err != nil {
		return nil, err
	}
	open := openTrace
	if from != nil {
		open = reopenTrace
	}
	tr, err := open(s.dir)
	if err != nil {
		return nil, err
	}
	begun = true
	s.recorder = &recorder{observer: observer, trace: tr, sign: r.Problem.Info().Sign(), devices: s.devices}
	if from != nil {
		s.recorder.offset, s.best = from.Loop.Held.Elapsed, s.incumbent()
		s.recorder.latest = record.Seconds(s.recorder.offset)
	}
	s.recorder.milestones = r.Problem.Info().Milestones
	s.recorder.grid.Left = s.recorder.milestones
	s.recorder.grid.Optimum, s.recorder.grid.Known = r.Problem.Info().BestKnown()
	s.task = r.task(n)
	if from != nil {
		s.task.Problem = s.dir.firstProblem(s.task.Problem)
	}
	start := record.Start(time.Now(), s.task, s.devices)
	if from == nil {
		tr.write(start)
	}
	s.origin, s.begun = s.recorder.position()
	observer.Line(start)
	s.keeper, err = s.newKeeper()
	if err != nil {
		tr.close()
		return nil, err
	}
	b := Beginning{Folder: dir, Sign: s.recorder.sign, BestKnown: r.Problem.Info().Best, Method: r.Solver,
		Budget: r.Budget, Devices: s.devices, Before: s.before,
		Stages: r.Devices.Stages()}
	if from != nil {
		b.From = &from.Loop.Last
	}
	observer.Begin(b)
	return s, nil
}

// Algorithm returns the method and its settings as they are written to files.
func (r *Run) Algorithm() record.Algorithm {
	return record.Algorithm{Name: r.Solver.Traits().Name, Settings: solvers.Spell(r.Solver)}
}

// task returns what run number n is, as it is written to files.
func (r *Run) task(n uint32) record.Task {
	info := r.Problem.Info()
	return record.Task{
		Problem: r.Problem.Spec().String(), Sense: record.SenseOf(info.Sign()), Algorithm: r.Algorithm(),
		Seed: r.Seed, Run: n, Precision: r.Precision.String(), Data: info.Data,
	}
}

func (s *Session) say(level Level, format string, args ...any) {
	say(s.run.observer(), level, format, args...)
}

// Close closes the log. Deferred during a panic, it logs the panic first.
func (s *Session) Close() {
	if p := recover(); p != nil {
		s.say(Logged, "internal error: %v\n%s", p, debug.Stack())
		panic(p)
	}
	s.run.observer().Log(nil)
	s.log.Close()
	s.dir.Close()
}

// Together makes opened runs of one problem, method and seed, which have consecutive numbers, on all ranks of their
// devices, and ends them. They share launches if the method allows it. It returns the stored result of each run, or nil
// if there is none, and the errors of the run and of storing it.
func Together(ctx context.Context, all []*Session) (results []*record.Result, errs []error) {
	results, errs = make([]*record.Result, len(all)), make([]error, len(all))
	if err := announce(all); err != nil {
		for k, s := range all {
			errs[k] = s.End(ctx, err)
		}
		return results, errs
	}
	r, settings := all[0].run, []solvers.Settings{}
	for _, s := range all {
		settings = append(settings, s.settings())
		s.before, s.began = s.before+time.Since(s.began), time.Now()
	}
	before := r.Devices.Exchanged()
	made, failed := solvers.MinimizeRuns(ctx, r.Problem, r.Devices, settings, r.Solver)
	alone := r.agree(made, failed)
	start, rows := startTimes(r.Devices)
	for k, s := range all {
		if start != nil && made[k] != nil {
			own := *start
			own.Waiting = record.Seconds(made[k].Waiting)
			s.start = &own
		}
		for _, row := range rows {
			s.say(Detail, "%s", row)
		}
		s.exchanged(before, r.Devices.Exchanged())
		if alone != nil {
			failed[k] = errors.Join(failed[k], alone)
		}
		results[k], errs[k] = s.end(ctx, made[k], failed[k])
	}
	return results, errs
}

// settings returns the settings for solvers.Minimize.
func (s *Session) settings() solvers.Settings {
	r := s.run
	return solvers.Settings{
		Key: rng.Key{Seed: r.Seed, Run: s.number}, Precision: r.Precision, Budget: r.Budget,
		Around: restart.Around(s.again()), Recorder: s.recorder, X0: r.X0,
		Keeper: s.keeper, Resume: s.resume(), Started: s.started, Slow: s.slow,
		Dropped: s.dropped, Ended: r.observer().Closing,
		XFile: s.pointFile(), Incumbent: s.best, Unsampled: r.Cell != nil, Keep: r.Keep,
	}
}

// again reports whether a method that has come to its end begins again.
func (s *Session) again() bool { return s.run.Restart && !s.run.Implied && s.run.Budget.Limited() }

// mostX is the largest number of variables of a best point that a run holds in memory. A larger point is in a file.
var mostX = 10_000_000

// pointName is the file of a larger point in the run folder, until the run ends.
const pointName = ".best.npy"

// pointFile returns the path of that file, "" if the point is held in memory.
func (s *Session) pointFile() string {
	if d := s.run.Problem.Domain(); d.N <= mostX || d.Binary {
		return ""
	}
	return filepath.Join(s.dir.Path, pointName)
}

// started writes the layout of the run to the trace.
func (s *Session) started(info solvers.Info) {
	s.devices = devicesOf(info.Plans)
	s.recorder.devices, s.recorder.clock = s.devices, info.Clock
	s.keeper.guess(info)
	if s.run.Started != nil {
		s.run.Started(info)
	}
	detail := fmt.Sprintf("kernels built in %.3g s", info.Clock.BuildTime().Seconds())
	if problems.CallOf(s.run.Problem) != nil {
		detail = "no device, the values are those of a function"
	} else if s.run.Devices.Checked() {
		detail += ", self-check passed"
	}
	layout := record.Event(record.Seconds(s.recorder.offset), "layout", detail)
	layout.Devices, layout.Elapsed = s.devices, info.Clock.Elapsed
	s.recorder.line(layout)
}

// resume returns the function with which Minimize loads the checkpoint, or nil for a new run.
func (s *Session) resume() func(*solvers.State) (solvers.Progress, error) {
	if s.from == nil {
		return nil
	}
	last := s.from.Loop.Last
	return s.restore(s.from, "resumed", fmt.Sprintf("from checkpoint %s at step %d, %d evaluations", s.from.Name,
		last.Step, last.Evaluations))
}

// restore returns the function that loads a checkpoint. The trace is truncated, an event is written after it, and the
// old result is set aside only after the whole state has been read and compared.
func (s *Session) restore(from *checkpoints.Saved, event, detail string) func(*solvers.State) (solvers.Progress,
	error) {
	return func(st *solvers.State) (solvers.Progress, error) {
		at, err := load(from, s.dir, st)
		restored := st.Restored // loading may have changed it
		st.Restored = func(ctx context.Context) error {
			if restored != nil {
				if err := restored(ctx); err != nil {
					return err
				}
			}
			if err := s.dir.setAside(); err != nil {
				return err
			}
			s.recorder.rewind(from.Position, from.Manifest.Trace.Bytes, from.Loop.Last, true)
			s.recorder.event(event, detail)
			return nil
		}
		return at, err
	}
}

// End ends a run that was not made, because of err, which it returns.
func (s *Session) End(ctx context.Context, err error) error {
	_, err = s.end(ctx, nil, err)
	return err
}

// end stores the outcome of the run. res and err are what Minimize returned; res may be nil. It returns the stored
// result, or nil if there is none, and the errors of the run and of storing it.
func (s *Session) end(ctx context.Context, res *solvers.Result, err error) (*record.Result, error) {
	s.recorder.end()
	if res == nil {
		return nil, s.abandon(ctx, err)
	}
	counted := res.StartUp + res.Elapsed
	if s.from != nil {
		counted -= s.from.Loop.Held.Elapsed
	}
	res.StartUp += s.before
	if res.Status == solvers.Failed {
		s.say(Logged, "%s", err)
		s.recorder.failed(err)
		s.keeper.manifest.Lost += problems.Flag(shard.Lost(err)) // the last one
	}
	out, failed := s.store(ctx, res, err)
	if res.Status == solvers.Failed {
		failed = err // storing may have failed for the same reason
	}
	out.Closing = max(0, time.Since(s.began)-counted)
	return out, failed
}
