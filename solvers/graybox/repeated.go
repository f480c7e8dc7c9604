package graybox

import (
	"github.com/clopt/clopt/problems"
)

// repeated is several independent runs of one problem. Each run is a tile, so runs are dealt to devices
// like tiles. Programs are made for one run (shard.Repeated). Only the kernels of graybox can run them.
type repeated struct {
	problems.Problem
	runs int
}

// hostedRepeated is repeated for a problem with a host reference.
type hostedRepeated struct {
	repeated
	one problems.Referenced
}

// repeat returns runs copies of p, which has one tile.
func repeat(p problems.Problem, runs int) problems.Problem {
	r := repeated{p, runs}
	if h, ok := p.(problems.Referenced); ok {
		return hostedRepeated{r, h}
	}
	return r
}

func (p repeated) One() problems.Problem { return p.Problem }

func (p repeated) Domain() problems.Domain {
	d := p.Problem.Domain()
	d.N *= p.runs
	return d
}

// Structure says that everything interacts. It is not used for several runs.
func (p repeated) Structure() problems.Structure {
	t := p.Tiling()
	return problems.Everything(t.N, t.M)
}

func (p repeated) Tiling() problems.Tiling {
	t := p.Problem.Tiling()
	return problems.Tiling{N: p.runs * t.N, M: p.runs * t.M, TileVars: t.N, TileComps: t.M}
}

// HostTile evaluates the only tile of a run.
func (p hostedRepeated) HostTile(_ int, x, acc []float64) { p.one.HostTile(0, x, acc) }

// HostComponent evaluates a component of a run.
func (p hostedRepeated) HostComponent(k, first int, x, acc []float64) {
	t := p.one.Tiling()
	p.one.HostComponent(k%t.M, first-k/t.M*t.N, x, acc)
}

// ErrorScale returns the error scale of a run.
func (p hostedRepeated) ErrorScale(from, to, first int, x, acc []float64) {
	t := p.one.Tiling()
	run := from / t.M
	p.one.ErrorScale(from-run*t.M, to-run*t.M, first-run*t.N, x, acc)
}
