package plot

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/solvers/runs/inspect"
	"github.com/clopt/clopt/solvers/stats"
)

// Panel is one picture of several series with common axes.
type Panel struct {
	title, x, y string
	logX, logY  bool
	steps       bool // a value holds until the next x
	share       bool // y is a share, from 0 to 1
	Series      []series
}

// series is a line. lo and hi are a band around y, or nil. Series of one name have one colour and one label.
type series struct {
	name         string
	x, y, lo, hi []float64
	dashed       bool // a reference, not a result
	thin         bool // one of a few runs
}

// least returns the smallest value of the line and its band.
func (s series) least() float64 { return slices.Min(slices.Concat(s.lo, s.y)) }

// panelKey identifies a panel: its series agree in these fields.
type panelKey struct {
	report.TableKey
	row string
}

func (k panelKey) title() string {
	t := k.TableKey
	t.Suite, t.Family = "", ""
	if strings.Contains(t.Variant, "/") {
		t.Variant = filepath.Base(t.Variant) // the file of a graph
	}
	name := k.row
	if k.Family != "" {
		name = strings.TrimSuffix(k.Family+"/"+name, "/")
	}
	parts := []string{name, report.Count(t.Dim) + " variables"}
	if t.Table != "" {
		parts = append(parts, "table "+t.Table)
	}
	if t.Variant != "" {
		parts = append(parts, t.Variant)
	}
	if t.Data != "" {
		parts = append(parts, t.Data+" data")
	}
	return strings.Join(parts, ", ")
}

// byPanel groups results by panel and then by method. A method whose runs in a panel have several limits is a method
// for each of them. The keys are in a natural order.
func byPanel(results []report.Record, key func(f report.Record) panelKey) (keys []panelKey,
	groups map[panelKey]map[string][]report.Record) {
	groups = map[panelKey]map[string][]report.Record{}
	type method struct {
		panelKey
		label string
	}
	limits := map[method]map[string]bool{}
	of := func(f report.Record) (method, string) {
		m := method{key(f), f.Label}
		limit := m.Limit
		m.Limit = ""
		return m, limit
	}
	for _, f := range results {
		m, limit := of(f)
		if limits[m] == nil {
			limits[m] = map[string]bool{}
		}
		limits[m][limit] = true
	}
	for _, f := range results {
		m, limit := of(f)
		name := m.label
		if len(limits[m]) > 1 {
			name += ", " + limit
		}
		if groups[m.panelKey] == nil {
			groups[m.panelKey] = map[string][]report.Record{}
			keys = append(keys, m.panelKey)
		}
		groups[m.panelKey][name] = append(groups[m.panelKey][name], f)
	}
	slices.SortStableFunc(keys, func(a, b panelKey) int {
		return cmp.Or(report.Natural(a.Table, b.Table), cmp.Compare(a.Family, b.Family),
			cmp.Compare(a.Variant, b.Variant),
			cmp.Compare(a.Dim, b.Dim), report.Natural(a.row, b.row))
	})
	return keys, groups
}

// labelsOf returns the keys of m in a natural order.
func labelsOf[V any](m map[string]V) []string {
	return slices.SortedFunc(maps.Keys(m), report.Natural)
}

// curves holds the values of each series at each x.
type curves map[string]map[float64][]float64

func (c curves) add(name string, x, y float64) {
	if c[name] == nil {
		c[name] = map[float64][]float64{}
	}
	c[name][x] = append(c[name][x], y)
}

// medians returns the series of the medians, of the names that have values for at least that many x. Names are in a
// natural order.
func (c curves) medians(least int) (all []series) {
	for _, name := range labelsOf(c) {
		if len(c[name]) < least {
			continue
		}
		s := series{name: name, x: slices.Sorted(maps.Keys(c[name]))}
		for _, x := range s.x {
			s.y = append(s.y, stats.Summarise(c[name][x]).Median)
		}
		all = append(all, s)
	}
	return all
}

