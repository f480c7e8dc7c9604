package job

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers/runs"
)

// GoOn continues the run in dir, or the runs in its subfolders. raised says that the user gave a new limit.
func (j *Job) GoOn(ctx context.Context, dir string, raised bool) error {
	s := j.Settings
	if s.Runs == 1 {
		unlock, err := runs.Lock(dir)
		if err != nil {
			return err
		}
		defer unlock()
		from, err := j.newest(dir, s.FirstRun, raised)
		if err != nil {
			return err
		}
		if from == nil {
			return exit.Usagef("%s holds no checkpoint. Repeat the run with clopt run %s", dir,
				flags.ShellQuote(filepath.Join(dir, "run.toml")))
		}
		return j.OnDevices(ctx, func() error {
			defer j.onCrash(dir)()
			r, err := j.Run.Continue(ctx, dir, s.FirstRun, from)
			return Finish(j.call, s, r, err)
		})
	}
	return j.OnDevices(ctx, func() error {
		sum, err := j.Several(ctx, dir, raised,
			func(sub string, r uint32) (*record.Result, error) { return j.Cell(ctx, sub, r, raised) })
		return j.finishAll(sum, dir, err)
	})
}

// Cell makes or completes run r in dir, which may exist: it reads a finished run, resumes an unfinished one, and
// repeats one that has no checkpoint.
func (j *Job) Cell(ctx context.Context, dir string, r uint32, raised bool) (*record.Result, error) {
	if done, err := runs.Finished(dir); err != nil {
		return nil, err
	} else if done != nil && !raised {
		if j.Run.Discard { // the process may have ended before it did so
			os.RemoveAll(filepath.Join(dir, checkpoints.Name))
		}
		j.show.Sayf("%s is finished", dir)
		return done, nil
	}
	unlock, err := runs.Claim(dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	from, err := j.newest(dir, r, raised)
	if err != nil {
		return nil, err
	}
	if from == nil {
		if err := runs.Clear(dir); err != nil {
			return nil, err
		}
	}
	return j.Run.Continue(ctx, dir, r, from)
}

// newest returns the checkpoint from which run r continues, nil if there is none. If the user gave a new limit, it must
// not be used up already.
func (j *Job) newest(dir string, r uint32, raised bool) (*checkpoints.Saved, error) {
	from, err := j.Run.Newest(dir, r)
	if from == nil || err != nil {
		return nil, unusable(err)
	}
	if m := from.Manifest; m.ToolVersion != runs.ToolVersion {
		j.show.Warnf("Checkpoint %s was made by clopt %s. This is clopt %s, whose results may differ.", from.Name,
			m.ToolVersion, runs.ToolVersion)
	}
	for _, kind := range cl.Kinds(j.devices) {
		if !slices.Contains(from.Manifest.Kinds, kind) {
			j.show.Warnf("Device %q is of another kind than those of checkpoint %s, so results may differ. "+
				"Choose devices of that kind with --devices for a run that repeats bit for bit.", kind, from.Name)
		}
	}
	if _, err := runs.Finished(dir); err != nil || !raised { // a result that cannot be read is an error
		return from, err
	}
	b, last := j.Run.Budget, from.Loop.Last
	if b.Evaluations > 0 && last.Evaluations >= b.Evaluations {
		return nil, exit.Usagef("%s: the run has used its %d evaluations: it has made %d. Give a larger limit: "+
			"--evals N", dir, b.Evaluations, last.Evaluations)
	} else if b.Moves > 0 && last.Moves >= b.Moves {
		return nil, exit.Usagef("%s: the run has used its %d moves: it has made %d. Give a larger limit: "+
			"--moves N", dir, b.Moves, last.Moves)
	} else if used := from.Loop.Held.Elapsed; b.Time > 0 && used >= b.Time {
		return nil, exit.Usagef("%s: the run has used its time of %v: it has taken %s. Give a longer one: "+
			"--time DURATION", dir, b.Time, status.Seconds(used))
	}
	return from, nil
}

// unusable adds advice to an error of checkpoints.
func unusable(err error) error {
	f, ok := errors.AsType[*runs.Fault](err)
	switch {
	case ok && f.Kind == runs.Foreign:
		return exit.Failf(exit.Checkpoint, "%w. Undo the change of the run folder or of the problem's files, or "+
			"start again with clopt run.", err)
	case ok && f.Kind == runs.Damage:
		return exit.Failf(exit.Checkpoint, "%w. Start again with clopt run.", err)
	}
	return exit.With(exit.Checkpoint, err)
}
