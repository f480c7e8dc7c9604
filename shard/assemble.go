package shard

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
)

// Assembly is the parts of a program that follow the prelude and the draws, which every program has.
type Assembly struct {
	Precision problems.Precision // of real
	Lo, Hi    float64            // the box of draws; both 0 means [0, 1]
	Tables    []problems.Table   // the data, DATA_PARAMS
	Numbers   []problems.Number  // of the data
	Defines   []kernels.Define
	Parts     []kernels.Part
	sizes     sizes  // of the problem
	late      bool   // the sizes are arguments, members of the data, and no constants of the text
	Options   string // more build options for the driver
	Guard     int    // numbers before and after each table that belong to no table, for a trial
}

// sizes are numbers that a text knows as DIM, COMPS, TILES and SUPERS. The zero value stands for a text without them.
type sizes struct{ Dim, Comps, Tiles, Supers int }

// each returns the names and values of the sizes, and the members of the data that hold them if they are late.
func (s sizes) each() (names, members []string, values []int) {
	if s == (sizes{}) {
		return nil, nil, nil
	}
	return []string{"DIM", "COMPS", "TILES", "SUPERS"}, []string{"size_dim", "size_comps", "size_tiles", "size_supers"},
		[]int{s.Dim, s.Comps, s.Tiles, s.Supers}
}

// Program is a text that is built for one device, with its tables on that device. The owner closes it.
type Program struct {
	*cl.Program
	Tables []any    // the arguments that DATA_PARAMS appends to those of a kernel: tables, and sizes that are late
	Params []cl.Arg // their declarations

	buffers []interface{ Close() }
}

// source returns the text of an assembly for a kind of device, and the build options.
func (a Assembly) source(info cl.Info) (text kernels.Source, options string) {
	if a.Lo == 0 && a.Hi == 0 {
		a.Hi = 1
	}
	defines := []kernels.Define{
		kernels.Signed("REAL_BITS", a.Precision.Bits()), kernels.Flag("SUM_FP64", info.FP64),
		kernels.Flag("ROOT_BY_FP64", !info.CorrectSqrt && info.FP64),
		{Name: "BOX_LO", Value: problems.Literal(a.Lo)}, {Name: "BOX_HI", Value: problems.Literal(a.Hi)},
	}
	for _, name := range slices.Sorted(maps.Keys(rng.Names)) {
		defines = append(defines, kernels.Number("DRAW_"+name, int(rng.Names[name])))
	}
	names, members, values := a.sizes.each()
	for i, name := range names {
		if a.late {
			defines = append(defines, kernels.Define{Name: name, Value: "d." + members[i]})
		} else {
			defines = append(defines, kernels.Number(name, values[i]))
		}
	}
	defines = slices.Concat(defines, a.Defines, dataDefines(a))
	options = "-cl-std=CL1.2"
	if info.CorrectSqrt {
		options += " -cl-fp32-correctly-rounded-divide-sqrt"
	}
	if a.Options != "" {
		options += " " + a.Options
	}
	parts := []kernels.Part{kernels.Get("lib/prelude.cl"), kernels.Get("lib/draw.cl"), dataType(a)}
	return kernels.Assemble(defines, append(parts, a.Parts...)...), options
}

// Warnings returns the warnings of the compiler of a device about the named parts of an assembly. It builds the program
// once, and keeps nothing. The driver may also write to the standard error of the process.
func Warnings(d *cl.Device, a Assembly, parts []string) ([]cl.Message, error) {
	src, options := a.source(d.Info())
	all, err := d.Warnings(src.Text, options, src.Locate)
	return slices.DeleteFunc(all, func(m cl.Message) bool { return !slices.Contains(parts, m.File) }), err
}

