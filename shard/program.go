package shard

import (
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
)

// GroupSize returns the number of work-items of a group on a kind of device. It depends on the kind alone, because the
// tree that adds the terms of a tile follows from it.
func GroupSize(info cl.Info) int {
	size := 128
	if info.Type == cl.CPU {
		size = 64
	}
	for size > info.MaxGroup && size > 1 {
		size /= 2
	}
	return size
}

// Wide reports whether programs for a kind of device have vectors of eight that are written out, which they know by the
// define WIDE. The compiler of Mesa takes most of a minute and 3 GB for such a text, that of PoCL half a second.
func Wide(info cl.Info) bool { return info.Type == cl.CPU && info.Platform != "rusticl" }

// View is the meaning of at(x, i) in a program: its text, and the declarations of the parameters that VIEW_PARAMS adds
// to every kernel that uses it. Args is nil for points that exist only inside a solver's kernels; then there is no
// VIEW_PARAMS, and the placement has no Eval.
type View struct {
	Parts []kernels.Part
	Group int // the most work-items of a group, a power of two; 0: those of the kind of device
	// Serial says that groups have one work-item on processors, which are slow at barriers. Launches then make many
	// rounds there, too.
	Serial bool
	Args   func(prec problems.Precision) []cl.Arg
	// Made says that at(x, i) makes the variable anew, from draws or from other points. See writer.
	Made bool
	// Points is the largest number of points that a group evaluates together where Args is nil; 0 means 1.
	Points int
	// Single says that the view gives single variables only, no quads.
	Single bool
	Tables []problems.Table // of the solver, after the problem's
	Form   problems.Form    // of the problem's text
	Fixed  bool             // its texts need the sizes of the problem as constants
}

// groups is the shape of the work-groups that evaluate tiles on a kind of device.
type groups struct {
	points int  // that a group evaluates together
	size   int  // work-items of a group
	panel  bool // the text has the form for several points, see problems.Panel; a single point may be in it, too
}

// groups chooses the groups for a text under the view. most is Options.Points.
func (v View) groups(text problems.Text, prec problems.Precision, accs, most int, info cl.Info) groups {
	processor := info.Type == cl.CPU
	points, size := text.Panel.Points, GroupSize(info)
	if processor {
		points = min(points, max(most, 1))
	}
	for wide := max(size, text.Panel.Group); points > 1; points /= 2 {
		bytes := int64(points) * (int64(text.Panel.Scratch)*int64(prec.Bits()/8) + int64(accs*wide)*8)
		if wide <= info.MaxGroup && bytes <= min(info.LocalMem, 48<<10) {
			break
		}
	}
	if v.Args == nil {
		points = min(points, v.Points)
		switch {
		case v.Serial && processor:
			size = 1
		case v.Group > 0:
			size = min(size, v.Group)
		}
	}
	panel := points > 1 || text.Panel.One && (!processor || most > 0) && text.Panel.Group <= info.MaxGroup
	if panel {
		size = max(size, text.Panel.Group)
	}
	return groups{max(points, 1), size, panel}
}

// Plain returns the view of stored points. Its arguments are the vector, its stride (uint64) and the global index of
// its first variable (uint32).
func Plain() View {
	return View{
		Parts: []kernels.Part{kernels.Get("lib/view_plain.cl")},
		Args:  func(p problems.Precision) []cl.Arg { return []cl.Arg{RealArg(p), cl.U64, cl.U32} },
	}
}

// Drawn returns the view of uniform points that are stored nowhere. Its arguments are seed, run, first individual,
// generation and purpose, all uint32.
func Drawn() View {
	return View{
		Parts: []kernels.Part{kernels.Get("lib/view_drawn.cl")},
		Args: func(problems.Precision) []cl.Arg {
			return []cl.Arg{cl.U32, cl.U32, cl.U32, cl.U32, cl.U32}
		},
		Made: true,
	}
}

// assemble returns the assembly of a problem's text under the view, for groups on a kind of device. extra holds a
// solver's defines and texts.
func (v View) assemble(p problems.Problem, text problems.Text, prec problems.Precision, w groups, oneRound bool,
	defines []kernels.Define, extra []kernels.Part, info cl.Info) Assembly {
	if w.panel {
		text.Scratch = w.points * text.Panel.Scratch
	}
	t := p.Tiling()
	writes := v.writes(t)
	quads := !text.Cooperative && !v.Single && t.TileVars == t.TileComps && t.TileVars%4 == 0 && !t.Whole
	defines = append([]kernels.Define{
		kernels.Signed("POINTS", w.points), kernels.Flag("PANEL", w.panel),
		kernels.Flag("QUADS", quads), kernels.Flag("QUAD_ONLY", quads && t.Halo == 0),
		kernels.Flag("ONE_ROUND", oneRound), kernels.Flag("WRITES", writes),
	}, defines...)
	before, after := slices.Clone(v.Parts), []kernels.Part(nil)
	if text.Cooperative {
		before = append(before, kernels.Get("lib/stage.cl"))
	} else if quads {
		before = append(before, kernels.Get("lib/quad.cl"))
		after = append(after, kernels.Get("lib/quad_end.cl"))
	}
	if !writes {
		after = append(after, kernels.Get("lib/tile.cl"))
	}
	after = append(after, kernels.Get("lib/eval.cl"))
	a := Join(p, text, prec, w.size, before, defines, append(after, extra...), info)
	a.late = a.late && !v.Fixed
	return a
}

// Join returns the assembly of a view, the text of the problem under it, and the parts after it. Groups have size
// items. The sizes of the problem are arguments of the kernels, unless the text needs constants.
func Join(p problems.Problem, text problems.Text, prec problems.Precision, size int, view []kernels.Part,
	defines []kernels.Define, after []kernels.Part, info cl.Info) Assembly {
	t, inner := p.Tiling(), p.Structure().Inner()
	a := Assembly{Precision: prec, Tables: text.Tables, Numbers: text.Numbers, Options: text.Options}
	a.Lo, a.Hi = p.Domain().In(prec).Box()
	a.sizes, a.late = sizes{t.N, t.M, t.Tiles(), t.SuperTiles()}, text.Fixed == ""
	a.Defines = append([]kernels.Define{
		kernels.Signed("GROUP", size),
		kernels.Signed("ACCS", p.Accumulators()), kernels.Signed("INNER", inner),
		kernels.Number("TILE_VARS", t.TileVars), kernels.Number("TILE_COMPS", t.TileComps),
		kernels.Flag("CLOSED", t.Halo == 0 && !t.Whole), kernels.Flag("WHOLE", t.Whole),
		kernels.Flag("COOPERATIVE", text.Cooperative), kernels.Signed("SCRATCH", max(text.Scratch, 1)),
		kernels.Flag("WIDE", Wide(info)),
	}, defines...)
	for _, d := range text.Defines {
		a.Defines = append(a.Defines, kernels.Define(d))
	}
	a.Parts = slices.Clone(view)
	add := func(sources []problems.Source) {
		for _, s := range sources {
			a.Parts = append(a.Parts, kernels.Part{Name: s.File, Line: s.Line, Text: s.Text})
		}
	}
	add(text.Before)
	for _, name := range text.Parts {
		a.Parts = append(a.Parts, kernels.Get(name))
	}
	add(text.Sources)
	if inner > 0 && !text.Cooperative && len(text.Parts)+len(text.Sources) > 0 {
		a.Parts = append(a.Parts, kernels.Get("lib/inner.cl"))
	}
	a.Parts = append(a.Parts, after...)
	return a
}
