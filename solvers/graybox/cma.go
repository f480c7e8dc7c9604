package graybox

import (
	"fmt"
	"math"
	"strings"

	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// With search=cma the local search of a part is CMA-ES instead of Solis-Wets, in the form of MA-ES (Beyer
// and Sendhoff 2017, doi:10.1109/TEVC.2017.2680320). Molina et al. (2010, doi:10.1162/evco.2010.18.1.18102)
// use chains of both. It adapts a matrix of n × n numbers for a part of n variables, so that rotated and
// ill-conditioned parts are no harder than others. A part has one chain at a time. A chain continues where
// it stopped, even between the offspring of one generation, until its points are equal or no longer
// improve. Evolution then chooses where the next chain begins.

// The first chain of a part ranks a number of offspring at a time that the setting gives. The default is
// the smallest power of two that is at least half the number of variables, between fewest and most. Each
// later chain ranks twice as many, up to `doublings` times, since irregular functions need more.
const (
	doublings = 4
	fewest    = 8
	most      = 64
)

// ladder returns the smallest number of offspring of a chain, and the number of different numbers of
// offspring.
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

// ratio returns the share of evolution in the evaluations.
func (m *Graybox) ratio() float64 { return solvers.OrReal(m.Ratio, m.usualRatio()) }

// usualRatio returns the default of Ratio: half, as in the paper. If chains are followed to their end, a
// tenth is enough to find where they begin.
func (m *Graybox) usualRatio() float64 {
	if m.follows() {
		return 0.1
	}
	return 0.5
}

// cma sets the numbers of offspring, once the span is known.
func (b *partShape) cma(m *Graybox) {
	if m.Search == "cma" {
		b.offspring, b.levels = m.ladder(b.span)
	}
}

// ranked returns the largest number of points that a chain ranks at a time.
func (b partShape) ranked() int { return b.offspring << max(0, b.levels-1) }

// paces returns how many numbers a bias has in pace.
func (b partShape) paces() int { return 2 + b.ranked() }

// shapes returns how many numbers a variable has for each bias.
func (b partShape) shapes() int { return b.span + 2*b.ranked() + 1 }

// cmaDefines returns the defines of kernels/solvers/graybox/cma.cl.
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
			weights = append(weights, problems.Literal(w))
		}
		effective = append(effective, problems.Literal(1/squares))
	}
	return []kernels.Define{
		device.Define("CMA_OFFSPRING", b.offspring), device.Define("CMA_DOUBLINGS", doublings),
		device.Define("CMA_LEVELS", b.levels),
		{Name: "CMA_WEIGHTS", Value: strings.Join(weights, ", ")},
		{Name: "CMA_STARTS", Value: strings.Join(starts, ", ")},
		{Name: "CMA_EFFECTIVE", Value: strings.Join(effective, ", ")},
	}
}
