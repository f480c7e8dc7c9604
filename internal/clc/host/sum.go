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
}

// NewEvaluator returns an evaluator of the components.
func (c *Components) NewEvaluator() *Evaluator {
	e := &Evaluator{c: c, first: c.first.NewFrame()}
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

// IsTooLong reports whether an error means that the operations were used up.
func IsTooLong(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Msg == TooLong
}

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
			e, term := c.NewEvaluator(), make([]float64, c.sums)
			for {
				p := int(next.Add(1) - 1)
				if p >= pieces || left.Load() < 0 {
					return
				}
				part := parts[2*c.sums*p:][:2*c.sums]
				used := int64(0)
				for k := p * piece; k < min(m, (p+1)*piece) && errs[p] == nil; k++ {
					clear(term)
					var took int64
					took, errs[p] = e.Add(k, 0, x, operations-used, term)
					used += took
					for j, v := range term {
						part[j] += v
						part[c.sums+j] += math.Abs(v)
					}
				}
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
