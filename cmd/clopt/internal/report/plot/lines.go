package plot

import (
	"maps"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/internal/solvers/stats"
)

// panelKey identifies a panel: its series agree in these fields.
type panelKey struct {
	report.TableKey
	row      string
	vertices int // of a graph, which is a row of a table without a number of variables
}

// panelOf returns the panel of a problem.
func panelOf(g *report.Group) panelKey {
	k := panelKey{TableKey: g.Key, row: g.Row}
	if k.Dim == 0 {
		k.vertices = g.Runs[0].Result.Dim
	}
	return k
}

func (k panelKey) title() string {
	t := k.TableKey
	t.Suite, t.Family = "", ""
	name := k.row
	if k.Family != "" {
		name = strings.TrimSuffix(k.Family+"/"+name, "/")
	}
	size, data := "", ""
	switch {
	case k.vertices > 0:
		size = report.Count(k.vertices) + " vertices"
	case t.Dim > 0:
		size = report.Count(t.Dim) + " variables"
	}
	if t.Data != "" {
		data = t.Data + " data"
	}
	return report.Joined(name, size, report.TableTitle(t.Table), t.Variant, data)
}

// methods holds the runs of each method of a panel, by the name of its line.
type methods map[string][]report.Record

// perPanel draws a panel for each key of the groups of results, in a natural order, and leaves out those without a
// line. A line is a method; one whose runs in a panel have several limits has a line for each of them. Axes on which
// something is not above 0 are not logarithmic.
func perPanel(results []report.Record, key func(g *report.Group) panelKey,
	draw func(k panelKey, runs methods) (Panel, error)) (panels []Panel, err error) {
	type method struct {
		panelKey
		label string
	}
	of := func(g *report.Group) method {
		m := method{key(g), g.Label}
		m.Limit = ""
		return m
	}
	groups, limits := report.Groups(results), map[method]map[string]bool{}
	for _, g := range groups {
		add(limits, of(g), g.Key.Limit, true)
	}
	var keys []panelKey
	lines := map[panelKey]methods{}
	for _, g := range groups {
		m, name := of(g), g.Label
		if len(limits[m]) > 1 {
			name += ", " + g.Key.Limit
		}
		if lines[m.panelKey] == nil {
			keys = append(keys, m.panelKey)
		}
		add(lines, m.panelKey, name, append(lines[m.panelKey][name], g.Runs...))
	}
	for _, k := range keys {
		p, err := draw(k, lines[k])
		if err != nil {
			return nil, err
		}
		for _, s := range p.Series {
			p.LogX, p.LogY = p.LogX && slices.Min(s.X) > 0, p.LogY && s.least() > 0
		}
		if p.Series != nil {
			panels = append(panels, p)
		}
	}
	return panels, nil
}

// add sets a value in a map of maps.
func add[M ~map[K]V, K, L comparable, V ~map[L]W, W any](m M, k K, l L, w W) {
	if m[k] == nil {
		m[k] = V{}
	}
	m[k][l] = w
}

// folderNames names the lines of a panel after the folders of their runs, if a person has named the folders: each line
// is one run, or one folder of runs, and no two have the same name. Otherwise, and if there is only one line, it
// returns the lines as they are.
func folderNames(lines methods) methods {
	if len(lines) < 2 {
		return lines
	}
	named := methods{}
	for _, runs := range lines {
		name := runs[0].FolderName()
		for _, r := range runs[1:] {
			if r.FolderName() != name {
				return lines
			}
		}
		if name == "" || named[name] != nil {
			return lines
		}
		named[name] = runs
	}
	return named
}

// measured returns what the value of the runs of a panel is, with its unit, if their objective labels the only sum,
// and the value is that sum.
func measured(lines methods) (what string) {
	for _, of := range lines {
		for _, r := range of {
			b := r.Result.Best
			if len(b.Sums) != 1 || b.Sums[0].Value != b.F || what != "" && what != b.Sums[0].Label {
				return ""
			}
			what = b.Sums[0].Label
		}
	}
	return what
}

// labelsOf returns the keys of m in a natural order.
func labelsOf[V any](m map[string]V) []string {
	return slices.SortedFunc(maps.Keys(m), report.Natural)
}

// curves holds the values of each series at each x.
type curves map[string]map[float64][]float64

func (c curves) add(name string, x, y float64) { add(c, name, x, append(c[name][x], y)) }

// medians returns the series of the medians, of the names that have values for at least that many x. Names are in a
// natural order.
func (c curves) medians(least int) (all []series) {
	for _, name := range labelsOf(c) {
		if len(c[name]) < least {
			continue
		}
		s := series{Name: name, X: slices.Sorted(maps.Keys(c[name]))}
		for _, x := range s.X {
			s.Y = append(s.Y, stats.Summarise(c[name][x]).Median)
		}
		all = append(all, s)
	}
	return all
}
