package mixing

import (
	"testing"

	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/graphtest"
	"github.com/clopt/clopt/test/solvertest"
)

// knapsack returns a QUBO of items with sizes and values, whose sizes and slack bits are the room, by a penalty for the
// square of the difference. best is the largest value of items that fit, by dynamic programming.
func knapsack(t *testing.T, items, room, penalty int, seed uint32) (p *cut.Cut, best int) {
	t.Helper()
	value := make([]int, room+1)
	var sizes, linear []int
	for i := range items {
		w := (rng.Key{Seed: seed}).Words(uint32(i), 0, 0, rng.Check)
		size, worth := 1+int(w[0]%40), 1+int(w[1]%50)
		sizes, linear = append(sizes, size), append(linear, -worth)
		for r := room; r >= size; r-- {
			value[r] = max(value[r], value[r-size]+worth)
		}
	}
	for left, bit := room, 1; left > 0; bit *= 2 {
		sizes, linear = append(sizes, min(bit, left)), append(linear, 0)
		left -= min(bit, left)
	}
	q := graph.Quadratic{Linear: make([]int64, len(sizes))}
	var pairs [][3]int
	for i, a := range sizes {
		q.Linear[i] = int64(linear[i] + penalty*a*(a-2*room))
		for j, b := range sizes[:i] {
			pairs = append(pairs, [3]int{j, i, 2 * penalty * a * b})
		}
	}
	q.Pairs = graphtest.Build(len(sizes), pairs)
	p, err := cut.New(graph.NewModel(graph.Bits, q))
	if err != nil {
		t.Fatal(err)
	}
	return p, value[room]
}

// A run finds the best items of knapsacks whose penalties are far larger than their values, where annealing freezes
// before it sees the values.
func TestKnapsacks(t *testing.T) {
	group := solvertest.OpenFirst(t, 1, shard.Options{})
	for seed, penalty := range []int{60, 60, 500} {
		const room = 150
		p, best := knapsack(t, 20, room, penalty, uint32(seed))
		want := -float64(best) - float64(penalty*room*room)
		for _, variant := range []string{"parallel", "serial"} {
			res, err := solvers.Minimize(t.Context(), p, group, solvers.Settings{Key: rng.Key{Seed: 1},
				Budget: solvers.Budget{Evaluations: 3e6, Target: &want}}, &GOMEA{Local: "sa", Variant: variant})
			if err != nil || res.F != want {
				t.Errorf("seed %d, penalty %d, %s: %v after %v, %v; the best items have %v", seed, penalty, variant,
					res.F, res.Work, err, want)
			}
		}
	}
}
