package main

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/stats"
)

// view is how a campaign shows a table that compares more than final values:
// a line for each problem and method, and a column for each quantity.
type view struct {
	// Show names the quantities, see quantityOf.
	Show []string `toml:"show" json:"show,omitempty"`
	// Baselines are methods, of the table or of a paper, over which speed-ups
	// are shown.
	Baselines []string `toml:"baselines" json:"baselines,omitempty"`
	// Ratio is what a speed-up is of, "": seconds.
	//
	//	seconds  of whole runs that came to their end or target
	//	rate     evaluations a second
	//	value    seconds until the baseline's final value
	Ratio string `toml:"ratio" json:"ratio,omitempty"`
}

var ratios = []string{"seconds", "rate", "value"}

// check finds what is wrong with a view, and the key where.
func (v *view) check() (key string, err error) {
	for _, name := range v.Show {
		if _, ok := quantityOf(name); !ok {
			return "show", fmt.Errorf("%q is no quantity; there are %s, at 10s", name, strings.Join(quantityNames, ", "))
		}
	}
	switch {
	case v.Ratio != "" && !slices.Contains(ratios, v.Ratio):
		return "ratio", fmt.Errorf("%q is not one of %s", v.Ratio, strings.Join(ratios, ", "))
	case v.Show == nil && v.Baselines != nil:
		return "baselines", fmt.Errorf("goes with show: a list such as [\"error\", \"seconds\"]")
	}
	return "", nil
}

// measurement is a quantity of some runs. NaN: there is none.
type measurement struct {
	value float64
	text  string // as a table shows it; "": three digits
}

var none = measurement{value: math.NaN()}

// quantity computes one of the runs of a method on a problem.
type quantity struct {
	head string
	of   func(runs []found) measurement
}

var quantityNames = []string{"error", "location", "best", "known", "hits", "evaluations", "work", "seconds", "rate"}

// quantityOf is the quantity of a name:
//
//	error        mean distance of the value from the known optimum
//	location     mean distance of the point from the nearest optimum, relative to its size
//	best         mean of the best values
//	known        the best value that is known, of a paper or by the error
//	hits         runs that met the target, of all
//	evaluations, work   means
//	seconds, rate       medians; rate is evaluations a second
//	at 10s       mean of the best values after so many seconds
func quantityOf(name string) (quantity, bool) {
	mean := func(of func(f found) float64) func(runs []found) measurement {
		return func(runs []found) measurement {
			sum := 0.0
			for _, f := range runs {
				sum += of(f)
			}
			return measurement{value: sum / float64(len(runs))}
		}
	}
	digits := func(d int, of func(runs []found) measurement) func(runs []found) measurement {
		return func(runs []found) measurement {
			m := of(runs)
			m.text = fmt.Sprintf("%.*g", d, m.value)
			return m
		}
	}
	optional := func(n *number) float64 {
		if n == nil {
			return math.NaN()
		}
		return float64(*n)
	}
	switch name {
	case "error":
		return quantity{"error", mean(func(f found) float64 { return math.Abs(optional(f.result.Best.Error)) })}, true
	case "location":
		return quantity{"location", mean(func(f found) float64 { return optional(f.result.Best.Location) })}, true
	case "best":
		return quantity{"best", digits(8, mean(func(f found) float64 { return float64(f.result.Best.F) }))}, true
	case "known":
		return quantity{"known", func(runs []found) measurement { return knownOf(runs[0]) }}, true
	case "hits":
		return quantity{"hits", hits}, true
	case "evaluations":
		return quantity{"evaluations", digits(5, mean(func(f found) float64 { return float64(f.result.Evaluations) }))}, true
	case "work":
		return quantity{"work", digits(5, mean(func(f found) float64 { return float64(f.result.Work) }))}, true
	case "seconds":
		return quantity{"seconds", digits(4, duration)}, true
	case "rate":
		return quantity{"evals/s", digits(3, rate)}, true
	}
	t, ok := secondsIn(name)
	return quantity{name, digits(8, mean(func(f found) float64 { return bestAt(f, t) }))}, ok
}

// secondsIn is 10 of "at 10s".
func secondsIn(name string) (float64, bool) {
	text, ok := strings.CutPrefix(name, "at ")
	d, err := parseDuration(text)
	return d.Seconds(), ok && err == nil
}

// knownOf is the best known value of the problem of a run.
func knownOf(f found) measurement {
	e := f.result.Best.Error
	if e == nil {
		return none
	}
	v := float64(f.result.Best.FHost) - f.sign()*float64(*e)
	return measurement{v, fmt.Sprintf("%.8g", v)}
}

// sign is -1 for a problem that is maximised.
func (f found) sign() float64 {
	if strings.HasPrefix(f.result.Problem, "maxcut:") || strings.Contains(f.result.Problem, "maximize=true") {
		return -1
	}
	return 1
}

func hits(runs []found) measurement {
	met := 0
	for _, f := range runs {
		if f.result.Stop.Reason == solvers.Target.String() {
			met++
		}
	}
	return measurement{float64(met), fmt.Sprintf("%d/%d", met, len(runs))}
}

