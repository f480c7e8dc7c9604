// Package cec2013 has the functions f1 to f15 of the CEC'2013 competition on large-scale global optimization, for any
// number of variables.
package cec2013

import (
	"fmt"
	"math"
	"strconv"

	"github.com/clopt/clopt/internal/problems/curvature"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
)

// The modes of the CEC'2013 functions beyond 1000 variables.
const (
	// ModeBlocks adds the function of 1000 variables over blocks of 1000 variables, all with the same data.
	ModeBlocks = "blocks"
	// ModePaper has no shift, and stretches F1, F2, F3 and F12 over all variables. These are the functions of Cano and
	// García-Martínez (2016).
	ModePaper = "paper"
	// ModeDistinct is ModeBlocks with a drawn shift of its own for every block but the first, so that no block is
	// solved by copying another.
	ModeDistinct = "distinct"
)

const (
	cecBlock    = 1000 // variables of a block
	overlapVars = 905  // variables of F13 and F14 inside a block
	cecShared   = 5    // variables that neighbouring groups of F13 and F14 share
	cecReach    = 0.8  // share of the box that drawn shifts fill
	cecSeed     = 2013 // seed of generated instances and of the shifts of ModeDistinct
)

// cecBase is the base function of a group.
type cecBase int

const (
	cecElliptic cecBase = iota
	cecRastrigin
	cecAckley
	cecSchwefel
	cecRosenbrock
	cecSphere
)

// kinds lists the functions by their number.
var kinds = [16]struct {
	Title  string
	base   cecBase
	Box    float64
	groups int // rotated groups: 0, 7 (and 700 variables more) or 20
}{
	1:  {"shifted elliptic", cecElliptic, 100, 0},
	2:  {"shifted Rastrigin", cecRastrigin, 5, 0},
	3:  {"shifted Ackley", cecAckley, 32, 0},
	4:  {"7 rotated groups and 700 separable variables, elliptic", cecElliptic, 100, 7},
	5:  {"7 rotated groups and 700 separable variables, Rastrigin", cecRastrigin, 5, 7},
	6:  {"7 rotated groups and 700 separable variables, Ackley", cecAckley, 32, 7},
	7:  {"7 rotated groups, Schwefel 1.2, and 700 variables, sphere", cecSchwefel, 100, 7},
	8:  {"20 rotated groups, elliptic", cecElliptic, 100, 20},
	9:  {"20 rotated groups, Rastrigin", cecRastrigin, 5, 20},
	10: {"20 rotated groups, Ackley", cecAckley, 32, 20},
	11: {"20 rotated groups, Schwefel 1.2", cecSchwefel, 100, 20},
	12: {"shifted Rosenbrock", cecRosenbrock, 100, 0},
	13: {"20 conforming overlapping groups, Schwefel 1.2", cecSchwefel, 100, 20},
	14: {"20 conflicting overlapping groups, Schwefel 1.2", cecSchwefel, 100, 20},
	15: {"shifted Schwefel 1.2", cecSchwefel, 100, 0},
}

// cecGroup is a range of positions of a block that one base function is applied to.
type cecGroup struct {
	base   cecBase
	start  int       // first position
	size   int       // positions
	rotate []float64 // size×size by rows, or nil
	weight float64
}

// CEC2013 is one of the 15 functions of the CEC'2013 benchmark for large-scale
// global optimization: X. Li, K. Tang, M. N. Omidvar, Z. Yang, K. Qin,
// "Benchmark Functions for the CEC'2013 Special Session and Competition on
// Large-Scale Global Optimization", RMIT University, 2013. Where the report
// and the programs of the competition differ, it follows the programs.
//
// A block has 1000 positions. Position p takes variable from[p] of the block
// less its shift; groups of positions are rotated and go through their base
// functions, and the weighted values are added. In F13 and F14 the 1000
// positions come from 905 variables.
type CEC2013 struct {
	f, n      int
	mode      string
	bare      bool // Ackley's function without T_osz, T_asy and Λ
	source    string
	domain    problems.Domain
	structure problems.Structure

	from   []int     // position -> variable of its block
	shift  []float64 // position -> shift; nil means none
	groups []cecGroup
}

