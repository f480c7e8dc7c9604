package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/cmd/clopt/internal/report/reporttest"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers/runs"
)

type comparison struct {
	Format string             `json:"format"`
	Tables []report.TableJSON `json:"tables"`
	Across []report.Across    `json:"across"`
}

func comparisonOf(t *testing.T, args ...string) comparison {
	t.Helper()
	code, out, errs := call(t, append([]string{"compare", "--json"}, args...)...)
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	var c comparison
	if err := json.Unmarshal([]byte(out), &c); err != nil || c.Format != "clopt-compare" {
		t.Fatalf("%v\n%s", err, out)
	}
	return c
}

func near(a exact.Number, want, rel float64) bool {
	return math.Abs(float64(a)-want) <= rel*math.Abs(want)
}

// TestPaperStatistics computes from the printed tables of the paper the rank sums of its Table V, and Friedman's test
// and Holm's procedure for its Table I. The p-values were computed independently.
func TestPaperStatistics(t *testing.T) {
	c := comparisonOf(t, "--paper", "cano2016")
	if len(c.Tables) != 4 {
		t.Fatalf("%d tables", len(c.Tables))
	}
	one := c.Tables[0]
	f := one.Friedman
	want := map[string]float64{"NGPUs-MA-SW-Chains": 1, "MA-SW-Chains": 2.2667, "MA-SSW-Chains": 2.7333}
	for i, r := range f.Ranks {
		if !near(r, want[one.Columns[i].Label], 2e-5) {
			t.Errorf("mean rank of %s: %v", one.Columns[i].Label, r)
		}
	}
	if !near(f.Chi2, 24.1333, 2e-6) || !near(f.P, 5.748e-6, 1e-4) || !near(f.F, 57.5909, 1e-6) ||
		!near(f.PF, 1.196e-10, 5e-4) {
		t.Errorf("%+v", f)
	}
	for i, w := range []struct {
		method      string
		z, adjusted float64
	}{{"MA-SSW-Chains", 4.74693, 4.1306e-6}, {"MA-SW-Chains", 3.46891, 5.2258e-4}} {
		h := f.Holm[i]
		if h.Method != w.method || h.Control != "NGPUs-MA-SW-Chains" || !near(h.Z, w.z, 2e-6) ||
			!near(h.Adjusted, w.adjusted, 2e-5) {
			t.Errorf("Holm %d: %+v", i, h)
		}
	}
	for _, w := range one.Wilcoxon {
		switch w.A + " " + w.B {
		case "MA-SW-Chains MA-SSW-Chains":
			if w.Plus != 98 || w.Minus != 22 || w.At01 != 15 || w.At05 != 25 {
				t.Errorf("%+v", w)
			}
		default:
			if w.B != "NGPUs-MA-SW-Chains" || w.Plus != 0 || w.Minus != 120 {
				t.Errorf("%+v", w)
			}
		}
	}
	for i, sums := range [][2]exact.Number{{119.5, 0.5}, {118.5, 1.5}, {118.5, 1.5}} { // Table V
		if w := c.Tables[1+i].Wilcoxon[0]; w.A != "NGPUs-MA-SW-Chains" || w.Plus != sums[0] || w.Minus != sums[1] ||
			w.N != 15 || w.At01 != 15 {
			t.Errorf("table %s: %+v", c.Tables[1+i].Table, w)
		}
	}
	_, out, _ := call(t, "compare", "--paper", "cano2016")
	for _, want := range []string{"chi2 = 24.1333 (p = 5.748e-06)", "MA-SSW-Chains z = 4.74693",
		"NGPUs-MA-SW-Chains 119.5, NGPUs-RandomSearch 0.5: p = 0.0001221, significant at 0.01"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// fakeRun writes a result that compare reads.
func fakeRun(t *testing.T, dir, problem string, dim int, data, solver, settings string, f float64, stop string) {
	t.Helper()
	r := record.Result{
		Task: record.Task{Problem: problem, Data: data, Precision: "fp64", Sense: reporttest.SenseOf(problem),
			Algorithm: record.Algorithm{Name: solver, Settings: settings}},
		Dim: dim, Best: record.Best{F: exact.Number(f), Confirmed: true}, Ending: reporttest.Ended(stop)}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := runs.WriteResult(dir, &r); err != nil {
		t.Fatal(err)
	}
}

// TestCompareRuns compares runs by function and method, and checks that the columns of a paper are shown only for the
// same functions.
func TestCompareRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	for f := 1; f <= 12; f++ {
		for r := range 3 {
			at := func(m string) string { return fmt.Sprintf("x/%s/f%d/run-%02d", m, f, r) }
			spec := fmt.Sprintf("cec2013/f%d:n=1000", f)
			fakeRun(t, at("a"), spec, 1000, "official", "masw", "population=10,alpha=0.5", float64(f+r), "evals")
			fakeRun(t, at("b"), spec, 1000, "official", "masw", "population=20,alpha=0.5", float64(2*f+r), "evals")
			fakeRun(t, at("c"), spec, 1000, "official", "random", "batch=1", float64(9*f+r), "evals")
		}
	}
	fakeRun(t, "x/cut", "cec2013/f1:n=1000", 1000, "official", "masw", "population=10,alpha=0.5", 1, "cancelled")
	fakeRun(t, "y/paper", "cec2013/f12:mode=paper,n=1000000", 1000000, "official", "masw", "population=10", 5, "evals")
	fakeRun(t, "y/blocks", "cec2013/f12:n=1000000", 1000000, "official", "masw", "population=10", 5, "evals")
	fakeRun(t, "z", "cec2013/f2:n=1000", 1000, "generated", "masw", "population=10", 5, "evals")

	c := comparisonOf(t, "x")
	if len(c.Tables) != 1 {
		t.Fatalf("%d tables", len(c.Tables))
	}
	one := c.Tables[0]
	if len(one.Rows) != 12 || one.Rows[1].Function != "f2" || one.Rows[11].Function != "f12" {
		t.Errorf("rows %+v", one.Rows)
	}
	labels := fmt.Sprint(one.Columns)
	if labels != "[{masw population=10  } {masw population=20  } {random  }]" {
		t.Errorf("columns %s", labels)
	}
	if cell := one.Rows[2].Cells[1]; cell.Runs != 3 || cell.Mean != 7 || *cell.Median != 7 || cell.Std != 1 ||
		*cell.Best != 6 || *cell.Worst != 8 {
		t.Errorf("%+v", cell)
	}
	if w := one.Wilcoxon[0]; w.Plus != 78 || w.Minus != 0 || one.Friedman.Ranks[0] != 1 {
		t.Errorf("%+v", w)
	}
	if _, _, errs := call(t, "compare", "x"); !strings.Contains(errs, "left out: 1 not finished") {
		t.Error(errs)
	}
	c = comparisonOf(t, "x", "x/a", "--paper", "cano2016") // a run named twice counts once
	if n := len(c.Tables[0].Columns); n != 6 || c.Tables[0].Rows[0].Cells[0].Runs != 3 ||
		c.Tables[0].Columns[3].Paper != "cano2016" || c.Tables[0].Rows[1].Cells[3].Mean != 1240 {
		t.Errorf("%d columns, %+v", n, c.Tables[0].Columns)
	}
	// Of the columns of the paper two have the shifted functions, as the runs, and one has others.
	for i, want := range []string{"", "", "", "", "", "the functions without shift"} {
		if other := c.Tables[0].Columns[i].Other; other != want {
			t.Errorf("column %d has other functions: %q, want %q", i, other, want)
		}
	}
	if n := len(c.Tables[0].Wilcoxon); n != 5*4/2 {
		t.Errorf("%d tests of pairs of five columns", n)
	}
	c = comparisonOf(t, "y", "--paper", "cano2016")
	for _, one := range c.Tables {
		if paper := len(one.Columns) > 1; paper != (one.Variant == "mode=paper") {
			t.Errorf("%s: %d columns", one.Title, len(one.Columns))
		}
		if one.Variant == "mode=paper" && (one.Rows[0].Centre == nil || *one.Rows[0].Centre != 999999) {
			t.Errorf("the centre of f12: %v", one.Rows[0].Centre)
		}
	}
	if c = comparisonOf(t, "z", "--paper", "cano2016"); len(c.Tables[0].Columns) != 1 {
		t.Error("the paper beside the generated instance")
	}
	file(t, filepath.Join("bad", "result.json"), "{")
	fakeRun(t, "odd", "cec2013/f1:n=1000", 1000, "", "sa", "", 1, "evals")
	forge(t, "odd", `"minimize"`, `"up"`)
	for want, args := range map[string][]string{
		"nowhere": {"nowhere"}, "holds no result.json": {t.TempDir()}, "result.json": {"bad"}, `sense "up"`: {"odd"},
		`"cano2016"`: {"--paper", "cano2015"}, "--paper NAME": {},
	} {
		if code, out, errs := call(t, append([]string{"compare"}, args...)...); code != 2 || out != "" ||
			!strings.Contains(errs, want) {
			t.Errorf("%v: exit %d, want %q\n%s", args, code, want, errs)
		}
	}
}

// TestCompareNames: the name that an objective gives itself stands beside that of its file, unless they are the same.
func TestCompareNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for file, name := range map[string]string{"own.cl": "ackley", "same.cl": "same", "none.cl": ""} {
		r := record.Result{Name: name, Task: record.Task{Problem: "/d/" + file + ":n=10", Precision: "fp64",
			Sense: record.Minimize, Algorithm: record.Algorithm{Name: "sa"}}, Dim: 10,
			Best: record.Best{F: 1, Confirmed: true}, Ending: reporttest.Ended("evals")}
		if err := os.MkdirAll("x/"+file, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := runs.WriteResult("x/"+file, &r); err != nil {
			t.Fatal(err)
		}
	}
	_, out, _ := call(t, "compare", "x")
	for _, want := range []string{"  own.cl (ackley)  ", "  same.cl  ", "  none.cl  "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// TestCompareDigits: methods whose medians differ are not printed as equal.
func TestCompareDigits(t *testing.T) {
	t.Chdir(t.TempDir())
	for i, f := range []float64{21.7031, 21.6402, 21.6417} {
		fakeRun(t, fmt.Sprint("x/", i), "cec2013/f3:n=1000", 1000, "", fmt.Sprint("m", i), "", f, "evals")
	}
	_, out, _ := call(t, "compare", "x")
	lines := map[string]string{}
	for line := range strings.Lines(out) {
		if words := strings.Fields(line); len(words) > 0 {
			lines[words[0]] = strings.Join(words[1:], " ")
		}
	}
	if want := "21.703 - 21.703 1 21.64 - 21.64 1 21.642 - 21.642 1"; lines["f3"] != want {
		t.Errorf("f3: %s, want %s\n%s", lines["f3"], want, out)
	}
}

// TestCompareCuts checks that the largest cut is best, also in results of older versions, which have no field sense.
func TestCompareCuts(t *testing.T) {
	t.Chdir(t.TempDir())
	for i, spec := range []string{"maxcut:torus=4x4,seed=1", "maxcut:torus=4x4,seed=2", "qubo:q.txt,maximize=true"} {
		for method, cuts := range map[string][]float64{"sa": {32, 32, 36}, "gomea": {36, 36, 36},
			"random": {8, 9, 10}} {
			for r, f := range cuts {
				fakeRun(t, fmt.Sprintf("x/%d/%s/%d", i, method, r), spec, 16, "", method, "", f, "evals")
			}
		}
	}
	c := comparisonOf(t, "x")
	if len(c.Tables) != 2 || len(c.Tables[0].Rows)+len(c.Tables[1].Rows) != 3 {
		t.Fatalf("%d tables", len(c.Tables)) // cuts, and energies
	}
	for _, one := range c.Tables {
		for i, column := range one.Columns {
			for _, row := range one.Rows {
				if cell := row.Cells[i]; column.Label == "sa" &&
					(*cell.Best != 36 || *cell.Worst != 32 || cell.Mean < 33 || *cell.Q3 != 34) {
					t.Errorf("%s: best %v, worst %v, third quartile %v", one.Title, *cell.Best, *cell.Worst, *cell.Q3)
				}
			}
		}
	}
}

// TestCompareRanks checks that for a maximization the largest value has the first rank.
func TestCompareRanks(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range 6 {
		for method, f := range map[string]float64{"sa": 32, "gomea": 36, "random": 8} {
			dir := fmt.Sprintf("x/%d/%s", i, method)
			fakeRun(t, dir, fmt.Sprintf("cec2013/f%d:n=1000", i+1), 1000, "", method, "", f, "evals")
			r, err := runs.ReadResult(dir)
			if err != nil {
				t.Fatal(err)
			}
			r.Sense = record.Maximize
			if err := runs.WriteResult(dir, r); err != nil {
				t.Fatal(err)
			}
		}
	}
	one := comparisonOf(t, "x").Tables[0]
	for i, want := range []float64{1, 3, 2} {
		if label := []string{"gomea", "random", "sa"}[i]; one.Columns[i].Label != label ||
			!near(one.Friedman.Ranks[i], want, 1e-9) {
			t.Errorf("%v has rank %v, want %s and %v", one.Columns[i], one.Friedman.Ranks[i], label, want)
		}
	}
	if w := one.Wilcoxon[0]; w.A != "gomea" || w.Plus != 21 || w.Minus != 0 {
		t.Errorf("%+v", w)
	}
}

// TestCompareGoals checks that goals stand beside the values, and that no test takes them for those of a method.
func TestCompareGoals(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range 6 {
		spec := fmt.Sprintf("cec2013/f%d:n=1000", i+1)
		fakeRun(t, fmt.Sprintf("x/%d/a", i), spec, 1000, "official", "masw", "", 1, "evals")
		fakeRun(t, fmt.Sprintf("x/%d/b", i), spec, 1000, "official", "random", "", 2, "evals")
	}
	one := comparisonOf(t, "x", "--paper", "largescale").Tables[0]
	if len(one.Columns) != 5 || one.Columns[2].Label != "goal" || !slices.Equal(one.Friedman.Methods,
		[]string{"masw", "random", "largescale: SHADE-ILS", "largescale: MOS"}) || len(one.Wilcoxon) != 6 {
		t.Errorf("%+v, %+v, %+v", one.Columns, one.Friedman, one.Wilcoxon)
	}
	if code, out, errs := call(t, "compare", "x", "--paper", "largescale"); code != 0 || // no deviation is published
		!strings.Contains(out, "  19.5        -  ") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// TestCompareLimits compares only runs with equal limits, and leaves out those that cannot be averaged, with a line.
func TestCompareLimits(t *testing.T) {
	t.Chdir(t.TempDir())
	made := 0
	run := func(limits record.Limits, stop string, confirmed bool, f float64) {
		t.Helper()
		r := record.Result{
			Task: record.Task{Problem: "cec2013/f1:n=1000", Data: "generated", Precision: "fp64",
				Sense: record.Minimize, Algorithm: record.Algorithm{Name: "masw"}},
			Dim: 1000, Best: record.Best{F: exact.Number(f), Confirmed: confirmed},
			Ending: record.Ending{Limits: limits, Stop: record.Stop{Reason: stop}}}
		dir := fmt.Sprintf("x/%02d", made)
		made++
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := runs.WriteResult(dir, &r); err != nil {
			t.Fatal(err)
		}
	}
	few, many, brief := record.Limits{Evaluations: 100}, record.Limits{Evaluations: 2000}, record.Limits{Seconds: 1.5}
	for i := range 2 {
		run(few, "evals", true, float64(10+2*i))
		run(many, "evals", true, float64(1+2*i))
		run(brief, "time", true, float64(5+2*i))
	}
	run(many, "target", true, 2)
	run(few, "evals", false, 1e9)
	run(few, "cancelled", true, 1e9)
	run(few, "cancelled", true, 1e9)
	run(few, "failed", true, 1e9)
	means := map[string]float64{"100 evaluations": 11, "2000 evaluations": 2, "1.5 s": 6}
	c := comparisonOf(t, "x")
	if len(c.Tables) != len(means) {
		t.Errorf("%d tables, want %d", len(c.Tables), len(means))
	}
	for _, table := range c.Tables {
		if cell := table.Rows[0].Cells[0]; len(table.Columns) != 1 || float64(cell.Mean) != means[table.Limit] {
			t.Errorf("limit %q: %d methods, mean %v, want %v", table.Limit, len(table.Columns), cell.Mean,
				means[table.Limit])
		}
	}
	code, out, errs := call(t, "compare", "x")
	want := "! Runs that are left out: 2 not finished (see clopt resume), 1 failed, 1 with a value " +
		"that is not confirmed.\n"
	if code != 0 || errs != want {
		t.Errorf("exit %d, %q, want %q", code, errs, want)
	}
	if want = "generated data, not the official instance, limit 1.5 s"; !strings.Contains(out, want) {
		t.Errorf("no %q in\n%s", want, out)
	}
	r := record.Limits{Evaluations: 100, Target: new(exact.Number)}
	run(r, "target", true, 0)
	if _, out, _ = call(t, "compare", "x"); !strings.Contains(out, "masw target=0") {
		t.Errorf("runs with a target are not apart:\n%s", out)
	}
}

// TestFormats compares the forms of one table.
func TestFormats(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range 2 {
		reporttest.Trace(t, fmt.Sprintf("x/a%d", i), "cec2013/f2:n=1000", 1000, "masw", 1, 1, 10, 1000, 40,
			float64(200+200*i))
	}
	reporttest.Trace(t, "x/b", "cec2013/f2:n=1000", 1000, "a_b|c", 1, 1, 10, 5e9)
	reporttest.Trace(t, "y/b", "cec2013/f2:n=1000", 1000, `<b>$x$\ & *y*`, 1, 1, 10, 5e9)
	for format, want := range map[string][]string{
		"text": {"a_b|c", "function   mean  std  median  runs  mean  std  median  runs\n"},
		"md": {"**cec2013, n=1000**\n\n| function | a_b\\|c mean |", "masw std | masw median | masw runs |",
			"|\n| --- | ---: |",
			"| 300 | 141 | 300 | 2 |\n"},
		"latex": {`\caption{cec2013, n=1000}`, `\begin{tabular}{lrrrrrrrr}`,
			`\multicolumn{4}{c}{a\_b\textbar{}c} &`, ` & $5\cdot 10^{9}$ & `,
			`& 300 & 141 & 300 & 2 \\`, `\end{table}`},
		"csv": {"table,problem,method,metric,ours,paper\n", ",f2,masw,std,141.4213562373095,\n",
			",f2,a_b|c,median,5e+09,\n"},
		"json": {`"format":"clopt-compare"`},
	} {
		code, out, errs := call(t, "compare", "x", "--format", format)
		for _, w := range want {
			if code != 0 || !strings.Contains(out, w) {
				t.Errorf("%s: exit %d, no %q in\n%s%s", format, code, w, out, errs)
			}
		}
	}
	for format, want := range map[string]string{"md": `\<b>\$x\$\\ & \*y\* mean |`,
		"latex": `{\textless{}b\textgreater{}\$x\$\textbackslash{} \& *y*}`} {
		if _, out, _ := call(t, "compare", "y", "--format", format); !strings.Contains(out, want) {
			t.Errorf("%s: no %q in\n%s", format, want, out)
		}
	}
	if _, out, _ := call(t, "compare", "--paper", "cano2016", "--format", "csv"); !strings.Contains(out,
		"\"cano2016, table I, n=1000\",f2,NGPUs-MA-SW-Chains,mean,,4.78\n") {
		t.Errorf("%.300s", out)
	}
	if code, _, errs := call(t, "compare", "x", "--format", "tex"); code != 2 || !strings.Contains(errs, `"latex"`) &&
		!strings.Contains(errs, "text") {
		t.Errorf("exit %d\n%s", code, errs)
	}
}
