package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/stats"
	"github.com/clopt/clopt/solvers"
)

// TargetJSON is the time that the runs of one method took to a target.
type TargetJSON struct {
	Problem string        `json:"problem"`
	Method  string        `json:"method"`
	Limit   string        `json:"limit,omitempty"` // of evaluations and time, in words
	Runs    int           `json:"runs"`
	Hits    int           `json:"hits"`
	Median  *exact.Number `json:"median_seconds"` // null: half of the runs or more have missed it
	TTS99   exact.Number  `json:"tts99_seconds"`  // null: no run has met it
	Low     exact.Number  `json:"tts99_low"`
	High    exact.Number  `json:"tts99_high"`
	Cutoff  exact.Number  `json:"cutoff_seconds"`

	name string // a short one of the problem
}

// Hit reports whether the run ended because it met its target.
func (f Record) Hit() bool { return f.Result.Stop.Reason == solvers.Target.String() }

// Effort returns what the run took on an axis of its course: work, seconds for "time", or else evaluations.
func (f Record) Effort(axis string) float64 {
	switch axis {
	case "work":
		return float64(f.Result.Work)
	case "time":
		return float64(f.Result.Seconds)
	}
	return float64(f.Result.Evaluations)
}

// ToTarget returns the seconds of runs of one method on one problem, and which of them met their target. ok is false if
// none has, or if there is one run only.
func ToTarget(all []Record) (seconds []float64, hits []bool, ok bool) {
	for _, f := range all {
		seconds, hits = append(seconds, float64(f.Result.Seconds)), append(hits, f.Hit())
		ok = ok || f.Hit()
	}
	return seconds, hits, ok && len(all) > 1
}

// targets returns the time to the target of each problem and method. Where no run has met its target, the times are
// NaN.
func targets(results []Record) (all reached) {
	short := shortNames(results)
	for _, g := range Groups(GraphsTogether(results)) {
		seconds, hits, ok := ToTarget(g.Runs)
		t := stats.TimeToTarget(seconds, hits)
		switch {
		case ok:
		case len(g.Runs) > 1 && g.Runs[0].Result.Limits.Target != nil:
			t.TTS99 = math.NaN()
			t.Low = math.NaN()
			t.High = math.NaN()
		default:
			continue
		}
		spec := g.Runs[0].Result.Problem
		j := TargetJSON{Problem: spec, Method: g.Label, Limit: g.Key.Limit, Runs: t.Runs, Hits: t.Hits,
			TTS99: exact.Number(t.TTS99), Low: exact.Number(t.Low), High: exact.Number(t.High),
			Cutoff: exact.Number(t.Cutoff), name: short[spec]}
		if 2*t.Hits > t.Runs {
			median := exact.Number(t.Median)
			j.Median = &median
		}
		all = append(all, j)
	}
	return all
}

// reached are the times to targets of all methods.
type reached []TargetJSON

// shown returns the times to targets as a table.
func (all reached) shown() Table {
	out := Table{Title: "Seconds to the target; TTS99 repeats runs of the longest one until 99 % have met it, [95 % " +
		"interval]", Columns: slices.Concat(Words("problem", "method"), Numbers("hits", "median", "TTS99", "interval"))}
	for _, t := range all {
		median := "-"
		if t.Median != nil {
			median = Short(*t.Median)
		}
		out.Rows = append(out.Rows, Texts(Joined(t.name, limitTitle(t.Limit)), t.Method,
			fmt.Sprintf("%d/%d", t.Hits, t.Runs), median, Short(t.TTS99),
			fmt.Sprintf("[%s, %s]", Short(t.Low), Short(t.High))))
	}
	return out
}

func (all reached) values(to *valueWriter) {
	for _, t := range all {
		title := Joined("target", limitTitle(t.Limit))
		to.ours(title, t.Problem, t.Method, "runs", exact.Number(t.Runs))
		to.ours(title, t.Problem, t.Method, "hits", exact.Number(t.Hits))
		if t.Median != nil {
			to.ours(title, t.Problem, t.Method, "median_seconds", *t.Median)
		}
		to.ours(title, t.Problem, t.Method, "tts99_seconds", t.TTS99)
	}
}
