package runs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/internal/solvers/restart"
	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// If several ranks make a run together, rank 0 writes the run folder, and everything of this package happens there. The
// other ranks call Run.Follow: they make the runs that rank 0 announces, and write their shards of checkpoints into the
// same folder, which must therefore be on a file system that all share.

// order is what rank 0 announces: runs that are made together.
type order struct {
	Runs   []ordered // none: there are no more
	Nonce  string    // that is in the folder of the first run; "": in none
	Parent string    // Run.Folder of rank 0
}

// ordered is one of these runs.
type ordered struct {
	Identity checkpoints.Identity
	Budget   solvers.Budget
	X0       [][]float64
	Restart  bool
	Folder   string // of checkpoints; "": none are kept
	Resume   string // the checkpoint to resume from; "": a new run
	// Incumbent is that of Session.settings. Its point is there only if all ranks confirm it.
	Incumbent *solvers.Incumbent
}

// nonceName is the file in the run folder that shows that all ranks see the same one.
const nonceName = ".ranks"

// announce sends runs to the other ranks, and returns an error on which all agree if one of them cannot make them.
func announce(all []*Session) error {
	hosts := all[0].run.Devices.Hosts()
	if hosts == nil {
		return nil
	}
	o := order{Parent: all[0].run.Folder}
	for _, s := range all {
		r := s.run
		one := ordered{Identity: s.keeper.manifest.Identity, Budget: r.Budget, X0: r.X0,
			Restart: s.again()}
		if s.from != nil {
			one.Resume = s.from.Name
		}
		one.Incumbent = s.best
		if _, hosted := r.Problem.(problems.Referenced); hosted && s.best != nil {
			one.Incumbent = &solvers.Incumbent{F: s.best.F}
		}
		if !r.Schedule.Off || s.from != nil {
			one.Folder = Absolute(s.dir.Path)
		}
		o.Runs = append(o.Runs, one)
	}
	if o.Runs[0].Folder != "" {
		dir := all[0].dir
		o.Nonce = strconv.FormatInt(time.Now().UnixNano(), 36)
		if err := dir.writeText(nonceName, o.Nonce); err != nil {
			return err // before the other ranks know of the runs
		}
		defer dir.RemoveIfExists(nonceName)
	}
	if err := ranks.Announce(hosts, o); err != nil {
		return err
	}
	return answers(hosts, "")
}

// answers collects what each rank has to complain, "" for nothing, and returns the first complaint on all ranks.
func answers(hosts ranks.Hosts, own string) error {
	all, err := ranks.Messages(hosts, own)
	if err != nil {
		return err
	}
	for rank, text := range all {
		if text != "" {
			return fault(Ranks, "rank %d: %s", rank, text)
		}
	}
	return nil
}

// Dismiss lets the other ranks end, since there are no more runs. Without other ranks it does nothing.
func (r *Run) Dismiss() error {
	hosts := r.Devices.Hosts()
	if hosts == nil {
		return nil
	}
	return ranks.Announce(hosts, order{})
}

// agree ends runs that were made together. If one has failed on this rank alone, it returns an error, and the command
// must then end all ranks.
func (r *Run) agree(results []*solvers.Result, errs []error) error {
	hosts := r.Devices.Hosts()
	if hosts == nil || hosts.Agree(failure(results, errs) != nil) {
		return nil
	}
	return fault(Ranks, "the other ranks do not have this error, and are ended")
}

// failure returns the error of a run that has no result, nil if there is none.
func failure(results []*solvers.Result, errs []error) error {
	for k, err := range errs {
		if err != nil && results[k] == nil {
			return err
		}
	}
	return nil
}