// Build builds the program of an assembly for a device.
func Build(d *cl.Device, a Assembly) (_ *Program, err error) {
	src, options := a.source(d.Info())
	p := &Program{}
	p.Program, err = d.Build(src.Text, options, src.Locate)
	if err != nil {
		return nil, explained(err)
	}
	if err = p.upload(d, a); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// beside builds the program of an assembly that has the tables of another program on the device, where so many sizes
// follow them. Unless its own sizes are late, too, they are constants, and no arguments.
func (p *Program) beside(d *cl.Device, a Assembly, late int) (*Program, error) {
	src, options := a.source(d.Info())
	built, err := d.Build(src.Text, options, src.Locate)
	if err != nil {
		return nil, explained(err)
	}
	n := len(p.Tables)
	if !a.late {
		n -= late
	}
	return &Program{Program: built, Tables: p.Tables[:n:n], Params: p.Params[:n:n]}, nil
}

// Build builds programs for the devices of this rank that are in use. The result is indexed by device; it is nil for
// the others. The caller closes the programs.
func (g *Devices) Build(use func(i int) bool, assembly func(i int, d *cl.Device) (Assembly, error)) (on []*Program,
	err error) {
	on = make([]*Program, len(g.devices))
	if err = g.Do(func(i int, d *cl.Device) error {
		if !use(i) {
			return nil
		}
		a, err := assembly(i, d)
		if err == nil {
			on[i], err = Build(d, a)
		}
		return err
	}); err != nil {
		closePrograms(on)
		return nil, err
	}
	return on, nil
}

func closePrograms(on []*Program) {
	for _, p := range on {
		p.Close()
	}
}

// Close releases the program and its tables. A second Close does nothing, and nil is allowed.
func (p *Program) Close() {
	if p == nil {
		return
	}
	p.Program.Close()
	for _, b := range p.buffers {
		b.Close()
	}
}

// Columns returns the names and types of the arrays of tables on a device: a Pair table in float32 has two.
func Columns(tables []problems.Table, prec problems.Precision) (names, types []string) {
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

func dataType(a Assembly) kernels.Part {
	var b strings.Builder
	names, types := Columns(a.Tables, a.Precision)
	b.WriteString("typedef struct {\n")
	for i := range names {
		fmt.Fprintf(&b, "    global const %s *%s;\n", types[i], names[i])
	}
	for _, n := range a.Numbers {
		fmt.Fprintf(&b, "    uint %s;\n", n.Name)
	}
	_, members, _ := a.sizes.each()
	for _, m := range members {
		if a.late {
			fmt.Fprintf(&b, "    uint %s;\n", m)
		}
	}
	if len(names)+len(a.Numbers) == 0 && !a.late {
		b.WriteString("    int none;\n")
	}
	b.WriteString("} data;\n")
	return kernels.Part{Name: "data", Text: b.String()}
}

func dataDefines(a Assembly) []kernels.Define {
	names, types := Columns(a.Tables, a.Precision)
	params, init := "", "data d"
	for i, name := range names {
		params += fmt.Sprintf(", global const %s *restrict d_%s", types[i], name)
		init += fmt.Sprintf("; d.%s = d_%s", name, name)
		if a.Guard > 0 {
			init += fmt.Sprintf(" + %d", a.Guard)
		}
	}
	for _, n := range a.Numbers {
		init += fmt.Sprintf("; d.%s = %du", n.Name, n.Value)
	}
	_, members, _ := a.sizes.each()
	for _, m := range members {
		if a.late {
			params += ", const uint d_" + m
			init += fmt.Sprintf("; d.%s = d_%s", m, m)
		}
	}
	return []kernels.Define{{Name: "DATA_PARAMS", Value: params}, {Name: "DATA_INIT", Value: init}}
}

// upload writes the tables of an assembly to the device of the program, in the order of Columns.
func (p *Program) upload(d *cl.Device, a Assembly) error {
	prec := a.Precision
	reals := func(v []float64) error {
		r, err := AllocReals(d, prec, len(v)+2*a.Guard)
		if err != nil {
			return err
		}
		p.buffers, p.Tables, p.Params = append(p.buffers, r), append(p.Tables, r.Arg()), append(p.Params, RealArg(prec))
		return r.Write(a.Guard, v)
	}
	words := func(v []uint32) error {
		b, err := cl.Alloc[uint32](d, len(v)+2*a.Guard)
		if err != nil {
			return err
		}
		p.buffers, p.Tables, p.Params = append(p.buffers, b), append(p.Tables, b), append(p.Params, cl.Mem[uint32]())
		return b.Write(a.Guard, v)
	}
	for _, t := range a.Tables {
		var err error
		switch {
		case t.Uint != nil:
			err = words(t.Uint)
		default:
			if err = reals(t.Real); err == nil && t.Pair && prec == problems.FP32 {
				low := make([]float64, len(t.Real))
				for i, v := range t.Real {
					low[i] = v - float64(float32(v))
				}
				err = reals(low)
			}
		}
		if err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	_, _, values := a.sizes.each()
	for _, v := range values {
		if a.late {
			p.Tables, p.Params = append(p.Tables, uint32(v)), append(p.Params, cl.U32)
		}
	}
	return nil
}
