package masw

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// partBytes is the largest size of a masw_inherited on a device, with the slot and the number of the child.
const partBytes = 28

// mostColumns is the largest population whose distances are computed column by column, so that each
// individual is read once. On an H200 this takes 5.5 ms instead of 8.8 for 25 individuals of 1e8 variables,
// but 0.81 ms instead of 0.37 for 100 individuals of 1e6.
const mostColumns = 32

// writeVars returns the number of variables of all children that a work-group keeps in local memory while
// it writes them. It is a power of two and at least 4. Rows and parts take at most three quarters of 48 KiB
// or of the local memory of the device. Results do not depend on it.
func writeVars(population, local, realBytes int) (int, error) {
	for w := 32; w >= 4; w /= 2 {
		if population*(w*realBytes+partBytes) <= min(local, 48<<10)*3/4 {
			return w, nil
		}
	}
	return 0, solvers.Settingf("population=%d is too large for the %d bytes of local memory of a device", population,
		local)
}

// childrenOf is the children of a generation in a shard: the struct masw_children of the kernels.
type childrenOf struct {
	Stride      uint64 // stored variables of a point
	Lo          uint32 // the first of them
	Q0          uint32 // the first portion that they touch
	Individuals uint32 // of all runs
	Seed, Run   uint32
	When        uint32 // the generation
}

// programs compiles the two views of the problem with their kernels.
func (r *maswRun) programs(m *MASW, g *shard.Devices, shards []shard.Shard) (err error) {
	local := int64(48 << 10)
	for _, i := range g.Infos() {
		local = min(local, i.LocalMem)
	}
	w, err := writeVars(r.n, int(local), r.s.Precision.Bits()/8)
	if err != nil {
		return err
	}
	r.writeVars = w
	// The sums of an item are in registers, and a row has at least eight variables.
	columns := w >= 8 && r.n <= mostColumns && r.ahead == 0
	defines := []kernels.Define{
		kernels.Number("POP", r.n), kernels.Number("PORTIONS", r.portions), kernels.Number("WRITE_VARS", w),
		kernels.Flag("MASW_COLUMNS", columns), kernels.Flag("ALIGNED", aligned(shards)),
		kernels.Number("MASW_MATES", r.mates),
		{Name: "MASW_ALPHA", Value: problems.Literal(m.alpha())},
		{Name: "MASW_MUTATE", Value: fmt.Sprintf("%dul", uint64(m.mutation()*(1<<32)))},
	}
	accs := r.p.Accumulators()
	prec := r.s.Precision
	child := shard.View{
		Parts: []kernels.Part{kernels.Struct("masw_children", childrenOf{}), kernels.Get("solvers/masw/child.cl")},
		Args: func(prec problems.Precision) []cl.Arg {
			return []cl.Arg{shard.RealArg(prec), cl.Mem[uint16](), cl.Mem[uint32](), shard.RealArg(prec),
				cl.ArgOf(childrenOf{})}
		},
		Made: true, Fixed: true,
	}
	evolve, search := []kernels.Part{kernels.Get("solvers/masw/evolve.cl")},
		[]kernels.Part{kernels.Get("solvers/masw/search.cl")}
	if r.ahead > 0 {
		defines = append(defines, kernels.Number("MASW_CHAIN", chainNumbers),
			kernels.Define{Name: "CHAIN_REAL", Value: "sum"}, // the host has float64
			kernels.Number("MASW_WIDE", bits.Len(uint(w))-3)) // quads of a child that a group writes, as a power of two
		evolve = append(evolve, kernels.Get("solvers/masw/generation.cl"))
		search = append(search, kernels.Get("lib/solis_wets.cl"), kernels.Get("solvers/masw/climb.cl"))
	}
	r.children, err = shard.Place(g, r.p, prec, shards, child, r.all()*max(accs, 3), defines,
		evolve...)
	if err != nil {
		return err
	}
	moved := shard.View{
		Parts: []kernels.Part{kernels.Get("solvers/masw/move.cl")},
		Args: func(prec problems.Precision) []cl.Arg {
			return []cl.Arg{shard.RealArg(prec), shard.RealArg(prec), cl.U64, cl.U32, cl.U32, cl.U32, cl.Mem[uint32](),
				shard.RealArg(prec)}
		},
		Made: true, Fixed: true,
	}
	r.moves, err = shard.Place(g, r.p, prec, shards, moved, r.all()*max(accs, gaps), defines,
		search...)
	if err != nil {
		return err
	}
	r.columns = make([]bool, len(g.Infos()))
	for i, info := range g.Infos() {
		r.columns[i] = columns && (info.Type != cl.CPU || m.columns)
	}
	return nil
}

// describe names the parameters of all kernels.
func (r *maswRun) describe() {
	k := &r.kernels
	k.distance = r.memory.Kernel(r.children, "masw_distance",
		"x stride lo dist first tile0 individuals seed run when")
	k.columns = r.memory.Kernel(r.children, "masw_columns",
		"x stride lo dist first tile0 individuals seed run when")
	k.mate = r.memory.Kernel(r.children, "masw_mate",
		"dist mate mutated_var mutation_delta first last q0 individuals seed run when")
	k.draw = r.memory.Kernel(r.children, "masw_draw",
		"mate mutated_var mutation_delta q0 individuals seed run when")
	k.piece = r.memory.Kernel(r.children, "masw_piece", "dist pieces out individuals")
	k.join = r.memory.Kernel(r.children, "masw_join", "sums borders mate q0 individuals seed run when")
	k.write = r.memory.Kernel(r.children, "masw_write",
		"x stride lo vars group0 mate mutated_var mutation_delta q0 individuals seed run when chosen wide")
	k.breed = r.memory.Kernel(r.children, "masw_breed",
		"x stride mate mutated_var mutation_delta individuals born seed run when tables")
	k.survive = r.memory.Kernel(r.children, "masw_survive", "x stride mate mutated_var mutation_delta q0 "+
		"individuals values born history row pace chain seed run when")
	k.init = r.memory.Kernel(r.moves, "masw_init", "x stride lo vars p0 seed run")
	k.gap = r.memory.Kernel(r.moves, "masw_gap", "x stride lo sums first tile0 individuals chosen")
	k.apply = r.memory.Kernel(r.moves, "masw_apply", "x b stride lo vars e0 seed run when move chosen")
	k.begin = r.memory.Kernel(r.moves, "masw_begin", "x stride pace chain most")
	k.climb = r.memory.Kernel(r.moves, "masw_climb",
		"x b stride values pace chain history row when count individuals seed run tables")
}

// aligned reports whether the quads of every row of every shard begin at multiples of four.
func aligned(shards []shard.Shard) bool {
	return !slices.ContainsFunc(shards, func(s shard.Shard) bool { return s.Vars()%4 != 0 || s.ReadLo%4 != 0 })
}