// exchanged writes to the trace what the ranks have exchanged in a run.
func (s *Session) exchanged(before, after shard.Exchanged) {
	n := after.Count - before.Count
	if n == 0 {
		return
	}
	took := after.Time - before.Time
	s.recorder.event("wait", fmt.Sprintf("%d exchanges between ranks, %s, %.3g s, %v each", n,
		shard.Bytes(after.Bytes-before.Bytes), took.Seconds(), (took/time.Duration(n)).Round(time.Microsecond/10)))
}

// Follow makes the runs that rank 0 announces, on the other ranks. It returns when there are no more, or with an error
// that this rank alone has.
func (r *Run) Follow(ctx context.Context) error {
	hosts := r.Devices.Hosts()
	for {
		var o order
		if err := ranks.Announced(hosts, &o); err != nil {
			return err
		}
		if len(o.Runs) == 0 {
			return nil
		}
		r.Seed = o.Runs[0].Identity.Seed
		if answers(hosts, r.complaint(o)) != nil {
			continue // rank 0 says it
		}
		var settings []solvers.Settings
		for _, one := range o.Runs {
			settings = append(settings, r.following(one))
		}
		if r.Following != nil {
			r.Following(o.Parent)
		}
		results, errs := solvers.MinimizeRuns(ctx, r.Problem, r.Devices, settings, r.Solver)
		if err := failure(results, errs); !hosts.Agree(err != nil) {
			return err
		}
	}
}

// complaint says why this rank cannot make some runs; "": it can.
func (r *Run) complaint(o order) string {
	for _, one := range o.Runs {
		own, err := r.identify(one.Identity.Run)
		if err != nil {
			return err.Error()
		}
		if d := one.Identity.Difference(own); d != "" {
			return "it has another run: " + strings.Replace(d, ", and was ", ", and on rank 0 ", 1)
		}
	}
	if o.Nonce == "" {
		return ""
	}
	dir := o.Runs[0].Folder
	if text, err := os.ReadFile(filepath.Join(dir, nonceName)); err != nil || string(text) != o.Nonce {
		return fmt.Sprintf("it does not see the folder %s as rank 0 does. Choose an --out on a file system that all "+
			"hosts share, or use --checkpoint off", dir)
	}
	return ""
}

// following returns the settings of a run that rank 0 has announced.
func (r *Run) following(o ordered) solvers.Settings {
	s := solvers.Settings{Key: rng.Key{Seed: o.Identity.Seed, Run: o.Identity.Run}, Precision: r.Precision,
		Budget: o.Budget, X0: o.X0,
		Around: restart.Around(o.Restart), Incumbent: o.Incumbent, Keeper: &follower{r, o.Folder}}
	if o.Resume != "" {
		s.Resume = r.load(o.Folder, o.Resume)
	}
	return s
}

// load returns the function that loads a checkpoint in the folder of a run. Rank 0 has verified its files.
func (r *Run) load(folder, name string) func(*solvers.State) (solvers.Progress, error) {
	return func(st *solvers.State) (solvers.Progress, error) {
		dir, err := r.folder(folder)
		if err != nil {
			return solvers.Progress{}, err
		}
		defer dir.Close()
		saved, err := checkpoints.Read(dir.Folder, name)
		if err != nil {
			return solvers.Progress{}, fault(Damage, "%w", err)
		}
		return load(saved, dir, st)
	}
}

// follower is the solvers.Keeper of the other ranks. It writes the pieces of a checkpoint that rank 0 writes.
type follower struct {
	run    *Run
	folder string // of checkpoints
}

func (*follower) Due(solvers.Sample) bool { return false }

func (f *follower) Lost(error) (func(*solvers.State) (solvers.Progress, error), bool) {
	var next comeback
	if err := ranks.Announced(f.run.Devices.Hosts(), &next); err != nil || next.From == "" {
		return nil, err == nil && next.GoesOn
	}
	return f.run.load(f.folder, next.From), true
}

func (f *follower) Keep(st *solvers.State, _ solvers.Progress, _ solvers.Status) error {
	return checkpoints.Follow(f.run.Devices.Hosts(), st)
}
