package lm

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/clopt/clopt/problems"
)

// A device is asked for each component once, however many lists of them it needs.
func TestLists(t *testing.T) {
	for _, n := range []int{1000, 4000} {
		p, r, x := start(t, fmt.Sprintf("cec2013/f12:n=%d", n))
		_, plain, _ := startOn(t, withoutSlopes{p})
		for _, r := range []*run{r, plain} {
			vars := 1
			var asked atomic.Int64
			if r == plain {
				vars = 2 // of each component
			}
			for _, o := range r.engine.on {
				o.room.entries = 400
			}
			r.choose(nil, derivatives)
			r.chosen.parameter = func(int) float64 { asked.Add(1); return 1e-6 }
			if err := r.compute(context.Background(), x); err != nil {
				t.Fatal(err)
			}
			if want := vars * p.Structure().Components(); asked.Load() != int64(want) {
				t.Errorf("%d variables: derivatives ask for %d differences, want %d", n, asked.Load(), want)
			}
		}
	}
}

// Each number is used once, with the sum of what those before it need.
func TestCumulate(t *testing.T) {
	need := func(i int) room { return room{components: 1, entries: i % 7, kept: i} }
	for _, n := range []int{0, 1, 4096, 4097, 20000} {
		got := make([]room, n)
		blocks, all := cumulate(n, need, func(i int, before room) { got[i] = got[i].plus(before) })
		var want room
		for i, before := range got {
			if before != want || i%block == 0 && blocks[i/block] != want {
				t.Fatalf("%d of %d: %+v, want %+v", i, n, before, want)
			}
			want = want.plus(need(i))
		}
		if all != want {
			t.Errorf("%d: %+v, want %+v", n, all, want)
		}
	}
}

// A list of components ends where the room ends, also in the midst of blocks, and at the end of a shard.
func TestFitting(t *testing.T) {
	const n = 3*block + 100
	c := newComponents(problems.Windows(n, n-1, 1, 0, 1), byDifferences, 0)
	var all chosen
	all.list = filter(nil, len(c.own), func(k int) (int, bool) { return k, k%5 > 0 })
	all.before, all.used = cumulate(len(all.list), func(i int) room { return c.need(all.list[i], derivatives) },
		func(int, room) {})
	most := all.used.plus(all.used)
	for _, components := range []int{1, 1000, block - 1, block, block + 1, 2*block + 3, n} {
		most.components = components
		for _, end := range []int{len(all.list), len(all.list) - 7, block + 1} {
			for first := 0; first < end; {
				before := all.needed(c, first)
				next, used := all.fitting(c, first, end, before, most)
				if want := min(first+components, end); next != want || before.components != first ||
					used != all.needed(c, next).minus(before) {
					t.Fatalf("room for %d of %d from %d: up to %d, want %d; %+v after %+v", components, end, first,
						next, want, used, before)
				}
				first = next
			}
		}
	}
}
