package page

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/report/reporttest"
)

// nineRuns writes three runs of each of three methods, with the samples that traces have: 25 for a power of ten of the
// evaluations. The courses are smooth, which takes the most points.
func nineRuns(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for m, method := range []string{"masw", "random", "sa"} {
		for run := range 3 {
			var pairs []float64
			for k := 25; k <= 150; k++ {
				e := math.Pow(10, float64(k)/25)
				pairs = append(pairs, math.Ceil(e), 1e9*math.Pow(e, -0.2-0.1*float64(m)-0.03*float64(run)))
			}
			reporttest.Trace(t, fmt.Sprintf("x/%d-%d", m, run), "own/p:n=1000", 1000, method, 3600, 1, pairs...)
		}
	}
}

// onProblems makes copies of all runs on other problems.
func onProblems(r *Report, n int) {
	runs := r.Results
	r.Results = nil
	for p := range n {
		for i, f := range runs {
			own, sum := *f.Result, fmt.Sprintf("%060d%04d", i, p)
			own.Problem, own.Best.XSHA256 = fmt.Sprintf("own/p%d:n=1000", p), &sum
			own.Command = fmt.Sprintf("clopt run own/p%d -n 1000 -s %s --seed %d --evals 1e6", p, f.Label, i)
			f.Result, f.Row = &own, fmt.Sprintf("p%d", p)
			r.Results = append(r.Results, f)
		}
	}
}

// TestHundredProblems: a page of a hundred problems draws all of them and is below a megabyte. One of more problems
// says how many it draws.
func TestHundredProblems(t *testing.T) {
	nineRuns(t)
	const left = "so that the page stays below a megabyte"
	html := pageOf(t, func(r *Report) { onProblems(r, 100) })
	if n := strings.Count(html, "<svg"); n != 2*100+2+1 || strings.Contains(html, left) {
		t.Errorf("%d pictures", n)
	}
	if len(html) > mostBytes {
		t.Errorf("%d bytes", len(html))
	}
	if n := strings.Count(html, "3 runs<"); n != 1 { // above all pictures
		t.Errorf("the number of runs stands %d times", n)
	}
	html = pageOf(t, func(r *Report) { onProblems(r, 140) })
	has(t, html, left, "of 140 problems are drawn", "1,000 variables, 3 runs")
	if len(html) > mostBytes {
		t.Errorf("%d bytes", len(html))
	}
	if n := strings.Count(pageOf(t, func(r *Report) { onProblems(r, 3) }), "<style>"); n != 1 {
		t.Errorf("%d style sheets", n)
	}
}
