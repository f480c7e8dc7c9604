package report

import (
	"bytes"
	"embed"
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/clopt/clopt/cmd/clopt/internal/flags"
)

// papers holds the published results that compare shows beside ours, a table
// of figures each. The first line names the columns.
//
//go:embed papers
var papers embed.FS

// published is one line of a paper's tables.
type published struct {
	table, function, algorithm string // function as in "F4"
	dim                        int
	mean, std                  float64
}

// Paper is the results of one publication.
type Paper struct {
	name  string
	lines []published // of means by function and method
	// fits says whether a table of ours, of a variant of a family of problems
	// and a number of variables, may stand beside a table of the paper.
	fits func(table, family, variant string) bool

	Rows []PublishedRow // of other metrics
}

// paperNotes say below a table what the columns of a paper are, where that is
// not plain.
var paperNotes = map[string]string{
	"ferreiro2012": "GeForce GTX 470, and one core of a Xeon E5620; every evaluation in full; means of 30 runs",
	"andrade2012":  "GeForce 630M and Core i3; medians of 10 runs",
	"bouter2022": "the paper prints figures only; measured on one core of a server, one run each: Library is the authors' own (C++), " +
		"BURER2002 of MQLib, SA and trial plain codes",
}

// paperReaders read the lines of a paper's file, each given by the names of
// the columns.
var paperReaders = map[string]func(p *Paper, line map[string]string) error{
	"cano2016":     readCano,
	"ferreiro2012": readFerreiro,
	"andrade2012":  readAndrade,
	"bouter2022":   readBouter,
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

func PaperNames() []string { return slices.Sorted(maps.Keys(paperReaders)) }

// ReadPaper reads the tables of a paper.
func ReadPaper(name string) (*Paper, error) {
	if !slices.Contains(PaperNames(), name) {
		return nil, flags.Unknown("paper", name, PaperNames(), "")
	}
	text, err := papers.ReadFile("papers/" + name + ".csv")
	if err != nil {
		return nil, err
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("papers/%s.csv: %w", name, err)
	}
	p := &Paper{name: name, fits: func(_, _, _ string) bool { return false }}
	for i, l := range lines[1:] {
		line := map[string]string{}
		for k, head := range lines[0] {
			line[head] = l[k]
		}
		if err := paperReaders[name](p, line); err != nil {
			return nil, fmt.Errorf("papers/%s.csv:%d: %w", name, i+2, err)
		}
	}
	return p, nil
}

// readCano reads means and deviations by function.
func readCano(p *Paper, l map[string]string) (err error) {
	p.fits = cano2016Fits
	one := published{table: l["table"], function: l["function"], algorithm: l["algorithm"]}
	one.dim, err = strconv.Atoi(l["dim"])
	for head, field := range map[string]*float64{"mean": &one.mean, "std": &one.std} {
		if err == nil {
			*field, err = strconv.ParseFloat(l[head], 64)
		}
	}
	p.lines = append(p.lines, one)
	return err
}
