package plot

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/solvers/stats"
)

// Panel is one picture of several series with common axes.
type Panel struct {
	title, x, y string
	logX, logY  bool
	Series      []series
}

// series is a line. lo and hi, where given, are a band around y.
type series struct {
	name         string
	x, y, lo, hi []float64
	dashed       bool // a reference, not a result
}

// panelKey is what the series of a panel have in common.
type panelKey struct {
	report.TableKey
	row string
}

func (k panelKey) title() string {
	t := k.TableKey
	t.Suite, t.Family = "", ""
	if strings.Contains(t.Variant, "/") {
		t.Variant = filepath.Base(t.Variant) // of a graph
	}
	name := k.row
	if k.Family != "" {
		name = k.Family + "/" + name
	}
	return name + "  " + report.TitleOf(t)
}

// byPanel groups results by problem, and in it by method, in a natural order.
func byPanel(results []report.Record, key func(f report.Record) panelKey) (keys []panelKey,
	groups map[panelKey]map[string][]report.Record) {
	groups = map[panelKey]map[string][]report.Record{}
	for _, f := range results {
		k := key(f)
		if groups[k] == nil {
			groups[k] = map[string][]report.Record{}
			keys = append(keys, k)
		}
		groups[k][f.Label] = append(groups[k][f.Label], f)
	}
	slices.SortStableFunc(keys, func(a, b panelKey) int {
		return cmp.Or(report.Natural(a.Table, b.Table), cmp.Compare(a.Family, b.Family), cmp.Compare(a.Variant, b.Variant),
			cmp.Compare(a.Dim, b.Dim), report.Natural(a.row, b.row))
	})
	return keys, groups
}

func labelsOf(m map[string][]report.Record) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	slices.SortFunc(names, report.Natural)
	return names
}

