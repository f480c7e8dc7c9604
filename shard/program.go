package shard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
)

// GroupSize is the number of work-items of a group on a kind of device. It
// sets the tree of a tile's sum, so it depends on the kind alone.
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

// points is how many points a group evaluates together, and with how many
// work-items, for a text on a kind of device; most, if not 0, replaces what
// processors are given.
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

// panelOne says whether a group of size items takes a single point in the form
// for several, and with how many items then.
func panelOne(text problems.Text, most, size int, info cl.Info) (bool, int) {
	if !text.Panel.One || info.Type == cl.CPU && most == 0 || info.MaxGroup < text.Panel.Group {
		return false, size
	}
	return true, max(size, text.Panel.Group)
}

// wide says whether a kind of device is given vectors of eight written out. Mesa's
// compiler takes most of a minute and 3 GB for such a text, PoCL's half a second.
func wide(info cl.Info) bool { return info.Type == cl.CPU && info.Platform != "rusticl" }

// Repeated is a problem that is dealt to devices as several tiles, each of
// them another problem of one tile, for which programs are made.
type Repeated interface {
	problems.Problem
	One() problems.Problem
}

// Programmed is the problem that programs are made for, and speeds measured with:
// p, or one of those that it repeats.
func Programmed(p problems.Problem) problems.Problem {
	if r, ok := p.(Repeated); ok {
		return r.One()
	}
	return p
}

// View is what at(x, i) means in a program: its text, and the declaration of
// the parameters that VIEW_PARAMS adds to every kernel that uses it. Args is
// nil for a view of points that a solver's kernels keep to themselves: then
// there is no VIEW_PARAMS, and the placement has no Eval.
type View struct {
	Parts []kernels.Part
	Group int // the most work-items of a group, a power of two; 0: those of the kind of device
	Args  func(prec problems.Precision) []cl.Arg
	// Points is the most points that a group evaluates together where Args is nil; 0 means 1.
	Points int
	// Single: the view makes single variables alone, no blocks of four.
	Single bool
	Tables []problems.Table // of the solver, behind the problem's
}

// group is the number of work-items of a group on a kind of device under v.
func (v View) group(info cl.Info) int {
	if size := GroupSize(info); v.Group == 0 || size < v.Group {
		return size
	}
	return v.Group
}

// Plain is the view of stored points: the arguments are the vector, its stride
// (uint64) and the global index of its first variable (uint32).
func Plain() View {
	return View{
		Parts: []kernels.Part{kernels.Get("lib/view_plain.cl")},
		Args:  func(p problems.Precision) []cl.Arg { return []cl.Arg{RealArg(p), cl.U64, cl.U32} },
	}
}

// Drawn is the view of uniform points that are stored nowhere: the arguments
// are seed, run, first individual, generation and purpose, all uint32.
func Drawn() View {
	return View{
		Parts: []kernels.Part{kernels.Get("lib/view_drawn.cl")},
		Args: func(problems.Precision) []cl.Arg {
			return []cl.Arg{cl.U32, cl.U32, cl.U32, cl.U32, cl.U32}
		},
	}
}

