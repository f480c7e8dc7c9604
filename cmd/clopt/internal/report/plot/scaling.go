package plot

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/stats"
)

// Scaling is the median seconds until the target over the number of variables,
// a panel for each table of a campaign and each kind of problem.
func Scaling(results []report.Record) (panels []Panel) {
	keys, groups := byPanel(results, func(f report.Record) panelKey {
		return panelKey{report.TableKey{Suite: f.Key.Suite, Table: f.Key.Table, Family: f.Key.Family}, kindOf(f)}
	})
	for _, k := range keys {
		p := Panel{title: strings.TrimSpace(k.row + "  " + k.Table), x: "variables", y: "seconds to the target", logX: true,
			logY: true}
		for _, name := range labelsOf(groups[k]) {
			by := map[float64][]float64{}
			missed := map[float64]bool{}
			for _, f := range groups[k][name] {
				n := float64(f.Result.Dim)
				by[n] = append(by[n], float64(f.Result.Seconds))
				missed[n] = missed[n] || f.Result.Stop.Reason != solvers.Target.String()
			}
			s := series{name: name}
			for _, n := range slices.Sorted(maps.Keys(by)) {
				// A size that some run missed has no time.
				if of := stats.Summarise(by[n]); !missed[n] && of.Q1 > 0 {
					s.x, s.y, s.lo, s.hi = append(s.x, n), append(s.y, of.Median), append(s.lo, of.Q1), append(s.hi, of.Q3)
				}
			}
			if len(s.x) > 1 {
				p.Series = append(p.Series, s)
			}
		}
		if p.Series != nil {
			panels = append(panels, p)
		}
	}
	return panels
}

// kindOf is what problems of several sizes have in common: F0 of F0_a to F0_g,
// setA, tile.
func kindOf(f report.Record) string {
	name := report.ProblemRow(f)
	if f.Key.Family == "" {
		name, _, _ = strings.Cut(name, "=")
		name, _, _ = strings.Cut(name, "/")
	} else if n := len(name); n > 2 && name[n-2] == '_' {
		name = name[:n-2]
	}
	return name
}

// Ratio are how many times faster methods are than a baseline, a panel
// for each table of a campaign and each of its baselines.
func Ratio(results []report.Record) (panels []Panel) {
	tables, _ := report.MeasuredTables(results)
	for _, t := range tables {
		for _, base := range t.View.Baselines {
			p := Panel{title: t.Suite + "  table " + t.Table, x: "variables", y: "times faster than " + base, logX: true,
				logY: true}
			at := map[string]map[float64][]float64{}
			for _, k := range t.Lines {
				if m := t.Measure("x "+base, k); !math.IsNaN(m.Value) {
					name, n := kindOf(t.Runs[k][0])+"  "+k.Label, float64(t.Runs[k][0].Result.Dim)
					if at[name] == nil {
						at[name] = map[float64][]float64{}
					}
					at[name][n] = append(at[name][n], m.Value)
				}
			}
			names := slices.Collect(maps.Keys(at))
			slices.SortFunc(names, report.Natural)
			for _, name := range names {
				s := series{name: name}
				for _, n := range slices.Sorted(maps.Keys(at[name])) {
					s.x, s.y = append(s.x, n), append(s.y, stats.Summarise(at[name][n]).Median)
				}
				if len(s.x) > 1 {
					p.Series = append(p.Series, s)
				}
			}
			if p.Series != nil {
				panels = append(panels, p)
			}
		}
	}
	return panels
}
