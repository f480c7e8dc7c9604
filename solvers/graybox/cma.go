package graybox

import (
	"fmt"
	"math"
	"strings"

	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// With search=cma the local search of a part is CMA-ES, in the form of MA-ES of Beyer
// and Sendhoff (2017, doi:10.1109/TEVC.2017.2680320), in place of Solis and Wets: Molina et al.
// (2010, doi:10.1162/evco.2010.18.1.18102) have chains of both. It learns a matrix of n × n
// numbers for a part of n variables, so that rotated and ill-conditioned parts are no harder
// than others; without it they are what a search by parts ends at. A part has one chain at
// a time, which goes on where it stopped, also amid the offspring, until its points are equal or get no better.
// Evolution then says where the next one begins.

// A chain ranks so many points of a part at a time, and every further one of the
// part twice as many, `doublings` times: irregular functions need them. The first chain has a power of
// two that is at least half the number of variables, from fewest to most, or what the setting says.
const (
	doublings = 4
	fewest    = 8
	most      = 64
)

// ladder is the least number of offspring of any chain, and how many numbers there are.
func (m *Graybox) ladder(span int) (offspring, levels int) {
	if m.Offspring > 0 {
		return m.Offspring, 1 + doublings
	}
	levels = 1 + doublings
	for n := fewest; n < min((span+1)/2, most); n *= 2 {
		levels++
	}
	return fewest, levels
}

// ratio is the share of evolution in the evaluations: half, as in the paper, or what it takes to find where
// chains begin.
func (m *Graybox) ratio() float64 { return solvers.OrReal(m.Ratio, m.usualRatio()) }

// usualRatio is the default of Ratio.
func (m *Graybox) usualRatio() float64 {
	if m.follows() {
		return 0.1
	}
	return 0.5
}

// cma is told the setting search when the span is known.
func (b *partShape) cma(m *Graybox) {
	if m.Search == "cma" {
		b.offspring, b.levels = m.ladder(b.span)
	}
}

// ranked is how many points a chain ranks at most.
func (b partShape) ranked() int { return b.offspring << max(0, b.levels-1) }

// paces is how many numbers a bias has in pace.
func (b partShape) paces() int { return 2 + b.ranked() }

// shapes is how many numbers a variable has for each bias.
func (b partShape) shapes() int { return b.span + 2*b.ranked() + 1 }

// cmaDefines are those of kernels/solvers/graybox/cma.cl.
func (b partShape) cmaDefines() []kernels.Define {
	var weights, starts, effective []string
	for level := range b.levels {
		list, total, squares := make([]float64, b.offspring<<level/2), 0.0, 0.0
		for k := range list {
			list[k] = math.Log(float64(b.offspring<<level)/2+0.5) - math.Log(float64(k+1))
			total += list[k]
		}
		starts = append(starts, fmt.Sprint(len(weights)))
		for _, w := range list {
			w /= total
			squares += w * w
			weights = append(weights, shard.Literal(w))
		}
		effective = append(effective, shard.Literal(1/squares))
	}
	return []kernels.Define{
		device.Define("CMA_OFFSPRING", b.offspring), device.Define("CMA_DOUBLINGS", doublings),
		device.Define("CMA_LEVELS", b.levels),
		{Name: "CMA_WEIGHTS", Value: strings.Join(weights, ", ")},
		{Name: "CMA_STARTS", Value: strings.Join(starts, ", ")},
		{Name: "CMA_EFFECTIVE", Value: strings.Join(effective, ", ")},
	}
}
