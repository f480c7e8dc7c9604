package device

import (
	"context"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// StoredPoint evaluates stored whole points, one or some at a time, on one device, or by the function of the host that
// p is. The values have the bits of shard.Evaluate.
type StoredPoint struct {
	p      problems.Problem
	call   problems.Call // nil: the device computes the values
	Place  *shard.Placement
	most   int // points at a time
	x      *shard.Reals
	memory *Memory
}

// PlaceStored places p, and the memory of so many points, on the first device i with use[i] > 0. The caller closes the
// placement.
func PlaceStored(g *shard.Devices, p problems.Problem, prec problems.Precision, use []int,
	points int) (*StoredPoint, error) {
	if call := problems.CallOf(p); call != nil {
		return &StoredPoint{p: p, call: call, most: points}, nil
	}
	supers := make([]int, len(use))
	for i, n := range use {
		if n > 0 {
			supers[i] = p.Tiling().SuperTiles()
			break
		}
	}
	place, err := shard.Place(g, p, prec, shard.Split(p.Tiling(), supers, nil), shard.Plain(),
		points*p.Accumulators(), nil)
	if err != nil {
		return nil, err
	}
	s := &StoredPoint{p: p, Place: place, most: points}
	s.memory, err = Allocate(place, func(_ int, sh shard.Shard) Share { return s.share(prec, sh.Vars()) })
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *StoredPoint) share(prec problems.Precision, n int) Share {
	return Share{Precision: prec, Variables: n,
		Vectors: []Vector{{To: &s.x, Name: "x", What: "whole points", Rows: s.most, Per: Variable}}}
}

// StoredItems plans what PlaceStored allocates.
func StoredItems(p problems.Problem, prec problems.Precision, points int) []shard.PlanItem {
	if problems.CallOf(p) != nil {
		return nil
	}
	items := append((&StoredPoint{most: points}).share(prec, p.Domain().N).Items(),
		SumsItem(p, points*p.Accumulators()))
	for i := range items {
		items[i].Fixed = true // one device has all of it
	}
	return append(items, TableItems(p, prec, problems.Tile, 1)...)
}

// Value returns f(x), which need not be finite.
func (s *StoredPoint) Value(ctx context.Context, x []float64) (float64, error) {
	values, err := s.Values(ctx, x)
	if err != nil {
		return 0, err
	}
	return values[0], nil
}

// Values returns the values of points, which need not be finite. x has their variables, one point after the other.
// After ctx is cancelled it returns those of the first points, with the error of ctx.
func (s *StoredPoint) Values(ctx context.Context, x []float64) ([]float64, error) {
	n := s.p.Domain().N
	if s.call != nil {
		acc, err := s.call(ctx, slices.Collect(slices.Chunk(x, n)))
		return shard.Values(s.p, acc), err
	}
	if err := s.Place.Each(func(int, shard.Shard, *cl.Device) error { return s.x.Write(0, x) }); err != nil {
		return nil, err
	}
	sums, err := s.Place.Eval(ctx, len(x)/n, func(int) []any { return []any{s.x.Arg(), uint64(n), uint32(0)} })
	return shard.Values(s.p, sums), err
}

// Close releases the point and the placement. A second Close does nothing, and nil is allowed.
func (s *StoredPoint) Close() {
	if s == nil {
		return
	}
	s.memory.Close()
	s.Place.Close()
}
