package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/formats/meta"
	"github.com/clopt/clopt/internal/problems/formats/write"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
)

// convertOptions are the flags of "clopt convert".
var convertOptions = slices.Concat(
	flags.Usual("drop-loops", "merge-edges", "sign", "pairs", "fix", "maximize", "minimize"),
	[]flags.Option{
		{Group: "output", Name: "to", Arg: "FORMAT", Usual: true, NoEnv: true, Words: format.Names(),
			Help: "format of FILE: " + strings.Join(format.Names(), ", ")},
		{Group: "output", Name: "lossy", Usual: true, NoEnv: true, Help: "leave out what the format has no place for"},
		{Group: "output", Name: "force", Usual: true, NoEnv: true, Help: "replace files that exist"},
	})

// conversion is what the flags of convert say.
type conversion struct {
	read         problems.Options
	to           string // name of a format, or ""
	lossy, force bool
}

func convertCommand(call *job.Call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "convert SPEC FILE",
		Short: "Convert a graph, a QUBO or an Ising problem from one file format to another",
		Long: "Read a problem, such as G1.txt, qubo:bqp50.txt#2 or maxcut:torus=10x10, and write it to FILE.\n" +
			"All values stay exactly as they are. The extension of FILE says the format, or --to does:\n" +
			strings.Join(format.Names(), ", ") + ".\n" +
			"maxcut:FILE, qubo:FILE and ising:FILE say the kind of the variables; without them it stays as it\n" +
			"is where the format allows that. What a format has no place for, such as an offset, is written in\n" +
			"comments, or else in FILE.meta.json, and is read back. With --lossy it is left out.",
		Args:              twoArgs,
		ValidArgsFunction: flags.CompleteProblem,
		RunE: func(cmd *cobra.Command, args []string) error {
			c := flags.New(convertOptions, cmd.Flags(), call.Getenv, nil)
			v := conversion{read: flags.ReadProblemOptions(c), to: c.Text("to"),
				lossy: flags.Read(c, "lossy", flags.ParseSwitch), force: flags.Read(c, "force", flags.ParseSwitch)}
			if err := c.Err(); err != nil {
				return err
			}
			return v.run(cmd.Context(), call, args[0], args[1])
		},
	}
	flags.SetOptions(call.Stdout, cmd, convertOptions)
	return cmd
}

func twoArgs(_ *cobra.Command, args []string) error {
	if len(args) != 2 {
		return exit.Usagef("give a problem and the file to write, as in clopt convert G1.txt G1.json")
	}
	return nil
}

// kinds are the families that may precede the name of the file.
var kinds = map[string]graph.Kind{"maxcut": graph.Sides, "qubo": graph.Bits, "ising": graph.Spins}

// run converts the problem of a spec to FILE or FAMILY:FILE; - is standard output.
func (v conversion) run(ctx context.Context, call *job.Call, spec, out string) error {
	p, err := catalog.Parse(spec, v.read)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	c, ok := p.(*cut.Cut)
	if !ok {
		return exit.Usagef("%s is neither a graph nor a QUBO nor an Ising problem", p.Spec())
	}
	m, err := c.Model()
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	family, path, _ := strings.Cut(out, ":")
	kind, named := kinds[strings.ToLower(family)]
	if !named {
		kind, path = m.Kind, out
	}
	f := format.ByPath(path, kind)
	if v.to != "" {
		var ok bool
		if f, ok = format.ByName(v.to); !ok {
			return flags.Unknown("format", v.to, format.Names(), "")
		}
	}
	if !named && !slices.Contains(f.Kinds(), kind) {
		kind = f.Kinds()[0]
	}
	if f == format.NPY && strings.EqualFold(filepath.Ext(path), ".gz") {
		return exit.Usagef("%s: arrays of numpy are not compressed. Leave .gz out.", path)
	}
	if m, err = m.To(kind); err != nil {
		return exit.With(exit.Usage, err)
	}
	var text bytes.Buffer
	side, err := write.Model(&text, m, f, v.lossy)
	if err != nil {
		return exit.Usagef("%s: %w", out, err)
	}
	if path == "-" {
		if side != nil {
			return exit.Usagef("the format %v has no place for %sGive a file, or use --lossy to leave it out.", f, side)
		}
		_, err = call.Stdout.Write(text.Bytes())
		return err
	}
	var files newFiles
	files.add(path, content(text.Bytes()))
	if side != nil {
		files.add(meta.Path(path), content(side))
	}
	if err := files.write(ctx, call, v.force); err != nil {
		return err
	}
	fmt.Fprintf(call.Stderr, "%s: %v, format %v, %d variables\n", strings.Join(files.names(), ", "), m.Kind, f, m.N())
	return nil
}
