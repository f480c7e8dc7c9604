package report

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs/exact"
	"github.com/clopt/clopt/solvers/runs/record"
	"github.com/clopt/clopt/solvers/stats"
)

// ratios are the values of the key ratio of a suite file.
var ratios = []string{"seconds", "rate", "move rate", "value"}

// CheckView checks a view. It returns the key with the error.
func CheckView(v *record.View) (key string, err error) {
	for _, name := range v.Show {
		if _, ok := metricOf(name); !ok {
			return "show", fmt.Errorf("%q is not a metric; there are %s, at 10s", name, strings.Join(metricNames, ", "))
		}
	}
	switch {
	case v.Ratio != "" && !slices.Contains(ratios, v.Ratio):
		return "ratio", fmt.Errorf("%q is not one of %s", v.Ratio, strings.Join(ratios, ", "))
	case v.Show == nil && v.Baselines != nil:
		return "baselines", fmt.Errorf("needs the key show, a list such as [\"error\", \"seconds\"]")
	}
	return "", nil
}

// measurement is the value of a metric for some runs. NaN means that there is none.
type measurement struct {
	Value float64
	text  string // for a table; "": Value with three digits
}

var none = measurement{Value: math.NaN()}

// metric computes a measurement of the runs of a method on a problem.
type metric struct {
	head string // heading of its column
	of   func(all []Record) measurement
}

var metricNames = []string{"error", "last", "location", "best", "known", "hits", "evaluations", "moves", "work",
	"seconds", "rate", "move rate"}

// metricOf returns the metric of a name:
//
//	error               mean distance of the value from the known optimum
//	last                the same of the value that is held at the end: of annealing the best last state of its chains
//	location            mean distance of the point from the nearest optimum, divided by the norm of the optimum
//	best                mean of the best values
//	known               best known value
//	hits                number of runs that met the target, of all
//	evaluations, moves, work   means
//	seconds, rate, move rate   medians; the rates are evaluations and moves per second
//	at 10s              mean of the best values after 10 seconds
func metricOf(name string) (metric, bool) {
	mean := func(of func(f Record) float64) func(all []Record) measurement {
		return func(all []Record) measurement {
			sum := 0.0
			for _, f := range all {
				sum += of(f)
			}
			return measurement{Value: sum / float64(len(all))}
		}
	}
	digits := func(d int, of func(all []Record) measurement) func(all []Record) measurement {
		return func(all []Record) measurement {
			m := of(all)
			m.text = fmt.Sprintf("%.*g", d, m.Value)
			return m
		}
	}
	optional := func(n *exact.Number) float64 {
		if n == nil {
			return math.NaN()
		}
		return float64(*n)
	}
	switch name {
	case "error":
		return metric{"error", mean(func(f Record) float64 { return math.Abs(optional(f.Result.Best.Error)) })}, true
	case "last":
		return metric{"last", mean(lastError)}, true
	case "location":
		return metric{"location", mean(func(f Record) float64 { return optional(f.Result.Best.Location) })}, true
	case "best":
		return metric{"best", digits(8, mean(func(f Record) float64 { return float64(f.Result.Best.F) }))}, true
	case known:
		return metric{known, func(all []Record) measurement { return knownOf(all[0]) }}, true
	case "hits":
		return metric{"hits", hits}, true
	case "evaluations":
		count := func(f Record) float64 { return float64(f.Result.Evaluations) }
		return metric{"evaluations", digits(5, mean(count))}, true
	case "moves":
		return metric{"moves", digits(5, mean(moves))}, true
	case "work":
		return metric{"work", digits(5, mean(func(f Record) float64 { return float64(f.Result.Work) }))}, true
	case "seconds":
		return metric{"seconds", digits(4, duration)}, true
	case "rate":
		return metric{"evals/s", digits(3, rate)}, true
	case "move rate":
		return metric{"moves/s", digits(3, moveRate)}, true
	}
	t, ok := secondsIn(name)
	return metric{name, digits(8, mean(func(f Record) float64 { return bestAt(f, t) }))}, ok
}