var _ problems.Referenced = (*CEC2013)(nil)

// New returns function f, 1 to 15, of n variables in a mode, on data from Load or Generate, which it keeps. n = 0 means
// 1000, or 905 for f 13 and 14; mode "" means ModeBlocks. n is a multiple of 1000, or 905 for f 13 and 14; for f 1, 2,
// 3 and 12 in ModePaper it is any number from 2 on. Errors are *input.Error.
func New(f int, n int, mode string, data *Data) (*CEC2013, error) {
	if f < 1 || f > 15 {
		return nil, input.Errorf("", 0, 0, "cec2013 has functions f1 to f15, not f%d", f)
	}
	switch mode {
	case "":
		mode = ModeBlocks
	case ModeBlocks, ModePaper, ModeDistinct:
	default:
		return nil, input.Errorf("", 0, 0, "cec2013/f%d: mode is %q; use %s", f, mode, input.Nearest(mode, modes))
	}
	if n == 0 {
		n = defaultDim(f)
	}
	if err := cecCheckDim(f, n, mode); err != nil {
		return nil, err
	}
	if data == nil || data.F != f {
		return nil, fmt.Errorf("problems: cec2013/f%d needs the data of f%d", f, f)
	}
	box := kinds[f].Box
	c := &CEC2013{f: f, n: n, mode: mode, source: data.Source, domain: problems.Cube(n, -box, box)}
	c.lay(data)
	c.structure = c.reads()
	return c, nil
}

// withoutTransforms returns F3, F6 or F10 without the transformations T_osz, T_asy and Λ: Ackley's function of the
// shifted and rotated variables, which is far easier. Many published values of these functions are its values. The
// error is an *input.Error for other functions.
func (c *CEC2013) withoutTransforms() (*CEC2013, error) {
	if kinds[c.f].base != cecAckley {
		return nil, input.Errorf("", 0, 0, "cec2013/f%d: transform=none is for f3, f6 and f10", c.f)
	}
	bare := *c
	bare.bare = true
	return &bare, nil
}

var modes = []string{ModeBlocks, ModePaper, ModeDistinct}

func defaultDim(f int) int {
	if cecOverlaps(f) {
		return overlapVars
	}
	return cecBlock
}

// cecOverlaps reports whether groups of function f share variables.
func cecOverlaps(f int) bool { return f == 13 || f == 14 }

// cecStretches reports whether ModePaper applies the base function of f to all variables at once.
func cecStretches(f int) bool { return f == 1 || f == 2 || f == 3 || f == 12 }

func cecCheckDim(f, n int, mode string) error {
	switch {
	case n > problems.MaxDim:
		return input.Errorf("", 0, 0, "cec2013/f%d: n is %d; use at most %d variables", f, n,
			problems.MaxDim/cecBlock*cecBlock)
	case cecOverlaps(f) && n == overlapVars:
		return nil
	case mode == ModePaper && cecStretches(f):
		if n >= 2 {
			return nil
		}
		return input.Errorf("", 0, 0, "cec2013/f%d:mode=paper: n is %d; use 2 or more", f, n)
	case n >= cecBlock && n%cecBlock == 0:
		return nil
	}
	near := fmt.Sprint(cecBlock)
	if n > cecBlock {
		near = fmt.Sprintf("%d or %d", n/cecBlock*cecBlock, (n/cecBlock+1)*cecBlock)
	}
	also := ""
	if cecOverlaps(f) {
		also = fmt.Sprintf(" or %d", overlapVars)
	}
	return input.Errorf("", 0, 0, "cec2013/f%d: n is %d; use a multiple of %d%s, such as %s", f, n, cecBlock, also,
		near)
}

