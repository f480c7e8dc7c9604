package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/stats"
)

// scaling is the median seconds until the target over the number of variables,
// a panel for each table of a campaign and each kind of problem.
func scaling(results []found) (panels []panel) {
	kind := func(f found) string {
		name := f.row
		if f.key.family == "" {
			name, _, _ = strings.Cut(problemRow(f), "=")
			name, _, _ = strings.Cut(name, "/")
		}
		return name
	}
	keys, groups := byPanel(results, func(f found) panelKey {
		return panelKey{tableKey{suite: f.key.suite, table: f.key.table, family: f.key.family}, kind(f)}
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
