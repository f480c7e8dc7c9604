package samples

import (
	"cmp"
	"math/bits"
	"slices"
)

// member is a point of a pool.
type member struct {
	row      []uint64 // a bit for each variable
	cut      int64
	count    int  // of searches that ended there
	expanded bool // its neighbours have been offered
}

// pool is the best points that were offered, the best first.
type pool struct {
	Wanted
	n       int
	members []*member
	of      map[uint64][]*member // by the hash of the row
	changes int
}

func newPool(w Wanted, n int) *pool { return &pool{Wanted: w, n: n, of: map[uint64][]*member{}} }

// takes reports whether a point of a cut may be one of the pool.
func (p *pool) takes(cut int64) bool {
	return len(p.members) < p.Points || cut > p.members[len(p.members)-1].cut
}

// find returns the member with a row, or nil.
func (p *pool) find(row []uint64) *member {
	for _, m := range p.of[hash(row)] {
		if slices.Equal(m.row, row) {
			return m
		}
	}
	return nil
}

// offer adds a point if it is good enough and not there. Points that are too near and no better make way for it; if one
// of them is as good, it stays.
func (p *pool) offer(row []uint64, cut int64) {
	if !p.takes(cut) || p.find(row) != nil {
		return
	}
	if p.Distance > 1 {
		near := func(m *member) bool { return distance(m.row, row) < p.Distance }
		if slices.ContainsFunc(p.members, func(m *member) bool { return m.cut >= cut && near(m) }) {
			return
		}
		for _, m := range slices.DeleteFunc(slices.Clone(p.members), func(m *member) bool { return !near(m) }) {
			p.remove(m)
		}
	}
	m := &member{row: slices.Clone(row), cut: cut}
	at, _ := slices.BinarySearchFunc(p.members, m, before)
	p.members = slices.Insert(p.members, at, m)
	key := hash(row)
	p.of[key] = append(p.of[key], m)
	p.changes++
	if len(p.members) > p.Points {
		p.remove(p.members[p.Points])
	}
}

// before is the order of the members.
func before(a, b *member) int { return cmp.Or(cmp.Compare(b.cut, a.cut), slices.Compare(a.row, b.row)) }

func (p *pool) remove(m *member) {
	p.members = slices.DeleteFunc(p.members, func(o *member) bool { return o == m })
	key := hash(m.row)
	p.of[key] = slices.DeleteFunc(p.of[key], func(o *member) bool { return o == m })
	if len(p.of[key]) == 0 {
		delete(p.of, key)
	}
}

// hash mixes the words of a row.
func hash(row []uint64) (h uint64) {
	for _, w := range row {
		h = (h ^ w) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// distance returns in how many variables two rows differ.
func distance(a, b []uint64) (d int) {
	for i := range a {
		d += bits.OnesCount64(a[i] ^ b[i])
	}
	return d
}

// pack writes the sides of the variables as bits.
func pack(side []uint8, row []uint64) {
	clear(row)
	for v, s := range side {
		row[v>>6] |= uint64(s) << (v & 63)
	}
}

// unpack is the inverse of pack.
func unpack(row []uint64, side []uint8) {
	for v := range side {
		side[v] = uint8(row[v>>6] >> (v & 63) & 1)
	}
}
