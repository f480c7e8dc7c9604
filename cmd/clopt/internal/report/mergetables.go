package report

import (
	"maps"
	"slices"
	"strings"
)

// MergeTables returns the records of problems that several tables of a campaign have with equal limits, as records
// of one table, so that the methods of these tables can be compared. The other records are left out, and so are those
// of tables with a view, which compare something else than final values.
func MergeTables(all []Record) (together []Record) {
	tables := map[TableKey]map[string]map[string]bool{} // by row
	labels := map[TableKey]map[string]map[string]bool{} // by label
	add := func(to map[TableKey]map[string]map[string]bool, key TableKey, name, table string) {
		if to[key] == nil {
			to[key] = map[string]map[string]bool{}
		}
		if to[key][name] == nil {
			to[key][name] = map[string]bool{}
		}
		to[key][name][table] = true
	}
	place := func(f Record) (key TableKey, ok bool) {
		key = f.Key
		key.Table, key.Limit = "", f.Result.Limits.String()
		return key, f.Result.Cell != nil && f.Result.Cell.View == nil && key.Limit != ""
	}
	for _, f := range all {
		if key, ok := place(f); ok {
			add(tables, key, f.Row, f.Key.Table)
			add(labels, key, f.Label, f.Key.Table)
		}
	}
	for _, f := range all {
		key, ok := place(f)
		if !ok || len(tables[key][f.Row]) < 2 {
			continue
		}
		names := map[string]bool{}
		for _, of := range tables[key] {
			if len(of) > 1 {
				maps.Copy(names, of)
			}
		}
		if len(labels[key][f.Label]) > 1 {
			f.Label += ", table " + f.Key.Table
		}
		key.Table = strings.Join(slices.SortedFunc(maps.Keys(names), Natural), ", ")
		f.Key = key
		together = append(together, f)
	}
	return together
}
