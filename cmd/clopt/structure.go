package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/facts"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/internal/solvers/structure"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
)

// structureOptions are the flags of "clopt structure".
var structureOptions = []flags.Option{
	{Group: "what", Name: "dim", Short: "n", Arg: "N", Usual: true,
		Help: "number of variables; default: that of the problem"},
	flags.DataOption,
	{Group: "what", Name: "bounds", Arg: "LO,HI|FILE", Usual: true,
		Help: "bounds in place of those of an objective file, or if it has none"},
	{Group: "test", Name: "verify", Usual: true, NoEnv: true,
		Help: "test the declaration with points on a device; exit 8 if it is wrong"},
	{Group: "test", Name: "learn", Usual: true, NoEnv: true,
		Help: "find what the components of an objective FILE.cl read where neither a directive nor the text says it"},
	{Group: "test", Name: "seed", Arg: "N", Def: "0", Usual: true, Help: "seed of the points"},
	{Group: "test", Name: "precision", Arg: "fp64|fp32", Def: "fp64", Usual: true,
		Help: "variables and arithmetic on the device"},
	{Group: "test", Name: "devices", Short: "d", Arg: "SELECTOR", Usual: true,
		Help: "as in clopt run; the first one is used"},
	{Group: "test", Name: "trial-time", Arg: "DURATION", Def: "30s", Help: "as in clopt run"},
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
			"of an objective file read where neither a directive nor the text says it.",
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
	limit := flags.Read(c, "trial-time", flags.ParseDuration)
	if err := c.Err(); err != nil {
		return err
	}
	p, err := flags.ParseProblem(spec, opt, prec, !verify && !learn)
	if err != nil {
		return err
	}
	t := structureTest{call, p, prec, c.Text("devices"), rng.Key{Seed: seed}, limit}
	if learn {
		return runLearn(ctx, t, asJSON, out, force)
	}
	r, err := facts.StructureOf(p)
	if err != nil {
		return err
	}
	if verify {
		if err := t.run(ctx, func(g *shard.Devices) (err error) {
			r.Verified, err = structure.Verify(ctx, g, p, prec, t.key)
			return err
		}); err != nil {
			return err
		}
	}
	if asJSON {
		err = json.NewEncoder(call.Stdout).Encode(r)
	} else {
		r.Print(call.Stdout)
	}
	if found := r.Verified.Found(); found != nil {
		return exit.Failf(exit.Verify, "%w", found)
	}
	return err
}

// structureTest is a test of a problem on the first device that a selector names. The key draws its points.
type structureTest struct {
	call    *job.Call
	p       problems.Problem
	prec    problems.Precision
	devices string
	key     rng.Key
	limit   time.Duration // of the trial
}

// run runs f with the device, if the structure of the problem can be tested at all.
func (t structureTest) run(ctx context.Context, f func(g *shard.Devices) error) error {
	if err := structure.Suits(t.p, t.prec); err != nil {
		return err
	}
	chosen, err := shard.Select(t.devices, t.prec)
	if err != nil {
		return err
	}
	if _, err := job.Trial(ctx, t.p, t.prec, chosen[0], t.limit); err != nil {
		return err
	}
	g, err := shard.Open(chosen[:1], shard.Options{})
	if err != nil {
		return exit.With(exit.NoDevice, err)
	}
	defer g.Close()
	defer t.call.OnCrash(t.p, chosen[:1])()
	if err = f(g); err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
