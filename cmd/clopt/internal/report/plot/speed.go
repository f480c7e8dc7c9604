package plot

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
)

// speedup draws the median speed on each number of devices, divided by that on the fewest. Only devices of one kind
// work together.
func speedup(results []report.Record, _ Choice) ([]Panel, error) {
	results = slices.Clone(results)
	for i := range results {
		if c := results[i].Result.Cell; c != nil {
			results[i].Label = c.Label // the same for all numbers of devices
		}
	}
	return perPanel(results, panelOf, func(k panelKey, runs methods) (Panel, error) {
		speeds := curves{}
		for name, records := range runs {
			for _, f := range records {
				if n := f.Result.Workers(); n > 0 && f.Result.Seconds > 0 {
					speeds.add(name, float64(n), f.Result.VariableRate())
				}
			}
		}
		p := Panel{Title: k.title(), X: "devices", Y: "speed-up", WholeX: true, Series: speeds.medians(2)}
		most, fewest := 0.0, math.Inf(1)
		for _, s := range p.Series {
			one := s.Y[0]
			for i := range s.Y {
				s.Y[i] /= one
			}
			most, fewest = max(most, s.X[len(s.X)-1]), min(fewest, s.X[0])
		}
		if p.Series != nil {
			p.Series = append(p.Series, series{Name: "ideal", X: []float64{fewest, most},
				Y: []float64{1, most / fewest}, Reference: true})
		}
		return p, nil
	})
}

// throughput draws the median speed over the number of variables, with a panel for each family of problems.
func throughput(results []report.Record, c Choice) (panels []Panel, err error) {
	speeds := map[string]curves{} // by the title of the panel
	put := func(title, name string, dim int, speed float64) {
		if speeds[title] == nil {
			speeds[title] = curves{}
		}
		speeds[title].add(name, float64(dim), speed)
	}
	for _, f := range results {
		if r := f.Result; r.Seconds > 0 {
			name := report.Joined(f.Row, f.Label)
			if n := r.Workers(); n > 1 {
				name = report.Joined(name, fmt.Sprintf("%d devices", n))
			}
			put(report.Joined("whole runs", f.Key.Family, f.Key.Variant, r.Precision), name, r.Dim, r.VariableRate())
		}
	}
	for _, path := range c.bench {
		b, err := report.ReadBench(path)
		if err != nil {
			return nil, err
		}
		for _, k := range b.Kernels {
			if k.Speed > 0 && !strings.Contains(k.Kernel, "/") { // a step, not one of its kernels
				put(report.Joined(k.Kernel, k.Device, k.Precision), k.Problem, k.Dim, float64(k.Speed))
			}
		}
	}
	for _, title := range slices.Sorted(maps.Keys(speeds)) {
		panels = append(panels, Panel{Title: title, X: "variables", Y: "variable evaluations/s", LogX: true, LogY: true,
			Series: speeds[title].medians(1)})
	}
	return panels, nil
}
