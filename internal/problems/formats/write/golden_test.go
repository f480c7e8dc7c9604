package write

import (
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/problems/graph"
)

// TestGenerateGolden checks that a seed keeps meaning the same graph.
func TestGenerateGolden(t *testing.T) {
	for want, f := range map[string]func() (*graph.Instance, error){
		"180f5de8a15b506c 3200 1387": func() (*graph.Instance, error) { return graph.Tile(40, 40, 0.5, 1) },
		"b0d8d01259ca364 1200 0": func() (*graph.Instance, error) {
			return graph.Torus([]int{20, 30}, graph.PM1,
				1)
		},
		"ab16c8ee95d30c1a 4712 0": func() (*graph.Instance, error) {
			return graph.GNP(1000, 0.01,
				graph.Weights{Lo: -3, Hi: 9}, 1)
		},
		"9e8dbd99dfbc40fa 1225 0": func() (*graph.Instance, error) {
			return graph.Complete(50, graph.Weights{Lo: 1,
				Hi: 5}, 1)
		},
		"25a2438538157f49 1099 2420": func() (*graph.Instance, error) {
			return graph.Cliques(100, 5,
				graph.Weights{Lo: 1, Hi: 5}, 1)
		},
	} {
		in, err := f()
		if err != nil {
			t.Fatal(err)
		}
		h := fnv.New64a()
		Model(h, graph.NewModel(graph.Sides, graph.Quadratic{Pairs: in.Graph}), format.Rudy, false)
		if got := fmt.Sprintf("%x %d %d", h.Sum64(), in.Graph.M(), in.Best); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
