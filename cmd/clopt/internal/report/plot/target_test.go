package plot

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/cmd/clopt/internal/report/reporttest"
)

// TestReached checks the empirical distribution, and that times of an exponential distribution lie on the fit.
func TestReached(t *testing.T) {
	const n = 99
	seconds, hits := make([]float64, n), make([]bool, n)
	for i := range seconds {
		seconds[n-1-i] = 1 - 2*math.Log1p(-(float64(i)+0.5)/n) // starts at 1, mean 2
		hits[i] = true
	}
	all := reached("a", seconds, hits)
	if len(all) != 2 || len(all[0].X) != n+1 || !all[1].Reference {
		t.Fatalf("%d series, %d points", len(all), len(all[0].X))
	}
	if s := all[0]; s.X[0] != s.X[1] || s.Y[0] != 0 || s.Y[1] != 1.0/n || s.Y[n] != 1 {
		t.Errorf("from %v at %v to %v at %v and %v at the end", s.Y[0], s.X[0], s.Y[1], s.X[1], s.Y[n])
	}
	for i, x := range all[1].X {
		if want := -math.Expm1(-(x - 1) / 2); math.Abs(all[1].Y[i]-want) > 0.02 {
			t.Errorf("the fit at %v is %v, want %v", x, all[1].Y[i], want)
		}
	}
	for i := range n / 2 {
		hits[i] = false // the slowest half
	}
	if all := reached("a", seconds, hits); len(all) != 1 || len(all[0].X) != n-n/2+1 || all[0].Y[n-n/2] != 50.0/n {
		t.Errorf("%d series, %d points", len(all), len(all[0].X))
	}
}

// TestTimeToTargetSteps: the shares of runs are drawn as steps, and their fit as a smooth line.
func TestTimeToTargetSteps(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range 8 {
		dir := fmt.Sprintf("x/%d", i)
		reporttest.Trace(t, dir, "cec2013/f1:n=1000", 1000, "masw", float64(1+i*i), 1, 10, 100, 20, 1)
	}
	results, err := report.Collect(io.Discard, []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range results {
		results[i].Result.Stop.Reason = "target"
	}
	panels, _ := Panels(results, Choice{Kind: "ttt"})
	if len(panels) != 1 || len(panels[0].Series) != 2 {
		t.Fatalf("%+v", panels)
	}
	panels[0].Title, panels[0].Y = "", ""
	texts := Figure{Panels: panels}.Elements()
	steps, smooth := 0, 0
	for path := range strings.SplitSeq(texts[0], "<path ") {
		style, data, _ := strings.Cut(path, " d=")
		data, _, _ = strings.Cut(data, "/>")
		if strings.Contains(style, `class="line0"`) {
			steps++
			if strings.Contains(data, "l") || strings.Count(data, "v") != 8 || strings.Count(data, "h") != 7 {
				t.Errorf("not eight steps: %s%s", data, style)
			}
		} else if strings.Contains(style, `class="reference"`) && strings.Count(data, "l") > 50 {
			smooth++
		}
	}
	if steps != 1 || smooth != 1 {
		t.Errorf("%d lines of steps, %d smooth ones", steps, smooth)
	}
}
