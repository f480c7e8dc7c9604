package test

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/clopt/clopt"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
)

// novel is the graph of docs/gallery/communities/novel.txt: how often two characters appear in one chapter.
type novel struct {
	names    []string
	together map[[2]int]int // of two characters, in both orders
	degree   []int          // the sum over all others
	total    int            // the sum over all pairs
}

func readNovel(t *testing.T) novel {
	text, err := os.ReadFile("../docs/gallery/communities/novel.txt")
	if err != nil {
		t.Fatal(err)
	}
	g := novel{together: map[[2]int]int{}}
	number := func(name string) int {
		i := slices.Index(g.names, name)
		if i < 0 {
			i = len(g.names)
			g.names, g.degree = append(g.names, name), append(g.degree, 0)
		}
		return i
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var a, b string
		var w int
		if _, err := fmt.Sscan(lines.Text(), &a, &b, &w); err != nil {
			t.Fatal(err)
		}
		i, j := number(a), number(b)
		g.together[[2]int{i, j}], g.together[[2]int{j, i}] = w, w
		g.degree[i] += w
		g.degree[j] += w
		g.total += w
	}
	return g
}

// largest returns the largest cut of the weights degree·degree - 2·total·together, by dynamic programming over the
// characters. A state is the side of each character that still has an edge to a later one, and the sum of the degrees
// of side 1. Its value is the smallest sum of the edges that are cut.
func (g novel) largest() int {
	last := make([]int, len(g.names)) // the last neighbour of each character
	for e := range g.together {
		last[e[0]] = max(last[e[0]], e[0], e[1])
	}
	var open []int // bit b of a state is the side of character open[b]
	none := slices.Repeat([]int{math.MaxInt32}, 2*g.total+1)
	states := [][]int{slices.Clone(none)}
	states[0][0] = 0
	for v := range g.names {
		next := append(slices.Clone(states), make([][]int, len(states))...)
		for s, values := range states {
			next[s+len(states)] = slices.Clone(none)
			copy(next[s+len(states)][g.degree[v]:], values)
		}
		for b, u := range open {
			w := g.together[[2]int{u, v}]
			for s := range next {
				if w == 0 || s>>b&1 == s/len(states) {
					continue
				}
				for d := range next[s] {
					next[s][d] += w
				}
			}
		}
		states, open = next, append(open, v)
		for b := len(open) - 1; b >= 0; b-- {
			if last[open[b]] > v {
				continue
			}
			merged := make([][]int, len(states)/2)
			for s := range merged {
				low := s&(1<<b-1) | s>>b<<(b+1)
				merged[s] = slices.Clone(states[low])
				for d, f := range states[low|1<<b] {
					merged[s][d] = min(merged[s][d], f)
				}
			}
			states, open = merged, slices.Delete(open, b, b+1)
		}
	}
	best := 0
	for d, f := range states[0] {
		best = max(best, d*(2*g.total-d)-2*g.total*f)
	}
	return best
}

// TestGalleryCommunities divides the characters and compares the cut with the largest one.
func TestGalleryCommunities(t *testing.T) {
	novel := readNovel(t)
	var edges graph.Edges
	for i := range novel.names {
		for j := range i {
			w := novel.degree[i]*novel.degree[j] - 2*novel.total*novel.together[[2]int{i, j}]
			edges.Add(j, i, int64(w), 0)
		}
	}
	g, _, _, _ := edges.Graph(len(novel.names), false)
	problem := clopt.Problem(cut.NewMaxCut(g))
	res, err := clopt.Minimize(t.Context(), problem, clopt.Options{Evals: 1e5, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if want := novel.largest(); res.F != float64(want) {
		t.Errorf("%s: a cut of %v, the largest is %v", res.Method, res.F, want)
	}
}
