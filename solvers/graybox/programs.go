package graybox

import (
	"fmt"
	"math"
	"strings"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// place compiles the kernels for every device that has a shard.
func (e *partEngine) place(m *Graybox, g *shard.Devices, shards []shard.Shard) (err error) {
	b, prec := e.shape, e.s.Precision
	memory, group := int64(48<<10), 1
	for _, i := range g.Infos() {
		size := min(b.group(), shard.GroupSize(i))
		memory, group = min(memory, i.LocalMem), max(group, size)
		if i.Type != cl.CPU && i.MaxGroup >= 256 {
			size = 256 // the device has nothing else to do
		}
		e.ranking = append(e.ranking, size)
	}
	without, with := b.local(prec, group, 1)
	local := 1
	switch {
	case int64(with) <= memory:
	case int64(without) <= memory && b.total == b.tiles:
		local = 0
	default:
		return solvers.Settingf("a part of %d variables and population=%d need %d bytes of local memory, and a device "+
			"has %d; use a smaller population or --solver masw", b.span, b.n, with, memory)
	}
	e.localY = local == 1
	// A local search keeps its random deviations if there is room.
	together, keep := b.together(prec, group, memory), 0
	_, with = b.local(prec, group, together)
	if local == 1 && int64(with+4*together*b.span) <= memory {
		keep = 1
	}
	sync, write := 0, 16
	if b.sync {
		sync = 1
	}
	if b.sync && 24*b.n > int(memory)*3/4 { // ranked in local memory
		return solvers.Settingf("population=%d is too large for the %d bytes of local memory of a device", b.n, memory)
	}
	// Small problems get more work-groups, which hide the latency of reads.
	for ; write > 8 && b.count(b.total)*b.used/write < 2048; write /= 2 {
	}
	e.writeVars = write
	var coefs []string
	e.pairs = !e.sums64(g)
	for _, c := range b.coef {
		bits := math.Float64bits(c)
		if e.pairs {
			bits = uint64(math.Float32bits(float32(c)))
		}
		coefs = append(coefs, fmt.Sprintf("%#xul", bits))
	}
	real := shard.RealArg(prec)
	// The local search has its own text, kernel, arguments and defines.
	search, improve, takes, own, mts := "solvers/graybox/search.cl", "graybox_improve", []cl.Arg{cl.U32, cl.U32},
		[]kernels.Define(nil), 0
	switch {
	case b.offspring > 0:
		search, improve, takes, own = "solvers/graybox/cma.cl", "graybox_cma", append(takes, real), b.cmaDefines()
	case b.mts:
		search, improve, own, mts = "solvers/graybox/mts.cl", "graybox_mts", mtsDefines(prec), 1
	}
	defines := append([]kernels.Define{
		device.Define("POP", b.n), device.Define("PART_TILES", b.tiles), device.Define("PART_USED", b.used),
		device.Define("PART_SPAN", b.span),
		device.Define("PART_ROWS", b.rows), device.Define("PART_POINTS", b.points), device.Define("WRITE_VARS", write),
		{Name: "PART_COLOURS", Value: fmt.Sprint(b.colours)}, {Name: "PART_BACK", Value: fmt.Sprint(b.back)},
		device.Define("PART_BEFORE", b.before),
		{Name: "PARTS_PER_TILE", Value: fmt.Sprint(e.partCount())}, device.Define("PART_MAP", e.shape.mapAt()),
		{Name: "PART_CMA", Value: fmt.Sprint(min(b.offspring, 1))}, {Name: "PART_MTS", Value: fmt.Sprint(mts)},
		device.Define("PART_PACE", b.paces()),
		{Name: "PART_LOCAL", Value: fmt.Sprint(local)}, {Name: "PART_KEEP", Value: fmt.Sprint(keep)},
		{Name: "PART_SYNC", Value: fmt.Sprint(sync)}, {Name: "PART_RUNS", Value: fmt.Sprint(min(b.runs, 1))},
		{Name: "PART_COEFS", Value: strings.Join(coefs, ", ")},
		{Name: "MASW_ALPHA", Value: problems.Literal(m.alpha())},
		{Name: "MASW_MUTATE", Value: fmt.Sprintf("%dul", uint64(m.mutation()*(1<<32)))},
	}, own...)
	view := shard.View{Group: b.group(), Points: together, Single: true, Form: b.form,
		Parts: []kernels.Part{kernels.Get("solvers/graybox/view.cl")}}
	parts := []kernels.Part{kernels.Get("solvers/graybox/graybox.cl"), kernels.Get("solvers/graybox/chains.cl"),
		kernels.Get(search)}
	if b.sync {
		parts = append(parts, kernels.Get("solvers/graybox/sync.cl"))
	}
	if b.shared() {
		parts = append(parts, kernels.Get("solvers/graybox/colours.cl"))
	}
	if e.pl, err = shard.Place(g, e.p, prec, shards, view, max(b.n*b.accs, b.accs+1), defines, parts...); err != nil {
		return err
	}
	get := func(name string, tables bool, more func(d *cl.Device) []cl.Arg) (ks []*cl.Kernel) {
		if err != nil {
			return nil
		}
		devices := g.All()
		ks, err = e.pl.Kernel(name, func(d *cl.Device) []cl.Arg {
			u32 := cl.Mem[uint32]()
			args := []cl.Arg{real, real, cl.U64, cl.U32, shard.SumArg(d), u32, u32, real, u32, real, u32, cl.U32,
				cl.U32, cl.U32, cl.U32, cl.U32, cl.U32}
			args = append(args, more(d)...)
			if tables {
				for i := range devices {
					if devices[i] == d {
						args = append(args, e.pl.TableArgs(i)...)
					}
				}
			}
			return args
		})
		return ks
	}
	just := func(args ...cl.Arg) func(*cl.Device) []cl.Arg { return func(*cl.Device) []cl.Arg { return args } }
	k := &e.kernels
	k.improve = get(improve, true, just(takes...))
	if b.sync {
		k.children = get("graybox_children", true,
			func(d *cl.Device) []cl.Arg { return []cl.Arg{shard.SumArg(d), cl.Mem[uint32](), cl.U32} })
		k.survive = get("graybox_survive", false,
			func(d *cl.Device) []cl.Arg { return []cl.Arg{shard.SumArg(d), cl.Mem[uint32]()} })
		k.write = get("graybox_write", false, just(cl.Mem[uint32](), cl.Mem[uint32](), cl.U32))
		k.begin = get("graybox_start", false, just())
	} else {
		k.evolve = get("graybox_evolve", true, just(cl.U32, cl.U32))
		k.begin = get("graybox_begin", false, just(cl.U32))
		k.end = get("graybox_end", false, just())
	}
	sums := func(d *cl.Device) []cl.Arg { return []cl.Arg{cl.U32, shard.SumArg(d)} }
	if !b.shared() {
		k.populate = get("graybox_populate", true, sums)
		k.best = get("graybox_best", false, sums)
		k.gather = get("graybox_gather", false, just(cl.U32, real))
		return err
	}
	k.draw = get("graybox_draw", false, just(cl.U32, cl.U32))
	k.rows = get("graybox_rows", true,
		func(d *cl.Device) []cl.Arg { return []cl.Arg{cl.U32, cl.U32, cl.U32, shard.SumArg(d)} })
	k.adopt = get("graybox_adopt", false, just(cl.U32, cl.U32, cl.U32, cl.U32, cl.U32))
	k.refresh = get("graybox_refresh", true, just())
	k.assemble = get("graybox_assemble", false, just(cl.U32))
	k.total = get("graybox_total", true, func(d *cl.Device) []cl.Arg {
		return []cl.Arg{cl.U32, cl.U32, shard.SumArg(d)}
	})
	return err
}

// sums64 reports whether sums are float64 on the devices. All devices of a group agree.
func (e *partEngine) sums64(g *shard.Devices) bool {
	for _, i := range g.Infos() {
		if !i.FP64 {
			return false
		}
	}
	return true
}
