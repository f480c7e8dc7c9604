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
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/internal/solvers/stats"
	"github.com/clopt/clopt/solvers"
)

// ratios are the values of the key ratio of a suite file.
var ratios = []string{"seconds", "rate", "move rate", "value"}

// CheckView checks a view. It returns the key with the error.
func CheckView(v *record.View) (key string, err error) {
	for _, name := range v.Show {
		if _, ok := metricOf(name); !ok {
			names := ""
			for _, m := range metrics {
				names += m.name + ", "
			}
			return "show", fmt.Errorf("%q is not a metric; there are %sat 10s", name, names)
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

// metric is a number of a run, and of the runs of a method on a problem.
type metric struct {
	name, head string
	digits     int // in a table
	of         func(f Record) float64
	over       func(values []float64) float64 // of all runs
}

// metrics are the metrics of the key show of a suite file; "at 10s" is another one, the mean of the best values after
// 10 seconds. Distances of values are from the known optimum: of the best value, and of the last one that was held, in
// annealing by the best chain. The distance of a point is from the nearest optimum, divided by the norm of the
// optimum. Times have medians, since the first launch of a kernel may include its compilation.
var metrics = []metric{
	{"error", "error", 3, func(f Record) float64 { return math.Abs(optional(f.Result.Best.Error)) }, mean},
	{"last", "last", 3, lastError, mean},
	{"location", "location", 3, func(f Record) float64 { return optional(f.Result.Best.Location) }, mean},
	{"best", "best", 8, best, mean},
	{known, known, 8, knownOf, func(values []float64) float64 { return values[0] }},
	{"hits", "hits", 3, hit, func(values []float64) float64 { return mean(values) * float64(len(values)) }},
	{"evaluations", "evaluations", 5, func(f Record) float64 { return float64(f.Result.Evaluations) }, mean},
	{"moves", "moves", 5, moves, mean},
	{"work", "work", 5, func(f Record) float64 { return float64(f.Result.Work) }, mean},
	{"seconds", "seconds", 4, seconds, median},
	{"rate", "evals/s", 3, rate, median},
	{"move rate", "moves/s", 3, moveRate, median},
}

// metricOf returns the metric of a name.
func metricOf(name string) (metric, bool) {
	if i := slices.IndexFunc(metrics, func(m metric) bool { return m.name == name }); i >= 0 {
		return metrics[i], true
	}
	t, ok := secondsIn(name)
	return metric{name, name, 8, func(f Record) float64 { return bestAt(f, t) }, mean}, ok
}

// measure returns the metric of runs.
func (m metric) measure(all []Record) measurement {
	v := m.over(valuesOf(all, m.of))
	if m.name == "hits" {
		return measurement{v, fmt.Sprintf("%.0f/%d", v, len(all))}
	}
	return measurement{v, fmt.Sprintf("%.*g", m.digits, v)}
}

// valuesOf returns a number of each run.
func valuesOf(all []Record, of func(f Record) float64) (values []float64) {
	for _, f := range all {
		values = append(values, of(f))
	}
	return values
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func median(values []float64) float64 { return stats.Summarise(values).Median }

// optional returns a number that a result may not have, NaN if it has none.
func optional(n *exact.Number) float64 {
	if n == nil {
		return math.NaN()
	}
	return float64(*n)
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
	if v = knownOf(f); !math.IsNaN(v) {
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
func knownOf(f Record) float64 {
	return float64(f.Result.Best.FHost) - f.Result.Sense.Sign()*optional(f.Result.Best.Error)
}

// lastError returns the distance of the value that a run held at its end from the known optimum.
func lastError(f Record) float64 {
	c, err := f.Course()
	if err != nil {
		return math.NaN()
	}
	return math.Abs(c.Last - knownOf(f))
}

// hit returns 1 for a run that met the target.
func hit(f Record) float64 {
	if f.Hit() {
		return 1
	}
	return 0
}

func best(f Record) float64    { return float64(f.Result.Best.F) }
func seconds(f Record) float64 { return float64(f.Result.Seconds) }
func rate(f Record) float64    { return float64(f.Result.Work) / seconds(f) }

// moves returns the moves of a run; NaN if it counted none.
func moves(f Record) float64 {
	if f.Result.Moves == 0 {
		return math.NaN()
	}
	return float64(f.Result.Moves)
}

func moveRate(f Record) float64 { return moves(f) / seconds(f) }

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
	over := func(above, below []Record, of func(f Record) float64) measurement {
		return measurement{Value: median(valuesOf(above, of)) / median(valuesOf(below, of))}
	}
	switch ratio {
	case "rate":
		return over(ours, base, rate)
	case "move rate":
		return over(ours, base, moveRate)
	case "value":
		v := median(valuesOf(base, best))
		return sooner(ours, untilAll(base, v), v)
	}
	if !whole(ours) {
		return none
	}
	m := over(base, ours, seconds)
	if !whole(base) {
		m.text = fmt.Sprintf(">%.3g", m.Value)
	}
	return m
}

// sooner divides the seconds after which a baseline had the value v by our own.
func sooner(ours []Record, base, v float64) measurement {
	t := untilAll(ours, v)
	if math.IsInf(t, 1) || math.IsInf(base, 1) {
		return none
	}
	// The first sample may come after 0 seconds.
	return measurement{Value: base / max(t, 1e-6)}
}

// untilAll returns the median of until.
func untilAll(all []Record, v float64) float64 {
	return median(valuesOf(all, func(f Record) float64 { return until(f, v) }))
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
