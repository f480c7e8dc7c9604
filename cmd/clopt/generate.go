package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/formats/write"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cut"
)

func generateCommand(call *job.Call) *cobra.Command {
	var out string
	var force, solution bool
	cmd := &cobra.Command{
		Use:   "generate SPEC -o FILE",
		Short: "Write a generated graph, such as maxcut:tile=40x40,p=0.5,seed=1, in the format of rudy",
		Args:  flags.OneArg("SPEC"), ValidArgsFunction: flags.CompleteProblem,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runGenerate(cmd.Context(), call, args[0], out, force, solution)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "",
		"file of the graph, compressed if it ends in .gz; - is standard output; if the largest cut is known, "+
			"FILE.bkv holds it")
	cmd.Flags().BoolVar(&solution, "solution", false,
		"also write FILE.sol, an assignment with the largest cut, if that is known")
	cmd.Flags().BoolVar(&force, "force", false, "replace files that exist")
	return cmd
}

func runGenerate(ctx context.Context, call *job.Call, spec, out string, force, solution bool) error {
	if out == "" {
		return exit.Usagef("--out is missing: give a file, or - for standard output")
	}
	if kind, _, _ := strings.Cut(spec, ":"); !strings.EqualFold(kind, "maxcut") {
		return exit.Usagef("%q is not a graph; use for example maxcut:tile=40x40,p=0.5,seed=1 ("+
			"clopt describe maxcut)", spec)
	}
	p, err := catalog.Parse(spec, problems.Options{})
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	c := p.(*cut.Cut)
	g := c.Graph()
	best, known := c.Info().BestKnown()
	x, solved := c.Info().Optimum()
	if solution && !solved {
		return exit.Usagef("--solution: the largest cut of %s is not known", c.Spec())
	}
	if out == "-" {
		if solution {
			return exit.Usagef("--solution cannot be combined with --out -; give a file")
		}
		return writeProblem(call.Stdout, c, format.Rudy)
	}
	base := out
	if strings.EqualFold(filepath.Ext(base), ".gz") {
		base = base[:len(base)-3]
	}
	base = strings.TrimSuffix(base, filepath.Ext(base))
	var files newFiles
	files.add(out, func(w io.Writer) error { return writeProblem(w, c, format.Rudy) })
	if known {
		files.add(base+".bkv", content([]byte(exact.Format(c.Info().Sign()*best)+"\n")))
	}
	if solution {
		files.add(base+".sol", func(w io.Writer) error { return cut.WriteBinaryPoint(w, c.Domain(), x) })
	}
	if err := files.write(ctx, call, force); err != nil {
		return err
	}
	fmt.Fprintf(call.Stderr, "%s: %d vertices, %d edges\n", strings.Join(files.names(), ", "), g.N(), g.M())
	return nil
}

// writeProblem writes a problem whose kind the format holds.
func writeProblem(w io.Writer, c *cut.Cut, f format.Format) error {
	m, err := c.Model()
	if err == nil {
		_, err = write.Model(w, m, f, false)
	}
	return err
}
