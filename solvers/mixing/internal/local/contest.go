package local

import "math"

// contest is a knockout of vertices: each has a key, and the one with the largest key is known. A key that changes
// costs a few comparisons, so on a sparse graph the vertex whose flip gains most is found without looking at all. Of
// equal keys, each is as likely to win.
type contest struct {
	keys   []int64
	ties   []uint32 // a random number that decides between equal keys
	winner []int32  // node k is that of the winner of the nodes 2k and 2k+1; the leaves are the vertices
	leaves int
}

// out is the key of a vertex that does not take part.
const out = math.MinInt64

func newContest(n int) *contest {
	c := &contest{leaves: 1}
	for c.leaves < n {
		c.leaves *= 2
	}
	c.keys, c.ties, c.winner = make([]int64, c.leaves), make([]uint32, c.leaves), make([]int32, 2*c.leaves)
	return c
}

// clear lets nobody take part.
func (c *contest) clear() {
	for k := range c.keys {
		c.keys[k] = out
	}
	for k := len(c.winner) - 1; k >= 1; k-- {
		c.winner[k] = int32(k - c.leaves)
		if k < c.leaves {
			c.winner[k] = c.winner[2*k]
		}
	}
}

// best returns the vertex with the largest key, which is out if nobody takes part.
func (c *contest) best() (v int, key int64) {
	v = int(c.winner[1])
	return v, c.keys[v]
}

// set gives a vertex a key.
func (c *contest) set(v int, key int64, tie uint32) {
	c.keys[v], c.ties[v] = key, tie
	for k := (v + c.leaves) / 2; k >= 1; k /= 2 {
		a, b := c.winner[2*k], c.winner[2*k+1]
		if x, y := c.keys[a], c.keys[b]; x < y || x == y && c.ties[a] < c.ties[b] {
			a = b
		}
		if c.winner[k] == a && a != int32(v) {
			return
		}
		c.winner[k] = a
	}
}
