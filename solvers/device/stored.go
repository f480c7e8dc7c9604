package device

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// StoredPoint evaluates single stored points, for a method that keeps many whole points. The values have
// the bits of shard.Evaluate.
type StoredPoint struct {
	p      problems.Problem
	Place  *shard.Placement
	x      *shard.Reals
	memory *Memory
}

// PlaceStored places p on the first device i with use[i] > 0. The caller closes the placement.
func PlaceStored(g *shard.Devices, p problems.Problem, prec problems.Precision, use []int) (*StoredPoint, error) {
	supers := make([]int, len(use))
	for i, n := range use {
		if n > 0 {
			supers[i] = p.Tiling().SuperTiles()
			break
		}
	}
	place, err := shard.Place(g, p, prec, shard.Split(p.Tiling(), supers, nil), shard.Plain(), p.Accumulators(), nil)
	if err != nil {
		return nil, err
	}
	s := &StoredPoint{p: p, Place: place}
	s.memory, err = Allocate(place, func(_ int, sh shard.Shard) Share { return s.share(prec, sh.Vars()) })
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *StoredPoint) share(prec problems.Precision, n int) Share {
	return Share{Precision: prec, Variables: n,
		Vectors: []Vector{{To: &s.x, Name: "x", What: "the best point", Rows: 1, Per: Variable}}}
}

// StoredItems plans what PlaceStored allocates.
func StoredItems(p problems.Problem, prec problems.Precision) []shard.PlanItem {
	items := append((&StoredPoint{}).share(prec, p.Domain().N).Items(), SumsItem(p, p.Accumulators()))
	for i := range items {
		items[i].Fixed = true // one device has all of it
	}
	return append(items, TableItems(p, prec, problems.Tile, 1)...)
}

// Value returns f(x), which need not be finite.
func (s *StoredPoint) Value(ctx context.Context, x []float64) (float64, error) {
	if err := s.Place.Each(func(int, shard.Shard, *cl.Device) error { return s.x.Write(0, x) }); err != nil {
		return 0, err
	}
	sums, err := s.Place.Eval(ctx, 1, func(int) []any { return []any{s.x.Arg(), uint64(len(x)), uint32(0)} })
	if err != nil {
		return 0, err
	}
	return s.p.Objective(sums), nil
}

// Close releases the point and the placement. A second Close does nothing, and nil is allowed.
func (s *StoredPoint) Close() {
	if s == nil {
		return
	}
	s.memory.Close()
	s.Place.Close()
}
