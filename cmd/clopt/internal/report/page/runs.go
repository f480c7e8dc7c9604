package page

import (
	"fmt"
	"html/template"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/cmd/clopt/internal/report/plot"
)

// glance says in a few lines what the page is about: the runs, when they were made, and on which machines.
func (r *Report) glance() (lines []string) {
	if failed := r.allFailed(); failed != "" {
		defer func() { lines = append(lines, failed) }()
	}
	if len(r.Results) == 0 {
		return []string{"No run has a result yet."}
	}
	problems := map[string]bool{}
	methods := map[string]bool{}
	machines := map[string]bool{}
	var first, last time.Time
	for _, f := range r.Results {
		problems[f.Result.Problem], methods[f.Label] = true, true
		machines[version(f)+" on "+devicesOf(f)] = true
		if c, err := f.Course(); err == nil {
			if first.IsZero() || c.Began.Before(first) {
				first = c.Began
			}
			if c.Began.After(last) {
				last = c.Began
			}
		}
	}
	when := "on " + first.UTC().Format(time.DateOnly)
	if end := last.UTC().Format(time.DateOnly); end != first.UTC().Format(time.DateOnly) {
		when = "from " + first.UTC().Format(time.DateOnly) + " to " + end
	}
	lines = []string{fmt.Sprintf("%s of %s on %s, made %s.", report.Counted(len(r.Results), "run"),
		report.Counted(len(methods), "method"), report.Counted(len(problems), "problem"), when)}
	for _, m := range slices.Sorted(maps.Keys(machines)) {
		lines = append(lines, "clopt "+m+".")
	}
	if slices.ContainsFunc(r.Results, func(f report.Record) bool { return strings.HasSuffix(f.Key.Suite, "-laptop") }) {
		lines = append(lines, "The campaign is scaled down by --scale laptop: its runs are shorter than those of the "+
			"full campaign.")
	}
	return lines
}

// allFailed says of which methods all runs have failed, "" if there are none.
func (r *Report) allFailed() string {
	var methods []string
	for _, f := range r.Failed {
		if !slices.ContainsFunc(r.Results, func(o report.Record) bool { return o.Label == f.Label }) {
			methods = append(methods, f.Label)
		}
	}
	if methods == nil {
		return ""
	}
	slices.SortFunc(methods, report.Natural)
	return fmt.Sprintf("All runs of %s have failed (see What failed).", strings.Join(slices.Compact(methods), ", "))
}

// devicesOf returns the devices that worked in a run, each kind once, with platform and driver.
func devicesOf(f report.Record) string {
	var devices []string
	for _, d := range f.Result.Devices {
		if d.Share > 0 {
			devices = append(devices, d.Name+", "+d.Platform+" "+d.Driver)
		}
	}
	slices.Sort(devices)
	return strings.Join(slices.Compact(devices), "; ")
}

// mostBars is the number of runs that the timeline shows.
const mostBars = 1000

// mostRows is the number of runs whose origin is listed, so that a page stays below a megabyte.
const mostRows = 1500

func (r *Report) timeline() (section, error) {
	s := section{ID: "timeline", Title: "Timeline", Read: "One bar for each run, from its first start, coloured by " +
		"method, below the devices that it ran on. Runs below each other shared them. A line across a bar marks an " +
		"event: a resumed run, a device that was lost. Rest the pointer on a bar for its problem and events. Time " +
		"between a stop and a resume is not shown."}
	var bars []plot.Bar
	for _, f := range r.Results {
		c, err := f.Course()
		if err != nil {
			return s, err
		}
		b := plot.Bar{Method: f.Label, Began: c.Began,
			Length: time.Duration(float64(f.Result.Seconds) * float64(time.Second))}
		about := []string{f.Result.Problem, f.Label, fmt.Sprintf("seed %d", f.Result.Seed)}
		var devices []string
		for _, d := range f.Result.Devices {
			if d.Share > 0 {
				devices = append(devices, strings.TrimSuffix(fmt.Sprintf("device %d: %s", d.Index, d.Name), ": "))
			}
		}
		b.Devices = strings.Join(devices, ", ")
		for _, e := range c.Events {
			if e.Event == "resumed" || e.Event == "lost" {
				at := time.Duration(float64(e.T) * float64(time.Second))
				b.Marks = append(b.Marks, at)
				about = append(about, fmt.Sprintf("%s after %v", e.Event, at.Round(time.Millisecond)))
			}
		}
		b.About = strings.Join(about, "; ")
		bars = append(bars, b)
	}
	slices.SortStableFunc(bars, func(a, b plot.Bar) int { return a.Began.Compare(b.Began) })
	if len(bars) > mostBars {
		s.Notes = append(s.Notes, fmt.Sprintf("The first %d of %d runs are shown.", mostBars, len(bars)))
		bars = bars[:mostBars]
	}
	if len(bars) > 0 {
		svg := template.HTML(plot.Timeline(bars)) //nolint:gosec // every text in it is escaped
		s.Galleries = []gallery{{Problems: [][]template.HTML{{svg}}}}
	}
	return s, nil
}

