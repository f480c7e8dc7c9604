package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/clopt/clopt/solvers"
)

// summaryJSON is summary.json of several runs.
type summaryJSON struct {
	Format        string       `json:"format"`
	FormatVersion int          `json:"format_version"`
	ToolVersion   string       `json:"tool_version"`
	Problem       string       `json:"problem"`
	Data          string       `json:"data,omitempty"`
	Algorithm     algorithm    `json:"algorithm"`
	Seed          uint32       `json:"seed"`
	Precision     string       `json:"precision"`
	Runs          []runSummary `json:"runs"`
	Best          number       `json:"best"`
	Median        number       `json:"median"`
	Worst         number       `json:"worst"`
	Targets       *int         `json:"targets"` // runs that met the target; null without one
	Command       string       `json:"command"`
	ExitCode      int          `json:"exit_code"`
}

type runSummary struct {
	Run         uint32 `json:"run"`
	Folder      string `json:"folder"` // inside the summary's
	F           number `json:"f"`
	FHost       number `json:"f_host"`
	Confirmed   bool   `json:"confirmed"`
	Evaluations int64  `json:"evaluations"`
	Work        number `json:"work"`
	Seconds     number `json:"seconds"`
	Stop        string `json:"stop"`
	ExitCode    int    `json:"exit_code"`
}

// runFolder names the folder of run r among others.
func runFolder(r uint32) string { return fmt.Sprintf("run-%02d", r) }

// batch does the runs of --runs N, each complete in a folder of its own, and
// summarises them. A signal ends the batch after the run that it meets.
func (j *job) batch(ctx context.Context, dir string) error {
	sum, err := j.several(ctx, dir, func(sub string, r uint32) (*resultJSON, error) {
		if err := os.Mkdir(sub, 0o777); err != nil {
			return nil, fail(exitOutput, "run folder: %w", err)
		}
		return j.one(ctx, sub, r)
	})
	return j.finishAll(sum, dir, err)
}

// finishAll prints the summary of several runs; sum may be nil.
func (j *job) finishAll(sum *summaryJSON, dir string, err error) error {
	if sum == nil {
		return err
	}
	j.app.stored, j.app.code = err == nil, sum.ExitCode
	if !j.settings.json {
		j.batchTable(j.app.stdout, sum, dir)
	}
	return err
}

// several does the runs of a batch, each by do in its folder, and summarises
// them. The summary is nil if there is no result.
func (j *job) several(ctx context.Context, dir string, do func(sub string, r uint32) (*resultJSON, error)) (*summaryJSON, error) {
	s := j.settings
	if err := j.writeRecipe(dir, s.firstRun, s.runs); err != nil {
		discardEmpty(dir)
		return nil, err
	}
	var done []*resultJSON
	made, failed := j.together(ctx, dir)
	for i := range s.runs {
		r := s.firstRun + uint32(i)
		m, ok := made[r]
		if !ok {
			if failed != nil || ctx.Err() != nil {
				break
			}
			m.out, m.err = do(filepath.Join(dir, runFolder(r)), r)
		}
		if m.out != nil {
			done = append(done, m.out)
			if s.json && j.cellID == nil {
				j.print(m.out)
			}
		}
		failed = errors.Join(failed, m.err)
	}
	if len(done) == 0 {
		discardEmpty(dir)
		return nil, failed
	}
	sum := j.summarise(done)
	if failed != nil && sum.ExitCode == exitOK {
		sum.ExitCode = exitCode(failed)
	}
	text, err := json.MarshalIndent(sum, "", "  ")
	if err != nil {
		return nil, err
	}
	_, err = writeWhole(filepath.Join(dir, "summary.json"), func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
	return sum, errors.Join(failed, err)
}

// madeRun is a run that was made with others.
type madeRun struct {
	out *resultJSON
	err error
}

// together makes those runs that the method makes in common launches and that have
// not begun: all that remain, in as few starts as it can. The first of a start is
// shown while it runs; each writes its own folder.
func (j *job) together(ctx context.Context, dir string) (map[uint32]madeRun, error) {
	s := j.settings
	most := solvers.BatchSize(j.problem, s.precision, s.solver)
	stored := s.config.given("checkpoint") && !s.checkpoint.off
	if most == 1 || stored || j.cellID != nil && j.cellID.View != nil {
		return nil, nil // with checkpoints, and where a table shows seconds, each run by itself
	}
	var fresh []uint32
	for i := range s.runs {
		r := s.firstRun + uint32(i)
		sub := filepath.Join(dir, runFolder(r))
		// In a campaign also one that was cut short, with nothing to go on from.
		if !exists(sub) || j.cellID != nil && finished(sub) == nil && !exists(filepath.Join(sub, "checkpoint")) {
			fresh = append(fresh, r)
		}
	}
	made := map[uint32]madeRun{}
	for len(fresh) > 1 && ctx.Err() == nil {
		n := 1
		for n < min(len(fresh), most) && fresh[n] == fresh[n-1]+1 {
			n++
		}
		if err := j.start(ctx, dir, fresh[:n], made); err != nil {
			return made, err
		}
		fresh = fresh[n:]
	}
	return made, nil
}

// start makes runs of consecutive numbers in one start.
func (j *job) start(ctx context.Context, dir string, runs []uint32, made map[uint32]madeRun) (err error) {
	var all []*session
	var settings []solvers.Settings
	defer func() {
		if err != nil {
			for _, ses := range all {
				ses.end(ctx, nil, err)
			}
		}
	}()
	for k, r := range runs {
		own := *j
		if k > 0 {
			own.show = j.show.muted()
		}
		sub := filepath.Join(dir, runFolder(r))
		unlock, err := claim(sub)
		if err != nil {
			return err
		}
		defer unlock()
		if err := clearRun(sub); err != nil {
			return err
		}
		ses, err := own.open(sub, r, own.newStore(sub), nil)
		if err != nil {
			return err
		}
		defer ses.close()
		all, settings = append(all, ses), append(settings, ses.settings())
	}
	j.show.say("runs %d to %d are made together", runs[0], runs[len(runs)-1])
	results, errs := solvers.MinimizeRuns(ctx, j.problem, j.group, settings, j.settings.solver)
	for k, ses := range all {
		out, err := ses.end(ctx, results[k], errs[k])
		made[runs[k]] = madeRun{out, err}
	}
	return nil
}

// discardEmpty removes a folder that holds no run, only what a batch writes before its first.
func discardEmpty(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() || e.Name() != "run.toml" && e.Name() != "x0.txt" {
			return
		}
	}
	os.RemoveAll(dir)
}

