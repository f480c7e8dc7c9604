package shard

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
)

// some draws whole numbers below n from a seeded stream.
func some(seed uint32) func(n int) int {
	i := uint32(0)
	return func(n int) int {
		i++
		return int(rng.Int(rng.Key{Seed: seed}.Word(i, 0, 0, rng.Check), uint32(n)))
	}
}

func total(counts []int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

func TestApportion(t *testing.T) {
	for _, c := range []struct {
		n       int
		weights []float64
		limit   []int
		want    []int
	}{
		{256, []float64{1}, nil, []int{256}},
		{7, []float64{1, 1, 1, 1, 1}, nil, []int{2, 2, 1, 1, 1}},
		{3, []float64{1, 1, 1, 1, 1, 1, 1}, nil, []int{1, 1, 1, 0, 0, 0, 0}},
		{256, []float64{1, 1, 1}, nil, []int{86, 85, 85}},
		{4, []float64{3, 1}, nil, []int{3, 1}},
		{8, []float64{0.75, 0.25}, nil, []int{6, 2}},
		{9, []float64{0, 1, 2}, nil, []int{0, 3, 6}},
		{9, []float64{1, 1, 1}, []int{1, 9, 9}, []int{1, 4, 4}},
		{9, []float64{1, 1, 1}, []int{3, 3, 3}, []int{3, 3, 3}},
		{9, []float64{1, 1, 1}, []int{3, 3, 2}, nil},
		{1, []float64{0, 1}, []int{1, 0}, nil},
		{0, []float64{1, 1}, []int{0, 0}, []int{0, 0}},
	} {
		if got := apportion(c.n, c.weights, c.limit); !slices.Equal(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("apportion(%d, %v, %v) = %v, want %v", c.n, c.weights, c.limit, got, c.want)
		}
	}
}

// No other deal ends earlier: it does not help to move a super-tile from the device that finishes last to another one.
func TestApportionIsBest(t *testing.T) {
	pick := some(1)
	for round := range 2000 {
		devices, n := 1+pick(9), pick(257)
		weights, limit, room := make([]float64, devices), make([]int, devices), 0
		for i := range weights {
			weights[i] = float64(pick(5)) / 2
			if limit[i] = pick(300) - 100; limit[i] < 0 {
				limit[i] = n // as good as no limit
			}
			if weights[i] > 0 {
				room += limit[i]
			}
		}
		counts := apportion(n, weights, limit)
		if counts == nil {
			if room >= n {
				t.Fatalf("round %d: no deal of %d to %v within %v", round, n, weights, limit)
			}
			continue
		}
		if total(counts) != n {
			t.Fatalf("round %d: %v deals %d of %d", round, counts, total(counts), n)
		}
		last := 0.0
		for i, c := range counts {
			if c > 0 && weights[i] == 0 || c > limit[i] {
				t.Fatalf("round %d: %v for weights %v and limits %v", round, counts, weights, limit)
			}
			if c > 0 {
				last = max(last, float64(c)/weights[i])
			}
		}
		for i, c := range counts {
			if weights[i] > 0 && c < limit[i] && float64(c+1)/weights[i] < last {
				t.Fatalf("round %d: %v for weights %v: device %d idles", round, counts, weights, i)
			}
		}
	}
}

func TestSplit(t *testing.T) {
	pick := some(2)
	for round := range 2000 {
		v := 1 + pick(20)
		ti := problems.Tiling{N: 1 + pick(6000), TileVars: v, TileComps: v, Halo: pick(3) * pick(30)}
		ti.M = max(1, ti.N-ti.Halo)
		ti.Whole = pick(8) == 0
		devices := 1 + pick(6)
		weights, pieces := make([]float64, devices), make([]int, devices)
		for i := range weights {
			weights[i], pieces[i] = float64(1+pick(4)), pick(5)
		}
		if ti.Whole {
			for i := range weights[1:] {
				weights[i+1] = 0
			}
		}
		supers := apportion(ti.SuperTiles(), weights, nil)
		shards := Split(ti, supers, pieces)
		super, tile, variable, device := 0, 0, 0, 0
		had := make([]int, devices)
		for i, s := range shards {
			if s.SuperLo != super || s.TileLo != tile || s.VarLo != variable || s.Device < device || s.Supers() < 1 ||
				s.Tiles() < 1 {
				t.Fatalf("round %d: shard %d is %+v after super-tile %d, tile %d, variable %d, device %d", round, i, s,
					super, tile, variable, device)
			}
			super, tile, variable, device = s.SuperHi, s.TileHi, s.VarHi, s.Device
			had[s.Device] += s.Supers()
			for k := s.TileLo; k < s.TileHi; k++ {
				if lo, hi := ti.Reads(k); lo < s.ReadLo || hi > s.ReadHi {
					t.Fatalf("round %d: tile %d reads [%d, %d), shard %+v", round, k, lo, hi, s)
				}
			}
			if !ti.Whole && s.ReadHi > min(s.VarHi+ti.Halo, ti.N) || s.ReadLo > s.VarLo || s.ReadHi < s.VarHi {
				t.Fatalf("round %d: shard %+v stores too much or too little for %+v", round, s, ti)
			}
		}
		if super != ti.SuperTiles() || tile != ti.Tiles() || variable != ti.N {
			t.Fatalf("round %d: shards end at super-tile %d, tile %d, variable %d of %+v", round, super, tile, variable,
				ti)
		}
		if !slices.Equal(had, supers) {
			t.Fatalf("round %d: devices got %v of %v", round, had, supers)
		}
	}
}

func TestSplitPieces(t *testing.T) {
	ti := problems.Tiling{N: 7000, M: 6999, TileVars: 1000, TileComps: 1000, Halo: 1}
	got := Split(ti, []int{0, 5, 2}, []int{0, 2, 9})
	want := []Shard{
		{1, 0, 2, 0, 2, 0, 2000, 0, 2001},
		{1, 2, 5, 2, 5, 2000, 5000, 2000, 5001},
		{2, 5, 6, 5, 6, 5000, 6000, 5000, 6001},
		{2, 6, 7, 6, 7, 6000, 7000, 6000, 7000},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	ti.Whole = true
	got = Split(ti, []int{0, 5, 2}, []int{3, 3, 3})
	if want := []Shard{{1, 0, 7, 0, 7, 0, 7000, 0, 7000}}; !slices.Equal(got, want) {
		t.Errorf("whole: got %+v\nwant %+v", got, want)
	}
}

func TestFit(t *testing.T) {
	ti := problems.Tiling{N: 100000, M: 100000, TileVars: 1000, TileComps: 1000} // 100 super-tiles
	plan := Plan{Items: []PlanItem{{"x", 1000, false}, {"b", 500, false}, {"tables", 100, true}}}
	chip := func(index int, memory int64) cl.Info { return cl.Info{Index: index, GlobalMem: memory} }
	for name, c := range map[string]struct {
		ti      problems.Tiling
		infos   []cl.Info
		weights []float64
		want    []int // nil: does not fit
		bytes   int64 // of the first device
	}{
		"one":            {ti, []cl.Info{chip(0, 1<<20)}, []float64{1}, []int{100}, 1600},
		"two":            {ti, []cl.Info{chip(0, 1<<20), chip(1, 1<<20)}, []float64{1, 1}, []int{50, 50}, 850},
		"weights":        {ti, []cl.Info{chip(0, 1<<20), chip(1, 1<<20)}, []float64{3, 1}, []int{75, 25}, 1225},
		"small":          {ti, []cl.Info{chip(0, 400), chip(1, 1<<20)}, []float64{1, 1}, []int{20, 80}, 400},
		"twice one chip": {ti, []cl.Info{chip(0, 1700), chip(0, 1700)}, []float64{1, 1}, []int{50, 50}, 850},
		"two of one index": {ti, []cl.Info{chip(0, 1700), {GlobalMem: 1700, Address: "0000:41:00"}}, []float64{1, 1},
			[]int{50, 50}, 850},
		"once one chip":  {ti, []cl.Info{chip(0, 1600)}, []float64{1}, []int{100}, 1600},
		"too small":      {ti, []cl.Info{chip(0, 1599)}, []float64{1}, nil, 0},
		"twice too much": {ti, []cl.Info{chip(0, 1690), chip(0, 1690)}, []float64{1, 1}, nil, 0},
		"no tables":      {ti, []cl.Info{chip(0, 99), chip(1, 1<<20)}, []float64{1, 1}, []int{0, 100}, 0},
		"idle":           {ti, []cl.Info{chip(0, 1<<20), chip(1, 1<<20)}, []float64{0, 1}, []int{0, 100}, 0},
		"few tiles": {problems.Tiling{N: 2000, M: 2000, TileVars: 1000, TileComps: 1000},
			[]cl.Info{chip(0, 1<<20), chip(1, 1<<20), chip(2, 1<<20)}, []float64{1, 1, 1}, []int{1, 1, 0}, 850},
		"whole": {problems.Tiling{N: 2000, M: 2000, TileVars: 1000, TileComps: 1000, Whole: true},
			[]cl.Info{chip(0, 1<<20), chip(1, 1<<20)}, []float64{1, 1}, []int{2, 0}, 1600},
	} {
		plans, err := plan.Fit(c.ti, c.infos, c.weights, 1)
		if c.want == nil {
			if e := (*PlanError)(nil); !errors.As(err, &e) || e.Need < e.Have-int64(len(c.infos))*100 {
				t.Errorf("%s: %v, %+v; want a PlanError", name, plans, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := Supers(plans); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if plans[0].Bytes != c.bytes {
			t.Errorf("%s: %d bytes on the first, want %d", name, plans[0].Bytes, c.bytes)
		}
		for i, p := range plans {
			if p.Bytes > p.Limit || (p.Supers == 0) != (p.Bytes == 0) {
				t.Errorf("%s: device %d: %+v", name, i, p)
			}
		}
	}
	if plans, err := plan.Fit(ti, []cl.Info{chip(0, 2000)}, []float64{1}, 0.5); err == nil {
		t.Errorf("half the memory fits: %+v", plans)
	}
	if plan.Total() != 1600 {
		t.Errorf("total %d", plan.Total())
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 3 << 29: "1.5 GiB",
		math.MaxInt64: "8192.0 PiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	if got := Fold([]float64{1e16, 1, 1, 2, -1e16, 3}, 2); !slices.Equal(got, []float64{0, 6}) {
		t.Errorf("%v: rows are added in order", got)
	}
}
