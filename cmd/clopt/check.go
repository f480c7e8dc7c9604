package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/campaign"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/facts"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/inspect"
	"github.com/clopt/clopt/internal/solvers/runs/recipe"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/solvers/runs"
)

func checkCommand(call *job.Call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check RUN|CHECKPOINT|FILE|PROBLEM...",
		Short: "Check run folders, checkpoints, run files, suite files and problems",
		Long: "Check a run folder (recipe, trace, result, best point, checkpoints), one checkpoint, a folder of\n" +
			"these, a run file, a suite file, an objective FILE.cl, or a graph, a QUBO or an Ising problem.\n" +
			"Problems have the names that clopt run takes, such as qubo:FILE. A best point of at most a million\n" +
			"variables is evaluated by the host, and for an objective on a device, with every read watched. An\n" +
			"objective is built for a device and evaluated at a uniform point, where there is a device, and clopt\n" +
			"shows what it says, and the warnings of the compiler. The optimum of a small or narrow graph is\n" +
			"computed and so proven. Exit 2 if something is wrong, 7 if only checkpoints are.",
		Args: flags.SomeArgs("name what to check: run folders, checkpoints, run or suite files, objectives, graphs"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c := flags.New(checkOptions, cmd.Flags(), call.Getenv, nil)
			return runCheck(cmd.Context(), call, c, args)
		},
	}
	flags.SetOptions(call.Stdout, cmd, checkOptions)
	return cmd
}

// checkOptions are the flags of "clopt check".
var checkOptions = slices.Concat([]flags.Option{flags.DataOption}, describeOptions, []flags.Option{
	{Group: "devices", Name: "devices", Short: "d", Arg: "SELECTOR", Usual: true,
		Help: "as in clopt run; an objective is tried on the first one"},
	{Group: "devices", Name: "trial-time", Arg: "DURATION", Def: "30s", Help: "as in clopt run"},
})

// checker prints the result of each check and counts the failures.
type checker struct {
	ctx     context.Context
	call    *job.Call
	show    func(text string) // for a reader
	done    []checkedPart
	opt     problems.Options // for objectives, with the next two
	devices string
	limit   time.Duration
	bad     int // failed checks
	damage  int // failed checks of checkpoints
}

// checkedPart is the result of a check. Its fields are those of --json.
type checkedPart struct {
	What  string             `json:"what"`
	OK    bool               `json:"ok"`
	Error string             `json:"error,omitempty"`
	Facts *facts.Description `json:"facts,omitempty"` // what an objective says
	Value *exact.Number      `json:"value,omitempty"` // of an objective at a uniform point
	// Warnings are those about an objective, of clopt and of the compiler, and what was left out of its tables.
	Warnings []string `json:"warnings,omitempty"`
}

func (c *checker) note(what string, err error) {
	part := checkedPart{What: what, OK: err == nil}
	if err != nil {
		part.Error = err.Error()
	}
	c.done = append(c.done, part)
	if err == nil {
		c.show("ok      " + what)
		return
	}
	c.bad++
	c.show(fmt.Sprintf("FAILED  %s: %s", what, strings.ReplaceAll(err.Error(), "\n", "\n        ")))
}

func runCheck(ctx context.Context, call *job.Call, config *flags.Config, args []string) error {
	c := &checker{ctx: ctx, call: call, show: call.Stdout.Show, opt: flags.ReadProblemOptions(config),
		devices: config.Text("devices"), limit: flags.Read(config, "trial-time", flags.ParseDuration)}
	asJSON := flags.Read(config, "json", flags.ParseSwitch)
	if err := config.Err(); err != nil {
		return err
	}
	if asJSON {
		c.show = func(string) {}
	}
	for _, arg := range args {
		if found, err := c.any(arg); err != nil {
			return err
		} else if !found {
			return exit.Usagef("%s holds neither a run nor a checkpoint", arg)
		}
	}
	if asJSON {
		if err := json.NewEncoder(call.Stdout).Encode(map[string]any{"checks": c.done, "failed": c.bad}); err != nil {
			return err
		}
	}
	switch {
	case c.bad == 0:
		return nil
	case c.bad == c.damage:
		return exit.Failf(exit.Checkpoint, "%s damaged", report.Counted(c.bad, "checkpoint"))
	}
	return exit.Usagef("%s failed", report.Counted(c.bad, "check"))
}

