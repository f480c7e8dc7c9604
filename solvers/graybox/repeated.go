package graybox

import (
	"github.com/clopt/clopt/problems"
)

// repeated is several independent runs of one problem, a tile each, so that
// they are dealt to devices as tiles are. Programs are made for one run
// (shard.Repeated): only the kernels of blocks, which know of runs, take it.
type repeated struct {
	problems.Problem
	runs int
}

// hostedRepeated is repeated for a problem with a host reference.
type hostedRepeated struct {
	repeated
	one problems.Hosted
}

// repeat makes runs copies of p, which has one tile.
func repeat(p problems.Problem, runs int) problems.Problem {
	r := repeated{p, runs}
	if h, ok := p.(problems.Hosted); ok {
		return hostedRepeated{r, h}
	}
	return r
}

func (p repeated) One() problems.Problem { return p.Problem }

func (p repeated) Dim() int { return p.runs * p.Problem.Dim() }

func (p repeated) Tiling() problems.Tiling {
	t := p.Problem.Tiling()
	return problems.Tiling{N: p.runs * t.N, M: p.runs * t.M, TileVars: t.N, TileComps: t.M}
}

// HostTile is that of the only tile of a run.
func (p hostedRepeated) HostTile(_ int, x, acc []float64) { p.one.HostTile(0, x, acc) }

// HostScale is that of a run, or nothing.
func (p hostedRepeated) HostScale(_ int, x, acc []float64) {
	if c, ok := p.one.(problems.Conditioned); ok {
		c.HostScale(0, x, acc)
	}
}
