package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/solvers/stats"
)

// panel is one picture of several series with common axes.
type panel struct {
	title, x, y string
	logX, logY  bool
	series      []series
}

// series is a line. lo and hi, where given, are a band around y.
type series struct {
	name         string
	x, y, lo, hi []float64
	dashed       bool // a reference, not a result
}

// history is how the best of one run went.
type history struct{ x, best []float64 }

// readHistory reads the samples on the grid of a run's trace.
func readHistory(dir, by string) (h history, err error) {
	f, err := os.Open(filepath.Join(dir, "trace.jsonl"))
	if err != nil {
		return h, usagef("%w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		var s sampleLine
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return h, usagef("%s:%d:1: error: %v", f.Name(), n, err)
		}
		if s.Type != "sample" || s.Grid != nil {
			continue
		}
		x := float64(s.Evals)
		switch by {
		case "work":
			x = float64(s.Work)
		case "time":
			x = float64(s.T)
		}
		h.x, h.best = append(h.x, x), append(h.best, float64(s.Best))
	}
	return h, lines.Err()
}

// at is the best value after x; NaN before the first sample. The last value
// holds on.
func (h history) at(x float64) float64 {
	i, ok := slices.BinarySearch(h.x, x)
	if !ok {
		i--
	}
	if i < 0 {
		return math.NaN()
	}
	return h.best[i]
}

// panelKey is what the series of a panel have in common.
type panelKey struct {
	tableKey
	row string
}

func (k panelKey) title() string {
	t := table{tableKey: k.tableKey}
	t.suite, t.family = "", ""
	if strings.Contains(t.variant, "/") {
		t.variant = filepath.Base(t.variant) // of a graph
	}
	name := k.row
	if k.family != "" {
		name = k.family + "/" + name
	}
	return name + "  " + t.title()
}

// byPanel groups results by problem, and in it by method, in a natural order.
func byPanel(results []found, key func(f found) panelKey) (keys []panelKey, groups map[panelKey]map[string][]found) {
	groups = map[panelKey]map[string][]found{}
	for _, f := range results {
		k := key(f)
		if groups[k] == nil {
			groups[k] = map[string][]found{}
			keys = append(keys, k)
		}
		groups[k][f.label] = append(groups[k][f.label], f)
	}
	slices.SortStableFunc(keys, func(a, b panelKey) int {
		return cmp.Or(natural(a.table, b.table), cmp.Compare(a.family, b.family), cmp.Compare(a.variant, b.variant), cmp.Compare(a.dim, b.dim), natural(a.row, b.row))
	})
	return keys, groups
}

func labelsOf(m map[string][]found) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	slices.SortFunc(names, natural)
	return names
}

// convergence is the median of the runs' best values, and the quartiles.
func convergence(results []found, by string, raw bool) (panels []panel, err error) {
	keys, groups := byPanel(results, func(f found) panelKey { return panelKey{f.key, f.row} })
	for _, k := range keys {
		p := panel{title: k.title(), x: by, y: "best f", logX: true, logY: true}
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
			var runs []history
			for _, f := range groups[k][name] {
				h, err := readHistory(f.dir, by)
				if err != nil {
					return nil, err
				}
				if len(h.x) > 0 {
					runs = append(runs, h)
				}
			}
			if len(runs) == 0 {
				continue
			}
			if s := quartiles(name, runs, optimum, sign); len(s.x) > 0 {
				p.series = append(p.series, s)
			}
		}
		if known && !raw && ground(p.series) {
			p.y += " (0 at the bottom)"
		}
		for _, s := range p.series {
			// A logarithm shows only what lies above 0.
			p.logY = p.logY && slices.Min(s.lo) > 0
			p.logX = p.logX && s.x[0] > 0
		}
		if len(p.series) > 0 {
			panels = append(panels, p)
		}
	}
	return panels, nil
}

