package plot

import (
	"maps"
	"math"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/internal/solvers/stats"
)

// scaling draws the median seconds to the target over the number of variables, with a panel for each table of a
// campaign and each kind of problem.
func scaling(results []report.Record, _ Choice) ([]Panel, error) {
	return perPanel(results, func(g *report.Group) panelKey {
		table := report.TableKey{Suite: g.Key.Suite, Table: g.Key.Table, Family: g.Key.Family}
		return panelKey{TableKey: table, row: kindOf(g.Runs[0])}
	}, func(k panelKey, runs methods) (Panel, error) {
		seconds := curves{}
		for name, records := range runs {
			missed := map[float64]bool{} // sizes at which a run missed the target have no time
			for _, f := range records {
				n := float64(f.Result.Dim)
				seconds.add(name, n, float64(f.Result.Seconds))
				missed[n] = missed[n] || !f.Hit()
			}
			maps.DeleteFunc(seconds[name], func(n float64, values []float64) bool {
				return missed[n] || stats.Summarise(values).Q1 <= 0
			})
		}
		p := Panel{Title: report.Joined(k.row, report.TableTitle(k.Table)), X: "variables", Y: "seconds to the target",
			LogX: true, LogY: true, Series: seconds.medians(2)}
		for i := range p.Series {
			s := &p.Series[i]
			for _, n := range s.X {
				of := stats.Summarise(seconds[s.Name][n])
				s.Low, s.High = append(s.Low, of.Q1), append(s.High, of.Q3)
			}
		}
		return p, nil
	})
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

// ratio draws how many times faster methods are than a baseline, with a panel for each table of a campaign and each of
// its baselines.
func ratio(results []report.Record, _ Choice) (panels []Panel, err error) {
	tables, _ := report.MeasuredTables(results)
	for _, t := range tables {
		for _, base := range t.View.Baselines {
			times := curves{}
			for _, k := range t.Lines {
				if m := t.Measure("x "+base, k); !math.IsNaN(m.Value) {
					one := t.Runs[k][0]
					times.add(report.Joined(kindOf(one), k.Label), float64(one.Result.Dim), m.Value)
				}
			}
			if s := times.medians(2); s != nil {
				panels = append(panels, Panel{Title: report.Joined(t.Suite, report.TableTitle(t.Table)), X: "variables",
					Y: "times faster than " + base, LogX: true, LogY: true, Series: s})
			}
		}
	}
	return panels, nil
}
