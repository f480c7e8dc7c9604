package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"text/tabwriter"

	"github.com/clopt/clopt/shard"
)

// planTable is --dry-run: what would be run, and what that costs.
func (sr *suiteRun) planTable(w io.Writer) {
	c := sr.campaign
	fmt.Fprintf(w, "%s: %s\n", c.Name, c.Title)
	var total, totalVars float64
	todo, cells, time := 0, 0, false
	for i := range c.Tables {
		t := &c.Tables[i]
		var mine []*suiteCell
		for _, cell := range sr.cells {
			if cell.table == t.Name {
				mine = append(mine, cell)
			}
		}
		if mine == nil {
			continue
		}
		fmt.Fprintf(w, "\ntable %s: %s\n", t.Name, t.Caption)
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(tw, "  problem\tmethod\truns\tdone\tevaluations each\tmemory")
		for _, cell := range mine {
			s := cell.settings
			left := s.runs - cell.done
			todo, cells = todo+left, cells+s.runs
			evals, memory := "-", shard.Bytes(cell.bytes)
			if s.evals > 0 {
				evals = strconv.FormatInt(s.evals, 10)
				total += float64(s.evals) * float64(left)
				totalVars += float64(s.evals) * float64(left) * float64(cell.dim)
			}
			time = time || s.evals == 0
			if cell.err != nil {
				memory = firstLine(cell.err.Error())
			}
			name := cell.problem
			if cell.devices > 0 {
				name += fmt.Sprintf("  on %d devices", cell.devices)
			}
			fmt.Fprintf(tw, "  %s\t%s\t%d\t%d\t%s\t%s\n", name, cell.label, s.runs, cell.done, evals, memory)
		}
		tw.Flush()
	}
	fmt.Fprintf(w, "\n%d of %d runs to do, %.4g evaluations, %.4g variable evaluations", todo, cells, total, totalVars)
	if time {
		fmt.Fprint(w, ", and those of runs that end by the clock or a target")
	}
	fmt.Fprintf(w, "\nfolder %s\n", sr.dir)
}

// writeIOH writes what is finished for IOHanalyzer.
func (sr *suiteRun) writeIOH() error {
	results, _, err := sr.results()
	if err != nil || results == nil {
		return err
	}
	return sr.app.exportIOH(results, filepath.Join(sr.dir, "ioh"))
}

// results are the finished runs of the campaign's cells.
func (sr *suiteRun) results() (all []found, unfinished int, err error) {
	var folders []string
	for _, cell := range sr.cells {
		if exists(cell.dir) {
			folders = append(folders, cell.dir)
		}
	}
	if folders == nil {
		return nil, 0, nil
	}
	return collect(folders)
}

// report shows the tables of a campaign that is done.
func (sr *suiteRun) report(asJSON bool) error {
	results, unfinished, err := sr.results()
	if err != nil || results == nil {
		return err
	}
	if unfinished > 0 {
		fmt.Fprintf(sr.app.stderr, "! %d runs are unfinished.\n", unfinished)
	}
	all := tables(results)
	if sr.campaign.Paper != "" {
		pub, err := readPaper(sr.campaign.Paper)
		if err != nil {
			return err
		}
		for _, t := range all {
			sr.app.beside(t, pub)
		}
	}
	sr.app.stored = true
	return sr.app.showTables(all, asJSON)
}

// describeSuite says what a campaign has.
func (a *app) describeSuite(name string) error {
	c, err := openCampaign(name)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s  %s\n", c.Name, c.Title)
	for _, t := range c.Tables {
		fmt.Fprintf(a.stdout, "  table %-4s %s\n", t.Name, t.Caption)
	}
	if c.Reference != "" {
		fmt.Fprintf(a.stdout, "  from       %s\n", c.Reference)
	}
	return nil
}
