package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/report/reporttest"
)

// TestAcross: compare and report make the same tests. Six problems of two sizes have one test over all of them, and
// none of their own; a family with five problems has both.
func TestAcross(t *testing.T) {
	t.Chdir(t.TempDir())
	problem := func(dir, name string, n int) {
		for i := range 2 {
			for m, method := range []string{"masw", "random", "sa"} {
				v := float64(10*(m+1) + i)
				if name == "cec2013/f1" && method == "masw" {
					v = 99
				}
				reporttest.Trace(t, fmt.Sprintf("%s/%s-%d-%s", dir, name, i, method), fmt.Sprintf("%s:n=%d", name, n),
					n, method, 1, 1, 10, 100*v, 20, 10*v, 40, v)
			}
		}
	}
	for f := range 5 {
		problem("x", fmt.Sprintf("cec2013/f%d", f+1), 1000)
		if f < 3 {
			problem("y", fmt.Sprintf("cec2013/f%d", f+1), 1000)
		}
	}
	for _, dir := range []string{"x", "y"} {
		problem(dir, "classic/ackley", 100)
		problem(dir, "classic/griewank", 50)
		problem(dir, "classic/sphere", 30)
	}
	for dir, want := range map[string][]string{
		"x": {"Tests over the medians of 5 problems", "Tests over the medians of 8 problems"},
		"y": {"Tests over the medians of 6 problems"},
	} {
		if code, _, errs := call(t, "report", dir, "-o", "page.html"); code != 0 {
			t.Fatal(errs)
		}
		page, err := os.ReadFile("page.html")
		if err != nil {
			t.Fatal(err)
		}
		headings := regexp.MustCompile(`Tests over the \w+ of \d+ problems`)
		for _, format := range []string{"text", "md", "latex"} {
			_, out, _ := call(t, "compare", dir, "--format", format)
			for what, text := range map[string]string{format: out, "page": string(page)} {
				if got := fmt.Sprint(headings.FindAllString(text, -1)); got != fmt.Sprint(want) {
					t.Errorf("%s of %s: %v, want %v\n%s", what, dir, got, want, out)
				}
			}
		}
	}
	problem("few", "classic/ackley", 100)
	problem("few", "classic/griewank", 50)
	if _, out, _ := call(t, "compare", "few"); strings.Contains(out, "all problems") || strings.Contains(out, "tests") {
		t.Errorf("a test of two problems\n%s", out)
	}
	all := comparisonOf(t, "x").Across
	// masw is the best on seven of eight problems and the last on one: (7 + 3)/8.
	if len(all) != 1 || all[0].Title != "all problems" || all[0].Problems != 8 || all[0].Friedman.Ranks[0] != 1.25 ||
		len(all[0].Wilcoxon) != 3 {
		t.Errorf("%+v", all)
	}
	_, out, _ := call(t, "compare", "x", "--format", "csv")
	for _, want := range []string{"all problems,,masw,mean_rank,1.25,\n", "\"cec2013, n=1000\",,masw,mean_rank,1.4,\n",
		"all problems,,,tested_problems,8,\n", "all problems,,masw,wilcoxon_p against random,",
		",sa,holm_p against masw,"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
