package job

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/solvers/runs/recipe"
)

// summary prints the result of a run as text. outside says that its run.toml names files outside of its folder.
func summary(w io.Writer, r *runs.Result, outside bool) {
	if r.Name != "" {
		fmt.Fprintf(w, "%s: ", r.Name)
	}
	fmt.Fprintf(w, "%s  %s  seed %d", r.Problem, r.Algorithm.Name, r.Seed)
	if r.Run > 0 {
		fmt.Fprintf(w, "  run %d", r.Run)
	}
	fmt.Fprintf(w, "  %s\n", r.Precision)
	fmt.Fprintf(w, "  stop         %s: %s\n", r.Stop.Reason, r.Stop.Detail)
	fmt.Fprintf(w, "  evaluations  %d (work %.10g, %d steps)\n", r.Evaluations, float64(r.Work), r.Steps)
	fmt.Fprintf(w, "  best f       %s  %s\n", runs.FormatValue(float64(r.Best.F)), confirmation(r))
	for _, sum := range r.Best.Sums {
		fmt.Fprintf(w, "  %-11s  %s  %s\n", sum.Sum, runs.FormatValue(float64(sum.Value)), sum.Label)
	}
	fmt.Fprintf(w, "  time         %.4g s, with start-up %.4g s\n", float64(r.Seconds), float64(r.Seconds+r.StartUp))
	fmt.Fprintf(w, "  speed        %.4g evaluations/s, %.4g variable evaluations/s\n",
		float64(r.Evaluations)/max(float64(r.Seconds), 1e-9), r.VariableRate())
	if r.Events.NonFinite > 0 {
		fmt.Fprintf(w, "  nonfinite    %d values\n", r.Events.NonFinite)
	}
	files := []string{"result.json", "trace.jsonl", "run.toml", "log.txt"}
	if r.Best.SolFile != nil {
		files = append([]string{*r.Best.SolFile}, files...)
	}
	if r.Best.XFile != nil {
		files = append([]string{*r.Best.XFile}, files...)
	}
	missing := func(name string) bool { return !runs.Exists(filepath.Join(r.Folder, name)) }
	files = slices.DeleteFunc(files, missing)
	if r.Events.Resumed > 0 {
		fmt.Fprintf(w, "  resumed      %d times; evaluations and seconds count from the first start\n",
			r.Events.Resumed)
	}
	if len(files) == 0 {
		fmt.Fprintf(w, "  files        none in %s\n", r.Folder)
		return
	}
	fmt.Fprintf(w, "  files        %s: %s\n", r.Folder, strings.Join(files, " "))
	if r.Resumable {
		fmt.Fprintf(w, "  go on        clopt resume %s\n", quotePath(r.Folder, outside))
	}
	if !missing(recipe.Name) {
		fmt.Fprintf(w, "  again        clopt run %s\n", quotePath(filepath.Join(r.Folder, recipe.Name), outside))
	}
}

// quotePath returns the arguments of a command that reads a run folder or its run file.
func quotePath(path string, outside bool) string {
	path = flags.ShellQuote(path)
	if outside {
		path += " --allow-outside"
	}
	return path
}

// confirmation returns whether and how the best value was confirmed.
func confirmation(r *runs.Result) string {
	yes := "confirmed"
	if !r.Best.Confirmed {
		yes = "NOT confirmed"
	}
	if r.Best.Confirmer == "host" {
		return fmt.Sprintf("%s by the host: %s (tolerance %.2g)", yes, runs.FormatValue(float64(r.Best.FHost)),
			float64(r.Best.Tolerance))
	}
	return fmt.Sprintf("%s by a second evaluation on the %s (tolerance %.2g; there is no host reference)", yes,
		r.Best.Confirmer, float64(r.Best.Tolerance))
}

// Finish prints the result of a single run, which may be nil, and returns err.
func Finish(c *Call, s *flags.Settings, r *runs.Result, err error) error {
	if r == nil {
		return err
	}
	c.Stored, c.Code = err == nil && !s.JSON, r.ExitCode
	if s.JSON {
		runs.WriteLine(c.Stdout, r)
	} else {
		summary(c.Stdout, r, s.Outside)
	}
	return err
}
