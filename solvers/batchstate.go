package solvers

import (
	"slices"

	"github.com/clopt/clopt/shard"
)

// RowsOf returns the state of one of so many runs that are made together, each of which has as many rows of every
// vector, one run after the other. Its struct is that of st.
func (st *State) RowsOf(run, runs int) *State {
	one := *st
	one.Vectors = slices.Clone(st.Vectors)
	for i := range one.Vectors {
		v := &one.Vectors[i]
		v.Rows /= runs
		v.Columns = slices.Clone(v.Columns)
		for k, c := range v.Columns {
			v.Columns[k].On = shard.Window{Of: c.On, Width: 1, Off: run * v.Rows * (c.To - c.From)}
		}
	}
	return &one
}

// ColumnsOf is RowsOf for runs that have as many columns of every vector.
func (st *State) ColumnsOf(run, runs int) *State {
	one := &State{Host: st.Host, Restored: st.Restored}
	at := make([]int, st.Pieces) // number of a piece among those that have columns of the run, from 1; 0: it has none
	for _, v := range st.Vectors {
		n := v.columns() / runs
		for i, c := range v.Columns {
			if at[i] == 0 && min(c.To, (run+1)*n) > max(c.From, run*n) {
				one.Pieces++
				at[i] = one.Pieces
			}
		}
	}
	for _, v := range st.Vectors {
		n := v.columns() / runs
		of := make([]Columns, one.Pieces)
		for i, c := range v.Columns {
			if at[i] > 0 {
				of[at[i]-1] = c.within(run*n, (run+1)*n)
			}
		}
		v.Columns = of
		one.Vectors = append(one.Vectors, v)
	}
	one.Each = func(f func(piece int) error) error {
		return st.Each(func(piece int) error {
			if at[piece] == 0 {
				return nil
			}
			return f(at[piece] - 1)
		})
	}
	return one
}

// columns returns the number of columns of all pieces.
func (v Vector) columns() (n int) {
	for _, c := range v.Columns {
		n = max(n, c.Hi)
	}
	return n
}

// within returns the columns from lo to before hi, which are numbered from 0.
func (c Columns) within(lo, hi int) Columns {
	clamp := func(k int) int { return min(max(k, lo), hi) - lo }
	w := Columns{Lo: clamp(c.Lo), Hi: clamp(c.Hi), From: clamp(c.From), To: clamp(c.To)}
	w.On = window{c.On, w.To - w.From, c.To - c.From, max(0, lo-c.From)}
	return w
}

// window has so many columns of each row of a vector, from one column on. The rows of the vector have all columns.
type window struct {
	of                 shard.Raw
	columns, all, from int
}

func (w window) off(off int) int { return off/w.columns*w.all + off%w.columns + w.from }

// ReadBytes reads elements of one row.
func (w window) ReadBytes(off int, dst []byte) error { return w.of.ReadBytes(w.off(off), dst) }

// WriteBytes sets elements of one row.
func (w window) WriteBytes(off int, src []byte) error { return w.of.WriteBytes(w.off(off), src) }
