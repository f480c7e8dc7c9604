package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/facts"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/solvers/structure"
)

// structureOptions are the flags of "clopt structure".
var structureOptions = []flags.Option{
	{Group: "what", Name: "dim", Short: "n", Arg: "N", Usual: true,
		Help: "number of variables; default: that of the problem"},
	{Group: "what", Name: "data", Arg: "DIR", Usual: true,
		Help: "folder of official instance data; default: a generated instance"},
	{Group: "what", Name: "bounds", Arg: "LO,HI|FILE", Usual: true,
		Help: "bounds in place of those of an objective file, or if it has none"},
	{Group: "test", Name: "verify", Usual: true, NoEnv: true,
		Help: "test the declaration with points on a device; exit 8 if it is wrong"},
	{Group: "test", Name: "learn", Usual: true, NoEnv: true,
		Help: "find what the components of an objective FILE.cl read that declares nothing"},
	{Group: "test", Name: "seed", Arg: "N", Def: "0", Usual: true, Help: "seed of the points"},
	{Group: "test", Name: "precision", Arg: "fp64|fp32", Def: "fp64", Usual: true,
		Help: "variables and arithmetic on the device"},
	{Group: "test", Name: "devices", Short: "d", Arg: "SELECTOR", Usual: true,
		Help: "as in clopt run; the first one is used"},
	{Group: "output", Name: "out", Short: "o", Arg: "FILE.cl", Usual: true, NoEnv: true,
		Help: "with --learn: write a copy of the objective with the line //@ reads; lists go to FILE.reads.txt"},
	{Group: "output", Name: "force", Usual: true, NoEnv: true, Help: "replace files that exist"},
	{Group: "output", Name: "json", Usual: true, NoEnv: true, Help: "print one JSON object"},
}

func structureCommand(call *job.Call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "structure PROBLEM",
		Short: "Show what the components of a problem read, test it, and what follows for the methods",
		Long: "Show what the components of a problem read as declared, the parts and colours that follow, the cost\n" +
			"of a change of one variable, and which methods take the problem. With --verify, also test on a device\n" +
			"whether components read more, whether variables interact that no component reads together, and\n" +
			"whether components rise with the inner sums that are declared. With --learn, find what the components\n" +
			"of an objective file read that declares nothing.",
		Args: flags.OneArg("PROBLEM"), ValidArgsFunction: flags.CompleteProblem,
		RunE: func(cmd *cobra.Command, args []string) error {
			c := flags.New(structureOptions, cmd.Flags(), call.Getenv, nil)
			return runStructure(cmd.Context(), call, c, args[0])
		},
	}
	flags.SetOptions(call.Stdout, cmd, structureOptions)
	return cmd
}

// runStructure executes "clopt structure".
func runStructure(ctx context.Context, call *job.Call, c *flags.Config, spec string) error {
	opt := flags.ReadProblemOptions(c)
	asJSON, verify := flags.Read(c, "json", flags.ParseSwitch), flags.Read(c, "verify", flags.ParseSwitch)
	learn, force := flags.Read(c, "learn", flags.ParseSwitch), flags.Read(c, "force", flags.ParseSwitch)
	out := c.Text("out")
	if learn && verify {
		c.Complain("learn", c.Values["learn"], "cannot be combined with --verify; verify the file that it writes")
	}
	if out != "" && !learn {
		c.Complain("out", c.Values["out"], "is for --learn")
	}
	prec, seed := flags.Read(c, "precision", problems.ParsePrecision), flags.Read(c, "seed", flags.ParseSeed)
	if err := c.Err(); err != nil {
		return err
	}
	p, err := flags.ParseProblem(spec, opt, prec, !verify && !learn)
	if err != nil {
		return err
	}
	if learn {
		return runLearn(ctx, call, p, prec, c.Text("devices"), rng.Key{Seed: seed}, asJSON, out, force)
	}
	r, err := structureOf(p)
	if err != nil {
		return err
	}
	if verify {
		if r.Verified, err = verified(ctx, call, p, prec, c.Text("devices"), rng.Key{Seed: seed}); err != nil {
			return err
		}
	}
	if asJSON {
		err = json.NewEncoder(call.Stdout).Encode(r)
	} else {
		r.print(call.Stdout)
	}
	if found := r.Verified.Found(); found != nil {
		return exit.Failf(exit.Verify, "%w", found)
	}
	return err
}

