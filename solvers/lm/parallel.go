package lm

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// parallel calls f for each number below n, on all processors. Each of them is a worker with a number of its own.
func parallel(n int, f func(worker, k int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), n)
	few := max(1, min(64, n/max(1, 16*workers))) // numbers that a worker takes at a time
	for worker := range workers {
		wg.Go(func() {
			for end := int(next.Add(int64(few))); end-few < n; end = int(next.Add(int64(few))) {
				for k := end - few; k < min(end, n); k++ {
					f(worker, k)
				}
			}
		})
	}
	wg.Wait()
}

// block is how many numbers of a long loop one processor takes at a time.
const block = 1 << 12

// blocks calls f for the blocks of the numbers below n, on all processors. A block has the numbers from lo to hi-1.
func blocks(n int, f func(b, lo, hi int)) {
	parallel((n+block-1)/block, func(_, b int) { f(b, b*block, min((b+1)*block, n)) })
}

// filter sets to to what of returns for the numbers below n, in their order, without what it says no to. It calls of
// once for each, on all processors. of may read to[i], if i is its argument.
func filter(to []int, n int, of func(i int) (v int, ok bool)) []int {
	to = resized(to, n)
	counts := make([]int, (n+block-1)/block)
	blocks(n, func(b, lo, hi int) {
		end := lo
		for i := lo; i < hi; i++ {
			if v, ok := of(i); ok {
				to[end] = v
				end++
			}
		}
		counts[b] = end - lo
	})
	end := 0
	for b, count := range counts {
		end += copy(to[end:], to[b*block:][:count])
	}
	return to[:end]
}

// copied copies from to to, which have the same length, on all processors.
func copied[T any](to, from []T) {
	blocks(len(from), func(_, lo, hi int) { copy(to[lo:hi], from[lo:hi]) })
}

// resized returns a slice of length n with the first numbers of s, in the memory of s if that is enough.
func resized[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
