package main

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
)

func (a *app) generateCommand() *cobra.Command {
	var out string
	var force, solution bool
	cmd := &cobra.Command{
		Use:   "generate SPEC -o FILE",
		Short: "Write a generated graph, such as maxcut:tile=40x40,p=0.5,seed=1, in rudy form",
		Args:  oneArg("SPEC"), ValidArgsFunction: completeProblem,
		RunE: func(_ *cobra.Command, args []string) error { return a.generate(args[0], out, force, solution) },
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "file of the graph, packed if it ends in .gz; - is standard output; FILE.bkv beside it holds the largest cut where that is known")
	cmd.Flags().BoolVar(&solution, "solution", false, "write FILE.sol as well, an assignment of the largest cut, where that is known")
	cmd.Flags().BoolVar(&force, "force", false, "replace files that exist")
	return cmd
}

func (a *app) generate(spec, out string, force, solution bool) error {
	if out == "" {
		return usagef("--out: is missing: give a file, or - for standard output")
	}
	if kind, _, _ := strings.Cut(spec, ":"); !strings.EqualFold(kind, "maxcut") {
		return usagef("%q is no graph; use for example maxcut:tile=40x40,p=0.5,seed=1 (clopt describe maxcut)", spec)
	}
	p, err := catalog.Parse(spec, problems.Options{})
	if err != nil {
		return coded(exitUsage, err)
	}
	c := p.(*cut.Cut)
	g := c.Graph()
	best, known := c.Info().BestKnown()
	x, solved := c.Info().Optimum()
	if solution && !solved {
		return usagef("--solution: no largest cut is known of %s", c.Spec())
	}
	if out == "-" {
		if solution {
			return usagef("--solution: goes not with --out -; give a file")
		}
		return g.WriteRudy(a.stdout)
	}
	base := out
	if strings.EqualFold(filepath.Ext(base), ".gz") {
		base = base[:len(base)-3]
	}
	base = strings.TrimSuffix(base, filepath.Ext(base))
	files := map[string]func(io.Writer) error{out: func(w io.Writer) error { return writeGraph(w, g, out) }}
	order := []string{out}
	add := func(name string, write func(io.Writer) error) {
		if _, twice := files[name]; !twice {
			files[name], order = write, append(order, name)
		}
	}
	if known {
		add(base+".bkv", func(w io.Writer) error {
			_, err := fmt.Fprintln(w, formatValue(c.Info().Sign()*best))
			return err
		})
	}
	if solution {
		add(base+".sol", func(w io.Writer) error { return cut.WriteBinaryPoint(w, x) })
	}
	for _, name := range order {
		if _, err := os.Lstat(name); err == nil && !force {
			return usagef("%s exists. Choose another name, or use --force.", name)
		}
	}
	for _, name := range order {
		if _, err := writeWhole(name, files[name]); err != nil {
			return err
		}
	}
	fmt.Fprintf(a.stderr, "%s: %d vertices, %d edges\n", strings.Join(order, ", "), g.N(), g.M())
	return nil
}

// writeGraph writes a graph in rudy form, packed if the name ends in .gz.
func writeGraph(w io.Writer, g *graph.Graph, name string) error {
	if !strings.EqualFold(filepath.Ext(name), ".gz") {
		return g.WriteRudy(w)
	}
	z := gzip.NewWriter(w)
	return errors.Join(g.WriteRudy(z), z.Close())
}

// describeGraph tells what a graph problem holds.
func (a *app) describeGraph(spec string) error {
	p, err := catalog.Parse(spec, problems.Options{})
	if err != nil {
		return coded(exitUsage, err)
	}
	cut, ok := p.(problems.Cut)
	if !ok {
		return usagef("%s is no graph", spec)
	}
	g := cut.Graph()
	fmt.Fprintf(a.stdout, "%s\n  variables  %d\n  edges      %d", p.Spec(), p.Domain().N, g.M())
	if g.N() > p.Domain().N {
		fmt.Fprintf(a.stdout, " (with those of the root, which stands for the linear terms)")
	}
	fmt.Fprintln(a.stdout)
	if g.M() > 0 {
		lo, hi := g.Weights[0], g.Weights[0]
		most, isolated := 0, 0
		for v := range g.N() {
			d := g.Offsets[v+1] - g.Offsets[v]
			most = max(most, d)
			if d == 0 {
				isolated++
			}
		}
		for _, w := range g.Weights {
			lo, hi = min(lo, w), max(hi, w)
		}
		fmt.Fprintf(a.stdout, "  weights    %v to %v\n", g.Scale(lo), g.Scale(hi))
		fmt.Fprintf(a.stdout, "  degree     %.4g on average, at most %d; %d isolated vertices\n", 2*float64(g.M())/float64(g.N()), most, isolated)
	}
	if f, ok := p.Info().BestKnown(); ok {
		fmt.Fprintf(a.stdout, "  best known %s\n", formatValue(p.Info().Sign()*f))
	}
	for _, note := range p.Info().Notes {
		fmt.Fprintf(a.stdout, "  note       %s\n", note)
	}
	return nil
}

// graphFlags say how a graph is read.
type graphFlags struct {
	dropLoops, mergeEdges bool
	sign                  int // 0: not given
}

func readGraphFlags(c *config) graphFlags {
	return graphFlags{
		dropLoops:  read(c, "drop-loops", parseSwitch),
		mergeEdges: read(c, "merge-edges", parseSwitch),
		sign:       read(c, "sign", parseSign),
	}
}

// into adds the flags to the options of a problem.
func (g graphFlags) into(opt problems.Options) problems.Options {
	opt.DropLoops, opt.MergeEdges, opt.Sign = g.dropLoops, g.mergeEdges, g.sign
	return opt
}

// parseSign reads 1 or -1.
func parseSign(s string) (int, error) {
	switch s {
	case "1", "+1":
		return 1, nil
	case "-1":
		return -1, nil
	}
	return 0, fmt.Errorf("%q is neither 1 nor -1", s)
}

// isGraph says whether a spec is of a graph, a QUBO or an Ising problem, which
// knows its number of variables.
func isGraph(s problems.Spec) bool {
	return slices.Contains([]string{cut.MaxCut.Name, cut.QUBO.Name, cut.Ising.Name}, s.Family)
}
