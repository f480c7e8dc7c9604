package main

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/stats"
)

// scaling is the median seconds until the target over the number of variables,
// a panel for each table of a campaign and each kind of problem.
func scaling(results []found) (panels []panel) {
	keys, groups := byPanel(results, func(f found) panelKey {
		return panelKey{tableKey{suite: f.key.suite, table: f.key.table, family: f.key.family}, kindOf(f)}
	})
	for _, k := range keys {
		p := panel{title: strings.TrimSpace(k.row + "  " + k.table), x: "variables", y: "seconds to the target", logX: true, logY: true}
		for _, name := range labelsOf(groups[k]) {
			by := map[float64][]float64{}
			missed := map[float64]bool{}
			for _, f := range groups[k][name] {
				n := float64(f.result.Dim)
				by[n] = append(by[n], float64(f.result.Seconds))
				missed[n] = missed[n] || f.result.Stop.Reason != solvers.Target.String()
			}
			s := series{name: name}
			for _, n := range slices.Sorted(maps.Keys(by)) {
				// A size that some run missed has no time.
				if of := stats.Summarise(by[n]); !missed[n] && of.Q1 > 0 {
					s.x, s.y, s.lo, s.hi = append(s.x, n), append(s.y, of.Median), append(s.lo, of.Q1), append(s.hi, of.Q3)
				}
			}
			if len(s.x) > 1 {
				p.series = append(p.series, s)
			}
		}
		if p.series != nil {
			panels = append(panels, p)
		}
	}
	return panels
}

// kindOf is what problems of several sizes have in common: F0 of F0_a to F0_g,
// setA, tile.
func kindOf(f found) string {
	name := problemRow(f)
	if f.key.family == "" {
		name, _, _ = strings.Cut(name, "=")
		name, _, _ = strings.Cut(name, "/")
	} else if n := len(name); n > 2 && name[n-2] == '_' {
		name = name[:n-2]
	}
	return name
}

// ratioPanels are how many times faster methods are than a baseline, a panel
// for each table of a campaign and each of its baselines.
func ratioPanels(results []found) (panels []panel) {
	tables, _ := measuredTables(results)
	for _, t := range tables {
		for _, base := range t.view.Baselines {
			p := panel{title: t.suite + "  table " + t.table, x: "variables", y: "times faster than " + base, logX: true, logY: true}
			at := map[string]map[float64][]float64{}
			for _, k := range t.lines {
				if m := t.measure("x "+base, k); !math.IsNaN(m.value) {
					name, n := kindOf(t.runs[k][0])+"  "+k.label, float64(t.runs[k][0].result.Dim)
					if at[name] == nil {
						at[name] = map[float64][]float64{}
					}
					at[name][n] = append(at[name][n], m.value)
				}
			}
			names := slices.Collect(maps.Keys(at))
			slices.SortFunc(names, natural)
			for _, name := range names {
				s := series{name: name}
				for _, n := range slices.Sorted(maps.Keys(at[name])) {
					s.x, s.y = append(s.x, n), append(s.y, stats.Summarise(at[name][n]).Median)
				}
				if len(s.x) > 1 {
					p.series = append(p.series, s)
				}
			}
			if p.series != nil {
				panels = append(panels, p)
			}
		}
	}
	return panels
}
