package job

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/internal/shard/mpi"
	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/internal/solvers/bench"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/solvers/runs"
)

// Under mpirun or srun, every process executes the same command. Rank 0 does everything that a command does alone, and
// announces to the other ranks what all have to do together. They read no files before, and print nothing, unless they
// fail alone.

// Ranks is the other ranks of a command. nil: there are none.
type Ranks struct {
	world  *mpi.World
	stderr *status.Output // of this rank
	held   *bytes.Buffer  // what another rank than 0 would have printed
	code   int            // of rank 0, known at the end
}

// task is what rank 0 announces.
type task struct {
	What      string // "list", "devices", "open", "evaluate", "exchange" or "end"
	Build     string
	Selector  string
	Precision string
	Problem   string
	Data      string
	Solver    string
	Set       []string // settings of the solver
	Weights   map[int]float64
	Count     int
	Mem       float64
	Watchdog  time.Duration
	NoCheck   bool
	Points    [][]float64
	Code      int // at the end
}

// Follows reports whether this process is another rank than 0, by the variables of its launcher. With --mpi off or
// CLOPT_MPI=off each process acts alone.
func (c *Call) Follows() bool {
	return mpi.Find(c.Getenv).Rank > 0 && !c.alone && c.Getenv(flags.EnvName("mpi")) != "off"
}

// Join joins the processes that a launcher has started, as the flags of a command say. It returns false on other ranks
// than 0, after they have done what rank 0 has announced: the command is then done. A command without these flags is
// done by rank 0 alone.
func (c *Call) Join(ctx context.Context, fs *pflag.FlagSet) (leads bool, err error) {
	if fs.Lookup("mpi") == nil {
		return !c.Follows(), nil
	}
	config := flags.New(flags.HostOptions(), fs, c.Getenv, nil)
	when := flags.Read(config, "mpi", flags.OneOf("auto", "on", "off"))
	limit := flags.Read(config, "mpi-timeout", flags.ParseDuration)
	if err := config.Err(); err != nil {
		return false, err
	}
	launch := mpi.Find(c.Getenv)
	c.alone = when == "off" || when == "auto" && launch == (mpi.Launch{})
	if c.alone {
		return true, nil
	}
	world, err := launch.Join(config.Text("mpi-lib"), limit)
	c.catch()
	if err != nil {
		return false, exit.Failf(exit.Host, "%w", err)
	}
	c.Finishes(func() string { return "waiting for the other ranks" })
	c.Ranks = &Ranks{world: world, stderr: c.Stderr}
	if world.Rank() == 0 {
		return true, nil
	}
	c.mute.Store(true)
	c.Ranks.held = &bytes.Buffer{}
	c.Stdout, c.Stderr = &status.Output{W: io.Discard}, &status.Output{W: c.Ranks.held}
	return false, c.Ranks.follow(ctx)
}

// Leave ends the command with a code on all ranks and returns the code of this one. A rank that is alone with its error
// ends the others.
func (r *Ranks) Leave(code int) int {
	if r == nil {
		return code
	}
	w := r.world
	if w.Rank() == 0 && !w.Alone() {
		r.code = code
		if err := r.announce(task{What: "end", Code: code}); err != nil {
			fmt.Fprintf(r.stderr, "clopt: error: %v\n", err)
			r.stop(exit.Host)
		}
	}
	if w.Alone() || w.Rank() > 0 && code != exit.OK || !w.Agree(false) {
		r.stop(cmp.Or(code, exit.Host))
	}
	w.Finish(r.code, os.Exit)
	return code
}

// together reports whether there are other ranks, and they wait for what comes next.
func (r *Ranks) together() bool { return r != nil && !r.world.Alone() }

// Fail ends all ranks after an error inside of clopt.
func (r *Ranks) Fail(code int) {
	if r != nil {
		r.stop(code)
	}
}

// stop ends all ranks because of this one, after it has said why.
func (r *Ranks) stop(code int) {
	if r.held != nil {
		fmt.Fprintf(r.stderr, "rank %d on %s:\n%s", r.world.Rank(), r.world.Names()[r.world.Rank()], r.held)
	}
	r.world.Abort(code)
}

// announce lets the other ranks do a task.
func (r *Ranks) announce(t task) error {
	if r.world.Alone() {
		return exit.Failf(exit.Host, "the other ranks are ended")
	}
	t.Build = build()
	return ranks.Announce(r.world, t)
}

// build returns the version of this program and its commit.
func build() string {
	commit, modified := runs.Commit()
	text := strings.TrimSpace(runs.ToolVersion + " " + commit[:min(12, len(commit))])
	if modified {
		text += " with changes"
	}
	return text
}