// lay makes the positions and groups of a block.
func (c *CEC2013) lay(data *Data) {
	kind := kinds[c.f]
	start, first := 0, 0 // position and place in the permutation
	for g := range kind.groups {
		size := data.Sizes[g]
		c.groups = append(c.groups, cecGroup{kind.base, start, size, data.R[size], data.Weights[g]})
		for j := range size {
			c.from = append(c.from, data.Perm[first+j])
		}
		start += size
		first += size
		if cecOverlaps(c.f) {
			first -= cecShared
		}
	}
	if rest := cecBlock - start; rest > 0 {
		base := kind.base
		if c.f == 7 {
			base = cecSphere
		}
		c.groups = append(c.groups, cecGroup{base: base, start: start, size: rest, weight: 1})
		for p := start; p < cecBlock; p++ {
			if kind.groups == 0 {
				c.from = append(c.from, p)
			} else {
				c.from = append(c.from, data.Perm[p])
			}
		}
	}
	if c.mode == ModePaper {
		return
	}
	c.shift = make([]float64, cecBlock)
	for p := range c.shift {
		c.shift[p] = data.Shift[c.shiftOf(p)]
	}
}

// shiftOf returns the index of the shift of position p: that of its variable, and in F14, where every position of a
// group has a shift of its own, that of the position.
func (c *CEC2013) shiftOf(p int) int {
	if c.f == 14 {
		return p
	}
	return c.from[p]
}

// Spec returns for example "cec2013/f4:n=1000" or "cec2013/f4:mode=paper,n=1000000".
func (c *CEC2013) Spec() problems.Spec {
	s := problems.Spec{Family: name, Name: fmt.Sprintf("f%d", c.f)}
	if c.mode != ModeBlocks {
		s = s.With("mode", c.mode)
	}
	if c.bare {
		s = s.With("transform", "none")
	}
	return s.With("n", strconv.Itoa(c.n))
}

// milestones are those of the competition.
var milestones = []int64{120_000, 600_000, 3_000_000}

// Info returns the optimum, the milestones of the competition, and the source of the data.
func (c *CEC2013) Info() problems.Info {
	i := problems.Info{Title: kinds[c.f].Title, Milestones: milestones, Data: c.source}
	if c.bare {
		i.Title += ", without transformations"
	}
	// Groups of F14 pull shared variables to different places: that minimum is positive and not known.
	if c.f != 14 || c.mode == ModePaper {
		i.Best, i.Optima = new(float64), func() [][]float64 { return [][]float64{c.optimum()} }
	}
	return i
}

// Domain returns ±5 for F2, F5 and F9, ±32 for F3, F6 and F10, and ±100 for the others.
func (c *CEC2013) Domain() problems.Domain { return c.domain }

// Mode returns ModeBlocks, ModePaper or ModeDistinct.
func (c *CEC2013) Mode() string { return c.mode }

// stretched reports whether c is one base function over all variables instead of blocks.
func (c *CEC2013) stretched() bool { return c.mode == ModePaper && cecStretches(c.f) }

// Tiling returns a tile for each block. Its components are the groups, and the single variables or terms of a base
// function that is a sum over them. Stretched functions have tiles of 1000 variables.
func (c *CEC2013) Tiling() problems.Tiling {
	if c.stretched() {
		t := problems.Tiling{N: c.n, M: c.n, TileVars: cecBlock, TileComps: cecBlock}
		if c.f == 12 {
			t.M, t.Halo = c.n-1, 1
		}
		return t
	}
	per := c.components()
	if c.n < cecBlock {
		return problems.Tiling{N: c.n, M: per, TileVars: c.n, TileComps: per}
	}
	return problems.Tiling{N: c.n, M: c.n / cecBlock * per, TileVars: cecBlock, TileComps: per}
}

// closed returns the number of groups that are one component each: those that are rotated, and those whose base
// function is not a sum over variables. They come first.
func (c *CEC2013) closed() int {
	k := 0
	for _, g := range c.groups {
		if g.rotate != nil || g.base == cecAckley || g.base == cecSchwefel {
			k++
		}
	}
	return k
}

// components returns the number of components of a block.
func (c *CEC2013) components() int {
	k := c.closed()
	if k == len(c.groups) {
		return k
	}
	rest := c.groups[k]
	if rest.base == cecRosenbrock {
		return k + rest.size - 1
	}
	return k + rest.size
}