// any finds out by its content what a path is, and checks it, or the problem of a spec. It returns false for a folder
// that holds neither a run nor a checkpoint.
func (c *checker) any(path string) (found bool, err error) {
	name := path
	path = disk.Resolve(path)
	info, err := os.Lstat(path)
	if err != nil {
		s, wrong := catalog.Spec(name)
		switch {
		case wrong == nil && isForm(s, name):
			return true, c.problem(name, s)
		case wrong != nil && strings.Contains(name, ":"):
			return false, exit.With(exit.Usage, wrong)
		}
		return false, exit.Usagef("%w", input.FileError(path, err))
	}
	if !info.IsDir() {
		return true, c.file(path)
	}
	if checkpoints.Looks(path) {
		c.checked(inspect.Checked{Path: path, Part: inspect.PartCheckpoint, Err: runs.VerifyCheckpoint(path)})
		return true, nil
	}
	if inspect.IsRun(path) {
		inspect.Verify(path, checkRecipe, c.checked)
		return true, nil
	}
	// A batch, a campaign, or a folder of them. These have folders of other files, too.
	entries, err := os.ReadDir(path)
	if err != nil {
		return false, exit.Usagef("%w", err)
	}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			below, err := c.any(filepath.Join(path, e.Name()))
			if err != nil {
				return false, err
			}
			found = found || below
		}
	}
	return found, nil
}

// file checks a run file, a suite file, an objective or a graph.
func (c *checker) file(path string) error {
	if info, err := os.Stat(path); err != nil {
		return exit.Usagef("%w", input.FileError(path, err))
	} else if f, _ := format.Sniff(path); (f != format.Unknown || !input.IsText(path)) &&
		!inspect.IsRun(filepath.Dir(path)) {
		return c.graph(path)
	} else if !info.Mode().IsRegular() || info.Size() > recipe.MaxSize {
		return exit.Usagef("%s is not a regular file, or has more than %d bytes", path, recipe.MaxSize)
	}
	if strings.HasSuffix(path, ".cl") {
		return c.objective(path, "objective")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return exit.Usagef("%w", err)
	}
	if campaign.IsSuite(text) {
		_, err = campaign.Open(path)
		c.note(path+": suite file", err)
		return nil
	}
	if _, ok := recipe.Find(path); !ok {
		first, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
		return exit.Usagef("%s is neither a run file nor a suite file nor an objective nor a graph: it begins with %s",
			path, input.Shown(bytes.TrimSpace(first)))
	}
	c.note(path+": run file", checkRecipe(path))
	return nil
}

// isForm reports whether a name of no file is a form of a problem, such as qubo:FILE or FILE.cl:n=5, rather than the
// path of a file that does not exist.
func isForm(s problems.Spec, name string) bool { return !s.File || s.Name != name }

// problem checks the problem of a spec.
func (c *checker) problem(name string, s problems.Spec) error {
	if flags.IsGraph(s) {
		return c.graph(name)
	} else if s.File {
		return c.objective(name, "objective")
	}
	return c.objective(name, "problem")
}

// graph checks a graph, a QUBO or an Ising problem, and proves its optimum if it can.
func (c *checker) graph(path string) error {
	p, err := catalog.Parse(path, c.opt)
	if c.note(path+": problem", err); err != nil {
		return nil
	}
	for _, note := range p.Info().Notes {
		c.show(fmt.Sprintf("        %s: %s", path, note))
	}
	g := p.(*cut.Cut)
	if best, x, ok := g.Prove(); ok {
		best *= g.Info().Sign()
		c.show(fmt.Sprintf("        %s: the optimum is %s, proven", path,
			cmp.Or(problems.Digits(g, x, best), exact.Format(best))))
	} else {
		c.show(fmt.Sprintf("        %s: the optimum is not proven, because the graph is too large and too wide", path))
	}
	return nil
}