// ground puts distances of 0 at half of the smallest one above 0, so that an
// axis can be logarithmic, and says whether there were any.
func ground(all []series) (any bool) {
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
func quartiles(name string, runs []history, optimum, sign float64) series {
	var grid []float64
	begin := 0.0
	for _, h := range runs {
		grid = append(grid, h.x...)
		begin = max(begin, h.x[0])
	}
	slices.Sort(grid)
	s := series{name: name}
	if len(runs) > 1 {
		s.name += fmt.Sprintf(" (%d runs)", len(runs))
	}
	for _, x := range slices.Compact(grid) {
		if x < begin {
			continue
		}
		var values []float64
		for _, h := range runs {
			values = append(values, sign*(h.at(x)-optimum))
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
func optimumOf(m map[string][]found) (f, sign float64, known bool) {
	for _, fs := range m {
		r := fs[0].result
		if !strings.Contains(r.Problem, ".cl") && fs[0].sign() > 0 {
			p, err := catalog.Parse(r.Problem, problems.Options{})
			if err != nil {
				return 0, 1, false
			}
			if f, known = p.Info().BestKnown(); known {
				return f, 1, true
			}
		}
		if v := knownOf(fs[0]).value; !math.IsNaN(v) {
			return v, fs[0].sign(), true
		}
		suite, _ := strings.CutSuffix(fs[0].key.suite, "-laptop")
		if paper, err := readPaper(suite); err == nil {
			if r := paper.find(fs[0].key.table, problemRow(fs[0]), "known"); r != nil {
				return float64(r.at("best")), fs[0].sign(), true
			}
		}
	}
	return 0, 1, false
}

// speedOf is variable evaluations a second of a run.
func speedOf(r *resultJSON) float64 {
	return float64(r.Evaluations) * float64(r.Dim) / float64(r.Seconds)
}

// workers counts the devices that had a share.
func workers(r *resultJSON) (n int) {
	for _, d := range r.Devices {
		if d.Share > 0 {
			n++
		}
	}
	return n
}

// speedup is the median speed on each number of devices over that on the
// fewest. Devices that work together are of one kind.
func speedup(results []found) (panels []panel, err error) {
	for i := range results {
		if c := results[i].result.Cell; c != nil {
			results[i].label = c.Label // of all numbers of devices
		}
	}
	keys, groups := byPanel(results, func(f found) panelKey { return panelKey{f.key, f.row} })
	for _, k := range keys {
		p := panel{title: k.title(), x: "devices", y: "speed-up"}
		most, fewest := 0.0, math.Inf(1)
		for _, name := range labelsOf(groups[k]) {
			by := map[int][]float64{}
			for _, f := range groups[k][name] {
				if n := workers(f.result); n > 0 && f.result.Seconds > 0 {
					by[n] = append(by[n], speedOf(f.result))
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
				p.series = append(p.series, s)
				most, fewest = max(most, s.x[len(s.x)-1]), min(fewest, s.x[0])
			}
		}
		if p.series == nil {
			continue
		}
		p.series = append(p.series, series{name: "ideal", x: []float64{fewest, most}, y: []float64{1, most / fewest}, dashed: true})
		panels = append(panels, p)
	}
	if panels == nil {
		return nil, usagef("a speed-up needs runs of one problem and method on different numbers of devices, such as -d '0*2' or -d 0-1")
	}
	return panels, nil
}

// throughput is the median speed over the number of variables, one panel for
// all problems of a family, from run folders and files of clopt bench.
func throughput(results []found, files []string) (panels []panel, err error) {
	type line struct{ panel, name string }
	speeds := map[line]map[float64][]float64{}
	add := func(l line, dim, speed float64) {
		if speeds[l] == nil {
			speeds[l] = map[float64][]float64{}
		}
		speeds[l][dim] = append(speeds[l][dim], speed)
	}
	for _, f := range results {
		if r := f.result; r.Seconds > 0 {
			title := strings.Join(strings.Fields("whole runs "+f.key.family+" "+f.key.variant+" "+r.Precision), "  ")
			name := f.row + "  " + f.label
			if n := workers(r); n > 1 {
				name += fmt.Sprintf("  %d devices", n)
			}
			add(line{title, name}, float64(r.Dim), speedOf(r))
		}
	}
	for _, path := range files {
		b, err := readBench(path)
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
	slices.SortFunc(lines, func(a, b line) int { return cmp.Or(cmp.Compare(a.panel, b.panel), natural(a.name, b.name)) })
	for _, l := range lines {
		i, ok := at[l.panel]
		if !ok {
			i = len(panels)
			at[l.panel] = i
			panels = append(panels, panel{title: l.panel, x: "variables", y: "variable evaluations/s", logX: true, logY: true})
		}
		s := series{name: l.name}
		for dim := range speeds[l] {
			s.x = append(s.x, dim)
		}
		slices.Sort(s.x)
		for _, dim := range s.x {
			s.y = append(s.y, stats.Summarise(speeds[l][dim]).Median)
		}
		panels[i].series = append(panels[i].series, s)
	}
	return panels, nil
}
