package plot

import (
	"cmp"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
)

// The values of a Choice, and the ends of the names of files that Figure.Write can write.
var (
	Kinds   = []string{"convergence", "speedup", "throughput", "scaling", "ratio", "ttt", "ecdf", "fixed-target"}
	Axes    = []string{"evaluations", "work", "time"}
	Formats = []string{".svg", ".jsonl"}
)

// Choice is what a figure shows.
type Choice struct {
	Kind  string        // one of Kinds
	By    string        // one of Axes; for convergence, ecdf and fixed-target
	Raw   bool          // for convergence and fixed-target: values, not their distance from a known optimum
	Paper *report.Paper // for convergence: its means are dashed lines; nil: none
}

// needs says what pictures need that not all runs have.
var needs = map[string]string{
	"scaling":    "runs of one method on several numbers of variables, which all met a target",
	"ratio":      "runs of a campaign with baselines in its suite file, on several numbers of variables",
	"ttt":        "runs that met a target (--target)",
	"throughput": "runs, or files of clopt bench --json",
}

// Needs says what a picture of a kind is drawn from.
func Needs(kind string) string { return cmp.Or(needs[kind], "runs that have ended") }

// New returns a figure of results, followed by those of files: figures, or for throughput the output of clopt bench
// --json.
func New(results []report.Record, files []string, c Choice) (f Figure, err error) {
	f.From = origins(results)
	results = report.GraphsTogether(results)
	switch c.Kind {
	case "convergence":
		f.Panels, err = Convergence(results, c.By, c.Raw, c.Paper)
	case "speedup":
		if len(results) > 0 || len(files) == 0 {
			f.Panels, err = Speedup(results)
		}
	case "throughput":
		f.Panels, err = Throughput(results, files)
		files = nil
	case "scaling":
		f.Panels = Scaling(results)
	case "ratio":
		f.Panels = Ratio(results)
	case "ttt":
		f.Panels = TimeToTarget(results)
	case "ecdf":
		f.Panels, err = Targets(results, c.By)
	case "fixed-target":
		f.Panels, err = FixedTargets(results, c.By, c.Raw)
	}
	if err != nil {
		return f, err
	}
	for _, path := range files {
		more, err := ReadFigure(path)
		if err != nil {
			return f, err
		}
		f.Panels, f.From = append(f.Panels, more.Panels...), append(f.From, more.From...)
	}
	return f, nil
}
