package plot

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/cmd/clopt/internal/report/reporttest"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/inspect"
	"github.com/clopt/clopt/internal/solvers/runs/record"
)

// commands finds the commands of a path that end at a point.
var commands = regexp.MustCompile("[Mlhv]")

// svgOf reads an SVG strictly: its texts, and the number of points of each path.
func svgOf(t *testing.T, text string) (texts []string, points []int) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	inText := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts, points
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			inText = e.Name.Local == "text"
			for _, a := range e.Attr {
				if e.Name.Local == "path" && a.Name.Local == "d" {
					points = append(points, len(commands.FindAllString(a.Value, -1)))
				}
			}
		case xml.CharData:
			if inText {
				texts = append(texts, string(e))
			}
		case xml.EndElement:
			inText = false
		}
	}
}

func TestPlotConvergence(t *testing.T) {
	t.Chdir(t.TempDir())
	f2 := "cec2013/f2:n=1000"
	reporttest.Trace(t, "x/a0", f2, 1000, "masw", 1, 1, 10, 100, 20, 50, 40, 10)
	reporttest.Trace(t, "x/a1", f2, 1000, "masw", 1, 1, 10, 300, 40, 30)
	reporttest.Trace(t, "x/a2", f2, 1000, "masw", 1, 1, 20, 200, 30, 20, 40, 20)
	reporttest.Trace(t, "x/a3", f2, 1000, "masw", 1, 1, 10, 100, 20, 50, 40, 10)
	reporttest.Trace(t, "x/a4", f2, 1000, "masw", 1, 1, 20, 200, 30, 20, 40, 20)
	reporttest.Trace(t, "x/b", f2, 1000, "random", 1, 1, 16, 400)
	reporttest.Trace(t, "x/c", "cec2013/f4:n=1000", 1000, "masw", 1, 1, 16, 400, 17,
		0) // 0 has no logarithm: it is put below all others
	results, err := report.Collect(io.Discard, []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	panels, err := Panels(results, Choice{Kind: "convergence", By: "evaluations"})
	if err != nil {
		t.Fatal(err)
	}
	if len(panels) != 2 || panels[0].Title != "cec2013/f2, 1,000 variables" || !panels[0].LogX || !panels[0].LogY ||
		!panels[1].LogY ||
		panels[0].Y != "best value" || panels[1].Y != "best value (0 at the bottom)" ||
		!slices.Equal(panels[1].Series[0].Y, []float64{400, 200}) {
		t.Fatalf("%+v", panels)
	}
	// From evaluation 20 on all runs have a value: 50 300 200 50 200, then 50 300 20 50 20, then 10 30 20 10 20.
	want := series{Name: "masw", Runs: "median and quartiles of 5 runs", X: []float64{20, 30, 40},
		Y:   []float64{200, 50, 20},
		Low: []float64{50, 20, 10}, High: []float64{200, 50, 20}}
	if got := panels[0].Series[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := panels[0].Series[1]; got.Name != "random" || !slices.Equal(got.Y, []float64{400}) {
		t.Errorf("%+v", got)
	}
	times, _ := Panels(results, Choice{Kind: "convergence", By: "time"})
	if !slices.Equal(times[0].Series[0].X, []float64{2, 3, 4}) ||
		times[0].X != "seconds" {
		t.Errorf("by time: %+v", times[0])
	}
	draw := func(name string) string {
		if err := (Figure{Panels: panels}).Write(name); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	again := draw("c.svg")
	texts, points := svgOf(t, again)
	for _, word := range []string{"masw (median and quartiles of 5 runs)", "random", "evaluations", "best value",
		"cec2013/f2", "cec2013/f4", "1,000 variables"} {
		if !strings.Contains(strings.Join(texts, " "), word) { // a long name has several lines
			t.Errorf("no %q among %q", word, texts)
		}
	}
	for _, n := range []int{5, 10} { // the steps of three points and the band around them
		if !slices.Contains(points, n) {
			t.Errorf("no path of %d points: %v", n, points)
		}
	}
	if draw("c.svg") != again {
		t.Error("the same picture has other bytes")
	}
}

// Lines have the names that a person has given to the folders, if each line is one folder. An axis says what the value
// is, if the objective says so.
func TestPlotNames(t *testing.T) {
	t.Chdir(t.TempDir())
	reporttest.Trace(t, "x/whole", "own.cl:n=9", 9, "masw", 1, 1, 10, 300, 40, 30)
	reporttest.Trace(t, "x/parts", "own.cl:n=9", 9, "graybox", 1, 1, 10, 200, 40, 20)
	names := func(all []report.Record) (names []string) {
		panels, err := Panels(all, Choice{Kind: "convergence", By: "evaluations"})
		if err != nil || len(panels) != 1 {
			t.Fatal(err, len(panels))
		}
		for _, s := range panels[0].Series {
			names = append(names, s.Name)
		}
		return append(names, panels[0].Y)
	}
	results, err := report.Collect(io.Discard, []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	if got := names(results); !slices.Equal(got, []string{"parts", "whole", "best value"}) {
		t.Errorf("%q", got)
	}
	for i := range results {
		b := &results[i].Result.Best
		b.Sums = []record.Sum{{Sum: "s0", Label: "energy, eV", Value: b.F}}
	}
	results[0].Result.Folder = "x/own-cl-n-9-graybox-s0.2" // clopt has made this name
	if got := names(results); !slices.Equal(got, []string{"graybox", "masw", "energy, eV"}) {
		t.Errorf("%q", got)
	}
	results[1].Result.Best.Sums[0].Value++ // the value is not the sum
	if got := names(results); got[2] != "best value" {
		t.Errorf("%q", got)
	}
}

func TestPlotSpeed(t *testing.T) {
	t.Chdir(t.TempDir())
	for devices, seconds := range map[int]float64{1: 8, 2: 4.1, 4: 2.2} {
		reporttest.Trace(t, fmt.Sprintf("x/%d", devices), "cec2013/f1:n=4000", 4000, "masw", seconds, devices, 100, 5)
	}
	results, err := report.Collect(io.Discard, []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		r.Result.Evaluations *= 4000 // of one variable each, as sweeps make them
	}
	panels, err := Panels(results, Choice{Kind: "speedup"})
	if err != nil || len(panels) != 1 {
		t.Fatalf("%v, %v", panels, err)
	}
	s, ideal := panels[0].Series[0], panels[0].Series[1]
	if !slices.Equal(s.X, []float64{1, 2, 4}) || math.Abs(s.Y[1]-8/4.1) > 1e-12 || math.Abs(s.Y[2]-8/2.2) > 1e-12 ||
		s.Y[0] != 1 {
		t.Errorf("%+v", s)
	}
	if !ideal.Reference || !slices.Equal(ideal.X, []float64{1, 4}) || !slices.Equal(ideal.Y, []float64{1, 4}) {
		t.Errorf("%+v", ideal)
	}
	bench, _ := json.Marshal(report.Bench{Format: "clopt-bench", Kernels: []report.BenchLine{
		{Kernel: "evaluate", Device: "H", Problem: "cec2013/f1", Dim: 1000, Precision: "fp64", Speed: 5e9},
		{Kernel: "evaluate", Device: "H", Problem: "cec2013/f1", Dim: 100000, Precision: "fp64", Speed: 7e9},
		{Kernel: "evaluate/eval_tiles", Device: "H", Problem: "cec2013/f1", Dim: 1000, Precision: "fp64", Speed: 6e9},
		{Kernel: "apply", Device: "H", Problem: "cec2013/f1", Dim: 100000, Precision: "fp64"},
	}})
	if err := os.WriteFile("bench.json", bench, 0o666); err != nil {
		t.Fatal(err)
	}
	panels, err = Panels(results, Choice{Kind: "throughput", bench: []string{"bench.json"}})
	if err != nil || len(panels) != 2 {
		t.Fatalf("%+v, %v", panels, err)
	}
	if s := panels[0].Series[0]; panels[0].Title != "evaluate, H, fp64" ||
		!slices.Equal(s.X, []float64{1000, 100000}) ||
		!slices.Equal(s.Y, []float64{5e9, 7e9}) {
		t.Errorf("%+v", panels[0])
	}
	if s := panels[1].Series; len(s) != 3 || s[0].Y[0] != 100*4000/8.0 || s[1].Name != "f1, masw, 2 devices" {
		t.Errorf("%+v", panels[1])
	}
}

// TestAxisLabels: an axis has few labels, at round numbers.
func TestAxisLabels(t *testing.T) {
	for want, a := range map[string]axis{
		"2e5 4e5 6e5 8e5": {low: 5100, high: 950100}, "0 0.2 0.4 0.6 0.8 1": {low: 0, high: 1},
		"-0.2 0 0.2": {low: -0.3, high: 0.3}, "0 20 40": {low: 0, high: 51},
		"1 1.2 1.4 1.6 1.8 2": {low: 1, high: 2}, "1 2": {low: 1, high: 2, whole: true},
		"2 4 6 8":       {low: 1, high: 8, whole: true},
		"1 10 100 1000": {low: 1, high: 2000, log: true}, "2000 5000 1e4 2e4": {low: 1500, high: 30000, log: true},
		"1e5 2e5 3e5": {low: 1e5, high: 3e5, log: true}, "21 21.2 21.4 21.6": {low: 20.95, high: 21.65, log: true},
		"9e7 9.1e7 9.2e7 9.3e7 9.4e7":     {low: 8.95e7, high: 9.45e7, log: true},
		"2e6 5e6 1e7 2e7 5e7":             {low: 1.8e6, high: 9e7, log: true},
		"1e-10 1e-8 1e-6 1e-4 0.01 1 100": {low: 1e-10, high: 100, log: true},
	} {
		var all []string
		for _, l := range a.marks() {
			if l.text != "" {
				all = append(all, l.text)
			}
		}
		if got := strings.Join(all, " "); got != want {
			t.Errorf("%+v: %q, want %q", a, got, want)
		}
	}
}

// TestClampZeros checks that zeros become half of the smallest value above 0.
func TestClampZeros(t *testing.T) {
	all := []series{{Y: []float64{8, 2, 0}, Low: []float64{8, 1, 0}, High: []float64{9, 3, 0.5}},
		{Y: []float64{-1}, Low: []float64{-1}, High: []float64{0}}}
	if !clampZeros(all) {
		t.Fatal("zeros were not seen")
	}
	if want := []float64{8, 1, 0.5}; !slices.Equal(all[0].Low, want) || all[0].Y[2] != 0.5 || all[0].High[2] != 0.5 ||
		all[1].Y[0] != -1 || all[1].High[0] != 0.5 {
		t.Fatalf("%v", all)
	}
	if clampZeros([]series{{Y: []float64{0}, Low: []float64{0}, High: []float64{0}}}) {
		t.Fatal("nothing above 0 to go by")
	}
}

// What a best value is compared with: the optimum of the problem, what its
// errors are relative to, or what a paper knows of a graph.
func TestOptimumOf(t *testing.T) {
	e := exact.Number(4)
	graph := func(spec string, err *exact.Number) map[string][]report.Record {
		f := report.NewRecord(&record.Result{Task: record.Task{Problem: spec, Sense: record.Maximize},
			Best: record.Best{FHost: 96, Error: err},
			Cell: &record.Cell{Suite: "bouter2022-laptop", Table: "gset", Label: "x"}})
		return map[string][]report.Record{"x": {f}}
	}
	for name, c := range map[string]struct {
		runs  map[string][]report.Record
		f     float64
		sign  float64
		known bool
	}{
		"function": {map[string][]report.Record{"x": {report.NewRecord(&record.Result{
			Task: record.Task{Problem: "classic/schwefel:n=8"}})}},
			-418.9828872724337, 1, true},
		"errors":  {graph("maxcut:data/any.txt", &e), 100, -1, true},
		"paper":   {graph("maxcut:data/gset/G81.txt", nil), 14060, -1, true},
		"nothing": {graph("maxcut:data/any.txt", nil), 0, 1, false},
	} {
		if f, sign, known := optimumOf(c.runs); f != c.f || sign != c.sign || known != c.known {
			t.Errorf("%s: %v, %v, %v", name, f, sign, known)
		}
	}
	all := lines("x", []inspect.History{{X: []float64{1, 2}, Best: []float64{90, 97}},
		{X: []float64{3}, Best: []float64{99}}}, 100, -1)
	if len(all) != 2 || !all[0].Single || all[0].label() != "x (2 runs)" || all[1].label() != all[0].label() ||
		!slices.Equal(all[0].Y, []float64{10, 3}) || !slices.Equal(all[1].Y, []float64{1}) {
		t.Errorf("%+v", all)
	}
}

// TestRatioPanels checks that each baseline has a panel, over the number of variables.
func TestRatioPanels(t *testing.T) {
	t.Chdir(t.TempDir())
	v := record.View{Show: []string{"rate"}, Baselines: []string{"base", "nobody"}, Ratio: "rate"}
	for i, n := range []int{8, 16, 32} {
		for k, method := range []string{"ours", "base"} {
			reporttest.Cell(t, fmt.Sprintf("x/%d-%d", i, k), record.Result{
				Task: record.Task{Problem: fmt.Sprintf("classic/F0_%c:n=%d", 'a'+i, n)}, Dim: n, Command: method,
				Effort: record.Effort{Work: exact.Number(100 * (i + 1) * (2 - k)), Seconds: 1},
			}, v)
		}
	}
	results, err := report.Collect(io.Discard, []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	panels, _ := Panels(results, Choice{Kind: "ratio"})
	if len(panels) != 1 || len(panels[0].Series) != 1 {
		t.Fatalf("%+v", panels)
	}
	s := panels[0].Series[0]
	if want := "F0, ours [8 16 32] [2 2 2]"; fmt.Sprint(s.Name, " ", s.X, " ", s.Y) != want {
		t.Errorf("%s %v %v, want %s", s.Name, s.X, s.Y, want)
	}
}

// TestPictures checks that the pictures of the docs are those of their numbers (make pictures).
func TestPictures(t *testing.T) {
	files, _ := filepath.Glob("../../../../../docs/img/*.jsonl")
	if len(files) < 10 {
		t.Fatalf("%d figures", len(files))
	}
	for _, path := range files {
		f, err := ReadFigure(path)
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "a.svg")
		if err := f.Write(out); err != nil {
			t.Fatal(err)
		}
		got, _ := os.ReadFile(out)
		have, err := os.ReadFile(strings.TrimSuffix(path, ".jsonl") + ".svg")
		if err != nil || !bytes.Equal(got, have) {
			t.Errorf("%s: the picture is another one (%v); make pictures", path, err)
		}
	}
}

// TestFigure writes a figure as numbers, reads it, and checks the errors of wrong ones.
func TestFigure(t *testing.T) {
	t.Chdir(t.TempDir())
	f := Figure{From: []string{"clopt run a"}, Panels: []Panel{{Title: "t", X: "x", Y: "y", LogX: true, Steps: true,
		Series: []series{
			{Name: "a", X: []float64{1, 2}, Y: []float64{3, 4}, Low: []float64{1, 1}, High: []float64{5, 6}},
			{Name: "b", X: []float64{1}, Y: []float64{0.1}, Reference: true}}}}}
	if err := f.Write("f.jsonl"); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadFigure("f.jsonl"); err != nil || !reflect.DeepEqual(got, f) {
		t.Errorf("%+v, %v", got, err)
	}
	head := `{"format":"clopt-figure"}` + "\n"
	for text, want := range map[string]string{
		"":                     "f.jsonl:1:1",
		`{"format":"x"}`:       `format "x" is not clopt-figure`,
		head + `{"series":[]`:  "f.jsonl:2:1",
		head + `{"title":"t"}`: "no series",
		head + `{"series":[{"name":"a","x":[1,2],"y":[1]}]}`:                   `"a" has 2 x, 1 y`,
		head + `{"log_y":true,"series":[{"name":"a","x":[1,2],"y":[1,0]}]}`:    "not above 0",
		head + `{"series":[{"name":"a","x":[1],"y":[1],"low":[1],"high":[]}]}`: "1 low and 0 high",
	} {
		os.WriteFile("f.jsonl", []byte(text), 0o666)
		if _, err := ReadFigure("f.jsonl"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestPublishedLines checks that a published mean is a dashed line for official data, and is left out for other data.
func TestPublishedLines(t *testing.T) {
	t.Chdir(t.TempDir())
	reporttest.Trace(t, "x/a", "cec2013/f2:n=1000", 1000, "masw", 1, 1, 10, 100, 20, 50)
	results, err := report.Collect(io.Discard, []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	paper, err := report.ReadPaper("cano2016")
	if err != nil {
		t.Fatal(err)
	}
	for data, want := range map[string]int{"official": 4, "generated": 1} {
		results[0].Key.Data = data
		panels, err := Panels(results, Choice{Kind: "convergence", By: "evaluations", Paper: paper})
		if err != nil || len(panels[0].Series) != want {
			t.Fatalf("%s: %v, %d series", data, err, len(panels[0].Series))
		}
		if s := panels[0].Series[want-1]; want > 1 && (!s.Reference || s.Y[0] != 4.78 || s.X[0] != 10 || s.X[1] != 20) {
			t.Errorf("%+v", s)
		}
	}
}

// lineOf returns a line of a label.
func lineOf(label string) series {
	name, runs, _ := strings.Cut(strings.TrimSuffix(label, ")"), " (")
	return series{Name: name, Runs: runs, X: []float64{1, 2}, Y: []float64{2, 1}}
}

// TestColours: a method has one colour in all panels of a figure, also where another one is missing or where it has
// another number of runs.
func TestColours(t *testing.T) {
	texts := Figure{Panels: []Panel{
		{Title: "both", X: "x", Y: "y", Series: []series{lineOf("masw (3 runs)"), lineOf("sa (3 runs)")}},
		{Title: "one", X: "x", Y: "y", Series: []series{lineOf("sa (2 runs)")}},
	}}.Elements()
	for i := range 2 {
		drawn := fmt.Sprintf("class=%q", lineClass(i))
		if !strings.Contains(texts[0], drawn) || strings.Contains(texts[1], drawn) != (i == 1) {
			t.Errorf("colour %d: in the panel of one method %v", i, strings.Contains(texts[1], drawn))
		}
	}
}

// TestCounts: what all names say of the number of their runs stands once, beside the axis of the only panel or above
// several, so that the names are short enough for the ends of their lines.
func TestCounts(t *testing.T) {
	t.Chdir(t.TempDir())
	panel := func(title, a, b string) Panel {
		return Panel{Title: title, X: "evaluations", Y: "best value", Series: []series{lineOf(a), lineOf(b)}}
	}
	const five = " (median and quartiles of 5 runs)"
	for _, c := range []struct {
		panels []Panel
		want   []string
	}{
		{[]Panel{panel("p", "masw"+five, "random"+five)},
			[]string{"best value, median and quartiles of 5 runs", "masw", "random"}},
		{[]Panel{panel("p", "masw"+five, "random"+five), panel("q", "masw"+five, "random"+five)},
			[]string{"median and quartiles of 5 runs", "best value", "masw", "random"}},
		{[]Panel{panel("p", "masw (3 runs)", "random"+five)},
			[]string{"best value", "masw (3 runs)", "random" + five}},
	} {
		if err := (Figure{Panels: c.panels}).Write("a.svg"); err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile("a.svg")
		texts, _ := svgOf(t, string(text))
		for _, w := range c.want {
			if !slices.Contains(texts, w) {
				t.Errorf("no %q in %q", w, texts)
			}
		}
		if n := strings.Count(string(text), "quartiles"); n != 1 {
			t.Errorf("%d times quartiles in %q", n, texts)
		}
	}
}