// Literal writes v as an OpenCL C literal of type real.
func Literal(v float64) string {
	s := strconv.FormatFloat(v, 'g', 17, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return "R(" + s + ")"
}

// assemble makes the program of a problem under a view for one device, with
// the evaluation of tiles in groups of size items for points at a time, in the form for several points (panel) or not. extra are
// a solver's defines and texts.
func assemble(p problems.Problem, text problems.Text, prec problems.Precision, points, size int, panel bool, view View, defines []kernels.Define, extra []kernels.Part, info cl.Info, oneRound bool) (kernels.Source, string) {
	if panel {
		text.Scratch = points * text.Panel.Scratch
	}
	t := p.Tiling()
	blocks := !text.Cooperative && !view.Single && t.TileVars == t.TileComps && t.TileVars%4 == 0 && !t.Whole
	defines = append([]kernels.Define{
		{Name: "POINTS", Value: strconv.Itoa(points)}, {Name: "PANEL", Value: flag(panel)}, {Name: "QUADS", Value: flag(blocks)}, {Name: "QUAD_ONLY", Value: flag(blocks && t.Halo == 0)},
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
	return join(p, text, prec, size, parts, defines, append(behind, extra...), info, oneRound)
}

// flag is a truth as a define.
func flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// join puts a program together: library, view, the problem's text, and what is
// to be behind it.
func join(p problems.Problem, text problems.Text, prec problems.Precision, size int, view []kernels.Part, defines []kernels.Define, behind []kernels.Part, info cl.Info, oneRound bool) (kernels.Source, string) {
	lo, hi := problems.BoxIn(p, prec)
	t := p.Tiling()
	num := strconv.Itoa
	all := []kernels.Define{
		{Name: "REAL_BITS", Value: num(prec.Bits())}, {Name: "SUM_FP64", Value: flag(info.FP64)}, {Name: "GROUP", Value: num(size)},
		{Name: "DIM", Value: num(t.N) + "u"}, {Name: "COMPS", Value: num(t.M) + "u"}, {Name: "ACCS", Value: num(p.Accumulators())},
		{Name: "TILES", Value: num(t.Tiles()) + "u"}, {Name: "TILE_VARS", Value: num(t.TileVars) + "u"}, {Name: "TILE_COMPS", Value: num(t.TileComps) + "u"},
		{Name: "SUPERS", Value: num(t.SuperTiles())}, {Name: "CLOSED", Value: flag(t.Halo == 0 && !t.Whole)},
		{Name: "BOX_LO", Value: Literal(lo)}, {Name: "BOX_HI", Value: Literal(hi)},
		{Name: "COOPERATIVE", Value: flag(text.Cooperative)}, {Name: "SCRATCH", Value: num(max(text.Scratch, 1))},
		{Name: "ROOT_BY_FP64", Value: flag(!info.CorrectSqrt && info.FP64)}, {Name: "ONE_ROUND", Value: flag(oneRound)}, {Name: "WIDE", Value: flag(wide(info))},
	}
	for _, name := range rng.Sorted() {
		all = append(all, kernels.Define{Name: "DRAW_" + name, Value: fmt.Sprintf("%du", rng.Names[name])})
	}
	all = append(all, defines...)
	for _, d := range text.Defines {
		all = append(all, kernels.Define(d))
	}
	all = append(all, dataDefines(text.Tables, prec)...)

	parts := []kernels.Part{kernels.Get("lib/prelude.cl"), kernels.Get("lib/draw.cl"), dataType(text.Tables, prec)}
	parts = append(parts, view...)
	for _, name := range text.Parts {
		parts = append(parts, kernels.Get(name))
	}
	for _, s := range text.Sources {
		parts = append(parts, kernels.Part{Name: s.File, Line: s.Line, Text: s.Text})
	}
	parts = append(parts, behind...)

	options := "-cl-std=CL1.2"
	if info.CorrectSqrt {
		options += " -cl-fp32-correctly-rounded-divide-sqrt"
	}
	if text.Options != "" {
		options += " " + text.Options
	}
	return kernels.Assemble(all, parts...), options
}

// columns lists the arrays that tables become: a Pair table in float32 has two.
func columns(tables []problems.Table, prec problems.Precision) (names, types []string) {
	for _, t := range tables {
		typ := "real"
		if t.Uint != nil {
			typ = "uint"
		}
		names, types = append(names, t.Name), append(types, typ)
		if t.Pair && prec == problems.FP32 {
			names, types = append(names, t.Name+"_lo"), append(types, typ)
		}
	}
	return names, types
}

func dataType(tables []problems.Table, prec problems.Precision) kernels.Part {
	var b strings.Builder
	names, types := columns(tables, prec)
	b.WriteString("typedef struct {\n")
	for i := range names {
		fmt.Fprintf(&b, "    global const %s *%s;\n", types[i], names[i])
	}
	if len(names) == 0 {
		b.WriteString("    int none;\n")
	}
	b.WriteString("} data;\n")
	return kernels.Part{Name: "data", Text: b.String()}
}

func dataDefines(tables []problems.Table, prec problems.Precision) []kernels.Define {
	names, types := columns(tables, prec)
	params, init := "", "data d"
	for i, name := range names {
		params += fmt.Sprintf(", global const %s *restrict d_%s", types[i], name)
		init += fmt.Sprintf("; d.%s = d_%s", name, name)
	}
	return []kernels.Define{{Name: "DATA_PARAMS", Value: params}, {Name: "DATA_INIT", Value: init}}
}

// upload puts a problem's tables on a device, in the order of columns.
func upload(d *cl.Device, tables []problems.Table, prec problems.Precision) (args []any, decl []cl.Arg, free func(), err error) {
	var closers []func()
	free = func() {
		for _, f := range closers {
			f()
		}
	}
	reals := func(v []float64) error {
		r, err := AllocReals(d, prec, len(v))
		if err != nil {
			return err
		}
		closers, args, decl = append(closers, r.Close), append(args, r.Arg()), append(decl, RealArg(prec))
		return r.Write(0, v)
	}
	for _, t := range tables {
		if t.Uint != nil {
			var b *cl.Buffer[uint32]
			if b, err = cl.Alloc[uint32](d, len(t.Uint)); err == nil {
				closers, args, decl = append(closers, b.Close), append(args, b), append(decl, cl.Mem[uint32]())
				err = b.Write(0, t.Uint)
			}
		} else {
			if err = reals(t.Real); err == nil && t.Pair && prec == problems.FP32 {
				low := make([]float64, len(t.Real))
				for i, v := range t.Real {
					low[i] = v - float64(float32(v))
				}
				err = reals(low)
			}
		}
		if err != nil {
			free()
			return nil, nil, nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	return args, decl, free, nil
}
