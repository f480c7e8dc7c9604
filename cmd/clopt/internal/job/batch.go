package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/internal/solvers/stats"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
)

// Summary is the content of summary.json, for several runs.
type Summary struct {
	record.Header
	Problem   string           `json:"problem"`
	Data      string           `json:"data,omitempty"`
	Algorithm record.Algorithm `json:"algorithm"`
	Seed      uint32           `json:"seed"`
	Precision string           `json:"precision"`
	Runs      []runSummary     `json:"runs"`
	Best      exact.Number     `json:"best"`
	Median    exact.Number     `json:"median"`
	Worst     exact.Number     `json:"worst"`
	Targets   *int             `json:"targets"` // number of runs that met the target; null without a target
	Command   string           `json:"command"`
	ExitCode  int              `json:"exit_code"`
}

type runSummary struct {
	Run         uint32       `json:"run"`
	Folder      string       `json:"folder"` // relative to the summary
	F           exact.Number `json:"f"`
	FHost       exact.Number `json:"f_host"`
	Confirmed   bool         `json:"confirmed"`
	Evaluations int64        `json:"evaluations"`
	Moves       int64        `json:"moves,omitempty"`
	Work        exact.Number `json:"work"`
	Seconds     exact.Number `json:"seconds"`
	Stop        string       `json:"stop"`
	ExitCode    int          `json:"exit_code"`
}

// RunFolder returns the name of the folder of run r of several.
func RunFolder(r uint32) string { return fmt.Sprintf("run-%02d", r) }

// finishAll prints the summary of several runs, which may be nil, and returns err.
func (j *Job) finishAll(sum *Summary, dir string, err error) error {
	if sum == nil {
		return err
	}
	j.call.Stored, j.call.Code = err == nil && !j.Settings.JSON, sum.ExitCode
	if !j.Settings.JSON {
		j.batchTable(j.call.Stdout, sum, dir)
	}
	return err
}

