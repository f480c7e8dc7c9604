package cut

import (
	"fmt"
	"strconv"

	"github.com/clopt/clopt/problems"
)

// edgeAt is an edge: its smaller end, and its place in Neighbors.
type edgeAt struct{ row, at int }

// HostTile adds the edges of tile t, from the rows of the graph.
func (c *Cut) HostTile(t int, x, acc []float64) { c.hostEdges(t, 0, tileEdges, 0, x, acc) }

// HostComponent adds edge k.
func (c *Cut) HostComponent(k, first int, x, acc []float64) {
	c.hostEdges(k/tileEdges, k%tileEdges, k%tileEdges+1, first, x, acc)
}

// ErrorScale adds nothing: sums are exact.
func (c *Cut) ErrorScale(from, to, first int, x, acc []float64) {}

// hostEdges adds the edges [from, to) of tile t; x holds the variables from first on.
func (c *Cut) hostEdges(t, from, to, first int, x, acc []float64) {
	if t >= len(c.rows) {
		return // a graph without edges
	}
	side := func(v int) bool {
		if v == c.n {
			return c.root == 1
		}
		return x[v-first] > 0.5
	}
	var low, high int64
	at := 0
	for v, e := c.rows[t].row, c.rows[t].at; v < c.g.N() && at < to; v++ {
		for e = max(e, c.g.Offsets[v]); e < c.g.Offsets[v+1] && at < to; e++ {
			u := int(c.g.Neighbors[e])
			if u < v {
				continue
			}
			if at++; at <= from || side(v) == side(u) {
				continue
			}
			if w := c.g.Weights[e]; c.split {
				low, high = low+w&(1<<splitBits-1), high+w>>splitBits
			} else {
				low += w
			}
		}
	}
	acc[0] += float64(low)
	if c.split {
		acc[1] += float64(high)
	}
}

// Below these sums of |weights|, at a vertex and in all, fp32 is exact.
const (
	exactFP32 = 1 << 24 // whole numbers of float32
	exactPair = 1 << 46 // and of pairs of them, which sum on a device without float64
)

// Refuses returns the error of Text for a precision without making the tables. In fp32 the weights must be exact.
func (c *Cut) Refuses(p problems.Precision) error {
	if p == problems.FP32 && (c.most >= exactFP32 || c.total >= exactPair) {
		return &problems.PrecisionError{Spec: c.Spec(), Precision: p,
			Reason: fmt.Sprintf("weights add up to %.0f at a vertex and to %.0f, beyond what is exact", c.most,
				c.total)}
	}
	return nil
}

// Text returns the edges as tables, one edge an item. There is no partial form, and none with residuals.
func (c *Cut) Text(p problems.Precision, form problems.Form) (problems.Text, error) {
	if err := problems.CheckText(p, form); err != nil {
		return problems.Text{}, err
	}
	if form == problems.Partial || form == problems.Residuals {
		return problems.Text{}, problems.ErrNoForm
	}
	if err := c.Refuses(p); err != nil {
		return problems.Text{}, err
	}
	c.tables.Do(c.makeTables)
	flag := map[bool]string{false: "0", true: "1"}
	t := problems.Text{
		Parts:  []string{"problems/cut/maxcut.cl"},
		Tables: c.table,
		Defines: []problems.Define{
			{Name: "MAXCUT_ROOT", Value: strconv.Itoa(int(c.root))}, {Name: "MAXCUT_SPLIT",
				Value: flag[c.split]}, {Name: "MAXCUT_EVEN", Value: flag[c.even]},
		},
	}
	if c.even {
		t.Defines = append(t.Defines, problems.Define{Name: "MAXCUT_WEIGHT",
			Value: fmt.Sprintf("((real)%d)", c.g.Weights[0])})
	}
	return t, nil
}

func (c *Cut) makeTables() {
	m := max(c.g.M(), 1) // a graph without edges has one from vertex 0 to itself
	tail, head := make([]uint32, 0, m), make([]uint32, 0, m)
	var weight, high []float64
	for v := range c.g.N() {
		for e := c.g.Offsets[v]; e < c.g.Offsets[v+1]; e++ {
			u, w := c.g.Neighbors[e], c.g.Weights[e]
			if int(u) < v {
				continue
			}
			tail, head = append(tail, uint32(v)), append(head, u)
			if c.split {
				weight, high = append(weight, float64(w&(1<<splitBits-1))), append(high, float64(w>>splitBits))
			} else if !c.even {
				weight = append(weight, float64(w))
			}
		}
	}
	if len(tail) == 0 {
		tail = append(tail, 0)
		head = append(head, 0)
		weight = append(weight, 0)
	}
	c.table = []problems.Table{{Name: "tail", Uint: tail}, {Name: "head", Uint: head}}
	if weight != nil {
		c.table = append(c.table, problems.Table{Name: "weight", Real: weight})
	}
	if high != nil {
		c.table = append(c.table, problems.Table{Name: "high", Real: high})
	}
}
