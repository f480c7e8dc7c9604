package graybox

import (
	"cmp"
	"math"
	"slices"

	"github.com/clopt/clopt/problems/rng"
)

// cma adapts the distribution of its steps: MA-ES of Beyer and Sendhoff (2017) with restarts. The first chain of an
// restart is fresh: it has wide steps and more offspring than all before.
func (h *hostPart) cma(fresh bool) {
	n := len(h.at)
	least := 0
	if n >= 8 {
		least = min(1, h.levels-1)
	}
	h.level = max(least, h.level)
	level, rho := h.level, h.width/4
	if !fresh {
		words := h.key.Words(h.number, 1, h.made, rng.Choose)
		level = least + int(float64(level-least)*math.Pow(rng.Uniform(words[0]), 2))
		rho *= math.Pow(10, -float64(rng.Int(words[1], 5))/2)
	}
	offspring := 8 << level
	weights, squares, total := make([]float64, offspring/2), 0.0, 0.0
	for k := range weights {
		weights[k] = math.Log(float64(len(weights))+0.5) - math.Log(float64(k+1))
		total += weights[k]
	}
	for k := range weights {
		weights[k] /= total
		squares += weights[k] * weights[k]
	}
	size, e := float64(n), 1/squares
	cs := (e + 2) / (e + size + 5)
	c1 := 2 / (math.Pow(size+1.3, 2) + e)
	cw := min(1-c1, 2*(e-2+1/e)/(math.Pow(size+2, 2)+e))
	ds := 1 + cs + 2*max(0, math.Sqrt((e-1)/(size+1))-1)
	chi := math.Sqrt(size) * (1 - 1/(4*size) + 1/(21*size*size))

	mean, path, m := slices.Clone(h.at), make([]float64, n), make([][]float64, n)
	for k := range m {
		m[k] = make([]float64, n)
		m[k][k] = 1
	}
	lowest := math.Inf(1) // middle value of a generation
	for idle := 0; ; {
		type child struct {
			z, d []float64
			f    float64
		}
		children := make([]child, offspring)
		for k := range children {
			z := make([]float64, n)
			for v := range z {
				words := h.key.Words(h.number, uint32(1+v/4), h.made, rng.Step)
				z[v] = float64(rng.Normal(words, uint32(v%4)))
			}
			d := times(m, z)
			y := make([]float64, n)
			for v := range y {
				y[v] = h.mirrored(mean[v] + rho*d[v])
			}
			children[k] = child{z, d, h.evaluate(y)}
			if h.better(children[k].f, h.f) {
				h.move(y, children[k].f)
			}
		}
		slices.SortStableFunc(children, func(a, b child) int { return cmp.Compare(a.f, b.f) })
		for k, c := range children[1 : offspring/2+1] {
			h.decide(c.f, children[k].f, h.size)
		}
		way, to, next := make([]float64, n), make([]float64, n), make([][]float64, n)
		for k := range next {
			next[k] = make([]float64, n)
		}
		for k, w := range weights {
			for i, d := range children[k].d {
				to[i] += w * d
				way[i] += w * children[k].z[i]
				for j, z := range children[k].z {
					next[i][j] += w * d * z
				}
			}
		}
		for v := range mean {
			mean[v] += rho * to[v]
			path[v] = (1-cs)*path[v] + math.Sqrt(e*cs*(2-cs))*way[v]
		}
		turned := times(m, path)
		for i := range m {
			for j := range m {
				m[i][j] += c1/2*(turned[i]*path[j]-m[i][j]) + cw/2*(next[i][j]-m[i][j])
			}
		}
		grown := math.Pow(1+min(cs/ds*(math.Sqrt(dot(path, path))/chi-1), 1)/16, 16)
		rho = min(rho*grown, h.width)

		top, middle := children[0].f, children[offspring/2-1].f
		equal := 1e-10 * math.Abs(top)
		if idle++; middle < lowest-equal {
			idle = 0
		}
		lowest = min(lowest, middle)
		if middle-top <= equal || idle > 120+30*n/offspring {
			h.level = max(h.level, min(level+1, h.levels-1))
			return
		}
	}
}

// mirrored maps a number into the box, which is mirrored at its bounds again and again.
func (h *hostPart) mirrored(v float64) float64 {
	off := math.Mod(math.Abs(v-h.lo), 2*h.width)
	return h.lo + min(off, 2*h.width-off)
}
