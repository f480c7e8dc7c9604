package local

// lists has the vertices that a tabu search may flip, in a contest for each side, and those that have to wait. The
// weight of a row of all vertices adds the same to all of a side, so it plays no part in the contests.
type lists struct {
	*walk
	sides [2]*contest
	waits [waiting][]int32 // by the move that frees them, modulo waiting
	until []int64          // by vertex: that move
	held  []int32          // vertices that have to wait, and some that are free again
}

// waiting is larger than the number of moves for which a vertex has to wait.
const waiting = mostTenure + mostMore + 2

// costOfListed is that of a vertex whose key changes.
const costOfListed = 45

// listed reports whether contests are faster than to look at all vertices after each move: on a sparse graph without
// rows, or with one of all vertices.
func listed(f *field) bool {
	if len(f.rows.Rows) > 0 && !f.rows.Whole {
		return false
	}
	mean := len(f.rest.Neighbors) / max(f.n, 1)
	return costOfListed*(mean+4) < f.n/2
}

func newLists(w *walk) *lists {
	return &lists{walk: w, sides: [2]*contest{newContest(w.n), newContest(w.n)}, until: make([]int64, w.n)}
}

// fill makes the lists from the state of a search.
func (l *lists) fill(s *tabuState, d *draws) {
	l.sides[0].clear()
	l.sides[1].clear()
	for k := range l.waits {
		l.waits[k] = l.waits[k][:0]
	}
	l.held = l.held[:0]
	copy(l.until, s.Free)
	for v := range l.n {
		switch {
		case v == l.root:
		case s.Free[v] <= s.Moves:
			l.enter(v, d.tie())
		default:
			l.wait(v)
			l.held = append(l.held, int32(v))
		}
	}
}

// enter lets a vertex take part.
func (l *lists) enter(v int, tie uint32) {
	l.sides[(1-l.spin[v])/2].set(v, l.spin[v]*l.pull[v], tie)
}

func (l *lists) wait(v int) {
	at := &l.waits[l.until[v]%waiting]
	*at = append(*at, int32(v))
}

// choose returns a vertex that may be flipped in a move, see tabu.choose.
func (l *lists) choose(move, enough int64, r uint64) int {
	due := &l.waits[move%waiting]
	for _, v := range *due {
		if l.until[v] == move { // else it was flipped again while it had to wait
			l.enter(int(v), (*draws)(&r).tie())
		}
	}
	*due = (*due)[:0]
	best, most := -1, int64(out)
	for _, c := range l.sides {
		if v, key := c.best(); key != out {
			if gain := l.gain(v); gain > most || gain == most && r&1 == 0 {
				best, most = v, gain
			}
		}
	}
	kept := l.held[:0]
	for _, v := range l.held {
		if l.until[v] <= move {
			continue
		}
		kept = append(kept, v)
		if gain := l.gain(int(v)); gain > most && gain > enough {
			best, most = int(v), gain
		}
	}
	l.held = kept
	return best
}

// flipped notes that a vertex has been flipped in the move before one, and has to wait until another one.
func (l *lists) flipped(v int, move, until int64, r uint64) {
	l.sides[0].set(v, out, 0)
	l.sides[1].set(v, out, 0)
	if l.until[v] < move {
		l.held = append(l.held, int32(v))
	}
	l.until[v] = until
	l.wait(v)
	for e := l.rest.Offsets[v]; e < l.rest.Offsets[v+1]; e++ {
		u := int(l.rest.Neighbors[e])
		if c := l.sides[(1-l.spin[u])/2]; c.keys[u] != out {
			c.set(u, l.spin[u]*l.pull[u], (*draws)(&r).tie())
		}
	}
}
