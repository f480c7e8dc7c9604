package report

import (
	"embed"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
)

// papers holds published results, one file for each paper. Its first lines are facts: "note" and what the values are;
// for means by function "family" and the family of the functions, and "variant", a variant of them, and what it is in
// words. The next line names the columns, and those after it have a row each. An empty field is no value.
//
//go:embed papers
var papers embed.FS

// rowFields are the first columns of a row of a paper. Those after them are named like values of a PublishedRow.
var rowFields = []string{"table", "dim", "problem", "variant", "method"}

// Paper holds the results of one publication.
type Paper struct {
	Name string
	Rows []PublishedRow

	note     string            // what the values are
	family   string            // of the functions whose means it has; "": it has other values
	variants map[string]string // of the functions, in words
}

// PublishedRow holds the values that a paper gives for a problem and a method.
type PublishedRow struct {
	Table   string // "*": all tables
	Dim     int    // 0: the problem has one size
	Problem string
	Variant string // of the functions that the method has
	Label   string
	Values  map[string]float64 // by the names of metricOf, or "mean", "std" and "speedup"
}

// Goal is the label of values that are to be reached, and that nobody has published.
const Goal = "goal"

// PaperNames returns the names of the papers, in order.
func PaperNames() (names []string) {
	files, _ := papers.ReadDir("papers") // a folder that is embedded can be read
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".csv"))
	}
	return names
}

// PaperOf returns the name of the paper to whose campaign all results belong, "" if there is none.
func PaperOf(results []Record) string {
	name := ""
	for _, f := range results {
		suite := fullSuite(f.Key.Suite)
		if !slices.Contains(PaperNames(), suite) || name != "" && name != suite {
			return ""
		}
		name = suite
	}
	return name
}

// ReadPaper reads the tables of a paper by its name.
func ReadPaper(name string) (*Paper, error) {
	if !slices.Contains(PaperNames(), name) {
		return nil, flags.Unknown("paper", name, PaperNames(), "")
	}
	file, err := papers.Open("papers/" + name + ".csv")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	read := csv.NewReader(file)
	read.FieldsPerRecord = -1
	lines, err := read.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("papers/%s.csv: %w", name, err)
	}
	p := &Paper{Name: name, variants: map[string]string{}}
	var columns []string
	for i, l := range lines {
		switch {
		case columns != nil:
			err = p.read(columns, l)
		case l[0] == "note":
			p.note = l[1]
		case l[0] == "family":
			p.family = l[1]
		case l[0] == "variant":
			p.variants[l[1]] = l[2]
		default:
			columns = l
		}
		if err != nil {
			return nil, fmt.Errorf("papers/%s.csv:%d: %w", name, i+1, err)
		}
	}
	return p, nil
}

// read adds a row.
func (p *Paper) read(columns, line []string) error {
	if len(line) != len(columns) || len(line) < len(rowFields) {
		return fmt.Errorf("%d fields, want %d", len(line), len(columns))
	}
	r := PublishedRow{Table: line[0], Problem: line[2], Variant: line[3], Label: line[4], Values: map[string]float64{}}
	var err error
	r.Dim, err = strconv.Atoi(line[1])
	if err != nil {
		return fmt.Errorf("dim: %w", err)
	}
	for i := len(rowFields); i < len(line); i++ {
		if line[i] == "" {
			continue
		}
		r.Values[columns[i]], err = strconv.ParseFloat(line[i], 64)
		if err != nil {
			return fmt.Errorf("%s: %w", columns[i], err)
		}
	}
	p.Rows = append(p.Rows, r)
	return nil
}

// Note says what the values of the paper are.
func (p *Paper) Note() string { return p.Name + ": " + p.note }

// Beside returns the rows of means that can be shown beside results of a table: those of tables that have functions of
// its variant. There are none for generated data.
func (p *Paper) Beside(key TableKey) (rows []PublishedRow) {
	if p == nil || p.family == "" || p.family != key.Family || key.Data == "generated" {
		return nil
	}
	for _, r := range p.Rows {
		if r.Dim == key.Dim && slices.ContainsFunc(p.Rows, func(o PublishedRow) bool {
			return o.Table == r.Table && o.Variant == key.Variant
		}) {
			rows = append(rows, r)
		}
	}
	return rows
}

// Elsewhere says which functions a row of the paper has if they are others than those of a table of a variant, "" if
// they are the same.
func (p *Paper) Elsewhere(r PublishedRow, variant string) string {
	if r.Variant == variant {
		return ""
	}
	return p.variants[r.Variant]
}

// Find returns the row of a problem and a method in a table, or one for all tables; nil if there is none, or no paper.
func (p *Paper) Find(table, problem, label string) *PublishedRow {
	for i := 0; p != nil && i < len(p.Rows); i++ {
		if r := &p.Rows[i]; (r.Table == table || r.Table == "*") && r.Label == label &&
			strings.EqualFold(r.Problem, problem) {
			return r
		}
	}
	return nil
}

// At returns a value of r by name, NaN if there is none or r is nil.
func (r *PublishedRow) At(name string) exact.Number {
	if r != nil {
		if v, ok := r.Values[name]; ok {
			return exact.Number(v)
		}
	}
	return exact.Number(math.NaN())
}

// last returns the value "at T s" with the largest T, and that T. Without one the value is NaN.
func (r *PublishedRow) last() (seconds, value float64) {
	value = math.NaN()
	for name, v := range r.Values {
		if t, ok := secondsIn(name); ok && t > seconds {
			seconds, value = t, v
		}
	}
	return seconds, value
}
