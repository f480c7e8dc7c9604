package plot

import (
	"slices"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
)

// Choice is what a figure shows.
type Choice struct {
	Kind  string        // one of Kinds
	By    string        // one of Axes; for convergence, ecdf and fixed-target
	Raw   bool          // for convergence and fixed-target: values, not their distance from a known optimum
	Paper *report.Paper // for convergence: its means are dashed lines; nil: none

	bench []string // for throughput: files of clopt bench --json
}

// kinds are the kinds of pictures. needs says what one is drawn from.
var kinds = []struct {
	name, needs string
	draw        func(results []report.Record, c Choice) ([]Panel, error)
}{
	{"convergence", "runs that have ended", convergence},
	{"speedup", "runs of one problem and method on different numbers of devices, such as -d '0*2' or -d 0-1", speedup},
	{"throughput", "runs, or files of clopt bench --json", throughput},
	{"scaling", "runs of one method on several numbers of variables, which all met a target", scaling},
	{"ratio", "runs of a campaign with baselines in its suite file, on several numbers of variables", ratio},
	{"ttt", "runs that met a target (--target)", timeToTarget},
	{"ecdf", "runs that have ended", targetsMet},
	{"fixed-target", "runs that have ended", fixedTargets},
}

// The values of a Choice, and the ends of the names of files that Figure.Write can write.
var (
	Kinds   = names()
	Axes    = []string{"evaluations", "work", "time"}
	Formats = []string{".svg", ".jsonl"}
)

func names() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// Needs says what a picture of a kind is drawn from.
func Needs(kind string) string { return kinds[slices.Index(Kinds, kind)].needs }

// Panels draws results. There are none if the results are not what the kind needs. Graphs are in one table, as
// report.GraphsTogether puts them.
func Panels(results []report.Record, c Choice) ([]Panel, error) {
	return kinds[slices.Index(Kinds, c.Kind)].draw(results, c)
}

// New returns a figure of results, followed by those of files: figures, or for throughput the output of clopt bench
// --json.
func New(results []report.Record, files []string, c Choice) (f Figure, err error) {
	if c.Kind == "throughput" {
		c.bench, files = files, nil
	}
	f.From = origins(results)
	f.Panels, err = Panels(report.GraphsTogether(results), c)
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

// unit returns what an axis of a Choice counts.
func (c Choice) unit() string {
	if c.By == "time" {
		return "seconds"
	}
	return c.By
}
