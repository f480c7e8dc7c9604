package plot

import (
	"slices"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
)

// targetsMet draws how many targets the runs of each method have met after so much of an axis: a panel for each table
// with all its problems. The targets of a problem are fewestTargets distances from its best known value, or from the
// best value of all runs, in equal steps of their logarithm: from the largest first value of a run to the smallest
// distance of any. If a run comes to the distance 0, the last target is 0.
func targetsMet(results []report.Record, c Choice) ([]Panel, error) {
	table := func(g *report.Group) panelKey { return panelKey{TableKey: g.Key} }
	return perPanel(results, table, func(k panelKey, runs methods) (Panel, error) {
		p := Panel{Title: k.title(), X: c.unit(), Y: "share of the targets met", LogX: true, Steps: true, Share: true}
		problems := map[string]methods{}
		for label, records := range runs {
			for _, f := range records {
				add(problems, f.Row, label, append(problems[f.Row][label], f))
			}
		}
		times := map[string][]float64{} // of each method: when a run met a target
		pairs := map[string]int{}       // of a run and a target
		for _, row := range labelsOf(problems) {
			r, err := raceOf(problems[row], c.By, false)
			if err != nil {
				return p, err
			}
			targets := r.targets(0)
			for _, c := range r.courses {
				pairs[c.label] += fewestTargets
				for _, target := range targets {
					if t, ok := c.met(target); ok {
						times[c.label] = append(times[c.label], t)
					}
				}
			}
		}
		for _, label := range labelsOf(times) {
			slices.Sort(times[label])
			s := series{Name: label}
			for i, t := range times[label] {
				if n := len(s.X); n == 0 || s.X[n-1] != t {
					s.X, s.Y = append(s.X, t), append(s.Y, 0)
				}
				s.Y[len(s.Y)-1] = float64(i+1) / float64(pairs[label])
			}
			p.Series = append(p.Series, s)
		}
		return p, nil
	})
}