// Convergence draws the median of the best values of the runs, and a band between the quartiles. by is the axis:
// evaluations, work or time. With raw the values are drawn, not their distance from a known optimum.
func Convergence(results []report.Record, by string, raw bool) (panels []Panel, err error) {
	keys, groups := byPanel(results, func(f report.Record) panelKey { return panelKey{f.Key, f.Row} })
	for _, k := range keys {
		p := Panel{title: k.title(), x: by, y: "best value", logX: true, logY: true, steps: true}
		if by == "time" {
			p.x = "seconds"
		}
		optimum, sign, known := optimumOf(groups[k])
		switch {
		case !known || raw:
			optimum, sign = 0, 1
		case sign < 0 || optimum != 0:
			p.y = "distance to the best known value"
		}
		for _, name := range labelsOf(groups[k]) {
			var histories []inspect.History
			for _, f := range groups[k][name] {
				h, err := inspect.ReadHistory(f.Result, by)
				if err != nil {
					return nil, err
				}
				if len(h.X) > 0 {
					histories = append(histories, h)
				}
			}
			if len(histories) == 0 {
				continue
			}
			p.Series = append(p.Series, lines(name, histories, optimum, sign)...)
		}
		if known && !raw && clampZeros(p.Series) {
			p.y += " (0 at the bottom)"
		}
		for _, s := range p.Series {
			// A logarithmic axis shows only values above 0.
			p.logY = p.logY && s.least() > 0
			p.logX = p.logX && s.x[0] > 0
		}
		if len(p.Series) > 0 {
			panels = append(panels, p)
		}
	}
	return panels, nil
}

// clampZeros replaces values of 0 by half of the smallest value above 0, so that an axis can be logarithmic. It reports
// whether there were any.
func clampZeros(all []series) (any bool) {
	least := math.Inf(1)
	for _, s := range all {
		for _, v := range slices.Concat(s.lo, s.y) {
			if v > 0 {
				least = min(least, v)
			}
		}
	}
	if math.IsInf(least, 1) {
		return false
	}
	for _, s := range all {
		for _, values := range [][]float64{s.lo, s.y, s.hi} {
			for i, v := range values {
				if v == 0 {
					values[i], any = least/2, true
				}
			}
		}
	}
	return any
}