// Times are medians: the first launch of a kernel may hold its compilation.
func medianOf(runs []found, of func(f found) float64) measurement {
	var all []float64
	for _, f := range runs {
		all = append(all, of(f))
	}
	return measurement{value: stats.Summarise(all).Median}
}

func duration(runs []found) measurement {
	return medianOf(runs, func(f found) float64 { return float64(f.result.Seconds) })
}

func rate(runs []found) measurement {
	return medianOf(runs, func(f found) float64 { return float64(f.result.Evaluations) / float64(f.result.Seconds) })
}

// bestAt is the best value of a run after t seconds, NaN before the first and
// where its time was over before.
func bestAt(f found, t float64) float64 {
	h, err := readHistory(f.dir, "time")
	if over := f.result.Stop.Reason == solvers.Time.String(); err != nil || over && t > 1.05*float64(f.result.Seconds) {
		return math.NaN()
	}
	return h.at(t)
}

// until is the seconds after which a run had a value as good as v; +Inf: never.
func until(f found, v float64) float64 {
	h, err := readHistory(f.dir, "time")
	if err != nil {
		return math.NaN()
	}
	for i, best := range h.best {
		if f.sign()*best <= f.sign()*v {
			return h.x[i]
		}
	}
	return math.Inf(1)
}

// faster is how many times sooner the runs ours are done than those of a
// baseline, in the sense of a ratio. A baseline that was cut short before its
// target gives a bound.
func faster(ratio string, ours, base []found) measurement {
	if len(ours) == 0 || len(base) == 0 {
		return none
	}
	switch ratio {
	case "rate":
		return measurement{value: rate(ours).value / rate(base).value}
	case "value":
		v := medianOf(base, func(f found) float64 { return float64(f.result.Best.F) }).value
		return sooner(ours, base, v, 0)
	}
	if !whole(ours) {
		return none
	}
	m := measurement{value: duration(base).value / duration(ours).value}
	if !whole(base) {
		m.text = fmt.Sprintf(">%.3g", m.value)
	}
	return m
}

// sooner compares the median seconds until a value v with those of a baseline,
// or with the seconds after which a paper has it.
func sooner(ours, base []found, v, published float64) measurement {
	median := func(runs []found) float64 { return medianOf(runs, func(f found) float64 { return until(f, v) }).value }
	if base != nil {
		published = median(base)
	}
	t := median(ours)
	if math.IsInf(t, 1) || math.IsInf(published, 1) {
		return none
	}
	// A first sample may come at once.
	return measurement{value: published / max(t, 1e-6)}
}

// whole says whether runs came to their own end, not to a limit.
func whole(runs []found) bool {
	return !slices.ContainsFunc(runs, func(f found) bool {
		r := f.result.Stop.Reason
		return r != solvers.Target.String() && r != solvers.Finished.String()
	})
}

// problemRow names a problem in a table: classic/F0_a, setA/n0000006i00 or
// tile=40x40,p=0.5,seed=1.
func problemRow(f found) string {
	rest, ok := strings.CutPrefix(f.result.Problem, "maxcut:")
	if !ok {
		return f.row
	}
	if !strings.ContainsAny(rest, `/\`) {
		return rest
	}
	dir, name := filepath.Split(filepath.ToSlash(rest))
	return filepath.Base(dir) + "/" + strings.TrimSuffix(name, filepath.Ext(name))
}

// measureKey is a line of a measured table.
type measureKey struct{ row, label string }

// measured are the results of one table of a campaign that has a view.
type measured struct {
	suite, table string
	view         *view
	lines        []measureKey
	runs         map[measureKey][]found
	paper        *paper // nil: none
}

// measuredTables takes out of results those that belong to tables with a view.
func measuredTables(all []found) (tables []*measured, rest []found) {
	dims := map[[3]string]map[int]bool{} // of a row
	row := func(f found) [3]string { return [3]string{f.key.suite, f.key.table, problemRow(f)} }
	for _, f := range all {
		if dims[row(f)] == nil {
			dims[row(f)] = map[int]bool{}
		}
		dims[row(f)][f.key.dim] = true
	}
	for _, f := range all {
		if f.result.Cell == nil || f.result.Cell.View == nil {
			rest = append(rest, f)
			continue
		}
		i := slices.IndexFunc(tables, func(t *measured) bool { return t.suite == f.key.suite && t.table == f.key.table })
		if i < 0 {
			i = len(tables)
			tables = append(tables, &measured{suite: f.key.suite, table: f.key.table, view: f.result.Cell.View, runs: map[measureKey][]found{}})
		}
		k := measureKey{problemRow(f), f.label}
		if len(dims[row(f)]) > 1 {
			k.row += " n=" + strconv.Itoa(f.key.dim)
		}
		t := tables[i]
		if t.runs[k] == nil {
			t.lines = append(t.lines, k)
		}
		t.runs[k] = append(t.runs[k], f)
	}
	for _, t := range tables {
		slices.SortFunc(t.lines, func(a, b measureKey) int { return cmp.Or(natural(a.row, b.row), natural(a.label, b.label)) })
	}
	slices.SortStableFunc(tables, func(a, b *measured) int { return cmp.Or(cmp.Compare(a.suite, b.suite), natural(a.table, b.table)) })
	return tables, rest
}