// Several makes the runs of a batch, and returns their summary. do makes a run in the folder sub, if it is not made
// together with others. raised says that the user gave a new limit. The summary is nil if there is no result.
func (j *Job) Several(ctx context.Context, dir string, raised bool,
	do func(sub string, r uint32) (*record.Result, error)) (*Summary, error) {
	s := j.Settings
	unlock, err := runs.Lock(dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	defer j.onCrash(dir)()
	if err := j.Run.WriteRecipe(dir, j.Recipe(s.FirstRun, s.Runs)); err != nil {
		discardEmpty(dir)
		return nil, err
	}
	var done []*record.Result
	made, failed := j.together(ctx, dir, raised)
	for i := range s.Runs {
		r := s.FirstRun + uint32(i)
		m, ok := made[r]
		if !ok {
			if failed != nil || ctx.Err() != nil {
				break
			}
			m.out, m.err = do(filepath.Join(dir, RunFolder(r)), r)
		}
		if m.out != nil {
			done = append(done, m.out)
			if s.JSON && j.Run.Cell == nil {
				record.WriteLine(j.call.Stdout, m.out)
			}
		}
		failed = errors.Join(failed, m.err)
	}
	if len(done) == 0 {
		discardEmpty(dir)
		return nil, failed
	}
	sum := j.summarise(done)
	if failed != nil && sum.ExitCode == exit.OK {
		sum.ExitCode = exit.Code(failed)
	}
	text, err := json.MarshalIndent(sum, "", "  ")
	if err != nil {
		return nil, err
	}
	_, err = runs.WriteWhole(filepath.Join(dir, "summary.json"), func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
	return sum, errors.Join(failed, err)
}

// madeRun is the outcome of a run that was made together with others.
type madeRun struct {
	out *record.Result
	err error
}

// member is a run that is made together with others. Its folder is locked until unlock is called.
type member struct {
	number uint32
	from   *checkpoints.Saved // nil: it is new
	unlock func()
}

// step returns the step at which the run begins.
func (m *member) step() int64 {
	if m.from == nil {
		return 0
	}
	return m.from.Loop.Last.Step
}

// together makes the runs that are not finished in common launches, if the method can do this. Neighbours that are at
// the same step share launches. Each run writes its own folder; the first one of those that share launches is shown.
func (j *Job) together(ctx context.Context, dir string, raised bool) (made map[uint32]madeRun, err error) {
	s := j.Settings
	most := solvers.BatchSize(j.Problem, solvers.Settings{Precision: s.Precision, Budget: j.Run.Budget}, s.Solver)
	if most == 1 || j.Run.Cell != nil && j.Run.Cell.View != nil {
		return nil, nil // runs for a table that may show seconds are made one by one
	}
	made = map[uint32]madeRun{}
	var members []*member
	release := func() {
		for _, m := range members {
			m.unlock()
		}
		members = nil
	}
	defer release()
	start := func() error {
		defer release()
		if len(members) == 0 {
			return nil
		}
		return j.start(ctx, dir, members, made)
	}
	for i := range s.Runs {
		if len(members) == most {
			if err := start(); err != nil {
				return made, err
			}
		}
		if ctx.Err() != nil {
			return made, nil
		}
		r := s.FirstRun + uint32(i)
		sub := filepath.Join(dir, RunFolder(r))
		done, err := runs.Finished(sub)
		if err != nil {
			return made, err
		}
		if done != nil && !raised {
			if err := start(); err != nil {
				return made, err
			}
			continue
		}
		unlock, err := runs.Claim(sub)
		if err != nil {
			return made, err
		}
		m := &member{number: r, unlock: unlock}
		m.from, err = j.newest(sub, r, raised)
		if err != nil {
			unlock()
			return made, err
		}
		if len(members) > 0 && members[0].step() != m.step() {
			if err := start(); err != nil {
				unlock()
				return made, err
			}
		}
		members = append(members, m)
	}
	return made, start()
}

// start makes runs with consecutive numbers together, and adds them to made.
func (j *Job) start(ctx context.Context, dir string, members []*member, made map[uint32]madeRun) (err error) {
	var all []*runs.Session
	defer func() {
		if err != nil {
			for _, ses := range all {
				ses.End(ctx, err)
			}
		}
	}()
	for k, m := range members {
		own := j.another(j.show)
		if k > 0 {
			own = j.another(j.show.Muted())
		}
		own.Run.Ended = j.Ended
		sub := filepath.Join(dir, RunFolder(m.number))
		if m.from == nil {
			if err := runs.Clear(sub); err != nil {
				return err
			}
		}
		ses, err := own.Run.Open(sub, m.number, m.from)
		if err != nil {
			return err
		}
		defer ses.Close()
		all = append(all, ses)
	}
	if n := len(members); n > 1 {
		j.show.Sayf("runs %d to %d are made together", members[0].number, members[n-1].number)
	}
	j.Run.Before = 0
	results, errs := runs.Together(ctx, all)
	for k, m := range members {
		made[m.number] = madeRun{results[k], errs[k]}
	}
	return nil
}

// discardEmpty removes a folder that holds no run, only the files that a batch writes before its first run.
func discardEmpty(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !slices.Contains([]string{"run.toml", "x0.txt", "bounds.txt", "inputs", "lock"}, e.Name()) {
			return
		}
	}
	os.RemoveAll(dir)
}

// summarise returns the summary of some runs.
func (j *Job) summarise(done []*record.Result) *Summary {
	s := j.Settings
	sum := &Summary{
		Header:  runs.Header("clopt-summary", 1),
		Problem: j.Problem.Spec().String(), Data: j.Problem.Info().Data, Algorithm: j.Run.Algorithm(),
		Seed: s.Seed, Precision: s.Precision.String(), Command: j.Run.Command,
	}
	met, sign := 0, j.Problem.Info().Sign()
	var values []float64
	for _, r := range done {
		sum.Runs = append(sum.Runs, runSummary{
			Run: r.Run, Folder: RunFolder(r.Run), F: r.Best.F, FHost: r.Best.FHost, Confirmed: r.Best.Confirmed,
			Evaluations: r.Evaluations, Moves: r.Moves, Work: r.Work, Seconds: r.Seconds,
			Stop: r.Stop.Reason, ExitCode: r.ExitCode,
		})
		values = append(values, sign*float64(r.Best.F))
		if r.Stop.Reason == solvers.Target.String() {
			met++
		}
		// The code of a signal wins, otherwise the first code that is not 0.
		if sum.ExitCode == exit.OK || r.ExitCode > 128 {
			sum.ExitCode = r.ExitCode
		}
	}
	if j.Run.Budget.Target != nil {
		sum.Targets = &met
	}
	of := stats.Summarise(values)
	sum.Best, sum.Worst = exact.Number(sign*of.Best), exact.Number(sign*of.Worst)
	sum.Median = exact.Number(sign * of.Median)
	return sum
}

// batchTable shows the results of several runs.
func (j *Job) batchTable(out *status.Output, sum *Summary, dir string) {
	row := func(label, format string, args ...any) { out.Show(status.Row(label, format, args...)) }
	out.Show(fmt.Sprintf("%s %d runs", status.Mark(sum.ExitCode == exit.OK), len(sum.Runs)))
	row("run", "%s  %s  seed %d  %s", sum.Problem, sum.Algorithm.Name, sum.Seed, sum.Precision)
	if sum.Data != "" {
		row("data", "%s", problems.DataInWords(sum.Data))
	}
	t := status.Table{Rows: [][]string{{"run", "best", "evaluations", "seconds", "stop", "confirmed"}}, Names: 1,
		Right: true, Indent: 2}
	for _, r := range sum.Runs {
		yes := "yes"
		if !r.Confirmed {
			yes = "NO"
		}
		t.Rows = append(t.Rows, []string{strconv.Itoa(int(r.Run)), exact.Format(float64(r.F)),
			strconv.FormatInt(r.Evaluations, 10), fmt.Sprintf("%.4g", float64(r.Seconds)), r.Stop, yes})
	}
	t.Print(out)
	all := fmt.Sprintf("%s   median %s   worst %s", exact.Format(float64(sum.Best)), exact.Format(float64(sum.Median)),
		exact.Format(float64(sum.Worst)))
	if best, ok := j.Problem.Info().BestKnown(); ok {
		all += "   best known " + exact.Format(j.Problem.Info().Sign()*best)
	}
	if sum.Targets != nil {
		all += fmt.Sprintf("   target met by %d of %d", *sum.Targets, len(sum.Runs))
	}
	row("best", "%s", all)
	row("saved", "%s   summary.json, run.toml, run-*", dir)
	next(row, dir, false, "", true, j.Settings.Allow())
}
