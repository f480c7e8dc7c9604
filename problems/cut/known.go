package cut

import (
	_ "embed"
	"encoding/csv"
	"strconv"
	"strings"
	"sync"

	"github.com/clopt/clopt/problems/graph"
)

// knownText has a line for each graph whose largest known cut is shipped: its name, the number of its edges, the cut,
// how
// it is known ("proven" or "best"), and its hash. A QUBO has the graph of its cut.
//
//go:embed known.csv
var knownText string

// record is a line of knownText.
type record struct {
	name   string
	cut    int64
	proven bool // no cut is larger
}

// records are the lines of knownText, by number of edges and hash.
var records = sync.OnceValue(func() map[int]map[string]record {
	lines, err := csv.NewReader(strings.NewReader(knownText)).ReadAll()
	if err != nil {
		panic("cut: known.csv: " + err.Error())
	}
	all := map[int]map[string]record{}
	for _, line := range lines[1:] {
		m, err1 := strconv.Atoi(line[1])
		cut, err2 := strconv.ParseInt(line[2], 10, 64)
		if err1 != nil || err2 != nil {
			panic("cut: known.csv: " + strings.Join(line, ","))
		}
		if all[m] == nil {
			all[m] = map[string]record{}
		}
		all[m][line[4]] = record{line[0], cut, line[3] == "proven"}
	}
	return all
})

// known returns the record of a graph, or of that with weights without a common factor: a graph that was converted to a
// QUBO or an Ising problem comes back with other units. Graphs with another number of edges than all records are not
// hashed.
func known(g *graph.Graph) (r record, ok bool) {
	by := records()[g.M()]
	if by == nil {
		return r, false
	}
	if g.Unit == 1 {
		if r, ok = by[g.Hash()]; ok {
			return r, true
		}
	}
	primitive, factor := g.Primitive()
	if r, ok = by[primitive.Hash()]; ok {
		r.cut *= factor
	}
	return r, ok
}