func (r *Report) provenance() (section, error) {
	s := section{ID: "provenance", Title: "Where the numbers come from",
		Read: "The command repeats a run, with the same bits on devices of the same kind unless a limit of time " +
			"ended it. The SHA-256 is that of the best point."}
	t := tableOf("", report.Words("problem", "method"), report.Numbers("seed"),
		report.Words("precision", "clopt", "devices", "best point", "command"))
	t.Cards = true
	for _, g := range report.Groups(r.Results) {
		for i, f := range g.Runs {
			v, settings := f.Result, ""
			if i == 0 {
				settings = v.Algorithm.Settings
			}
			point := none
			if v.Best.XSHA256 != nil {
				point = *v.Best.XSHA256
			}
			t.add(words(v.Problem), cell{Text: method(f), Title: settings}, words(seed(f)), words(v.Precision),
				cell{Text: version(f), Title: v.Commit}, words(devicesOf(f)),
				cell{Text: point[:min(12, len(point))], Title: point},
				cell{Text: commandOf(f), Title: filepath.Base(v.Folder)})
		}
	}
	if slices.ContainsFunc(r.Results, func(f report.Record) bool { return f.Result.Data == "official" }) {
		s.Read += " The command needs the folder of the official data, in CLOPT_DATA or with --data."
	}
	if len(t.Rows) > mostRows {
		t.Notes = append(t.Notes, fmt.Sprintf("The first %d of %d runs are listed; result.json in the folder of each "+
			"run says the same.", mostRows, len(t.Rows)))
		t.Rows = t.Rows[:mostRows]
	}
	if common := t.takeCommon("problem", "method"); common != "" {
		s.Notes = []string{"The same for all runs: " + common + "."}
	}
	s.Tables = []table{t}
	return s, nil
}

// commandOf returns the command that repeats a run. One that was resumed is repeated from its run file.
func commandOf(f report.Record) string {
	if strings.HasPrefix(f.Result.Command, "clopt resume ") {
		return "clopt run " + filepath.Join(f.Result.Folder, "run.toml")
	}
	return f.Result.Command
}

// takeCommon removes the columns in which all of several rows agree, and returns what they agree in. Those of the kept
// heads stay.
func (t *table) takeCommon(kept ...string) string {
	if len(t.Rows) < 2 {
		return ""
	}
	var common []string
	for i := len(t.Columns) - 1; i >= 0; i-- {
		text, head := t.Rows[0][i].Text, t.Columns[i].Head
		if slices.Contains(kept, head) ||
			slices.ContainsFunc(t.Rows, func(row []cell) bool { return row[i].Text != text }) {
			continue
		}
		common = append(common, head+": "+text)
		t.remove(i)
	}
	slices.Reverse(common)
	return strings.Join(common, "; ")
}

// remove removes a column.
func (t *table) remove(i int) {
	t.Columns = slices.Delete(t.Columns, i, i+1)
	for k := range t.Rows {
		t.Rows[k] = slices.Delete(t.Rows[k], i, i+1)
	}
}

// seed returns the seed of a run, and its number if it is not the first with that seed.
func seed(f report.Record) string {
	if f.Result.Run == 0 {
		return fmt.Sprint(f.Result.Seed)
	}
	return fmt.Sprintf("%d, run %d", f.Result.Seed, f.Result.Run)
}

// version returns the version of clopt that made a run, with the begin of its commit.
func version(f report.Record) string {
	v := f.Result
	if v.Commit == "" {
		return v.ToolVersion
	}
	return v.ToolVersion + " " + v.Commit[:min(12, len(v.Commit))]
}

func (r *Report) failures() (section, error) {
	s := section{ID: "failures", Title: "What failed", Read: "Runs that ended with an error, whose best value was " +
		"not confirmed, or that lost a device. The first two kinds are in no table and no picture.", Notes: r.Notes}
	t := tableOf("", report.Words("run", "problem", "method"), report.Numbers("exit code"),
		report.Words("confirmed"), report.Numbers("lost devices"), report.Words("why it ended"))
	for _, f := range slices.Concat(r.Failed, r.Results) {
		v := f.Result
		if v.ExitCode == 0 && v.Best.Confirmed && v.Events.Lost == 0 {
			continue
		}
		t.add(words(filepath.Base(v.Folder)), words(v.Problem), words(f.Label),
			cell{Text: fmt.Sprint(v.ExitCode), Bad: v.ExitCode != 0},
			cell{Text: map[bool]string{true: "yes", false: "no"}[v.Best.Confirmed], Bad: !v.Best.Confirmed},
			words(fmt.Sprint(v.Events.Lost)), words(v.Stop.Reason+":", v.Stop.Detail))
	}
	if t.Rows != nil {
		s.Tables = []table{t}
	} else if len(r.Notes) == 0 {
		s.Notes = []string{fmt.Sprintf("Nothing: %s ended without an error and with a confirmed best value.",
			report.Counted(len(r.Results), "run"))}
	}
	return s, nil
}