// secondsIn returns the 10 of "at 10s".
func secondsIn(name string) (float64, bool) {
	text, ok := strings.CutPrefix(name, "at ")
	d, err := flags.ParseDuration(text)
	return d.Seconds(), ok && err == nil
}

// known is the metric of the best known value, and the label of the rows of papers that have it.
const known = "known"

// BestKnown returns the best known value of the problem of a run: that to which its error refers, or that of the paper
// to whose campaign the run belongs.
func BestKnown(f Record) (v float64, ok bool) {
	if v = knownOf(f).Value; !math.IsNaN(v) {
		return v, true
	}
	paper, err := ReadPaper(fullSuite(f.Key.Suite))
	if err != nil {
		return v, false
	}
	v = float64(paper.Find(f.Key.Table, ProblemRow(f), known).At("best"))
	return v, !math.IsNaN(v)
}

// knownOf returns the best known value of the problem of a run, which follows from its error.
func knownOf(f Record) measurement {
	e := f.Result.Best.Error
	if e == nil {
		return none
	}
	v := float64(f.Result.Best.FHost) - f.Result.Sense.Sign()*float64(*e)
	return measurement{v, fmt.Sprintf("%.8g", v)}
}

// lastError returns the distance of the value that a run held at its end from the known optimum.
func lastError(f Record) float64 {
	c, err := f.Course()
	if err != nil {
		return math.NaN()
	}
	return math.Abs(c.Last - knownOf(f).Value)
}

// hits counts the runs that met the target.
func hits(all []Record) measurement {
	met := 0
	for _, f := range all {
		if f.Result.Stop.Reason == solvers.Target.String() {
			met++
		}
	}
	return measurement{float64(met), fmt.Sprintf("%d/%d", met, len(all))}
}

// medianOf returns the median of a value. It is used for times, since the first launch of a kernel may include its
// compilation.
func medianOf(all []Record, of func(f Record) float64) measurement {
	var values []float64
	for _, f := range all {
		values = append(values, of(f))
	}
	return measurement{Value: stats.Summarise(values).Median}
}

func duration(all []Record) measurement {
	return medianOf(all, func(f Record) float64 { return float64(f.Result.Seconds) })
}

func rate(all []Record) measurement {
	return medianOf(all, func(f Record) float64 { return float64(f.Result.Work) / float64(f.Result.Seconds) })
}

// moves returns the moves of a run; NaN if it counted none.
func moves(f Record) float64 {
	if f.Result.Moves == 0 {
		return math.NaN()
	}
	return float64(f.Result.Moves)
}

func moveRate(all []Record) measurement {
	return medianOf(all, func(f Record) float64 { return moves(f) / float64(f.Result.Seconds) })
}

// bestAt returns the best value of a run after t seconds. It is NaN before the first value, and if the time limit of
// the run was below t.
func bestAt(f Record, t float64) float64 {
	c, err := f.Course()
	if over := f.Result.Stop.Reason == solvers.Time.String(); err != nil || over && t > 1.05*float64(f.Result.Seconds) {
		return math.NaN()
	}
	return c.Over("time").At(t)
}

// until returns the seconds after which a run had a value as good as v, +Inf if it never had.
func until(f Record, v float64) float64 {
	c, err := f.Course()
	if err != nil {
		return math.NaN()
	}
	for i, best := range c.Best {
		if f.Result.Sense.Sign()*best <= f.Result.Sense.Sign()*v {
			return c.Seconds[i]
		}
	}
	return math.Inf(1)
}

// faster returns how many times faster our runs are than those of a baseline, by the given ratio. If the baseline
// stopped before its target, the value is a lower bound.
func faster(ratio string, ours, base []Record) measurement {
	if len(ours) == 0 || len(base) == 0 {
		return none
	}
	switch ratio {
	case "rate":
		return measurement{Value: rate(ours).Value / rate(base).Value}
	case "move rate":
		return measurement{Value: moveRate(ours).Value / moveRate(base).Value}
	case "value":
		v := medianOf(base, func(f Record) float64 { return float64(f.Result.Best.F) }).Value
		return sooner(ours, base, v, 0)
	}
	if !whole(ours) {
		return none
	}
	m := measurement{Value: duration(base).Value / duration(ours).Value}
	if !whole(base) {
		m.text = fmt.Sprintf(">%.3g", m.Value)
	}
	return m
}