// Convergence is the median of the runs' best values, and the quartiles.
func Convergence(results []report.Record, by string, raw bool) (panels []Panel, err error) {
	keys, groups := byPanel(results, func(f report.Record) panelKey { return panelKey{f.Key, f.Row} })
	for _, k := range keys {
		p := Panel{title: k.title(), x: by, y: "best f", logX: true, logY: true}
		if by == "time" {
			p.x = "seconds"
		}
		optimum, sign, known := optimumOf(groups[k])
		switch {
		case !known || raw:
			optimum, sign = 0, 1
		case sign < 0:
			p.y = "best known - f"
		case optimum != 0:
			p.y = "best f - optimum"
		}
		for _, name := range labelsOf(groups[k]) {
			var histories []runs.History
			for _, f := range groups[k][name] {
				h, err := runs.ReadHistory(f.Result.Folder, by)
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
			if s := quartiles(name, histories, optimum, sign); len(s.x) > 0 {
				p.Series = append(p.Series, s)
			}
		}
		if known && !raw && clampZeros(p.Series) {
			p.y += " (0 at the bottom)"
		}
		for _, s := range p.Series {
			// A logarithm shows only what lies above 0.
			p.logY = p.logY && slices.Min(s.lo) > 0
			p.logX = p.logX && s.x[0] > 0
		}
		if len(p.Series) > 0 {
			panels = append(panels, p)
		}
	}
	return panels, nil
}

// clampZeros puts distances of 0 at half of the smallest one above 0, so that an
// axis can be logarithmic, and says whether there were any.
func clampZeros(all []series) (any bool) {
	least := math.Inf(1)
	for _, s := range all {
		for _, v := range s.lo {
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

// quartiles is the series of several runs, from where all of them have a value:
// of its distance from the optimum, below it where sign is -1.
func quartiles(name string, histories []runs.History, optimum, sign float64) series {
	var grid []float64
	begin := 0.0
	for _, h := range histories {
		grid = append(grid, h.X...)
		begin = max(begin, h.X[0])
	}
	slices.Sort(grid)
	s := series{name: name}
	if len(histories) > 1 {
		s.name += fmt.Sprintf(" (%d runs)", len(histories))
	}
	for _, x := range slices.Compact(grid) {
		if x < begin {
			continue
		}
		var values []float64
		for _, h := range histories {
			values = append(values, sign*(h.At(x)-optimum))
		}
		of := stats.Summarise(values)
		if math.IsNaN(of.Median) || math.IsInf(of.Median, 0) || math.IsInf(of.Q1, 0) || math.IsInf(of.Q3, 0) {
			continue
		}
		s.x, s.y, s.lo, s.hi = append(s.x, x), append(s.y, of.Median), append(s.lo, of.Q1), append(s.hi, of.Q3)
	}
	return s
}

// optimumOf is the best value known for the problem of some results: of the
// problem, what their errors are relative to, or what a paper knows. sign is -1 where it is a largest one.
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

// Speedup is the median speed on each number of devices over that on the
// fewest. Devices that work together are of one kind.
func Speedup(results []report.Record) (panels []Panel, err error) {
	for i := range results {
		if c := results[i].Result.Cell; c != nil {
			results[i].Label = c.Label // of all numbers of devices
		}
	}
	keys, groups := byPanel(results, func(f report.Record) panelKey { return panelKey{f.Key, f.Row} })
	for _, k := range keys {
		p := Panel{title: k.title(), x: "devices", y: "speed-up"}
		most, fewest := 0.0, math.Inf(1)
		for _, name := range labelsOf(groups[k]) {
			by := map[int][]float64{}
			for _, f := range groups[k][name] {
				if n := f.Result.Workers(); n > 0 && f.Result.Seconds > 0 {
					by[n] = append(by[n], f.Result.VariableRate())
				}
			}
			s := series{name: name}
			for n := range by {
				s.x = append(s.x, float64(n))
			}
			slices.Sort(s.x)
			for _, n := range s.x {
				s.y = append(s.y, stats.Summarise(by[int(n)]).Median/stats.Summarise(by[int(s.x[0])]).Median)
			}
			if len(s.x) > 1 {
				p.Series = append(p.Series, s)
				most, fewest = max(most, s.x[len(s.x)-1]), min(fewest, s.x[0])
			}
		}
		if p.Series == nil {
			continue
		}
		p.Series = append(p.Series, series{name: "ideal", x: []float64{fewest, most}, y: []float64{1, most / fewest},
			dashed: true})
		panels = append(panels, p)
	}
	if panels == nil {
		return nil, exit.Usagef("a speed-up needs runs of one problem and method on different numbers of devices, such as -d '0*2' or -d 0-1")
	}
	return panels, nil
}

// Throughput is the median speed over the number of variables, one panel for
// all problems of a family, from run folders and files of clopt bench.
func Throughput(results []report.Record, files []string) (panels []Panel, err error) {
	type line struct{ panel, name string }
	speeds := map[line]map[float64][]float64{}
	add := func(l line, dim, speed float64) {
		if speeds[l] == nil {
			speeds[l] = map[float64][]float64{}
		}
		speeds[l][dim] = append(speeds[l][dim], speed)
	}
	for _, f := range results {
		if r := f.Result; r.Seconds > 0 {
			title := strings.Join(strings.Fields("whole runs "+f.Key.Family+" "+f.Key.Variant+" "+r.Precision), "  ")
			name := f.Row + "  " + f.Label
			if n := r.Workers(); n > 1 {
				name += fmt.Sprintf("  %d devices", n)
			}
			add(line{title, name}, float64(r.Dim), r.VariableRate())
		}
	}
	for _, path := range files {
		b, err := report.ReadBench(path)
		if err != nil {
			return nil, err
		}
		for _, k := range b.Kernels {
			if k.Speed > 0 && !strings.Contains(k.Kernel, "/") { // a step, not one of its kernels
				add(line{k.Kernel + "  " + k.Device + "  " + k.Precision, k.Problem}, float64(k.Dim), float64(k.Speed))
			}
		}
	}
	at := map[string]int{}
	var lines []line
	for l := range speeds {
		lines = append(lines, l)
	}
	slices.SortFunc(lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.panel, b.panel),
			report.Natural(a.name, b.name))
	})
	for _, l := range lines {
		i, ok := at[l.panel]
		if !ok {
			i = len(panels)
			at[l.panel] = i
			panels = append(panels, Panel{title: l.panel, x: "variables", y: "variable evaluations/s", logX: true, logY: true})
		}
		s := series{name: l.name}
		for dim := range speeds[l] {
			s.x = append(s.x, dim)
		}
		slices.Sort(s.x)
		for _, dim := range s.x {
			s.y = append(s.y, stats.Summarise(speeds[l][dim]).Median)
		}
		panels[i].Series = append(panels[i].Series, s)
	}
	return panels, nil
}