// summarise puts the results of runs together.
func (j *job) summarise(done []*resultJSON) *summaryJSON {
	s := j.settings
	sum := &summaryJSON{
		Format: "clopt-summary", FormatVersion: 1, ToolVersion: toolVersion, Problem: j.problem.Spec().String(), Data: j.problem.Info().Data,
		Algorithm: j.algorithm(), Seed: s.seed, Precision: s.precision.String(), Command: j.command(),
	}
	met := 0
	var values []float64
	for _, r := range done {
		sum.Runs = append(sum.Runs, runSummary{
			Run: r.Run, Folder: runFolder(r.Run), F: r.Best.F, FHost: r.Best.FHost, Confirmed: r.Best.Confirmed,
			Evaluations: r.Evaluations, Work: r.Work, Seconds: r.Seconds, Stop: r.Stop.Reason, ExitCode: r.ExitCode,
		})
		values = append(values, j.problem.Info().Sign()*float64(r.Best.F))
		if r.Stop.Reason == solvers.Target.String() {
			met++
		}
		// A signal goes before the rest; else the first code that is not 0.
		if sum.ExitCode == exitOK || r.ExitCode > 128 {
			sum.ExitCode = r.ExitCode
		}
	}
	if j.budget.Target != nil {
		sum.Targets = &met
	}
	slices.Sort(values)
	n, sg := len(values), j.problem.Info().Sign()
	sum.Best, sum.Worst = number(sg*values[0]), number(sg*values[n-1])
	sum.Median = number(sg * (values[(n-1)/2] + values[n/2]) / 2)
	return sum
}

// batchTable is what a person reads of several runs.
func (j *job) batchTable(w io.Writer, sum *summaryJSON, dir string) {
	fmt.Fprintf(w, "%s  %s  seed %d  %s\n", sum.Problem, sum.Algorithm.Name, sum.Seed, sum.Precision)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "  run\tbest f\tevaluations\tseconds\tstop\tconfirmed\t")
	for _, r := range sum.Runs {
		yes := "yes"
		if !r.Confirmed {
			yes = "NO"
		}
		fmt.Fprintf(t, "  %d\t%s\t%d\t%.4g\t%s\t%s\t\n", r.Run, formatValue(float64(r.F)), r.Evaluations, float64(r.Seconds), r.Stop, yes)
	}
	t.Flush()
	fmt.Fprintf(w, "  best %.10g  median %.10g  worst %.10g", float64(sum.Best), float64(sum.Median), float64(sum.Worst))
	if sum.Targets != nil {
		fmt.Fprintf(w, "  target met %d of %d", *sum.Targets, len(sum.Runs))
	}
	fmt.Fprintf(w, "\n  files  %s: summary.json run.toml run-*\n", dir)
	fmt.Fprintf(w, "  again  clopt run %s\n", shellQuote(filepath.Join(dir, "run.toml")))
}
