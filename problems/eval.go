package problems

import (
	"fmt"
	"runtime"
	"sync"
)

// Eval returns the value of p at x by the host reference. It adds the tiles of each super-tile in order, and then the
// super-tiles in order, so the bits do not depend on the number of cores. It fails if the length of x is not
// p.Domain().N.
func Eval(p Referenced, x []float64) (float64, error) {
	t := p.Tiling()
	if len(x) != t.N {
		return 0, fmt.Errorf("problems: a point of %d variables for %s of %d", len(x), p.Spec(), t.N)
	}
	accs := p.Accumulators()
	super := make([]float64, t.SuperTiles()*accs)
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), t.SuperTiles()) {
		wg.Go(func() {
			acc := make([]float64, accs)
			for s := range next {
				sum := super[s*accs : (s+1)*accs]
				lo, hi := t.SuperTile(s)
				for i := lo; i < hi; i++ {
					clear(acc)
					a, b := t.Reads(i)
					p.HostTile(i, x[a:b], acc)
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
	total := make([]float64, accs)
	for s := range t.SuperTiles() {
		for j := range total {
			total[j] += super[s*accs+j]
		}
	}
	return p.Objective(total), nil
}
