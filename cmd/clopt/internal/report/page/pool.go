package page

import (
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
)

// pools returns the groups of each table. Tables that differ in the families and sizes of their problems only are one
// pool, so that methods are compared over all problems of a campaign, as long as these are different problems: the same
// function at two sizes is not two of them.
func pools(groups []*report.Group) (all [][]*report.Group) {
	type place struct{ suite, table, limit string }
	of := func(g *report.Group) place { return place{g.Key.Suite, g.Key.Table, g.Key.Limit} }
	tables, at := chunks(groups, tableOf), map[place][][]*report.Group{}
	for _, table := range tables {
		at[of(table[0])] = append(at[of(table[0])], table)
	}
	for _, table := range tables {
		where := of(table[0])
		same := at[where]
		differ := where.suite != "" && where.limit == "" // the limits of a campaign's table
		if len(same) == 1 || differ || repeated(same) {
			all = append(all, table)
			continue
		}
		if table[0] == same[0][0] {
			all = append(all, pool(same))
		}
	}
	return all
}

// repeated reports whether a problem is in several tables.
func repeated(tables [][]*report.Group) bool {
	var seen []string
	for _, table := range tables {
		for _, same := range chunks(table, problemOf) {
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
func fullName(g *report.Group) string { return strings.TrimPrefix(g.Key.Family+"/"+g.Row, "/") }

// pool returns the groups of several tables as those of one.
func pool(tables [][]*report.Group) (all []*report.Group) {
	for _, g := range slices.Concat(tables...) {
		own := *g
		own.Row = fullName(g)
		own.Key = report.TableKey{Suite: g.Key.Suite, Table: g.Key.Table, Limit: g.Key.Limit}
		all = append(all, &own)
	}
	return all
}
