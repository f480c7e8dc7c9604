package main

import (
	"bytes"
	"embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// papers holds the published results that compare shows beside ours, a table
// of figures each: table, dim, function, algorithm, mean, std.
//
//go:embed papers
var papers embed.FS

// published is one line of a paper's tables.
type published struct {
	table, function, algorithm string // function as in "F4"
	dim                        int
	mean, std                  float64
}

// paper is the results of one publication.
type paper struct {
	name  string
	lines []published
	// fits says whether a table of ours, of a variant of a family of problems
	// and a number of variables, may stand beside a table of the paper.
	fits func(table, family, variant string) bool
}

// cano2016 used the shifted functions at n = 1000, and at more variables
// what is mode=paper here: those tables stand beside nothing else.
func cano2016Fits(table, family, variant string) bool {
	if family != "cec2013" {
		return false
	}
	if table == "I" {
		return variant == ""
	}
	return variant == "mode=paper"
}

func paperNames() []string { return []string{"cano2016"} }

// readPaper reads the tables of a paper.
func readPaper(name string) (*paper, error) {
	if !slices.Contains(paperNames(), name) {
		return nil, unknown("paper", name, paperNames(), "There are "+strings.Join(paperNames(), ", ")+".")
	}
	text, err := papers.ReadFile("papers/" + name + ".csv")
	if err != nil {
		return nil, err
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("papers/%s.csv: %w", name, err)
	}
	p := &paper{name: name, fits: cano2016Fits}
	for i, l := range lines[1:] {
		one := published{table: l[0], function: l[2], algorithm: l[3]}
		one.dim, err = strconv.Atoi(l[1])
		for k, field := range []*float64{&one.mean, &one.std} {
			if err == nil {
				*field, err = strconv.ParseFloat(l[4+k], 64)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("papers/%s.csv:%d: %w", name, i+2, err)
		}
		p.lines = append(p.lines, one)
	}
	return p, nil
}