// lines returns the series of the runs of a method: the distance of their values from the optimum. Few runs are thin
// lines of their own, more are their median and quartiles. With sign -1 the optimum is a largest value.
func lines(name string, histories []inspect.History, optimum, sign float64) (all []series) {
	if len(histories) > 1 {
		name += fmt.Sprintf(" (%d runs)", len(histories))
	}
	if len(histories) >= fewestQuartiles {
		if s := quartiles(name, histories, optimum, sign); len(s.x) > 0 {
			all = append(all, s)
		}
		return all
	}
	for _, h := range histories {
		s := series{name: name, thin: len(histories) > 1}
		for i, x := range h.X {
			if y := sign * (h.Best[i] - optimum); !math.IsNaN(y) && !math.IsInf(y, 0) {
				s.x, s.y = append(s.x, x), append(s.y, y)
			}
		}
		if len(s.x) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// quartiles returns the median and the quartiles of the distances of several runs, from the first x at which three
// quarters of the runs have a value.
func quartiles(name string, histories []inspect.History, optimum, sign float64) series {
	var grid []float64
	for _, h := range histories {
		grid = append(grid, h.X...)
	}
	slices.Sort(grid)
	s := series{name: name}
	for _, x := range slices.Compact(grid) {
		var values []float64
		for _, h := range histories {
			v := sign * (h.At(x) - optimum)
			if math.IsNaN(v) {
				v = math.Inf(1)
			}
			values = append(values, v)
		}
		of := stats.Summarise(values)
		if math.IsInf(of.Q1, 0) || math.IsInf(of.Q3, 0) {
			continue
		}
		s.x, s.y, s.lo, s.hi = append(s.x, x), append(s.y, of.Median), append(s.lo, of.Q1), append(s.hi, of.Q3)
	}
	return s
}

// optimumOf returns the best known value of the problem of some results: that of the problem itself, the value to which
// their errors refer, or that of a paper. sign is -1 if it is a largest value.
func optimumOf(m map[string][]report.Record) (f, sign float64, known bool) {
	for _, fs := range m {
		r := fs[0].Result
		if !strings.Contains(r.Problem, ".cl") && fs[0].Result.Sense.Sign() > 0 {
			p, err := catalog.Parse(r.Problem, problems.Options{})
			if err != nil {
				return 0, 1, false
			}
			if f, known = p.Info().BestKnown(); known {
				return f, 1, true
			}
		}
		if v := report.KnownOf(fs[0]).Value; !math.IsNaN(v) {
			return v, fs[0].Result.Sense.Sign(), true
		}
		suite, _ := strings.CutSuffix(fs[0].Key.Suite, "-laptop")
		if paper, err := report.ReadPaper(suite); err == nil {
			if r := paper.Find(fs[0].Key.Table, report.ProblemRow(fs[0]), "known"); r != nil {
				return float64(r.At("best")), fs[0].Result.Sense.Sign(), true
			}
		}
	}
	return 0, 1, false
}

// Speedup draws the median speed on each number of devices, divided by that on the fewest. Only devices of one kind
// work together.
func Speedup(results []report.Record) (panels []Panel, err error) {
	for i := range results {
		if c := results[i].Result.Cell; c != nil {
			results[i].Label = c.Label // the same for all numbers of devices
		}
	}
	keys, groups := byPanel(results, func(f report.Record) panelKey { return panelKey{f.Key, f.Row} })
	for _, k := range keys {
		speeds := curves{}
		for name, records := range groups[k] {
			for _, f := range records {
				if n := f.Result.Workers(); n > 0 && f.Result.Seconds > 0 {
					speeds.add(name, float64(n), f.Result.VariableRate())
				}
			}
		}
		p := Panel{title: k.title(), x: "devices", y: "speed-up", Series: speeds.medians(2)}
		if p.Series == nil {
			continue
		}
		most, fewest := 0.0, math.Inf(1)
		for _, s := range p.Series {
			one := s.y[0]
			for i := range s.y {
				s.y[i] /= one
			}
			most, fewest = max(most, s.x[len(s.x)-1]), min(fewest, s.x[0])
		}
		p.Series = append(p.Series, series{name: "ideal", x: []float64{fewest, most}, y: []float64{1, most / fewest},
			dashed: true})
		panels = append(panels, p)
	}
	if panels == nil {
		return nil, exit.Usagef("a speed-up needs runs of one problem and method on different numbers of devices, " +
			"such as -d '0*2' or -d 0-1")
	}
	return panels, nil
}

// Throughput draws the median speed over the number of variables, with a panel for each family of problems. results are
// runs, and files the output of clopt bench --json.
func Throughput(results []report.Record, files []string) (panels []Panel, err error) {
	speeds := map[string]curves{} // by the title of the panel
	add := func(title, name string, dim, speed float64) {
		if speeds[title] == nil {
			speeds[title] = curves{}
		}
		speeds[title].add(name, dim, speed)
	}
	for _, f := range results {
		if r := f.Result; r.Seconds > 0 {
			title := strings.Join(strings.Fields("whole runs "+f.Key.Family+" "+f.Key.Variant+" "+r.Precision), "  ")
			name := f.Row + "  " + f.Label
			if n := r.Workers(); n > 1 {
				name += fmt.Sprintf("  %d devices", n)
			}
			add(title, name, float64(r.Dim), r.VariableRate())
		}
	}
	for _, path := range files {
		b, err := report.ReadBench(path)
		if err != nil {
			return nil, err
		}
		for _, k := range b.Kernels {
			if k.Speed > 0 && !strings.Contains(k.Kernel, "/") { // a step, not one of its kernels
				add(k.Kernel+"  "+k.Device+"  "+k.Precision, k.Problem, float64(k.Dim), float64(k.Speed))
			}
		}
	}
	for _, title := range slices.Sorted(maps.Keys(speeds)) {
		panels = append(panels, Panel{title: title, x: "variables", y: "variable evaluations/s", logX: true, logY: true,
			Series: speeds[title].medians(1)})
	}
	return panels, nil
}

// Lines returns the number of lines with different names.
func (p Panel) Lines() int {
	names := map[string]bool{}
	for _, s := range p.Series {
		names[s.name] = true
	}
	return len(names)
}

// Spans reports whether a line of the panel has more than one point.
func (p Panel) Spans() bool {
	return slices.ContainsFunc(p.Series, func(s series) bool { return len(s.x) > 1 })
}
