package campaign

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/cmd/clopt/internal/report/ioh"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/runs"
)

// planJSON writes the output of --dry-run as an object.
func (sr *execution) planJSON(w io.Writer) error {
	type planned struct {
		Table   string `json:"table"`
		Problem string `json:"problem"`
		Method  string `json:"method"`
		Runs    int    `json:"runs"`
		Done    int    `json:"done"`
		Evals   int64  `json:"evaluations,omitempty"` // of each run; 0: not limited
		Bytes   int64  `json:"bytes"`
		Devices int    `json:"devices,omitempty"` // how many to use; 0: all
		Missing string `json:"missing,omitempty"` // a graph that is not in the folder of data
		Error   string `json:"error,omitempty"`
	}
	cells := []planned{}
	for _, c := range sr.cells {
		p := planned{c.table, c.problem, c.label, c.settings.Runs, c.done, c.evals, c.bytes, c.devices, c.missing, ""}
		if c.err != nil {
			p.Error = c.err.Error()
		}
		cells = append(cells, p)
	}
	return json.NewEncoder(w).Encode(map[string]any{"suite": sr.campaign.Name, "folder": sr.dir, "cells": cells})
}

// planTable writes the output of --dry-run: the cells, and their evaluations and memory.
func (sr *execution) planTable(out *status.Output) {
	c := sr.campaign
	out.Show(c.heading())
	var total float64
	todo := 0
	cells := 0
	open := false // open: the evaluations of some runs are not limited
	for i := range c.Tables {
		t := &c.Tables[i]
		var mine []*cell
		for _, cell := range sr.cells {
			if cell.table == t.Name {
				mine = append(mine, cell)
			}
		}
		if mine == nil {
			continue
		}
		out.Show("\n" + strings.TrimRight("table "+t.Name+"  "+t.Caption, " "))
		plan := status.Table{Names: 2, Indent: 2,
			Rows: [][]string{{"problem", "method", "runs", "done", "evaluations each", "memory"}}}
		for _, cell := range mine {
			s := cell.settings
			left := s.Runs - cell.done
			todo, cells = todo+left, cells+s.Runs
			evals, memory := "-", shard.Bytes(cell.bytes)
			if cell.evals > 0 {
				evals = strconv.FormatInt(cell.evals, 10)
				total += float64(cell.evals) * float64(left)
			}
			open = open || cell.evals == 0
			if cell.err != nil {
				memory = exit.FirstLine(cell.err.Error())
			} else if cell.missing != "" {
				memory = "needs --data DIR with " + cell.missing
			}
			name := cell.problem
			if cell.devices > 0 {
				name += "  on " + report.Counted(cell.devices, "device")
			}
			plan.Rows = append(plan.Rows, []string{name, cell.label, strconv.Itoa(s.Runs), strconv.Itoa(cell.done),
				evals, memory})
		}
		plan.Print(out)
	}
	end := ""
	if open {
		end = ", and those of runs that end by time or at a target"
	}
	out.Show(fmt.Sprintf("\n%d of %d runs to do, %.4g evaluations%s\nfolder %s", todo, cells, total, end, sr.dir))
}

// writeIOH writes the finished runs as data for IOHanalyzer.
func (sr *execution) writeIOH() error {
	results, err := sr.results(io.Discard)
	if err != nil || results == nil {
		return err
	}
	return ioh.Export(sr.call.Stderr, results, filepath.Join(sr.dir, "ioh"), true)
}

// results returns the finished runs of all cells. It warns of unfinished ones on w.
func (sr *execution) results(w io.Writer) ([]report.Record, error) {
	var folders []string
	for _, cell := range sr.cells {
		if runs.Exists(cell.dir) {
			folders = append(folders, cell.dir)
		}
	}
	return report.Collect(w, folders)
}

// report prints the tables of the campaign.
func (sr *execution) report(asJSON bool) error {
	results, err := sr.results(sr.call.Stderr)
	if err != nil || results == nil {
		return err
	}
	var pub *report.Paper
	if sr.campaign.Paper != "" {
		if pub, err = report.ReadPaper(sr.campaign.Paper); err != nil {
			return err
		}
	}
	for i := range results {
		results[i].Result.Cell.View = sr.viewOf(results[i].Key.Table) // the suite file may have changed since the run
	}
	sr.call.Stored = !asJSON
	r := &report.Reporter{Out: sr.call.Stdout, Err: sr.call.Stderr, Format: report.Formats[0], Suite: Tables}
	if asJSON {
		r.Format = "json"
	}
	return r.Show(results, pub)
}

// Describe writes the title and the tables of a campaign.
func Describe(w io.Writer, name string) error {
	c, err := Open(name)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, c.heading())
	width := 0
	for _, t := range c.Tables {
		width = max(width, len(t.Name))
	}
	for _, t := range c.Tables {
		fmt.Fprintf(w, "  table %-*s  %s\n", width, t.Name, t.Caption)
	}
	if c.Reference != "" {
		fmt.Fprintf(w, "  from       %s\n", c.Reference)
	}
	return nil
}

// Tables returns the tables of a built-in campaign, nil if there is no campaign of that name.
func Tables(name string) (tables []report.SuiteTable) {
	if !slices.Contains(Names(), name) {
		return nil
	}
	c, err := Open(name)
	if err != nil {
		return nil
	}
	for _, t := range c.Tables {
		tables = append(tables, report.SuiteTable{Name: t.Name, Caption: t.Caption, View: t.View})
	}
	return tables
}