// Accumulators returns 2 for the stretched Ackley function, and 1 for all others.
func (c *CEC2013) Accumulators() int {
	if c.stretched() && c.f == 3 {
		return 2
	}
	return 1
}

// Objective returns acc[0], or for the stretched Ackley function its value from the sums of squares and of sin².
func (c *CEC2013) Objective(acc []float64) float64 {
	if c.Accumulators() == 2 {
		return cecAckleyOf(acc[0], acc[1], c.n)
	}
	return acc[0]
}

// Shape returns that of a sum or, for the Ackley function over all variables, what is known of g for the accumulators
// that points have: a sum of squares, and one of cosines.
func (c *CEC2013) Shape() curvature.Shape {
	if c.Linear() != nil {
		return curvature.Affine
	}
	return curvature.Shape{Concave: true, Monotone: true, Smooth: true, Everywhere: true, FromZero: true}
}

// Tolerance returns ten times the largest error that was seen at random points in a precision.
func (c *CEC2013) Tolerance(p problems.Precision) float64 {
	if p == problems.FP64 {
		if kinds[c.f].base == cecAckley {
			return 1e-8
		}
		return 1e-9
	}
	switch c.f {
	case 3: // the phase of cos(2πy) is lost for large y; few variables do not average it out
		return 6e-4 * max(1, math.Sqrt(cecBlock/float64(c.n)))
	case 6:
		return 2e-3
	case 10:
		return 1e-2
	case 7, 11, 13, 14:
		return 1e-4
	case 15:
		return 3e-5
	}
	return 2e-5
}

// cecPhase is twice the largest relative error of y = Λ(T_asy(T_osz(z))) that was seen in fp32, 1.2e-6 at 40,000 points
// of F3: T_asy multiplies the error of the logarithm by its exponent.
const cecPhase = 2.4e-6

// ErrorScale adds the error of the phase of the waves of the stretched Ackley function. A relative error r of y gives
// sin²(πy) an absolute error of πyr, however small sin²(πy) is, and the errors of independent variables add up as the
// root of their squares. In a tile of 1000 variables they average out, but not in a small last tile. For other
// functions ErrorScale adds nothing.
func (c *CEC2013) ErrorScale(from, to, first int, x, acc []float64) {
	if c.Accumulators() < 2 {
		return
	}
	sums := make([]float64, 2)
	for k := from; k < to; k++ {
		c.HostComponent(k, first, x, sums)
	}
	acc[1] += cecPhase / c.Tolerance(problems.FP32) * math.Pi * math.Sqrt(sums[0])
}

// optimum returns the minimizer, with 0 for variables that the function ignores.
func (c *CEC2013) optimum() []float64 {
	x := make([]float64, c.n)
	if c.stretched() {
		if c.f == 12 {
			for i := range x {
				x[i] = 1
			}
		}
		return x
	}
	for p, v := range c.from {
		for b := 0; b+v < c.n; b += cecBlock {
			x[b+v] = c.shiftAt(b/cecBlock, p)
			if c.f == 12 {
				x[b+v]++
			}
		}
	}
	return x
}

// shiftAt returns the shift of position p in block r.
func (c *CEC2013) shiftAt(r, p int) float64 {
	switch {
	case c.shift == nil:
		return 0
	case c.mode == ModeDistinct && r > 0:
		key := rng.Key{Seed: cecSeed, Run: uint32(c.f)}
		return cecDrawShift(key, uint32(r*cecBlock+c.shiftOf(p)), 0, rng.Shift, kinds[c.f].Box)
	}
	return c.shift[p]
}

// cecDrawShift returns a uniform number in 80 % of ±box. It rounds once, so a device computes the same bits.
func cecDrawShift(key rng.Key, index, who uint32, purpose rng.Purpose, box float64) float64 {
	u := rng.Uniform(key.Word(index, who, 0, purpose))
	return float64(cecReach * box * (2*u - 1)) // 2u-1 is exact
}