// objective checks an objective file, or a problem that is known by name. what is the word for it.
func (c *checker) objective(path, what string) error {
	p, err := flags.ParseProblem(path, c.opt, problems.FP64, false)
	if c.note(path+": "+what, err); err != nil {
		return nil
	}
	d, err := facts.Objective(p)
	if err != nil {
		return err
	}
	var text strings.Builder
	d.Print(&text)
	c.show(strings.TrimSuffix(text.String(), "\n"))
	c.done[len(c.done)-1].Facts = &d
	for _, text := range slices.Concat(p.Info().Notes, p.Info().Warnings) {
		c.warn(&c.done[len(c.done)-1], text)
	}
	tried, err := job.TryOnce(c.ctx, p, c.devices, c.limit)
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	if tried.Device == "" && err == nil {
		c.show(fmt.Sprintf("        %s: not evaluated, because there is no OpenCL device", path))
		return nil
	}
	c.note(path+": evaluation on "+tried.Device, err)
	part := &c.done[len(c.done)-1]
	for _, m := range tried.Warnings {
		c.warn(part, m.String())
	}
	if tried.Unread != "" {
		c.warn(part, tried.Unread)
	}
	if err != nil || len(tried.Values) == 0 {
		return nil
	}
	f, warning := tried.Values[0], ""
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		warning = ", which ranks worst; if many points have such a value, correct the bounds or the formula"
	case !slices.ContainsFunc(tried.Values, func(v float64) bool { return v != f }):
		warning = fmt.Sprintf(", and the same at %d others. A search needs values that differ: "+
			"see whether the formula uses at(x, i), and rounds no more than it must", len(tried.Values)-1)
	}
	part.Value = new(exact.Number(f))
	c.show(fmt.Sprintf("        %s: the value at a uniform point is %s%s", path, exact.Format(f), warning))
	return nil
}

// warn adds a warning to the result of a check.
func (c *checker) warn(part *checkedPart, text string) {
	c.show(fmt.Sprintf("        %s", strings.ReplaceAll(text, "\n", "\n        ")))
	part.Warnings = append(part.Warnings, text)
}

// checkRecipe reads a run file as clopt run --allow-outside does, since a run of official data names their folder. The
// files that it names are not opened.
func checkRecipe(path string) error {
	f, err := flags.ReadRunFile(path)
	if err != nil {
		return err
	}
	unset := func(string) string { return "" }
	c := flags.New(flags.RunOptions, (&cobra.Command{}).Flags(), unset, f)
	c.Values["allow-outside"] = flags.Value{Vals: []string{"true"}}
	_, err = flags.NewSettings(c)
	return err
}

// checked prints the result for a part of a run folder.
func (c *checker) checked(it inspect.Checked) {
	before := c.bad
	switch it.Part {
	case inspect.Unfinished:
		c.show(fmt.Sprintf("        %s: unfinished", it.Path))
	case inspect.PartCheckpoint:
		c.note(it.Path, it.Err)
		c.damage += c.bad - before
	default:
		c.note(it.Path+": "+string(it.Part), it.Err)
		if it.Part == inspect.PartBest && it.Err == nil {
			c.watched(it.Path)
		}
	}
}

// watched evaluates the best point of a run of an objective with every read watched, where there is a device.
func (c *checker) watched(dir string) {
	best, err := inspect.Best(dir)
	if err == nil && (best == nil || best.Problem.Spec().Family != problems.OpenCL) {
		return
	}
	device := ""
	if err == nil {
		device, err = job.WatchBest(c.ctx, c.call, best.Problem, best.Precision, best.X, c.devices, c.limit)
	}
	if device != "" || err != nil {
		c.note(dir+": reads at the best point", err)
	}
}
