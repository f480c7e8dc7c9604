package host

import (
	"math"
	"strings"
	"sync"

	"github.com/clopt/clopt/internal/clc"
)

// exact are the functions that devices compute exactly.
var exact = exactFunctions()

func exactFunctions() map[string]bool {
	all := map[string]bool{}
	for _, name := range strings.Fields(`fabs floor ceil trunc rint round root sq copysign fmax fmin max min maxmag
		minmag fmod remainder step bound_above bound_below ldexp clamp fma logb sign modf fract fdim nextafter
		select`) {
		all[name] = true
	}
	return all
}

// blurUnits is about how many units of the last digit functions of devices are off. OpenCL allows 16 at most, for pow
// and the gamma functions.
const blurUnits = 8

// blurred changes the results of f as Data.Blur says.
func (c *compiler) blurred(t clc.Type, f real) real {
	if c.data.Blur == 0 {
		return f
	}
	unit, tiny := blurUnits*0x1p-52, 0x1p-970
	if c.single(t) {
		unit, tiny = blurUnits*0x1p-23, 0x1p-100
	}
	if c.data.Operators {
		unit /= blurUnits
	}
	return func(r *Frame) float64 {
		draw, v := r.drawn(), f(r)
		if math.Abs(v) < tiny { // devices may lose its digits, or all of it
			return 0
		}
		return v * (1 + unit*(float64(draw>>11)*0x1p-52-1))
	}
}

// Reference is the components of an objective, with how exact their values are. It is safe for concurrent use.
type Reference struct {
	*Components
	trees *clc.Trees
	data  Data
	once  sync.Once
	blurs []*Components
}

// NewReference compiles the functions of an objective, as CompileComponents does.
func NewReference(t *clc.Trees, data Data, sums int) (*Reference, error) {
	c, err := CompileComponents(t, data, sums)
	if err != nil {
		return nil, err
	}
	return &Reference{Components: c, trees: t, data: data}, nil
}

// Compile compiles another function of the text, such as an adjoint of its components.
func (r *Reference) Compile(t *clc.Tree) (*Function, error) { return Compile(t, r.data) }

// Size returns the value of a symbol of the text, such as DIM, if it is known.
func (r *Reference) Size(symbol string) (value uint64, known bool) {
	v, known := r.data.Symbols[symbol]
	return uint64(v), known
}

// blurSeeds are three numbers without a meaning.
var blurSeeds = []uint64{0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb}

// Blurred returns the components with functions that are some units off, in three ways.
func (r *Reference) Blurred() []*Components {
	r.once.Do(func() { r.blurs = r.drawn(false) })
	return r.blurs
}

// drawn compiles the components in three ways, with other results of functions, and of operators if these are to be.
func (r *Reference) drawn(operators bool) (all []*Components) {
	for _, seed := range blurSeeds {
		data := r.data
		data.Blur, data.Operators = seed, operators
		c, err := CompileComponents(r.trees, data, r.sums)
		if err != nil {
			panic("clc/host: a tree compiles once only")
		}
		all = append(all, c)
	}
	return all
}

// Rounding returns how far f, a function of the sums of m components at x, is off by the rounding of operators and
// functions in the text: three times the largest of three differences where results are rounded up or down at random
// (Vignes 2004, doi:10.1023/B:NUMA.0000049483.75679.ce). It is 0 where that takes more operations than it may, or
// a value is not finite.
func (r *Reference) Rounding(m int, x []float64, operations int64, value float64,
	f func(sums []float64) float64) float64 {
	most := 0.0
	for _, c := range r.drawn(true) {
		sums, _, err := c.Sum(m, x, operations)
		if err != nil {
			return 0
		}
		most = max(most, roundingFactor*math.Abs(f(sums)-value))
	}
	if !(most <= math.MaxFloat64) {
		return 0
	}
	return most
}

// roundingFactor is how often the largest of three differences is taken for the size of rounding errors.
const roundingFactor = 3

// SpreadFactor is how often the largest of three differences is taken for what a device may be off.
const SpreadFactor = 10

// Spread returns how much a device may be off in each of sums, those of the components [from, to) at x, as Range has
// computed them. It is infinite where that is not known.
func (r *Reference) Spread(from, to, first int, x, sums []float64, operations int64) []float64 {
	spread, other, sizes := make([]float64, r.sums), make([]float64, r.sums), make([]float64, r.sums)
	for _, c := range r.Blurred() {
		clear(other)
		if _, err := c.NewEvaluator().Range(from, to, first, x, operations, other, sizes); err != nil {
			other[0] = math.NaN()
		}
		for j := range spread {
			if d := math.Abs(other[j] - sums[j]); d <= math.MaxFloat64 {
				spread[j] = max(spread[j], SpreadFactor*d)
			} else {
				spread[j] = math.Inf(1)
			}
		}
	}
	return spread
}
