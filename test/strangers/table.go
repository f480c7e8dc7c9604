package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// asGood is the share of the way from random search to the best value up to which the default method is as good.
const asGood = 1e-9

// printTable prints where the default method ends and where the best setting does, for each objective.
func printTable(w io.Writer, r runner, all []objective, ends []end) error {
	var text strings.Builder
	fmt.Fprintln(&text, "| objective | n | method | default | best setting | setting | |")
	fmt.Fprintln(&text, "|---|---|---|---|---|---|---|")
	good := 0
	compared := 0
	device := ""
	for _, o := range all {
		row, ok := newRow(o, ends)
		if !ok {
			continue
		}
		gap := fmt.Sprintf("%.0e", row.gap)
		compared++
		if row.gap <= asGood {
			good++
			gap = "as good"
		}
		device = row.standard.device
		fmt.Fprintf(&text, "| %s | %d | %s | %.6g | %.6g | `%s` | %s |\n", o.title, o.n, row.standard.method,
			row.standard.f, row.best.f, strings.ReplaceAll(row.best.setting, " --set", ""), gap)
	}
	fmt.Fprintf(&text, "\nIn %d of %d cases the default is as good as the best setting.\n", good, compared)
	fmt.Fprintf(&text, "\n%s; %d runs, %d at a time; seed %d; %s for the default, %s for each setting.\n", device,
		len(ends), r.jobs, r.seed, r.time, r.time/2)
	for _, e := range ends {
		if e.failure != "" {
			fmt.Fprintf(&text, "\nA run failed: %s\n", e)
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// row compares the default method with the settings on one objective.
type row struct {
	standard end     // of the default method
	best     end     // of the best setting
	gap      float64 // from the lower one to the default, as a share of the way from there to random search
}

// newRow returns false if there is nothing to compare.
func newRow(o objective, ends []end) (row, bool) {
	var standard, settings []end
	for _, e := range ends {
		switch {
		case e.objective != o.name || e.refused || e.failure != "":
		case e.setting == "":
			standard = append(standard, e)
		default:
			settings = append(settings, e)
		}
	}
	if len(standard) == 0 || len(settings) == 0 {
		return row{}, false
	}
	byValue := func(a, b end) int { return cmp.Compare(a.f, b.f) }
	r := row{standard: standard[0], best: slices.MinFunc(settings, byValue)}
	high := slices.MaxFunc(settings, byValue).f
	if i := slices.IndexFunc(settings, func(e end) bool { return e.method == "random" }); i >= 0 {
		high = settings[i].f
	}
	low := math.Min(r.standard.f, r.best.f)
	if high = math.Max(high, r.standard.f); high > low {
		r.gap = (r.standard.f - low) / (high - low)
	}
	return r, true
}
