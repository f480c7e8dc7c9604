package problems

import (
	"fmt"
	"runtime"
	"sync"
)

// Eval returns the value of p at x by the host reference: tiles summed in
// order within each super-tile, super-tiles in order, whatever the number of
// cores. len(x) must be p.Dim().
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
		wg.Add(1)
		go func() {
			defer wg.Done()
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
		}()
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