// follow does what rank 0 announces, until it ends.
func (r *Ranks) follow(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx) // rank 0 decides by signals
	for {
		var t task
		err := ranks.Announced(r.world, &t)
		if err != nil {
			return err
		}
		if own := build(); t.Build != own {
			return exit.Failf(exit.Host, "this is clopt %s, and rank 0 is clopt %s", own, t.Build)
		}
		switch t.What {
		case "list":
			_, err = r.seen()
		case "devices":
			if _, err = r.offers(t); errors.As(err, new(*exit.Error)) {
				err = nil // rank 0 says it
			}
		case "open":
			err = r.open(ctx, t)
		case "evaluate":
			err = r.evaluate(ctx, t)
		case "exchange":
			_, err = bench.MeasureExchanges(r.world, t.Count, time.Now)
		case "end":
			r.code = t.Code
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// within opens the devices of a task with the other ranks, reads its problem, and closes the devices after do.
func (r *Ranks) within(t task, do func(*shard.Devices, problems.Problem, problems.Precision) error) error {
	g, err := r.opened(t, nil)
	if err != nil {
		return r.mine(err)
	}
	defer g.Close()
	prec, err := problems.ParsePrecision(t.Precision)
	if err != nil {
		return err
	}
	p, err := flags.ParseProblem(t.Problem, problems.Options{Data: t.Data}, prec, false)
	if err != nil {
		return err
	}
	return do(g, p, prec)
}

// open makes the runs of a job of rank 0.
func (r *Ranks) open(ctx context.Context, t task) error {
	return r.within(t, func(g *shard.Devices, p problems.Problem, prec problems.Precision) error {
		set, err := flags.ParseSet(t.Set)
		if err != nil {
			return err
		}
		method, err := methods.New(t.Solver, set)
		if err != nil {
			return err
		}
		if err := r.try(ctx, g, p, prec); err != nil && r.world.Alone() {
			return err
		}
		run := &runs.Run{Problem: p, Solver: method, Devices: g, Precision: prec}
		run.Following = func(folder string) {
			if folder != "" {
				onCrash(r.stderr, p, g.Infos(), r.world.Rank(), func(text string) string {
					return plain(resumable(text, folder))
				})
			}
		}
		return run.Follow(ctx)
	})
}

// try evaluates a problem once on the devices of all ranks, as solvers.Try. If it fails on one rank alone, this rank is
// alone afterwards.
func (r *Ranks) try(ctx context.Context, g *shard.Devices, p problems.Problem, prec problems.Precision) error {
	err := solvers.Try(ctx, p, g, prec)
	if err != nil && r != nil {
		r.world.Agree(true)
	}
	return err
}

// mine returns an error that this rank has alone. What all have, rank 0 says.
func (r *Ranks) mine(err error) error {
	if r.world.Alone() {
		return err
	}
	return nil
}

// Evaluate evaluates points on the devices of all ranks, as shard.Evaluate. data is the folder of official data.
func (r *Ranks) Evaluate(ctx context.Context, selector string, p problems.Problem, prec problems.Precision,
	data string, points [][]float64) ([]float64, error) {
	t := task{What: "evaluate", Selector: selector, Precision: prec.String(), Problem: p.Spec().String(),
		Data: runs.Absolute(data), Points: points}
	g, err := r.lead(t, nil)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	return r.values(ctx, g, p, prec, t)
}

// evaluate takes part in Evaluate.
func (r *Ranks) evaluate(ctx context.Context, t task) error {
	return r.within(t, func(g *shard.Devices, p problems.Problem, prec problems.Precision) error {
		defer onCrash(r.stderr, p, g.Infos(), r.world.Rank(), plain)()
		_, err := r.values(ctx, g, p, prec, t)
		return r.mine(err)
	})
}

// values evaluates the points of a task.
func (r *Ranks) values(ctx context.Context, g *shard.Devices, p problems.Problem, prec problems.Precision,
	t task) ([]float64, error) {
	var values []float64
	ctx = context.WithoutCancel(ctx)
	err := trial.Try(ctx, g, p, prec)
	if err == nil {
		values, err = shard.Evaluate(ctx, g, p, prec, t.Points)
	}
	if !r.world.Agree(err != nil) && err == nil {
		err = exit.Failf(exit.Host, "the other ranks have failed")
	}
	return values, err
}

// task returns the announcement of the devices and runs of a job.
func (j *Job) task() task {
	s := j.Settings
	return task{What: "open", Selector: s.Devices, Precision: s.Precision.String(), Problem: j.Problem.Spec().String(),
		Data: runs.Absolute(j.data()), Solver: s.Solver.Traits().Name, Set: settingsOf(s.Solver), Weights: s.Weights,
		Count: s.Count, Mem: s.Mem, Watchdog: s.Watchdog, NoCheck: s.NoSelftest}
}

// settingsOf returns all settings of a method as KEY=VALUE.
func settingsOf(method solvers.Solver) (set []string) {
	for _, one := range method.Traits().Settings {
		set = append(set, one.Key+"="+one.Get())
	}
	return set
}

// Quietly waits a moment on other ranks than 0 before a command ends with an error that all have found before they
// have joined, and reports whether it is on one: a launcher ends all ranks when the first one ends with an error, and
// rank 0 has to print it.
func (c *Call) Quietly() bool {
	if c.Ranks != nil || !c.Follows() {
		return false
	}
	time.Sleep(time.Second)
	return true
}

// Hosts returns the host of each rank, and the library that joins them.
func (r *Ranks) Hosts() (hosts []string, library string) { return r.world.Names(), r.world.Library() }

// String describes the ranks in a line.
func (r *Ranks) String() string {
	names, word := r.world.Names(), "hosts"
	hosts := slices.Compact(slices.Sorted(slices.Values(names)))
	if len(hosts) == 1 {
		word = "host"
	}
	return fmt.Sprintf("%d ranks on %d %s (%s), joined by %s", len(names), len(hosts), word, strings.Join(hosts, ", "),
		r.world.Library())
}

// ShowRanks shows the hosts of the command, if there are several processes.
func (c *Call) ShowRanks(show *status.Display) {
	if c.Ranks != nil {
		show.Sayf("%s", c.Ranks)
	}
}

// MeasureExchanges measures the exchanges between the ranks.
func (r *Ranks) MeasureExchanges(times int) ([]bench.Timing, error) {
	if err := r.announce(task{What: "exchange", Count: times}); err != nil {
		return nil, err
	}
	return bench.MeasureExchanges(r.world, times, time.Now)
}
