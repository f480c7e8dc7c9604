package local

// move is a set of flips that are made together, and what they gain.
type move struct {
	flips  []int32
	gained int64
	looked int64   // weights between two vertices that were looked up
	done   []int64 // by group of followers: the last move in which it has followed
	number int64   // of the move, for done
}

// fresh makes the move one without flips.
func (m *move) fresh() {
	m.flips, m.gained, m.looked = m.flips[:0], 0, 0
	m.number++
}

// gains returns what a flip of v adds after the flips of the move, of which it is none.
func (a *anneal) gains(v int) int64 {
	gain := a.gain(v)
	for _, u := range a.flips {
		gain -= a.both(int(u), v)
	}
	a.looked += int64(len(a.flips))
	return gain
}

// with adds a flip to the move.
func (a *anneal) with(v int) { a.add(v, a.gains(v)) }

func (a *anneal) add(v int, gain int64) {
	a.gained += gain
	a.flips = append(a.flips, int32(v))
}

// follow adds the best sides of all groups that follow vertices of the move, one group after the other.
func (a *anneal) follow() {
	for k := 0; k < len(a.flips); k++ { // others may follow those that follow
		for _, r := range a.followers.By[a.flips[k]] {
			if a.done[r] == a.number {
				continue
			}
			a.done[r] = a.number
			if group := &a.followers.Groups[r]; len(group.Members) > 1 {
				a.count(group.Members, group.Factors, group.Self)
			} else {
				v := int(group.Members[0])
				if gain := a.gains(v); gain > 0 {
					a.add(v, gain)
				}
			}
		}
	}
}

// count adds the flips that give the number of some bits its best value.
//
// If Y is the sum of factor·spin over the bits, the cut has the terms -(T·Y + c·Y²/2)/2, where c·f·f' are the weights
// between the bits and T is the sum of the other weights, for a factor of 1, times the spins. A flip of a bit gains
// f·spin·(T + c·Y) - c·f². So its gain says what T is.
func (a *anneal) count(bits []int32, factors []int64, c int64) {
	y, all := int64(0), int64(0)
	for k, v := range bits {
		y += factors[k] * a.spin[v]
		all += factors[k]
	}
	v, f := int(bits[0]), factors[0]
	t := a.spin[v]*(a.gains(v)+c*f*f)/f - c*y
	// Y = all - 2·number is best where it is -T/c.
	number := min(max(floor(c*(all+1)+t, 2*c), 0), all)
	best := all - 2*number
	if best == y {
		return
	}
	a.gained += (t*(y-best) + c*(y*y-best*best)/2) / 2
	for k, v := range bits {
		one := number >= factors[k]
		if one {
			number -= factors[k]
		}
		if one != (a.spin[v] < 0) {
			a.flips = append(a.flips, v)
		}
	}
}

// floor returns the largest integer not above a/b, for a positive b.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// apply makes the move, and returns what its flips cost.
func (a *anneal) apply() (cost int64) {
	for _, v := range a.flips {
		a.flip(int(v))
		cost += a.degree(int(v))
	}
	return cost
}