// verified opens the first chosen device and tests the declaration of p on it.
func verified(ctx context.Context, call *job.Call, p problems.Problem, prec problems.Precision, devices string,
	key rng.Key) (r *structure.Report, err error) {
	err = onFirst(ctx, call, p, prec, devices, func(g *shard.Devices) error {
		r, err = structure.Verify(ctx, g, p, prec, key)
		return err
	})
	return r, err
}

// onFirst runs f with the first chosen device, if the structure of p can be tested at all.
func onFirst(ctx context.Context, call *job.Call, p problems.Problem, prec problems.Precision, devices string,
	f func(g *shard.Devices) error) error {
	if err := structure.Suits(p, prec); err != nil {
		return err
	}
	chosen, err := shard.Select(devices, prec)
	if err != nil {
		return err
	}
	if err := job.Trial(ctx, p, prec, chosen[0], job.TrialTime); err != nil {
		return err
	}
	g, err := shard.Open(chosen[:1], shard.Options{})
	if err != nil {
		return exit.With(exit.NoDevice, err)
	}
	defer g.Close()
	defer call.OnCrash(p, chosen[:1])()
	if err = f(g); err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// structureReport is what "clopt structure" shows. The field names are those of --json.
type structureReport struct {
	Problem    string    `json:"problem"`
	Variables  int       `json:"variables"`
	Components int       `json:"components"`
	Reads      string    `json:"reads"`
	Sums       int       `json:"sums"`
	Linear     []float64 `json:"linear"`     // coefficients of the sums; null: f is not linear in them
	InnerSums  int       `json:"inner_sums"` // of which a component is a function; 0: none are declared
	Tiles      int       `json:"tiles"`
	TileVars   int       `json:"tile_variables"`
	Halo       int       `json:"halo"` // variables that a tile reads of the next one

	Parts   []partClass `json:"parts"`              // null where there are none
	NoParts string      `json:"no_parts,omitempty"` // why
	// Colours of parts and of single variables; 0: none.
	PartColours     int    `json:"part_colours"`
	VariableColours int    `json:"variable_colours"`
	NoColours       string `json:"no_colours,omitempty"`

	Cost       int     `json:"cost"`        // of a whole evaluation
	ChangeCost float64 `json:"change_cost"` // of a change of one variable, on average

	Methods []methodRow `json:"methods"`

	Verified *structure.Report `json:"verified,omitempty"`
}

// partClass is the parts of one size.
type partClass struct {
	Variables  int `json:"variables"`  // of a part
	Components int `json:"components"` // that read one of them
	Count      int `json:"count"`      // of such parts
}

// methodRow says whether a method takes the problem.
type methodRow struct {
	Method  string `json:"method"`
	Missing string `json:"missing"` // property that the problem lacks; "": the method takes it
}

// structureOf derives the report from the problem.
func structureOf(p problems.Problem) (*structureReport, error) {
	s, t := p.Structure(), p.Tiling()
	r := &structureReport{Problem: p.Spec().String(), Variables: s.Variables(), Components: s.Components(),
		Reads: facts.ReadsInWords(s), Sums: p.Accumulators(), Linear: p.Linear(), InnerSums: s.Inner(),
		Tiles: t.Tiles(), TileVars: min(t.TileVars, t.N), Halo: t.Halo}
	if parts, err := problems.PartsOf(p, 1); err != nil {
		r.NoParts = err.Error()
	} else {
		r.Parts, r.PartColours = classesOf(parts, t), parts.Colours
	}
	if c, err := problems.ColoursOf(s); err != nil {
		r.NoColours = err.Error()
	} else {
		r.VariableColours = c.Count
	}
	for k := range s.Components() {
		r.Cost += s.Cost(k)
	}
	r.ChangeCost = changeCost(s, r.Cost)
	for _, name := range methods.Names() {
		sets := []map[string]string{nil}
		if name == "sa" {
			sets = []map[string]string{{"variant": "v2"}, {"variant": "sweeps"}}
		}
		for _, set := range sets {
			m, err := methods.New(name, set)
			if err != nil {
				return nil, err
			}
			row := methodRow{Method: name, Missing: methods.Missing(m, p, problems.FP64)}
			if set != nil {
				row.Method = map[string]string{"v2": "sa, chains", "sweeps": "sa, sweeps"}[set["variant"]]
			}
			r.Methods = append(r.Methods, row)
		}
	}
	return r, nil
}

// classesOf counts the parts of each size in all tiles, in order of size.
func classesOf(parts *problems.Parts, t problems.Tiling) []partClass {
	count := map[partClass]int{}
	lo, hi := t.Vars(t.Tiles() - 1)
	for _, part := range parts.Parts {
		n := t.Tiles()
		if part.Vars[len(part.Vars)-1] >= hi-lo {
			n-- // the last tile is shorter
		}
		count[partClass{Variables: len(part.Vars), Components: len(part.Comps)}] += n
	}
	all := slices.SortedFunc(maps.Keys(count), func(a, b partClass) int {
		return cmp.Or(a.Variables-b.Variables, a.Components-b.Components)
	})
	for i, c := range all {
		all[i].Count = count[c]
	}
	return all
}

// changeCost returns the mean cost of a change of one variable. Of more than a hundred thousand variables it takes
// some at equal distances.
func changeCost(s problems.Structure, whole int) float64 {
	if s.Whole() {
		return float64(whole)
	}
	const most = 100000
	step, count, total := (s.Variables()+most-1)/most, 0, 0
	var comps []int
	for i := 0; i < s.Variables(); i += step {
		comps = s.ComponentsOf(i, comps[:0])
		for _, k := range comps {
			total += s.Cost(k)
		}
		count++
	}
	return float64(total) / float64(count)
}

// print writes the report for a person.
func (r *structureReport) print(w io.Writer) {
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "  %-12s%s\n", what, fmt.Sprintf(format, args...))
	}
	fmt.Fprintln(w, r.Problem)
	line("variables", "%d", r.Variables)
	line("components", "%d", r.Components)
	line("reads", "%s", r.Reads)
	linear := "f is not linear in them"
	if r.Linear != nil {
		linear = fmt.Sprintf("f is linear in them, with the factors %s", strings.Trim(fmt.Sprint(r.Linear), "[]"))
	}
	line("sums", "%d; %s", r.Sums, linear)
	if r.InnerSums > 0 {
		line("inner sums", "%d; each component is a function of so many sums of its own", r.InnerSums)
	}
	tiles := fmt.Sprintf("%d of %d variables", r.Tiles, r.TileVars)
	if r.Halo > 0 {
		tiles += fmt.Sprintf(", which read %d of the next", r.Halo)
	}
	line("tiles", "%s", tiles)
	if r.Parts == nil {
		line("parts", "none: %s", r.NoParts)
	}
	for _, c := range r.Parts {
		line("parts", "%d of %s and %s", c.Count, report.Counted(c.Variables, "variable"),
			report.Counted(c.Components, "component"))
	}
	if r.PartColours > 0 {
		line("colours", "%d of parts", r.PartColours)
	}
	if r.NoColours != "" {
		line("colours", "none: %s", r.NoColours)
	} else {
		line("colours", "%d of variables", r.VariableColours)
	}
	line("cost", "%d for an evaluation, %.4g for a change of one variable", r.Cost, r.ChangeCost)
	for _, m := range r.Methods {
		line("method", "%-12s %s", m.Method, cmp.Or(prefixed("needs: ", m.Missing), "yes"))
	}
	switch v := r.Verified; {
	case v == nil:
	case v.Found() != nil:
		line("verified", "no")
	case v.Tests == 0:
		line("verified", "components read nothing outside 0 to %d at %d points; nothing else is declared",
			r.Variables-1, v.Points)
	default:
		line("verified", "components read what is declared at %d points; no other variables interact in %d tests "+
			"(%.2g %% of the pairs untested)", v.Points, v.Tests, 100*v.Missed)
	}
}

// prefixed returns text after prefix, or "" if text is "".
func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
