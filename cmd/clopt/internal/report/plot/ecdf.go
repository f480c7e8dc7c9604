package plot

import (
	"slices"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
)

// Targets draws how many targets the runs of each method have met after so many evaluations, or seconds if by is
// "time": a panel for each table with all its problems. The targets of a problem are fewestTargets distances from its
// best known value, or from the best value of all runs, in equal steps of their logarithm: from the largest first value
// of a run to the smallest distance of any. If a run comes to the distance 0, the last target is 0.
func Targets(results []report.Record, by string) (panels []Panel, err error) {
	keys, groups := byPanel(results, func(g *report.Group) panelKey { return panelKey{TableKey: g.Key} })
	for _, k := range keys {
		p := Panel{Title: k.title(), X: by, Y: "share of the targets met", LogX: true, Steps: true, Share: true}
		if by == "time" {
			p.X = "seconds"
		}
		times := map[string][]float64{} // of each method: when a run met a target
		all := map[string]int{}         // pairs of a run and a target
		problems := map[string]map[string][]report.Record{}
		for label, records := range groups[k] {
			for _, f := range records {
				if problems[f.Row] == nil {
					problems[f.Row] = map[string][]report.Record{}
				}
				problems[f.Row][label] = append(problems[f.Row][label], f)
			}
		}
		for _, row := range labelsOf(problems) {
			if err := meet(problems[row], by, times, all); err != nil {
				return nil, err
			}
		}
		for _, label := range labelsOf(times) {
			slices.Sort(times[label])
			s := series{Name: label}
			for i, t := range times[label] {
				share := float64(i+1) / float64(all[label])
				if n := len(s.X); n > 0 && s.X[n-1] == t {
					s.Y[n-1] = share
					continue
				}
				s.X, s.Y = append(s.X, t), append(s.Y, share)
			}
			if len(s.X) > 0 {
				p.LogX = p.LogX && s.X[0] > 0
				p.Series = append(p.Series, s)
			}
		}
		if p.Series != nil {
			panels = append(panels, p)
		}
	}
	return panels, nil
}

// meet adds the times at which the runs on one problem meet its targets, and the number of targets.
func meet(methods map[string][]report.Record, by string, times map[string][]float64, all map[string]int) error {
	r, err := raceOf(methods, by, false)
	if err != nil {
		return err
	}
	targets := r.targets(0)
	for _, c := range r.courses {
		all[c.label] += fewestTargets
		for _, target := range targets {
			if t, ok := c.met(target); ok {
				times[c.label] = append(times[c.label], t)
			}
		}
	}
	return nil
}
