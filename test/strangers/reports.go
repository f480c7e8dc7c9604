package main

import (
	"bufio"
	"cmp"
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/clopt/clopt/problems/rng"
)

//go:embed reports
var reports embed.FS

// report is a problem of a public report with its right answer, which was found without clopt: by hand, by another
// program, or by the report.
type report struct {
	name   string // of its file, or of what clopt runs
	answer float64
	slack  float64 // how far from the answer a right end may be
}

// answers are those of the objectives in reports/. Values that come from data have a slack of a millionth.
var answers = []report{
	{"arrhenius.cl", 6.4201737604e-22, 1e-27}, {"binomial.cl", 24864.1556288285, 1e-4},
	{"brusselator.cl", 0, 1e-12}, {"budget.cl", -100.2647033991, 1e-4}, {"centre.cl", -44.3543188622, 1e-5},
	{"cluster.cl", -44.326801, 1e-5}, {"counts.cl", 9.0732975427, 1e-6}, {"cubic.cl", 0.5443310540, 1e-6},
	{"death.cl", 10, 1e-2}, {"dispatch.cl", 8234.0717, 0.5},
	{"absolute.cl", 3029.6080154284, 1e-3}, {"decay.cl", 1.0847383091e-5, 1e-10}, {"epidemic.cl", 0, 1e-6},
	{"equilibrium.cl", -47.7610908594, 1e-4}, {"gauss.cl", 0, 1e-25}, {"hs71.cl", 17.0140172892, 1e-4},
	{"jobs.cl", 55, 0}, {"largest.cl", 4.5158510877e-5, 1e-7}, {"lasso.cl", 1143.1754530361, 1e-3},
	{"mgh09.cl", 3.0750560385e-4, 1e-9}, {"mgh10.cl", 87.945855171, 1e-4}, {"mgh17.cl", 5.4648946975e-5, 1e-9},
	{"offset.cl", 1e6, 1e-6}, {"onemax.cl", 0, 1e-9}, {"parts.cl", 0, 1e-6}, {"phases.cl", 0, 1e-9},
	{"points.cl", -0.4212795440, 1e-4}, {"rounds.cl", 0, 1e-9}, {"shares.cl", 0.0021486920, 1e-4},
	{"sine.cl", 0.4672661566, 1e-6}, {"smallexp.cl", 0, 1e-25}, {"spring.cl", 0.0126652328, 1e-5},
	{"tour.cl", 382.8486630071, 1e-6}, {"vardim.cl", 0, 1e-9}, {"vessel.cl", 6059.714335, 1e-1},
}

// writeReports writes all reports to a folder, and returns them with the paths or names that clopt runs.
func writeReports(dir string) ([]report, error) {
	to := &folder{dir: dir, err: os.MkdirAll(dir, 0o777)}
	text, err := fs.Sub(reports, "reports")
	to.add(err, os.CopyFS(dir, text))
	all := slices.Clone(answers)
	for i, q := range quadratics {
		r := report{name: q.file, slack: q.slack}
		to.write(strings.TrimPrefix(q.file, "maxcut:"), func(w *bufio.Writer) {
			r.answer = q.make(&draws{key: rng.Key{Seed: uint32(i + 1)}}, w)
		})
		all = append(all, r)
	}
	return all, to.err
}

// spec returns what clopt runs: a path with the kind of the problem where the name has one.
func (r report) spec(dir string) string {
	if kind, file, ok := strings.Cut(r.name, ":"); ok {
		return kind + ":" + filepath.Join(dir, file)
	}
	return filepath.Join(dir, r.name)
}

// studyReports runs the default method on reports, all unless some are named, with the seeds from 1 on, and prints a
// table in Markdown: the right answer, the ends, and how many of them are right.
func studyReports(ctx context.Context, w io.Writer, r runner, dir string, names []string, seeds uint32) error {
	all, err := writeReports(dir)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "| case | right | ends | right ends |\n|---|---|---|---|")
	for _, one := range all {
		if len(names) > 0 && !slices.Contains(names, one.name) {
			continue
		}
		var ends []string
		right := 0
		for r.seed = 1; r.seed <= seeds && ctx.Err() == nil; r.seed++ {
			o := objective{name: one.name, path: one.spec(dir)}
			e := r.run(ctx, o, "", filepath.Join(r.runs, fmt.Sprintf("%s-%d", filepath.Base(o.path), r.seed)))
			if e.refused {
				e.failure = "refused"
			}
			ends = append(ends, cmp.Or(e.failure, fmt.Sprintf("%.10g", e.f)))
			if e.failure == "" && math.Abs(e.f-one.answer) <= one.slack {
				right++
			}
		}
		fmt.Fprintf(w, "| `%s` | %.10g | %s | %d |\n", one.name, one.answer, strings.Join(ends, "; "), right)
	}
	return ctx.Err()
}
