package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) compareCommand() *cobra.Command {
	var name string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compare RUN... | --paper NAME",
		Short: "Compare results: means, deviations, medians, and the tests of papers",
		Long: "Compare the results in the folders RUN and below, functions in rows and methods in columns. --paper puts a\n" +
			"paper's columns beside them where they are of the same functions; alone it shows the paper's own tables.\n" +
			"Below each table: Wilcoxon's signed ranks for each two methods, Friedman's ranks, and Holm's procedure\n" +
			"against the best, all over the means.",
		RunE: func(_ *cobra.Command, args []string) error { return a.compare(args, name, asJSON) },
	}
	cmd.Flags().StringVar(&name, "paper", "", "show a paper's columns: "+strings.Join(paperNames(), ", "))
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	completeWords(cmd, "paper", paperNames()...)
	return cmd
}

func (a *app) compare(folders []string, paperName string, asJSON bool) error {
	if len(folders) == 0 && paperName == "" {
		return usagef("give run folders to compare, or --paper NAME")
	}
	var pub *paper
	if paperName != "" {
		var err error
		if pub, err = readPaper(paperName); err != nil {
			return err
		}
	}
	if len(folders) == 0 {
		measured, err := pub.paperTables()
		if err != nil {
			return err
		}
		return a.showTables(pub.tables(), measured, asJSON)
	}
	results, unfinished, err := collect(folders)
	if err != nil {
		return err
	}
	if unfinished > 0 {
		fmt.Fprintf(a.stderr, "! %d unfinished runs are left out. clopt resume finishes them.\n", unfinished)
	}
	return a.showResults(results, pub, asJSON)
}

// showResults prints results in the tables that they belong to, beside a
// paper's unless that is nil.
func (a *app) showResults(results []found, pub *paper, asJSON bool) error {
	views, rest := measuredTables(results)
	all := tables(rest)
	if pub != nil {
		for _, t := range all {
			a.beside(t, pub)
		}
	}
	var shown []measuredJSON
	for _, t := range views {
		if pub != nil && strings.TrimSuffix(t.suite, "-laptop") == pub.name {
			t.paper = pub
		}
		shown = append(shown, t.compared())
	}
	return a.showTables(all, shown, asJSON)
}

// showTables prints tables with their tests, and those with other quantities.
func (a *app) showTables(all []*table, measured []measuredJSON, asJSON bool) error {
	out := []tableJSON{}
	for i, t := range all {
		j := t.compared()
		if asJSON {
			out = append(out, j)
			continue
		}
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		j.print(a.stdout)
	}
	for i, t := range measured {
		if asJSON {
			break
		}
		if i+len(all) > 0 {
			fmt.Fprintln(a.stdout)
		}
		t.print(a.stdout)
	}
	if asJSON {
		return writeLine(a.stdout, struct {
			Format        string         `json:"format"`
			FormatVersion int            `json:"format_version"`
			Tables        []tableJSON    `json:"tables"`
			Measured      []measuredJSON `json:"measured,omitempty"`
		}{"clopt-compare", 1, out, measured})
	}
	return nil
}

// tables are those of a paper alone.
func (p *paper) tables() (all []*table) {
	var t *table
	for _, l := range p.lines {
		if t == nil || t.table != l.table {
			t = &table{tableKey: tableKey{suite: p.name, table: l.table, dim: l.dim}, cells: map[string]map[column]cellValues{}}
			all = append(all, t)
		}
		t.publish(p.name, l)
	}
	return all
}

func (t *table) publish(paper string, l published) {
	row, c := strings.ToLower(l.function), column{l.algorithm, paper}
	v := t.cell(row, c)
	v.sign, v.mean, v.std = 1, l.mean, l.std
	t.cells[row][c] = v
}

// beside adds a paper's columns to a table of ours that is of the same
// functions.
func (a *app) beside(t *table, p *paper) {
	for _, l := range p.lines {
		if l.dim != t.dim || !p.fits(l.table, t.family, t.variant) {
			continue
		}
		if t.data == "generated" {
			fmt.Fprintf(a.stderr, "! %s are of the generated instance, and those of %s are not. The paper's columns are left out. Run with --data DIR.\n", t.title(), p.name)
			return
		}
		if _, ours := t.cells[strings.ToLower(l.function)]; ours {
			t.publish(p.name, l)
		}
	}
}

// title says what a table is of.
func (t *table) title() string {
	var parts []string
	if t.suite != "" {
		parts = append(parts, t.suite)
	}
	if t.table != "" {
		parts = append(parts, "table "+t.table)
	}
	if t.family != "" {
		parts = append(parts, t.family)
	}
	parts = append(parts, fmt.Sprintf("n=%d", t.dim))
	if t.variant != "" {
		parts = append(parts, t.variant)
	}
	if t.data != "" {
		parts = append(parts, t.data+" data")
	}
	return strings.Join(parts, "  ")
}
