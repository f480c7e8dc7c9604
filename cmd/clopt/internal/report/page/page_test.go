package page

import (
	"fmt"
	unescape "html"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/cmd/clopt/internal/report/reporttest"
	"github.com/clopt/clopt/internal/solvers/runs/record"
)

// pageOf writes the page of the folder x in the current folder.
func pageOf(t *testing.T, change func(r *Report)) string {
	t.Helper()
	results, err := report.Collect(io.Discard, []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	r := &Report{Title: "x", Results: results}
	if change != nil {
		change(r)
	}
	var b strings.Builder
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sixProblems writes six runs of two methods on each of six problems. The first method is better.
func sixProblems(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for f := range 6 {
		for i := range 6 {
			for m, method := range []string{"masw", "random"} {
				v := float64(10*(m+1) + i)
				reporttest.Trace(t, fmt.Sprintf("x/%d-%d-%d", f, i, m), fmt.Sprintf("cec2013/f%d:n=1000", f+1), 1000,
					method, 1,
					1, 10, 100*v, 20, 10*v, 40, v)
			}
		}
	}
}

var tags = regexp.MustCompile("<[^>]*>")

// has checks that the texts of the page, without tags, contain all words.
func has(t *testing.T, html string, words ...string) {
	t.Helper()
	plain := unescape.UnescapeString(strings.Join(strings.Fields(tags.ReplaceAllString(html, " ")), " "))
	for _, w := range words {
		if !strings.Contains(plain, w) {
			t.Errorf("no %q in the page", w)
		}
	}
}

// TestPublished checks that the values of a paper stand beside those of the same functions.
func TestPublished(t *testing.T) {
	sixProblems(t)
	html := pageOf(t, func(r *Report) {
		paper, err := report.ReadPaper("cano2016")
		if err != nil {
			t.Fatal(err)
		}
		r.Paper = paper
	})
	has(t, html, "cano2016: NGPUs-MA-SW-Chains", "4.78", "NGPUs-MA-SW-Chains has the functions without shift.",
		"cano2016: means and deviations of 10 runs")
}

// TestPage compares the tables of a page with values computed by hand, and checks that it needs nothing else.
func TestPage(t *testing.T) {
	sixProblems(t)
	html := pageOf(t, nil)
	has(t, html, "72 runs of 2 methods on 6 problems, made on 2026-01-02.",
		"cec2013, n=1000 problem method median", // the title as in clopt compare
		// median, how many times the best one, p of the difference, quartiles, best, runs
		"f1 masw 12.5 – – [11.25, 13.75] 10 6", "f6 random 22.5 × 1.8 0.00216 [21.25, 23.75] 20 6",
		"masw is best on 6 of 6 problems. The lead over every other method is sure (p < 0.05) on 6.",
		"f1 masw random masw 1 0.00216", // the better one, A12, p = 2/924
		"Tests over the medians of 6 problems: Friedman: χ² = 6 (p = 0.0143); "+
			"Iman and Davenport: F is infinite, since",
		"mean rank 1 if it is the best on each",
		"masw 1 best random 2 0.0143", "Wilcoxon's signed ranks: cec2013, n=1000", "masw random 21 0 0.0312",
		"Nothing: 72 runs ended without an error")
	if n := strings.Count(html, "<svg"); n < 2*6+2+1 { // convergence, targets, timeline
		t.Errorf("%d pictures", n)
	}
	if len(html) > 1<<20 {
		t.Errorf("%d bytes", len(html))
	}
	if strings.Contains(html, "<script") || regexp.MustCompile(`(src|href)="[^#]`).MatchString(html) ||
		strings.Contains(strings.ReplaceAll(html, `xmlns="http://www.w3.org/2000/svg"`, ""), "http") {
		t.Error("the page needs a script or a network")
	}
	if again := pageOf(t, nil); again != html {
		t.Error("the same results have another page")
	}
}

// TestGraphsOfPage: graphs are rows of one table, with all digits of their cuts, and how far the others are behind.
// The page has the labelled sums at the best point of each method.
func TestLabelledSums(t *testing.T) {
	t.Chdir(t.TempDir())
	reporttest.Trace(t, "x/a", "own.cl:n=9", 9, "masw", 1, 1, 10, 300)
	reporttest.Trace(t, "x/b", "own.cl:n=9", 9, "masw", 1, 1, 10, 200)
	html := pageOf(t, func(r *Report) {
		for i := range r.Results {
			b := &r.Results[i].Result.Best
			b.Sums = []record.Sum{{Sum: "s0", Label: "energy, eV", Value: b.F + 1}}
		}
	})
	has(t, html, "own.cl masw s0: energy, eV 201")
}

func TestGraphsOfPage(t *testing.T) {
	t.Chdir(t.TempDir())
	for i, graph := range []string{"maxcut:/d/gset/G22.txt", "maxcut:tile=8x8,p=0.5"} {
		for k, method := range []string{"mixing", "gomea"} {
			reporttest.Trace(t, fmt.Sprintf("x/%d%d", i, k), graph, 2000-i, method, 1, 1,
				10, 1, 40, 13358-float64(k)*254)
		}
	}
	html := pageOf(t, func(r *Report) {
		for _, f := range r.Results {
			f.Result.Sense = record.Maximize
		}
	})
	has(t, html, "G22.txt mixing 13358 – [13358, 13358]", "G22.txt gomea 13104 1.9 % worse", "tile=8x8,p=0.5 mixing",
		"mixing is best on 2 of 2 problems. No lead over all other methods is sure", "maxcut/G22.txt, 2,000 vertices")
	if n := strings.Count(html, "<caption>maxcut"); n != 1 {
		t.Errorf("%d tables of graphs", n)
	}
}

// TestWriter: medians that differ have different texts.
func TestWriter(t *testing.T) {
	t.Chdir(t.TempDir())
	for k, f := range []float64{21.7031, 21.6402, 21.6417} {
		reporttest.Trace(t, fmt.Sprintf("x/%d", k), "cec2013/f3:n=1000", 1000, fmt.Sprint("m", k), 1, 1, 10, 99, 40, f)
	}
	has(t, pageOf(t, nil), "f3 m0 21.703 +0.291 %", "f3 m1 21.64 –", "f3 m2 21.642 +0.00693 %")
}

// TestCommon: what is the same for all runs stands once below the table of runs.
func TestCommon(t *testing.T) {
	sixProblems(t)
	html := pageOf(t, nil)
	has(t, html, "The same for all runs: seed: 0; precision: fp64;",
		"the same bits on devices of the same kind unless a limit of time ended it.")
	if strings.Contains(html, ">precision<") {
		t.Error("a column in which all runs agree")
	}
}

// TestManyRuns: a page of many runs stays below a megabyte and says what it leaves out.
func TestManyRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	reporttest.Trace(t, "x/0", "cec2013/f1:n=1000", 1000, "masw", 1, 1, 10, 100, 20, 5)
	html := pageOf(t, func(r *Report) {
		r.Results = slices.Repeat(r.Results, mostRows+10)
		for i := range r.Results {
			v, sum := *r.Results[i].Result, strings.Repeat(fmt.Sprint(i%10), 64)
			v.Command = fmt.Sprintf("clopt run cec2013/f1 -n 1000 -s masw --seed %d --evals 20", i)
			v.Best.XSHA256 = &sum
			r.Results[i].Result = &v
		}
	})
	has(t, html, "The first 1500 of 1510 runs are listed", "The first 1000 of 1510 runs are shown.")
	if len(html) > 1<<20 {
		t.Errorf("%d bytes", len(html))
	}
}

// TestNoRun: a campaign of which no run has ended has a page that says so.
func TestNoRun(t *testing.T) {
	var b strings.Builder
	if err := Write(&b, &Report{Title: "x"}); err != nil {
		t.Fatal(err)
	}
	html := b.String()
	has(t, html, "No run has a result yet.")
	if strings.Contains(html, "0001") || strings.Contains(html, `id="verdict"`) {
		t.Error("a page about no runs")
	}
}

// TestFailed: runs that failed are listed with the reason, and the page says which methods have no other runs.
func TestFailed(t *testing.T) {
	sixProblems(t)
	html := pageOf(t, func(r *Report) {
		for _, f := range r.Results[:3] {
			v := *f.Result
			v.Stop, v.ExitCode, v.Best.Confirmed = record.Stop{Reason: "failed", Detail: "no <device> left"}, 6, false
			f.Result, f.Label = &v, "sa"
			r.Failed = append(r.Failed, f)
		}
	})
	has(t, html, "All runs of sa have failed (see What failed).", "sa 6 no 0 failed: no <device> left")
	if strings.Contains(pageOf(t, nil), "have failed") {
		t.Error("no run has failed")
	}
}

// TestNotFinite: a run without a finite value is worse than any other, and does not take the median from the others.
func TestNotFinite(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range 3 {
		value := map[bool]float64{true: math.NaN(), false: 5}[i == 2]
		reporttest.Trace(t, fmt.Sprintf("x/a%d", i), "a.cl:n=10", 10, "masw", 1, 1, 10, 100, 20, value)
		reporttest.Trace(t, fmt.Sprintf("x/b%d", i), "a.cl:n=10", 10, "random", 1, 1, 10, math.Inf(1))
	}
	has(t, pageOf(t, nil), "masw is best on 1 of 1 problem.", "a.cl masw 5 – [5, +Inf] 5 3", "a.cl random +Inf ")
}

// TestEqual: where all methods are equal none is the best.
func TestEqual(t *testing.T) {
	t.Chdir(t.TempDir())
	for i, values := range [][]float64{{5, 5}, {5, 6}} {
		for k, method := range []string{"masw", "random"} {
			reporttest.Trace(t, fmt.Sprintf("x/%d%d", i, k), fmt.Sprintf("cec2013/f%d:n=1000", i+1), 1000, method, 1, 1,
				10, 100, 20, values[k])
		}
		has(t, pageOf(t, nil), []string{"n=1000: all methods are equal on 1 problem.",
			"n=1000: masw is best on 1 of 2 problems, and all are equal on 1. No lead"}[i])
	}
}

// TestRepeat: a run that was resumed is repeated from its run file, and a page says where higher values are better.
func TestRepeat(t *testing.T) {
	sixProblems(t)
	const higher = "or higher where a problem is maximized"
	if strings.Contains(pageOf(t, nil), higher) {
		t.Error("no problem is maximized")
	}
	html := pageOf(t, func(r *Report) {
		v := *r.Results[0].Result
		v.Command, v.Folder, v.Sense = "clopt resume x/0 --evals 9", "x/0", record.Maximize
		r.Results[0].Result = &v
	})
	has(t, html, higher, "clopt run x/0/run.toml")
}

// TestOneColour: a method has the same colour in a section without the others.
func TestOneColour(t *testing.T) {
	t.Chdir(t.TempDir())
	for n, f := range map[int]float64{1000: 5, 2000: 6} {
		reporttest.Trace(t, fmt.Sprintf("x/a%d", n), fmt.Sprintf("cec2013/f1:n=%d", n), n, "graybox", 1, 1,
			10, 99, 40, f)
	}
	reporttest.Trace(t, "x/b", "cec2013/f2:n=1000", 1000, "anneal", 1, 1, 10, 99, 40, 5)
	html := pageOf(t, nil)
	convergence, rest, _ := strings.Cut(html, `id="targets"`)
	scaling := rest[strings.Index(rest, `id="scaling"`):strings.Index(rest, `id="timeline"`)]
	for _, part := range []string{convergence, rest} {
		if !strings.Contains(part, `class="line1"`) {
			t.Error("a section without the colour of graybox")
		}
	}
	if lines := regexp.MustCompile(`class="line0" stroke-width`).FindAllString(scaling, -1); len(lines) > 0 {
		t.Errorf("graybox has the colour of anneal: %q", lines)
	}
}

// TestDevices: a method on one device and on two is compared in all sections, also after that of speed-ups.
func TestDevices(t *testing.T) {
	t.Chdir(t.TempDir())
	for devices := 1; devices <= 2; devices++ {
		for i := range 3 {
			reporttest.Trace(t, fmt.Sprintf("x/%d-%d", devices, i), "cec2013/f1:n=1000", 1000, "masw",
				float64(4/devices), devices, 10, 100, 40, 5)
		}
	}
	html := pageOf(t, func(r *Report) {
		for i := range r.Results {
			f := &r.Results[i]
			f.Result.Cell = &record.Cell{Label: "masw", Devices: f.Result.Workers()}
			f.Label = fmt.Sprintf("masw x%d", f.Result.Workers())
		}
	})
	has(t, html, "speed-up", "f1 masw x1 masw x2 no difference at 0.05")
}

// TestFewProblems checks that tests across problems are refused below five.
func TestFewProblems(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range 4 {
		reporttest.Trace(t, fmt.Sprintf("x/a%d", i), "cec2013/f1:n=1000", 1000, "masw", 1, 1, 10, 100, 40, 5)
		reporttest.Trace(t, fmt.Sprintf("x/b%d", i), "cec2013/f1:n=1000", 1000, "random", 1, 1, 10, 100, 40, 5)
	}
	html := pageOf(t, nil)
	has(t, html, "1 problem with results of all methods; tests across problems need 5 or more.",
		"masw random no difference at 0.05 0.5 1")
}

// TestRace: runs that met a target stopped there, so evaluations are compared, and a run without a hit is the last.
func TestRace(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range 5 {
		e := float64(i)
		reporttest.Trace(t, fmt.Sprintf("x/a%d", i), "cec2013/f2:n=1000", 1000, "masw", 1, 1, 10, 100, 30+e, 0.9)
		reporttest.Trace(t, fmt.Sprintf("x/b%d", i), "cec2013/f2:n=1000", 1000, "random", 1, 1, 10, 100, 90+e, 0.1)
		reporttest.Trace(t, fmt.Sprintf("x/c%d", i), "cec2013/f2:n=1000", 1000, "sa", 1, 1, 10, 100, 20, 5)
	}
	html := pageOf(t, func(r *Report) {
		for i, f := range r.Results {
			own := *f.Result
			if f.Label != "sa" {
				own.Stop.Reason = "target"
			}
			r.Results[i].Result = &own
		}
	})
	has(t, html, "f2 masw 0.9 – – [0.9, 0.9] 0.9 5 5 of 5 32 ",
		"f2 random 0.1 × 2.88 0.00794 [0.1, 0.1] 0.1 5 5 of 5 92 ",
		"f2 sa 5 – ", "f2 masw random masw 1 0.00794", "f2 masw sa masw 1 0.00794",
		"compared by the expected evaluations")
}

// TestChange compares two campaigns.
func TestChange(t *testing.T) {
	sixProblems(t)
	html := pageOf(t, func(r *Report) {
		r.Before = nil
		for _, f := range r.Results {
			if f.Label == "masw" && f.Row == "f2" {
				old := *f.Result
				old.Best.F *= 3
				f.Result = &old
			}
			r.Before = append(r.Before, f)
		}
	})
	has(t, html, "f1 masw 12.5 12.5 equal values 0.5 1", "f2 masw 37.5 12.5 better 1 0.00216")
}

// TestHostile checks that names cannot add to the page.
func TestHostile(t *testing.T) {
	t.Chdir(t.TempDir())
	evil := `<script>alert(1)</script>"&`
	reporttest.Trace(t, "x/a", evil+".cl:n=10", 10, evil, 1, 1, 10, 100, 40, 5)
	html := pageOf(t, func(r *Report) { r.Title, r.Notes = evil, []string{evil} })
	if strings.Contains(html, "<script") {
		t.Error("a name is not escaped")
	}
}

// TestBrowser opens a page in Chromium, as wide as a telephone, a page and a desk. Nothing may be wider than the
// window, and there may be no error. Windows of Chromium are at least 500 pixels wide, so the page is in a frame.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser is for the full tests")
	}
	browser := ""
	for _, name := range []string{"google-chrome", "chromium-browser", "chromium"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
		}
	}
	if browser == "" {
		t.Fatal("no Chromium: make setup-full installs it")
	}
	sixProblems(t)
	pages := map[string]string{"six problems": pageOf(t, nil)}
	nineRuns(t)
	pages["small pictures"] = pageOf(t, func(r *Report) { onProblems(r, mostLarge+1) })
	for name, html := range pages {
		for _, width := range []int{390, 800, 1600} {
			inBrowser(t, browser, fmt.Sprintf("%s, %d pixels", name, width), html, width)
		}
	}
}

// inBrowser opens a page in a frame of a width.
func inBrowser(t *testing.T, browser, name, html string, width int) {
	t.Helper()
	frame := fmt.Sprintf("<iframe id=page width=%d height=900 style='border:0' srcdoc=\"%s\"></iframe>"+
		"<script>onload = () => { const at = document.getElementById('page'); document.title = 'wider by ' + "+
		"(at.contentDocument.documentElement.scrollWidth - at.clientWidth) }</script>", width,
		unescape.EscapeString(html))
	if err := os.WriteFile("frame.html", []byte(frame), 0o666); err != nil {
		t.Fatal(err)
	}
	path, _ := filepath.Abs("frame.html")
	cmd := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--dump-dom",
		"--enable-logging=stderr", fmt.Sprintf("--window-size=%d,1000", max(500, width+50)), "file://"+path)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	if !strings.Contains(string(out), "<title>wider by 0</title>") {
		t.Errorf("%s: %s", name, regexp.MustCompile("<title>.*?</title>").Find(out))
	}
	if strings.Contains(errs.String(), "CONSOLE") {
		t.Errorf("%s: %s", name, errs.String())
	}
}