// sooner divides the median seconds until a baseline has the value v by our own. Without runs of the baseline,
// published holds its seconds.
func sooner(ours, base []Record, v, published float64) measurement {
	median := func(all []Record) float64 {
		return medianOf(all, func(f Record) float64 { return until(f, v) }).Value
	}
	if base != nil {
		published = median(base)
	}
	t := median(ours)
	if math.IsInf(t, 1) || math.IsInf(published, 1) {
		return none
	}
	// The first sample may come after 0 seconds.
	return measurement{Value: published / max(t, 1e-6)}
}

// whole reports whether all runs ended at the target or at the optimum or by themselves, not at a limit.
func whole(all []Record) bool {
	return !slices.ContainsFunc(all, func(f Record) bool {
		r := f.Result.Stop.Reason
		return r != solvers.Target.String() && r != solvers.Optimal.String() && r != solvers.Finished.String()
	})
}

// ProblemRow returns the name of a problem in a table: classic/F0_a, setA/n0000006i00 or tile=40x40,p=0.5,seed=1.
func ProblemRow(f Record) string {
	rest, ok := strings.CutPrefix(f.Result.Problem, "maxcut:")
	if !ok {
		return f.Row
	}
	if !strings.ContainsAny(rest, `/\`) {
		return rest
	}
	dir, name := filepath.Split(filepath.ToSlash(rest))
	return filepath.Base(dir) + "/" + strings.TrimSuffix(name, filepath.Ext(name))
}

// measureKey identifies a row of a measured table: a problem and a method.
type measureKey struct{ row, Label string }

// Measured holds the results of one table of a campaign with a view.
type Measured struct {
	Suite, Table string
	View         *record.View
	Lines        []measureKey
	Runs         map[measureKey][]Record
	paper        *Paper // may be nil
}

// MeasuredTables returns the tables of the results that belong to a table with a view, and the other results.
func MeasuredTables(all []Record) (tables []*Measured, rest []Record) {
	dims := map[[3]string]map[int]bool{} // sizes by row
	row := func(f Record) [3]string { return [3]string{f.Key.Suite, f.Key.Table, ProblemRow(f)} }
	for _, f := range all {
		if dims[row(f)] == nil {
			dims[row(f)] = map[int]bool{}
		}
		dims[row(f)][f.Key.Dim] = true
	}
	for _, f := range all {
		if f.Result.Cell == nil || f.Result.Cell.View == nil {
			rest = append(rest, f)
			continue
		}
		i := slices.IndexFunc(tables,
			func(t *Measured) bool { return t.Suite == f.Key.Suite && t.Table == f.Key.Table })
		if i < 0 {
			i = len(tables)
			tables = append(tables, &Measured{Suite: f.Key.Suite, Table: f.Key.Table, View: f.Result.Cell.View,
				Runs: map[measureKey][]Record{}})
		}
		k := measureKey{ProblemRow(f), f.Label}
		if len(dims[row(f)]) > 1 {
			k.row += " n=" + strconv.Itoa(f.Key.Dim)
		}
		t := tables[i]
		if t.Runs[k] == nil {
			t.Lines = append(t.Lines, k)
		}
		t.Runs[k] = append(t.Runs[k], f)
	}
	for _, t := range tables {
		slices.SortFunc(t.Lines, func(a, b measureKey) int {
			return cmp.Or(Natural(a.row, b.row), Natural(a.Label, b.Label))
		})
	}
	slices.SortStableFunc(tables, func(a, b *Measured) int {
		return cmp.Or(cmp.Compare(a.Suite, b.Suite), Natural(a.Table, b.Table))
	})
	return tables, rest
}
