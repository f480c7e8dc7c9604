package plot

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/cmd/clopt/internal/report/reporttest"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
)

// fixedTargetsOf draws two runs of masw, of which only one goes below the distance 1e3, after 40 of 60 evaluations, and
// one of random, which ends at 1e4. The values of a cut are 2e5, the best known one, minus these distances.
func fixedTargetsOf(t *testing.T, problem, by string, raw bool, last float64, change func(f report.Record)) Panel {
	t.Helper()
	t.Chdir(t.TempDir())
	run := func(dir, method string, seconds float64, pairs ...float64) {
		if strings.HasPrefix(problem, "maxcut:") {
			for i := 1; i < len(pairs); i += 2 {
				pairs[i] = 2e5 - pairs[i]
			}
		}
		reporttest.Trace(t, "x/"+dir, problem, 1000, method, seconds, 1, pairs...)
	}
	run("a", "masw", 4, 10, 1e5, 20, 1e3, 30, 1, 40, last)
	run("b", "masw", 6, 10, 1e5, 20, 1e3, 60, 1e3)
	run("c", "random", 5, 16, 1e5, 50, 1e4)
	results, err := report.Collect(io.Discard, []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range results {
		if f.Result.Sense.Sign() < 0 {
			f.Result.Best.FHost, f.Result.Best.Error = 2e5-1, new(exact.Number(1))
		}
		if change != nil {
			change(f)
		}
	}
	panels, err := Panels(results, Choice{Kind: "fixed-target", By: by, Raw: raw})
	if err != nil || len(panels) != 1 || len(panels[0].Series) != 2 {
		t.Fatalf("%v, %+v", err, panels)
	}
	return panels[0]
}

// TestFixedTargets: the expected running time is the sum over all runs, with those that miss, divided by the hits. A
// line ends where no run met the target, and has a mark at the first one that not all runs met.
func TestFixedTargets(t *testing.T) {
	for _, c := range []struct {
		problem, by string
		unit        float64
	}{{"cec2013/f2:n=1000", "evaluations", 1}, {"cec2013/f2:n=1000", "time", 0.1}, {"maxcut:a.txt", "evaluations", 1}} {
		p := fixedTargetsOf(t, c.problem, c.by, false, 1, nil)
		masw, random := p.Series[0], p.Series[1]
		var want []float64 // ten targets a power of ten: 1e5, then down to 1e3, then down to 1
		for i := range 51 {
			want = append(want, map[bool]float64{false: 20, true: 30 + 60}[i > 20]*c.unit)
		}
		want[0] = 10 * c.unit
		for i, y := range masw.Y {
			if x := math.Pow(10, 5-float64(i)/10); len(masw.Y) != 51 || math.Abs(y-want[i]) > 1e-9 ||
				math.Abs(masw.X[i]-x) > 1e-9*x {
				t.Fatalf("%v: point %d of %d at %v is %v, want %v", c, i, len(masw.Y), masw.X[i], y, want[i])
			}
		}
		if !slices.Equal(masw.Marks, []int{21}) || random.Marks != nil {
			t.Errorf("%v: marks at %v and %v", c, masw.Marks, random.Marks)
		}
		if n := len(random.X); n != 11 || math.Abs(random.X[10]-1e4) > 1e-5 || random.Y[10] != 50*c.unit {
			t.Errorf("%v: random ends at %v", c, random)
		}
		if !p.LogX || !p.LogY || !p.FallingX || p.X != "distance to the best known" || masw.label() != "masw (2 runs)" {
			t.Errorf("%v: %+v", c, p)
		}
	}
}

// TestFixedTargetEnds: a distance of 0 is at the right end, and no run is asked for more than its own target.
func TestFixedTargetEnds(t *testing.T) {
	f2 := "cec2013/f2:n=1000"
	p := fixedTargetsOf(t, f2, "evaluations", false, 0, nil)
	s := p.Series[0]
	if last := len(s.X) - 1; last != 50 || s.X[last] != 0.5 || s.Y[last] != 40+60 || s.Y[last-1] != 30+60 ||
		!strings.Contains(p.X, "0 at the right") {
		t.Errorf("%v", p)
	}
	p = fixedTargetsOf(t, f2, "evaluations", false, 1, func(f report.Record) {
		f.Result.Limits.Target = new(exact.Number(1e3))
	})
	s = p.Series[0]
	if last := len(s.X) - 1; math.Abs(s.X[last]-1e3) > 1e-6 || s.Y[last] != 20 || s.Marks != nil {
		t.Errorf("the runs were to stop at 1e3: %v", s)
	}
	if n := len((&race{worst: 1e10, best: 1, nearest: 1}).targets(targetsPerDecade)); n != 101 {
		t.Errorf("%d targets of ten powers of ten", n)
	}
}

// TestFixedTargetValues: with raw the targets are values, on a rising axis if they are maximized.
func TestFixedTargetValues(t *testing.T) {
	p := fixedTargetsOf(t, "maxcut:a.txt", "evaluations", true, 1, nil)
	s := p.Series[0]
	if last := len(s.X) - 1; s.X[0] != 1e5 || s.X[last] != 2e5-1 || s.Y[last] != 30+60 || p.FallingX || p.LogX {
		t.Errorf("%+v", p)
	}
	p = fixedTargetsOf(t, "cec2013/f2:n=1000", "evaluations", true, 1, nil)
	if !p.FallingX || !p.LogX || p.X != "target value" {
		t.Errorf("%+v", p)
	}
}

// TestFixedTargetPicture: harder targets are drawn further right, and the only mark is that of a line with misses.
func TestFixedTargetPicture(t *testing.T) {
	p := fixedTargetsOf(t, "cec2013/f2:n=1000", "evaluations", false, 1, nil)
	texts := Figure{Panels: []Panel{p}}.Elements()
	if n := len(regexp.MustCompile(`class="line\d" d="[^"]*z"`).FindAllString(texts[0], -1)); n != 1 {
		t.Errorf("%d marks", n)
	}
	words, _ := svgOf(t, texts[0])
	if from, to := slices.Index(words, "1e5"), slices.Index(words, "1"); from < 0 || to < 0 {
		t.Fatalf("%q", words)
	}
	at := func(label string) (x float64) {
		before, _, _ := strings.Cut(texts[0], ">"+label+"<")
		fmt.Sscanf(before[strings.LastIndex(before, "<text"):], `<text x="%g"`, &x)
		return x
	}
	if at("1e5") >= at("1") {
		t.Errorf("1e5 is drawn at %v, 1 at %v", at("1e5"), at("1"))
	}
}
