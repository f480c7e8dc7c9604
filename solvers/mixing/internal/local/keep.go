package local

// What moves that keep rules cost: to choose the vertices, and each weight between two that is looked up.
const (
	costOfMove = 10
	costOfLook = 6
)

// keep tries moves that keep the rules for each vertex that follows no others: a flip, if others follow it, and one in
// which it comes in the place of another one of its row. All that follow get their best sides in the same move. It
// returns how many moves were tried, and how many have changed the cut.
func (a *anneal) keep(temperature float64, d *draws, c *counts) (tried, taken int64) {
	try := func() {
		a.follow()
		tried++
		c.cost += costOfMove + costOfLook*a.looked
		if !d.accepts(a.gained, temperature) {
			return
		}
		if a.gained != 0 {
			taken++
		}
		c.cost += a.apply()
	}
	for v := range a.n {
		if v == a.root || a.followers.Of[v] >= 0 {
			continue
		}
		if len(a.followers.By[v]) > 0 {
			a.fresh()
			a.with(v)
			try()
		}
		if a.replace(v, d) {
			try()
			if a.exchange(v, d) {
				try()
			}
		}
	}
	c.moves += tried
	return tried, taken
}

// replace makes the move that brings v in the place of a vertex of its row that is on. If it is in two rows, two
// vertices come in the place of two others, so that both rows keep their numbers, as two people swap their jobs. It
// reports whether there is such a move.
func (a *anneal) replace(v int, d *draws) bool {
	of, none := a.rows.Of[v], int32(len(a.on))
	if of[0] == none || a.spin[v] < 0 || len(a.on[of[0]]) == 0 {
		return false
	}
	a.fresh()
	u := pick(a.on[of[0]], d)
	a.with(u)
	a.with(v)
	if of[1] == none {
		return true
	}
	if len(a.on[of[1]]) == 0 {
		return false
	}
	x := pick(a.on[of[1]], d)
	if x == u {
		return true
	}
	y := a.opposite(of, u, x)
	if y < 0 || a.spin[y] < 0 {
		return false
	}
	a.with(x)
	a.with(y)
	return true
}

// exchange makes a move that brings v in the place of a vertex of its row, and a vertex of another row in the place of
// one that is on and leads the same group of followers as v does: if v makes the sum of a constraint larger, the other
// row makes it smaller. It reports whether there is such a move, for vertices of one row.
func (a *anneal) exchange(v int, d *draws) bool {
	by, none := a.followers.By[v], int32(len(a.on))
	if len(by) == 0 || a.rows.Of[v][1] != none || a.spin[v] < 0 {
		return false
	}
	leaders := a.followers.Groups[by[d.below(len(by))]].Leaders
	for range triesOfExchange {
		x := pick(leaders, d)
		of := a.rows.Of[x]
		if a.spin[x] > 0 || of[0] == none || of[1] != none || of[0] == a.rows.Of[v][0] {
			continue
		}
		y := pick(a.rows.Rows[of[0]].Members, d)
		if a.spin[y] < 0 {
			return false
		}
		a.replace(v, d)
		a.with(x)
		a.with(y)
		return true
	}
	return false
}

const triesOfExchange = 8

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
