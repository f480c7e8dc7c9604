package host

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/test/graphtest"
)

// A child has a side of a parent wherever both parents agree, and about half of the other sides changed. A mate whose
// complement is closer is taken as its complement. The anchor stays.
func TestChild(t *testing.T) {
	const n, anchor = 200, 130
	p := NewPopulation(0, 3, Words(n))
	p.Allocate()
	differ := []uint64{0, 0xffff << 20, 0xff, 0xf}
	for k := range p.Words {
		all := ^uint64(0)
		if n-64*k < 64 {
			all = 1<<(n%64) - 1
		}
		p.Row(1)[k] = differ[k]
		p.Row(2)[k] = differ[k] ^ all
	}
	var first []uint64
	for _, mate := range []uint32{1, 2} {
		row := make([]uint64, p.Words)
		if size := p.Child(rng.Key{Seed: 1}, 0, mate, anchor, n, row); size != 28 {
			t.Errorf("individuals 0 and %d differ in %d vertices, want 28", mate, size)
		}
		changed := 0
		for k, w := range row {
			changed += bits.OnesCount64(w)
			if w&^differ[k] != 0 {
				t.Errorf("word %d of the child is %x, and only %x may change", k, w, differ[k])
			}
		}
		if changed < 7 || changed > 21 || Side(row, anchor) != 0 {
			t.Errorf("%d of 28 sides have changed, and that of the anchor is %d", changed, Side(row, anchor))
		}
		if first == nil {
			first = row
		} else if !slices.Equal(row, first) {
			t.Errorf("the child of a complement is %x, want %x", row, first)
		}
	}
	row := make([]uint64, p.Words)
	if size := p.Child(rng.Key{}, 1, mateNone, anchor, n, row); size != 0 || !slices.Equal(row, p.Row(1)) {
		t.Errorf("the child of one individual is %x, %d vertices differ", row, size)
	}
}

// A child stays if it is better than its elder or as good, and if no other individual is the same cut.
func TestSettle(t *testing.T) {
	const whole = 100
	p := NewPopulation(0, 6, 1)
	copy(p.F, []int64{5, 5, 5, 7, 3, 3})
	copy(p.Hash, []uint64{0, 1, 2, 3, 4, 5})
	p.Begin(9)
	if !p.Children() || p.Swept != 9 {
		t.Errorf("there are no children after %d sweeps", p.Swept)
	}
	p.F = []int64{6, 4, 5, 7, 7, 6}
	p.Hash = []uint64{10, 11, 12, 3 ^ whole, 3, 10 ^ whole}
	none := uint32(mateNone)
	if got, want := p.Settle(whole), []uint32{0, none, 2, none, none, none}; !slices.Equal(got, want) {
		t.Errorf("children %d stay, want %d", got, want)
	}
	if want := []int64{6, 5, 5, 7, 3, 3}; !slices.Equal(p.F, want) || p.Children() {
		t.Errorf("cuts %d, want %d", p.F, want)
	}
	if want := []uint64{10, 1, 12, 3, 4, 5}; !slices.Equal(p.Hash, want) {
		t.Errorf("hashes %d, want %d", p.Hash, want)
	}
	if want := []int32{0, 1, 1, 1, 1, 1}; !slices.Equal(p.Idle, want) {
		t.Errorf("idle %d, want %d", p.Idle, want)
	}
}

// A population stands when its largest cut was found long ago, however many others grow or reach the same.
func TestStands(t *testing.T) {
	for _, c := range []struct {
		f    []int64
		idle []int32
		want bool
	}{
		{[]int64{5, 7, 6}, []int32{0, patient, 0}, true},
		{[]int64{7, 5, 7}, []int32{0, 0, patient}, true},
		{[]int64{5, 7, 6}, []int32{patient, patient - 1, patient}, false},
		{[]int64{5, 6, 7}, []int32{patient, patient, 0}, false},
	} {
		p := NewPopulation(0, len(c.f), 1)
		copy(p.F, c.f)
		copy(p.Idle, c.idle)
		if got := p.Stands(); got != c.want {
			t.Errorf("cuts %d, idle for %d: %v, want %v", c.f, c.idle, got, c.want)
		}
	}
}

// Children are annealed from a temperature at which chains keep most of what they have, and are not selected.
func TestReheat(t *testing.T) {
	g := graphtest.Small()["dense"]
	a := NewAnnealing(ShapeOf(g), 310, rng.Key{})
	from := a.Reheat()
	hot, limit := a.Temps[from], float32(reheated*freezing(g, int(a.Dense.Anchor)))
	if hot > limit || a.Temps[from-1] <= limit {
		t.Errorf("children are annealed from sweep %d, %v, want %v", from, hot, limit)
	}
	p := NewPopulation(0, 2, 1)
	p.Begin(from)
	if end := a.Leg(p); end != len(a.Temps) || a.Selects(p) {
		t.Errorf("children are selected after %d sweeps", end)
	}
}
