package plot

import (
	"maps"
	"math"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/stats"
)

// Scaling draws the median seconds to the target over the number of variables, with a panel for each table of a
// campaign and each kind of problem.
func Scaling(results []report.Record) (panels []Panel) {
	keys, groups := byPanel(results, func(g *report.Group) panelKey {
		table := report.TableKey{Suite: g.Key.Suite, Table: g.Key.Table, Family: g.Key.Family}
		return panelKey{TableKey: table, row: kindOf(g.Runs[0])}
	})
	for _, k := range keys {
		p := Panel{Title: report.Joined(k.row, report.TableTitle(k.Table)), X: "variables", Y: "seconds to the target",
			LogX: true, LogY: true}
		seconds := curves{}
		for name, records := range groups[k] {
			missed := map[float64]bool{} // sizes at which a run missed the target have no time
			for _, f := range records {
				n := float64(f.Result.Dim)
				seconds.add(name, n, float64(f.Result.Seconds))
				missed[n] = missed[n] || f.Result.Stop.Reason != solvers.Target.String()
			}
			maps.DeleteFunc(seconds[name], func(n float64, values []float64) bool {
				return missed[n] || stats.Summarise(values).Q1 <= 0
			})
		}
		p.Series = seconds.medians(2)
		for i := range p.Series {
			s := &p.Series[i]
			for _, n := range s.X {
				of := stats.Summarise(seconds[s.Name][n])
				s.Low, s.High = append(s.Low, of.Q1), append(s.High, of.Q3)
			}
		}
		if p.Series != nil {
			panels = append(panels, p)
		}
	}
	return panels
}

// kindOf returns the common name of problems of several sizes: F0 for F0_a to F0_g, setA, tile.
func kindOf(f report.Record) string {
	name := report.ProblemRow(f)
	if strings.HasPrefix(f.Result.Problem, "maxcut:") {
		name, _, _ = strings.Cut(name, "=")
		name, _, _ = strings.Cut(name, "/")
	} else if n := len(name); n > 2 && name[n-2] == '_' {
		name = name[:n-2]
	}
	return name
}

// Ratio draws how many times faster methods are than a baseline, with a panel for each table of a campaign and each of
// its baselines.
func Ratio(results []report.Record) (panels []Panel) {
	tables, _ := report.MeasuredTables(results)
	for _, t := range tables {
		for _, base := range t.View.Baselines {
			p := Panel{Title: report.Joined(t.Suite, report.TableTitle(t.Table)), X: "variables",
				Y: "times faster than " + base, LogX: true, LogY: true}
			times := curves{}
			for _, k := range t.Lines {
				if m := t.Measure("x "+base, k); !math.IsNaN(m.Value) {
					one := t.Runs[k][0]
					times.add(report.Joined(kindOf(one), k.Label), float64(one.Result.Dim), m.Value)
				}
			}
			p.Series = times.medians(2)
			if p.Series != nil {
				panels = append(panels, p)
			}
		}
	}
	return panels
}
