package local

// What moves that keep rows cost: of two vertices, whose weight is looked up, and of four.
const (
	costOfTwo  = 15
	costOfFour = 50
)

// keep tries a move that keeps the numbers of the rows for each vertex of a row that is off: it comes in the place of
// one of the row that is on. If it is in two rows, two vertices come in the place of two others, so that both rows keep
// theirs, as two people swap their jobs. It returns how many moves were tried, and how many have changed
// the cut.
func (a *anneal) keep(temperature float64, d *draws, c *counts) (tried, taken int64) {
	none := int32(len(a.on))
	for v := range a.n {
		of := a.rows.Of[v]
		if of[0] == none || a.spin[v] < 0 || len(a.on[of[0]]) == 0 {
			continue
		}
		u := pick(a.on[of[0]], d)
		gain := a.gain(u) + a.gain(v) - a.both(u, v)
		if of[1] == none {
			tried++
			c.cost += costOfTwo
			if d.accepts(gain, temperature) {
				a.flip(u)
				a.flip(v)
				c.cost += a.degree(u) + a.degree(v)
				if gain != 0 {
					taken++
				}
			}
			continue
		}
		if len(a.on[of[1]]) == 0 {
			continue
		}
		x := pick(a.on[of[1]], d)
		y := -1
		if x != u {
			if y = a.opposite(of, u, x); y < 0 || a.spin[y] < 0 {
				continue
			}
			gain += a.gain(x) + a.gain(y) - a.both(x, y) - a.both(x, u) - a.both(x, v) - a.both(y, u) - a.both(y, v)
		}
		tried++
		c.cost += costOfFour
		if !d.accepts(gain, temperature) {
			continue
		}
		if gain != 0 {
			taken++
		}
		a.flip(u)
		a.flip(v)
		c.cost += a.degree(u) + a.degree(v)
		if y >= 0 {
			a.flip(x)
			a.flip(y)
			c.cost += a.degree(x) + a.degree(y)
		}
	}
	c.moves += tried
	return tried, taken
}

// pick returns one of the vertices.
func pick(on []int32, d *draws) int {
	if len(on) == 1 {
		return int(on[0])
	}
	return int(on[d.below(len(on))])
}

// opposite returns the vertex in the other rows of u and x, of which u is in the first row of a vertex and x in the
// second one; -1 if there is none.
func (a *anneal) opposite(of [2]int32, u, x int) int {
	k := len(a.on)
	first := a.rows.Of[u][0] + a.rows.Of[u][1] - of[0]
	second := a.rows.Of[x][0] + a.rows.Of[x][1] - of[1]
	if int(first) == k || int(second) == k {
		return -1
	}
	return int(a.rows.Cross[int(first)*k+int(second)])
}
