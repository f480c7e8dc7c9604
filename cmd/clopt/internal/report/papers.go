package report

import (
	"bytes"
	"embed"
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/flags"
)

// papers holds published results, one file for each paper. The first line of a file names the columns.
//
//go:embed papers
var papers embed.FS

// Paper holds the results of one publication.
type Paper struct {
	name string
	Rows []PublishedRow
	// fits is set for a paper that gives means and deviations by function. It reports whether a table of the paper can
	// be shown beside our results for a variant of a family of problems.
	fits func(table, family, variant string) bool
}

// paperNotes explain below a table what the columns of a paper show.
var paperNotes = map[string]string{
	"cano2016":     "means and deviations of 10 runs, with the budgets and on the machines of the paper",
	"ferreiro2012": "GeForce GTX 470, and one core of a Xeon E5620; every evaluation in full; means of 30 runs",
	"andrade2012":  "GeForce 630M and Core i3; medians of 10 runs",
	"bouter2022": "the paper has figures only; measured on one core of a server, one run each: Library is the " +
		"code of " +
		"the authors (C++), BURER2002 is from MQLib, SA and trial are plain codes",
	"largescale": "SHADE-ILS and MOS know nothing about the structure: means after 3e6 evaluations, from Molina, " +
		"LaTorre and Herrera, CEC 2018, doi:10.1109/CEC.2018.8477755; clopt uses the declared structure, and goal is " +
		"what it is to reach",
}

// paperReaders read one line of the file of a paper, given by the names of the columns.
var paperReaders = map[string]func(p *Paper, line map[string]string) error{
	"cano2016":     readCano,
	"ferreiro2012": readFerreiro,
	"andrade2012":  readAndrade,
	"bouter2022":   readBouter,
	"largescale":   readLargescale,
}

// cano2016Fits puts the tables beside the functions without shift, and Table I beside the shifted ones, too: the paper
// does not say which functions it has.
func cano2016Fits(table, family, variant string) bool {
	return family == "cec2013" && (variant == "mode=paper" || table == "I" && variant == "")
}

// Elsewhere says which functions a row of the paper has if they are others than those of a table of a variant, "" if
// they are the same. In Table I of Cano and García-Martínez the sequential methods have the shifted functions, and
// the parallel one has those without shift (docs/results/cano2016.md).
func (p *Paper) Elsewhere(r PublishedRow, variant string) string {
	unshifted := r.Label == "NGPUs-MA-SW-Chains"
	switch {
	case p.name != "cano2016" || r.Table != "I" || unshifted == (variant == "mode=paper"):
		return ""
	case unshifted:
		return "the functions without shift"
	}
	return "the shifted functions"
}

// PaperNames returns the names of the papers, in order.
func PaperNames() []string { return slices.Sorted(maps.Keys(paperReaders)) }

// PaperOf returns the name of the paper to whose campaign all results belong, "" if there is none.
func PaperOf(results []Record) string {
	name := ""
	for _, f := range results {
		suite := strings.TrimSuffix(f.Key.Suite, "-laptop")
		if !slices.Contains(PaperNames(), suite) || name != "" && name != suite {
			return ""
		}
		name = suite
	}
	return name
}

// Name returns the name of the paper.
func (p *Paper) Name() string { return p.name }

// Note says what the values of the paper are.
func (p *Paper) Note() string { return fmt.Sprintf("%s: %s", p.name, paperNotes[p.name]) }

// ReadPaper reads the tables of a paper by its name.
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
	p := &Paper{name: name}
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

// readCano reads the means and deviations of Cano et al. by function.
func readCano(p *Paper, l map[string]string) error { return readFunctions(p, l, cano2016Fits) }

// Goal is the label of values that are to be reached, and that nobody has published.
const Goal = "goal"

// readLargescale reads the goals of the suite largescale, and the best published means, by function.
func readLargescale(p *Paper, l map[string]string) error {
	return readFunctions(p, l, func(_, family, variant string) bool { return family == "cec2013" && variant == "" })
}

// readFunctions reads means and deviations by function.
func readFunctions(p *Paper, l map[string]string, fits func(table, family, variant string) bool) error {
	p.fits = fits
	dim, err := strconv.Atoi(l["dim"])
	if err != nil {
		return fmt.Errorf("dim: %w", err)
	}
	r := PublishedRow{Table: l["table"], Problem: strings.ToLower(l["function"]), Label: l["algorithm"], Dim: dim}
	return p.add(r, l, map[string]string{"mean": "mean", "std": "std"})
}
