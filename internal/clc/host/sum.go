package host

import (
	"errors"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/clopt/clopt/internal/clc"
)

// Components evaluates the components of an objective. It is safe for concurrent use.
type Components struct {
	first, value *Function // value: of the inner sums that first adds up; nil: there are none
	squares      bool      // first sets numbers whose squares are added
	sums         int
}

// CompileComponents compiles the functions of an objective with so many sums. The error is that of Compile.
func CompileComponents(t *clc.Trees, data Data, sums int) (*Components, error) {
	c := &Components{sums: sums}
	first := t.Component
	switch {
	case t.Residuals != nil:
		first, c.squares = t.Residuals, true
	case t.Inner != nil:
		first = t.Inner
	}
	var err error
	if c.first, err = Compile(first, data); err == nil && t.Inner != nil {
		c.value, err = Compile(t.Value, data)
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Evaluator evaluates one component at a time.
type Evaluator struct {
	c            *Components
	first, value *Frame
	term         []float64 // of Range
}

// NewEvaluator returns an evaluator of the components.
func (c *Components) NewEvaluator() *Evaluator {
	e := &Evaluator{c: c, first: c.first.NewFrame(), term: make([]float64, c.sums)}
	if c.value != nil {
		e.value = c.value.NewFrame()
	}
	return e
}

// Add adds component k to acc, which has as many elements as there are sums. The other arguments and results are those
// of Frame.Run.
func (e *Evaluator) Add(k, first int, x []float64, operations int64, acc []float64) (took int64, err error) {
	clear(e.first.Out())
	took, err = e.first.Run(k, first, x, operations)
	switch {
	case err != nil:
		return took, err
	case e.c.squares:
		for _, v := range e.first.Out() {
			acc[0] += v * v
		}
		return took, nil
	case e.value == nil:
		for j, v := range e.first.Out()[:len(acc)] {
			acc[j] += v
		}
		return took, nil
	}
	copy(e.value.In(), e.first.Out())
	clear(e.value.Out())
	more, err := e.value.Run(k, first, x, operations-took)
	acc[0] += e.value.Out()[0]
	return took + more, err
}

// Range adds the components [from, to) to sums, and the sizes of what they add to sizes. The other arguments and
// results are those of Frame.Run, for all together.
func (e *Evaluator) Range(from, to, first int, x []float64, operations int64, sums, sizes []float64) (took int64,
	err error) {
	for k := from; k < to; k++ {
		clear(e.term)
		used, err := e.Add(k, first, x, operations-took, e.term)
		if took += used; err != nil {
			return took, err
		}
		for j, v := range e.term {
			sums[j] += v
			sizes[j] += math.Abs(v)
		}
	}
	return took, nil
}

// IsTooLong reports whether an error means that the operations were used up.
func IsTooLong(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Msg == TooLong
}

// PointWork is how many operations a point of a run may take on the host: about a second of one processor.
const PointWork = 1 << 28

// piece is the number of components that are added one after the other. The sums of pieces are added in order, so that
// the bits do not depend on the number of processors.
const piece = 256

// Sum adds m components at x, on all processors. sizes has, for each sum, the sum of the sizes of what is added.
// operations is how many operations all may take together.
func (c *Components) Sum(m int, x []float64, operations int64) (sums, sizes []float64, err error) {
	pieces := (m + piece - 1) / piece
	parts, errs := make([]float64, 2*c.sums*pieces), make([]error, pieces)
	var next, left atomic.Int64
	left.Store(operations)
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), pieces) {
		all.Go(func() {
			e := c.NewEvaluator()
			for {
				p := int(next.Add(1) - 1)
				if p >= pieces || left.Load() < 0 {
					return
				}
				part := parts[2*c.sums*p:][:2*c.sums]
				var used int64
				used, errs[p] = e.Range(p*piece, min(m, (p+1)*piece), 0, x, operations, part[:c.sums], part[c.sums:])
				if errs[p] != nil {
					used = operations + 1 // the others need not go on
				}
				left.Add(-used)
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, nil, err
		}
	}
	if left.Load() < 0 {
		return nil, nil, &Error{Pos: c.first.pos, Msg: TooLong}
	}
	total := make([]float64, 2*c.sums)
	for p := range pieces {
		for j, v := range parts[2*c.sums*p:][:2*c.sums] {
			total[j] += v
		}
	}
	return total[:c.sums], total[c.sums:], nil
}
