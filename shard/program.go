package shard

import (
	"slices"
	"strconv"

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

// points returns how many points a group evaluates together, and with how many work-items, for a text on a kind of
// device. most, if not 0, is the number of points on processors.
func points(text problems.Text, prec problems.Precision, accs, most int, info cl.Info) (points, size int) {
	size = GroupSize(info)
	points = text.Panel.Points
	if info.Type == cl.CPU {
		points = min(points, max(most, 1))
	}
	real := int64(prec.Bits() / 8)
	for ; points > 1; points /= 2 {
		wide := max(size, text.Panel.Group)
		need := int64(points) * (int64(text.Panel.Scratch)*real + int64(accs*wide)*8)
		if wide <= info.MaxGroup && need <= min(info.LocalMem, 48<<10) {
			return points, wide
		}
	}
	return 1, size
}

// panelOne reports whether a group of size items evaluates a single point in the form for several, and returns the
// number of items then.
func panelOne(text problems.Text, most, size int, info cl.Info) (bool, int) {
	if !text.Panel.One || info.Type == cl.CPU && most == 0 || info.MaxGroup < text.Panel.Group {
		return false, size
	}
	return true, max(size, text.Panel.Group)
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
	// Points is the largest number of points that a group evaluates together where Args is nil; 0 means 1.
	Points int
	// Single says that the view gives single variables only, no quads.
	Single bool
	Tables []problems.Table // of the solver, after the problem's
	Form   problems.Form    // of the problem's text
}

// group returns the number of work-items of a group on a kind of device under v.
func (v View) group(info cl.Info) int {
	size := GroupSize(info)
	switch {
	case v.Serial && info.Type == cl.CPU:
		return 1
	case v.Group == 0 || size < v.Group:
		return size
	}
	return v.Group
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
	}
}

// assemble returns the assembly of a problem under a view for one device. Groups of size items evaluate tiles for
// points at a time; panel says whether in the form for several points. extra holds a solver's defines and texts.
func assemble(p problems.Problem, text problems.Text, prec problems.Precision, points, size int, panel bool, view View,
	defines []kernels.Define, extra []kernels.Part, info cl.Info, oneRound bool) Assembly {
	if panel {
		text.Scratch = points * text.Panel.Scratch
	}
	t := p.Tiling()
	blocks := !text.Cooperative && !view.Single && t.TileVars == t.TileComps && t.TileVars%4 == 0 && !t.Whole
	defines = append([]kernels.Define{
		{Name: "POINTS", Value: strconv.Itoa(points)}, {Name: "PANEL", Value: flag(panel)}, {Name: "QUADS",
			Value: flag(blocks)}, {Name: "QUAD_ONLY", Value: flag(blocks && t.Halo == 0)},
	}, defines...)
	parts := slices.Clone(view.Parts)
	var behind []kernels.Part
	if text.Cooperative {
		parts = append(parts, kernels.Get("lib/stage.cl"))
	} else if blocks {
		parts = append(parts, kernels.Get("lib/quad.cl"))
		behind = append(behind, kernels.Get("lib/quad_end.cl"))
	}
	behind = append(behind, kernels.Get("lib/tile.cl"), kernels.Get("lib/eval.cl"))
	return Join(p, text, prec, size, parts, defines, append(behind, extra...), info, oneRound)
}

// flag returns a truth as a define, "1" or "0".
func flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// Join returns the assembly of a view, the text of the problem under it, and the parts after it. Groups have size
// items. With oneRound, a launch makes one round of a loop around barriers.
func Join(p problems.Problem, text problems.Text, prec problems.Precision, size int, view []kernels.Part,
	defines []kernels.Define, behind []kernels.Part, info cl.Info, oneRound bool) Assembly {
	t, inner := p.Tiling(), p.Structure().Inner()
	num := strconv.Itoa
	a := Assembly{Precision: prec, Tables: text.Tables, Numbers: text.Numbers, Options: text.Options}
	a.Lo, a.Hi = p.Domain().In(prec).Box()
	a.Defines = append([]kernels.Define{
		{Name: "GROUP", Value: num(size)},
		{Name: "DIM", Value: num(t.N) + "u"}, {Name: "COMPS", Value: num(t.M) + "u"}, {Name: "ACCS",
			Value: num(p.Accumulators())}, {Name: "INNER", Value: num(inner)},
		{Name: "TILES", Value: num(t.Tiles()) + "u"}, {Name: "TILE_VARS", Value: num(t.TileVars) + "u"},
		{Name: "TILE_COMPS", Value: num(t.TileComps) + "u"},
		{Name: "SUPERS", Value: num(t.SuperTiles())}, {Name: "CLOSED", Value: flag(t.Halo == 0 && !t.Whole)},
		{Name: "COOPERATIVE", Value: flag(text.Cooperative)}, {Name: "SCRATCH", Value: num(max(text.Scratch, 1))},
		{Name: "ONE_ROUND", Value: flag(oneRound)}, {Name: "WIDE", Value: flag(Wide(info))},
	}, defines...)
	for _, d := range text.Defines {
		a.Defines = append(a.Defines, kernels.Define(d))
	}
	a.Parts = slices.Clone(view)
	for _, name := range text.Parts {
		a.Parts = append(a.Parts, kernels.Get(name))
	}
	for _, s := range text.Sources {
		a.Parts = append(a.Parts, kernels.Part{Name: s.File, Line: s.Line, Text: s.Text})
	}
	if inner > 0 && !text.Cooperative {
		a.Parts = append(a.Parts, kernels.Get("lib/inner.cl"))
	}
	a.Parts = append(a.Parts, behind...)
	return a
}
