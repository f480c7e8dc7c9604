package formats

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/test/datatest"
)

// given is an instance of the published collection.
type given struct {
	path       string
	n, m       int
	best       int64
	cut        int64
	hasCut     bool
	weights    string
	status     string
	assignment string // its file, or ""
}

// collection reads best_known.csv from the folder CLOPT_DATA or next to the
// repository. Without it the test is skipped.
func collection(t *testing.T) []given {
	t.Helper()
	dir := datatest.File(t, "maxcut")
	f, err := os.Open(filepath.Join(dir, "best_known.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	number := func(s string) int64 {
		v, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	var all []given
	for _, r := range rows[1:] {
		g := given{path: filepath.Join(dir, r[0]), n: int(number(r[1])), m: int(number(r[2])), weights: r[3],
			best: number(r[4]), status: r[5]}
		if r[6] != "" {
			g.cut, g.hasCut = number(r[6]), true
		}
		if sol := strings.TrimSuffix(g.path, ".txt") + ".sol"; exists(sol) {
			g.assignment = sol
		}
		all = append(all, g)
	}
	return all
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestCollection checks the sizes of every published instance and the cut of every
// published assignment, and that no proof contradicts a best value.
func TestCollection(t *testing.T) {
	assignments, proofs := 0, 0
	for _, c := range collection(t) {
		g, notes, err := readGraph(c.path, Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		if g.N() != c.n || g.M()+notes.Zeros != c.m || g.Unit != 1 {
			t.Errorf("%s: %d vertices, %d edges, unit %g; published %d, %d", c.path, g.N(), g.M(), g.Unit, c.n, c.m)
		}
		if err := g.Validate(); err != nil {
			t.Errorf("%s: %v", c.path, err)
		}
		if c.assignment != "" {
			sides, err := input.ReadAssignments(c.assignment, g.N())
			if err != nil || len(sides) != 1 {
				t.Errorf("%v, %d assignments", err, len(sides))
				continue
			}
			if cut := g.Cut(sides[0]); !c.hasCut || cut != c.cut {
				t.Errorf("%s: a cut of %d, published %d", c.assignment, cut, c.cut)
			}
			assignments++
		} else if c.hasCut {
			t.Errorf("%s: a cut is published, and there is no assignment", c.path)
		}
		if bkv := strings.TrimSuffix(c.path, ".txt") + ".bkv"; exists(bkv) {
			if v, err := input.ReadBest(bkv); err != nil || v != float64(c.best) {
				t.Errorf("%s: %v, %v; published %d", bkv, v, err, c.best)
			}
		}
		if best, side, ok := g.Balanced(); ok {
			proofs++
			if best != c.best || g.Cut(side) != best {
				t.Errorf("%s: the optimum is %d, published %d", c.path, best, c.best)
			}
		} else if strings.Contains(c.status, "bipartite") {
			t.Errorf("%s: not found to be bipartite", c.path)
		}
	}
	if assignments < 60 || proofs < 40 {
		t.Errorf("%d assignments and %d proofs", assignments, proofs)
	}
}

// TestCollectionTiles checks that the published planted instances have the form that
// Tile makes: every square with r + c even has three couplings of one size and one
// of size 1 and opposite sign, and the sum of the optima of the squares is the
// published value.
func TestCollectionTiles(t *testing.T) {
	seen := 0
	for _, c := range collection(t) {
		name := filepath.Base(c.path)
		if !strings.HasPrefix(name, "tile_") {
			continue
		}
		seen++
		sides := strings.Split(strings.Split(name, "_")[1], "x")
		rows, _ := strconv.Atoi(sides[0])
		cols, _ := strconv.Atoi(sides[1])
		g, _, err := readGraph(c.path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if best, ok := squares(g, rows, cols); !ok || best != c.best {
			t.Errorf("%s: squares %v, optimum %d, published %d", name, ok, best, c.best)
		}
	}
	if seen != 7 {
		t.Errorf("%d tiles", seen)
	}
}

// TestTiles checks that generated tiles have the form of the published ones.
func TestTiles(t *testing.T) {
	for _, c := range []struct {
		rows, cols int
		p          float64
	}{{4, 4, 0.5}, {4, 4, 0}, {4, 4, 1}, {4, 6, 0.3}, {40, 40, 0.5}, {10, 100, 0.8}} {
		for seed := range uint32(3) {
			in, err := graph.Tile(c.rows, c.cols, c.p, seed)
			if err != nil {
				t.Fatal(err)
			}
			if best, ok := squares(in.Graph, c.rows, c.cols); !ok || best != in.Best {
				t.Errorf("%v, seed %d: squares %v, %d of %d", c, seed, ok, best, in.Best)
			}
		}
	}
}

// squares adds the optima of the squares of a tile, and reports whether all squares
// are planted ones.
func squares(g *graph.Graph, rows, cols int) (best int64, ok bool) {
	weight := map[[2]int]int64{}
	for v := range g.N() {
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			weight[[2]int{v, int(g.Neighbors[e])}] = g.Weights[e]
		}
	}
	if rows*cols != g.N() || 2*g.N() != g.M() {
		return 0, false
	}
	for r := range rows {
		for c := r % 2; c < cols; c += 2 {
			r1, c1 := (r+1)%rows, (c+1)%cols
			corner := [4]int{r*cols + c, r*cols + c1, r1*cols + c1, r1*cols + c}
			most := int64(-1 << 62)
			sign, ones, twos := 1, 0, 0
			for k, u := range corner {
				switch w := weight[[2]int{u, corner[(k+1)%4]}]; w {
				case 1, -1:
					ones++
					sign *= int(w)
				case 2, -2:
					twos++
					sign *= int(w / 2)
				}
			}
			for cut := range 16 {
				f := int64(0)
				for k, u := range corner {
					if cut>>k&1 != cut>>((k+1)%4)&1 {
						f += weight[[2]int{u, corner[(k+1)%4]}]
					}
				}
				most = max(most, f)
			}
			best += most
			if sign != -1 || !(ones == 4 || ones == 1 && twos == 3) {
				return 0, false
			}
		}
	}
	return best, true
}
