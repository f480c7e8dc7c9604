package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// job is what the runs of one command share.
type job struct {
	app      *app
	settings *settings
	show     *display
	problem  problems.Problem
	x0       [][]float64
	devices  *chosen
	infos    []deviceInfo
	budget   solvers.Budget
	group    *shard.Group
	laid     bool // the layout was told, by an earlier run

	hashes  *[2]string // of objective and instance, see identify
	discard bool       // a finished run keeps no checkpoint
	cellID  *cellID    // of a campaign; nil: none
}

// one does run number r in the new folder dir. It returns the result that was
// found, if any, and an error if something could not be done or stored.
func (j *job) one(ctx context.Context, dir string, r uint32) (*resultJSON, error) {
	unlock, err := lock(dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return j.session(ctx, dir, r, j.newStore(dir), nil)
}

// session does run number r in a folder that is locked: from its start, or
// from a checkpoint on.
func (j *job) session(ctx context.Context, dir string, r uint32, st *store, from *saved) (*resultJSON, error) {
	s, err := j.open(dir, r, st, from)
	if err != nil {
		return nil, err
	}
	defer s.close()
	res, err := solvers.Minimize(ctx, j.problem, j.group, s.settings(), j.settings.solver)
	return s.end(ctx, res, err)
}

// session is a run that writes into its folder.
type session struct {
	*job
	dir     string
	run     uint32
	log     io.Closer
	monitor *monitor
	keeper  *keeper
	from    *saved // where it goes on; nil: at the start
}

// open makes the files of run r and begins its clock. A folder in which nothing could be
// begun is removed.
func (j *job) open(dir string, r uint32, st *store, from *saved) (_ *session, err error) {
	s := &session{job: j, dir: dir, run: r, from: from}
	begun := from != nil
	defer func() {
		if err != nil {
			j.show.toLog(nil)
			if s.log != nil {
				s.log.Close()
			}
			if !begun {
				os.RemoveAll(dir) // nothing but what could not be written whole
			}
		}
	}()
	log, err := openLog(dir)
	if err != nil {
		return nil, err
	}
	s.log = log
	j.show.toLog(log)
	if err := j.writeRecipe(dir, r, 1); err != nil {
		return nil, err
	}
	open := openTrace
	if from != nil {
		open = reopenTrace
	}
	tr, err := open(dir)
	if err != nil {
		return nil, err
	}
	begun = true
	m := &monitor{show: j.show, trace: tr, sign: j.problem.Info().Sign(), budget: j.budget}
	s.monitor = m
	if from != nil {
		m.offset = from.loop.Last.Elapsed
	}
	if j.group.Checked() {
		m.ready = "self-check passed, "
	}
	m.lay(j.infos, false)
	m.grid.official = j.problem.Info().Milestones
	m.grid.optimum, m.grid.known = j.problem.Info().BestKnown()
	start := startLine{
		Type: "start", V: 1, Time: time.Now().UTC().Format(time.RFC3339), Problem: j.problem.Spec().String(), Algorithm: j.algorithm(),
		Seed: j.settings.seed, Run: r, Precision: j.settings.precision.String(), Data: j.problem.Info().Data, Devices: j.infos,
	}
	if from == nil {
		tr.write(start)
	}
	j.show.jsonLine(start)
	j.show.say("folder %s", dir)
	if s.keeper, err = j.keeper(r, st, m, from); err != nil {
		tr.close()
		return nil, err
	}
	m.begin()
	return s, nil
}

// close ends the log; a panic is told in it.
func (s *session) close() {
	if p := recover(); p != nil {
		s.show.print(fmt.Sprintf("internal error: %v\n%s", p, debug.Stack()), false, "")
		panic(p)
	}
	s.show.toLog(nil)
	s.log.Close()
}

// settings are those of the run.
func (s *session) settings() solvers.Settings {
	j, m := s.job, s.monitor
	return solvers.Settings{
		Key: rng.Key{Seed: j.settings.seed, Run: s.run}, Precision: j.settings.precision, Budget: j.budget, Recorder: m, X0: j.x0,
		Keeper: s.keeper, Resume: j.restore(s.dir, m, s.from), Started: s.started,
	}
}

// started tells where the run is, and begins its loop.
func (s *session) started(info solvers.Info) {
	j, m := s.job, s.monitor
	j.setPlans(info.Plans)
	if !j.laid {
		j.tellLayout(info)
		j.laid = true
	}
	m.lay(j.infos, true)
	j.show.rebase(m.offset) // the loop and its clock begin here
	s.keeper.guess(info)
	if !info.Resumable && j.settings.config.given("checkpoint") {
		j.show.warn("%s keeps no checkpoints, so a stopped run of it cannot be resumed.", j.settings.solver.Name())
	}
	line := eventLine{
		Type: "event", V: 1, T: seconds(m.offset), Event: "layout",
		Detail: fmt.Sprintf("kernels built in %.3g s", info.BuildTime.Seconds()), Devices: j.infos,
	}
	m.trace.write(line)
	j.show.jsonLine(line)
}

// end stores what Minimize returned.
func (s *session) end(ctx context.Context, res *solvers.Result, err error) (*resultJSON, error) {
	s.monitor.end()
	if res == nil {
		return nil, s.abandon(ctx, s.dir, s.monitor, err)
	}
	if res.Status == solvers.Failed {
		s.show.print(err.Error(), false, "") // into the log
		event := eventLine{Type: "event", V: 1, T: s.show.now(), Event: "error", Detail: firstLine(err.Error())}
		s.monitor.trace.write(event)
		s.show.jsonLine(event)
	}
	out, failed := s.store(ctx, s.dir, s.run, s.monitor, res, s.keeper, err)
	if res.Status == solvers.Failed {
		failed = err // the reason of it all
	}
	return out, failed
}

// abandon ends a run that has no result. A folder without any sample is of no
// use and goes.
func (j *job) abandon(ctx context.Context, dir string, m *monitor, err error) error {
	if ctx.Err() != nil {
		err = fmt.Errorf("%w before the first step; there is no result", context.Cause(ctx))
	}
	code := exitCode(err)
	j.show.print(err.Error(), false, "") // into the log
	t := j.show.now()
	event := eventLine{Type: "event", V: 1, T: t, Event: "error", Detail: firstLine(err.Error())}
	end := endLine{Type: "end", V: 1, T: t, Evals: m.last.Evaluations, Best: number(math.NaN()), Stop: "error", ExitCode: code}
	if m.have {
		end.Best = number(m.sign * m.last.Best)
	}
	if ctx.Err() != nil {
		end.Stop = solvers.Cancelled.String()
	}
	m.trace.write(event)
	m.trace.write(end)
	j.show.jsonLine(event)
	j.show.jsonLine(end)
	m.trace.close()
	if !m.have && m.trace.ready {
		os.RemoveAll(dir) // made by this run, and empty but for its own files
	}
	return err
}

// store writes the best point and the result, and ends the trace. ended is
// what Minimize returned beside the result, nil or why it is not as it should be.
func (j *job) store(ctx context.Context, dir string, r uint32, m *monitor, res *solvers.Result, k *keeper, ended error) (*resultJSON, error) {
	s := j.settings
	out := &resultJSON{
		Format: "clopt-result", FormatVersion: 1, ToolVersion: toolVersion,
		Problem: j.problem.Spec().String(), Dim: j.problem.Domain().N, Data: j.problem.Info().Data, Algorithm: j.algorithm(),
		Seed: s.seed, Run: r, Precision: s.precision.String(),
		Determinism: determinism{Kinds: k.manifest.Kinds, Repeat: len(k.manifest.Kinds) == 1 && !byClock(res.Status)},
		Best: bestJSON{
			F: number(m.sign * res.F), FHost: number(m.sign * res.HostF), Confirmed: res.Confirmed,
			Confirmer: res.Confirmer, Tolerance: number(res.Tolerance),
		},
		Evaluations: res.Evaluations, Work: number(res.Work), Steps: res.Steps, Seconds: seconds(res.Elapsed),
		Stop:    stopJSON{Reason: res.Status.String()},
		Devices: j.infos, Events: eventsJSON{NonFinite: res.NonFinite, Resumed: k.resumed}, Command: j.command(), Cell: j.cellID,
	}
	out.Best.measure(j.problem, res.HostF, res.X)
	var cause error
	if st := stopCause(ctx); st != nil && res.Status == solvers.Cancelled {
		cause = st
	}
	if res.Status == solvers.Failed {
		cause = ended
	}
	out.resumable = k.final
	out.Stop.Detail = stopDetail(res, j.budget, m.sign, cause)

	var failed error
	if name, sum, err := writePoint(dir, s.xFormat, res.X); err != nil {
		failed = err
	} else if name != "" {
		out.Best.XFile, out.Best.XSHA256 = &name, &sum
	}
	if j.problem.Domain().Binary && failed == nil {
		name := "best.sol"
		_, failed = writeWhole(filepath.Join(dir, name), func(w io.Writer) error { return cut.WriteBinaryPoint(w, res.X) })
		out.Best.SolFile = &name
	}
	out.ExitCode = j.runCode(res, cause)
	if (failed != nil || m.trace.err != nil) && out.ExitCode == exitOK {
		out.ExitCode = exitOutput
	}
	if !res.Confirmed {
		j.show.note("! %s Do not trust this run; try another device, or --precision fp64.", unconfirmed(res, m.sign, ended))
	}
	end := endLine{Type: "end", V: 1, T: out.Seconds, Evals: out.Evaluations, Best: out.Best.F, Stop: out.Stop.Reason, ExitCode: out.ExitCode}
	m.trace.write(end)
	failed = errors.Join(failed, m.trace.close(), out.write(dir))
	if failed != nil {
		j.show.print(failed.Error(), false, "error") // into the log and --status json; the caller tells it otherwise
		if out.ExitCode == exitOK {
			out.ExitCode = exitOutput
			end.ExitCode = exitOutput
		}
	}
	if j.discard && failed == nil && res.Status != solvers.Cancelled {
		os.RemoveAll(filepath.Join(dir, "checkpoint"))
		out.resumable = false
	}
	j.show.jsonLine(end)
	out.Folder = dir
	return out, failed
}

// unconfirmed says why a result is not confirmed: another value, or none.
func unconfirmed(res *solvers.Result, sign float64, ended error) string {
	if e, ok := errors.AsType[*solvers.ConfirmError](ended); ok {
		return e.Error() + "."
	}
	return fmt.Sprintf("the best value is not confirmed: devices %s, %s %s, tolerance %.2g.",
		formatValue(sign*res.F), res.Confirmer, formatValue(sign*res.Again), res.Tolerance)
}

// byClock says whether a run ended at a moment that another would not repeat.
func byClock(s solvers.Status) bool {
	return s != solvers.Evaluations && s != solvers.Target && s != solvers.Finished
}

// runCode is the exit code of a run that has a result.
func (j *job) runCode(res *solvers.Result, cause error) int {
	switch {
	case cause != nil:
		return exitCode(cause)
	case !res.Confirmed:
		return exitVerify
	case j.settings.requireTarget && !(res.F <= *j.budget.Target):
		return exitTarget
	}
	return exitOK
}

func (j *job) algorithm() algorithm {
	return algorithm{Name: j.settings.solver.Name(), Settings: j.settings.solver.String()}
}

// command is the command line, with the seed if that was drawn.
func (j *job) command() string {
	words := []string{"clopt"}
	for _, arg := range j.app.args {
		words = append(words, shellQuote(arg))
	}
	if j.settings.drawn {
		words = append(words, "--seed", strconv.FormatUint(uint64(j.settings.seed), 10))
	}
	return strings.Join(words, " ")
}

// writeRecipe stores the run.toml that repeats runs first, first+1, … of this
// command.
func (j *job) writeRecipe(dir string, first uint32, runs int) error {
	if j.x0 != nil {
		if _, err := writeWhole(filepath.Join(dir, "x0.txt"), func(w io.Writer) error {
			for _, x := range j.x0 {
				if err := writeText(w, x); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	text := j.recipe(first, runs)
	_, err := writeWhole(filepath.Join(dir, "run.toml"), func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	return err
}

// recipe is the text of that file.
func (j *job) recipe(first uint32, runs int) string {
	s := j.settings
	// The number of variables is a key of its own, so that -n can go before it.
	spec, dim := j.problem.Spec().Without("n"), strconv.Itoa(j.problem.Domain().N)
	bounds, maximize := "", ""
	if spec.File {
		spec.Name = absolute(spec.Name)
	}
	if !j.problem.Domain().Binary { // whose keys say how a file is read
		if lo, ok := spec.Get("lo"); ok {
			hi, _ := spec.Get("hi")
			bounds = lo + "," + hi
		}
		maximize, _ = spec.Get("maximize")
		spec = spec.Without("lo", "hi", "maximize")
	}
	fixed := map[string]string{
		"solver": s.solver.Name(), "dim": dim, "bounds": bounds, "maximize": maximize, "seed": strconv.FormatUint(uint64(s.seed), 10),
		"precision": s.precision.String(), "data": absolute(s.data), "x0": "",
		"drop-loops": "", "merge-edges": "", "sign": "",
		"first-run": strconv.FormatUint(uint64(first), 10), "runs": strconv.Itoa(runs),
	}
	if j.budget.Evaluations > 0 {
		fixed["evals"] = strconv.FormatInt(j.budget.Evaluations, 10)
	}
	if j.budget.Time > 0 {
		fixed["time"] = j.budget.Time.String()
	}
	if j.x0 != nil {
		fixed["x0"] = "x0.txt"
	}
	return runToml(s.config, spec.String(), fixed)
}
