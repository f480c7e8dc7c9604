package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/clopt/clopt/internal/solvers/stats"
)

// Group holds the runs of one method on one problem of a table.
type Group struct {
	Key        TableKey
	Row, Label string // the problem and the method, as in the records
	Runs       []Record
}

// Groups groups results by table, problem and method, in a natural order.
func Groups(results []Record) (all []*Group) {
	type id struct {
		key        TableKey
		row, label string
	}
	by := map[id]*Group{}
	for _, f := range results {
		k := id{f.Key, f.Row, f.Label}
		g := by[k]
		if g == nil {
			g = &Group{Key: f.Key, Row: f.Row, Label: f.Label}
			by[k] = g
			all = append(all, g)
		}
		g.Runs = append(g.Runs, f)
	}
	slices.SortStableFunc(all, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(a.Key.Suite, b.Key.Suite), Natural(a.Key.Table, b.Key.Table),
			cmp.Compare(a.Key.Family, b.Key.Family), cmp.Compare(a.Key.Variant, b.Key.Variant),
			cmp.Compare(a.Key.Dim, b.Key.Dim), cmp.Compare(a.Key.Data, b.Key.Data), Natural(a.Key.Limit, b.Key.Limit),
			Natural(a.Row, b.Row), Natural(a.Label, b.Label))
	})
	for _, table := range ByTable(all) {
		setLimit(table)
	}
	return all
}

// ByTable splits groups in their natural order into those of each table.
func ByTable(groups []*Group) [][]*Group {
	return split(groups, func(a, b *Group) bool { return a.Key == b.Key })
}

// ByProblem splits groups in their natural order into those of each problem of each table.
func ByProblem(groups []*Group) [][]*Group {
	return split(groups, func(a, b *Group) bool { return a.Key == b.Key && a.Row == b.Row })
}

// split splits groups between neighbours that do not belong together.
func split(groups []*Group, together func(a, b *Group) bool) (parts [][]*Group) {
	for i, g := range groups {
		if i == 0 || !together(groups[i-1], g) {
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], g)
	}
	return parts
}

// setLimit sets the limit of a table to that of its runs, if they all have the same.
func setLimit(table []*Group) {
	limit := table[0].Runs[0].Result.Limits.String()
	for _, g := range table {
		if slices.ContainsFunc(g.Runs, func(f Record) bool { return f.Result.Limits.String() != limit }) {
			return
		}
	}
	for _, g := range table {
		g.Key.Limit = limit
	}
}

// Sign returns 1 for a minimization and -1 for a maximization.
func (g *Group) Sign() float64 { return g.Runs[0].Result.Sense.Sign() }

// Values returns the best values of the runs times Sign, so that smaller ones are better. A run that found no finite
// value has +Inf.
func (g *Group) Values() (values []float64) {
	for _, f := range g.Runs {
		v := g.Sign() * float64(f.Result.Best.F)
		if math.IsNaN(v) {
			v = math.Inf(1)
		}
		values = append(values, v)
	}
	return values
}

// Median returns the median of Values.
func (g *Group) Median() float64 { return stats.Summarise(g.Values()).Median }
