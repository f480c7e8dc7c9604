package problems

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// Eval returns the value of p at x by the host reference. It adds the tiles of each super-tile in order, and then the
// super-tiles in order, so the bits do not depend on the number of cores. It fails if the length of x is not
// p.Domain().N.
func Eval(p Referenced, x []float64) (float64, error) {
	if n := p.Domain().N; len(x) != n {
		return 0, fmt.Errorf("problems: a point of %d variables for %s of %d", len(x), p.Spec(), n)
	}
	return EvalWindows(p, func(lo, hi int) ([]float64, error) { return x[lo:hi], nil })
}

// EvalWindows is Eval of a point that is not in memory. window returns the variables [lo, hi), those of a super-tile at
// a time. It is called from several goroutines.
func EvalWindows(p Referenced, window func(lo, hi int) ([]float64, error)) (float64, error) {
	t := p.Tiling()
	accs := p.Accumulators()
	super, errs := make([]float64, t.SuperTiles()*accs), make([]error, t.SuperTiles())
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), t.SuperTiles()) {
		wg.Go(func() {
			acc := make([]float64, accs)
			for s := range next {
				sum := super[s*accs : (s+1)*accs]
				lo, hi := t.SuperTile(s)
				first, end := t.Reads(lo)
				for i := lo + 1; i < hi; i++ {
					a, b := t.Reads(i)
					first, end = min(first, a), max(end, b)
				}
				x, err := window(first, end)
				errs[s] = err
				if err != nil {
					continue
				}
				for i := lo; i < hi; i++ {
					clear(acc)
					a, b := t.Reads(i)
					p.HostTile(i, x[a-first:b-first], acc)
					for j, v := range acc {
						sum[j] += v
					}
				}
			}
		})
	}
	for s := range t.SuperTiles() {
		next <- s
	}
	close(next)
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return 0, err
	}
	total := make([]float64, accs)
	for s := range t.SuperTiles() {
		for j := range total {
			total[j] += super[s*accs+j]
		}
	}
	return p.Objective(total), nil
}
