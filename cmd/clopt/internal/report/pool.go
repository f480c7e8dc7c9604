package report

import (
	"slices"
	"strings"
)

// Pool holds the tables over whose problems methods are compared together.
type Pool struct {
	Title  string
	Tables [][]*Group
}

// Pools returns the pools of results. Tables of the same methods that differ in the families and sizes of their
// problems are one pool, as long as these are different problems: the same function at two sizes is not two of them.
// Other tables are pools of their own.
func Pools(results []Record) (all []Pool) {
	type place struct{ suite, table, limit, methods string }
	of := func(t []*Group) place { return place{t[0].Key.Suite, t[0].Key.Table, t[0].Key.Limit, methodsOf(t)} }
	tables, at := ByTable(Compared(results)), map[place][][]*Group{}
	for _, t := range tables {
		at[of(t)] = append(at[of(t)], t)
	}
	for _, t := range tables {
		where := of(t)
		same := at[where]
		differ := where.suite != "" && where.limit == "" // the limits of a campaign's table
		if len(same) == 1 || differ || repeated(same) {
			all = append(all, Pool{TitleOf(t[0].Key), [][]*Group{t}})
		} else if t[0] == same[0][0] {
			key := TableKey{Suite: where.suite, Table: where.table, Limit: where.limit}
			all = append(all, Pool{Joined("all problems", TitleOf(key)), same})
		}
	}
	return all
}

// Compared returns the groups of all tables, and then those of tables of a campaign that have problems in common.
func Compared(results []Record) []*Group {
	return append(Groups(results), Groups(MergeTables(results))...)
}

// methodsOf returns a text that is equal for tables with the same methods.
func methodsOf(t []*Group) string {
	var labels []string
	for _, g := range t {
		labels = append(labels, g.Label)
	}
	slices.Sort(labels)
	return strings.Join(slices.Compact(labels), "\n")
}

// repeated reports whether a problem is in several tables.
func repeated(tables [][]*Group) bool {
	var seen []string
	for _, t := range tables {
		for _, same := range ByProblem(t) {
			name := fullName(same[0])
			if slices.Contains(seen, name) {
				return true
			}
			seen = append(seen, name)
		}
	}
	return false
}

// fullName returns the name of a problem with its family.
func fullName(g *Group) string { return strings.TrimPrefix(g.Key.Family+"/"+g.Row, "/") }

// table returns the tables of the pool as one.
func (p Pool) table() *table {
	var all []*Group
	for _, g := range slices.Concat(p.Tables...) {
		own := *g
		own.Row = fullName(g)
		own.Key = TableKey{Suite: g.Key.Suite, Table: g.Key.Table, Limit: g.Key.Limit}
		all = append(all, &own)
	}
	return tableOf(all)
}
