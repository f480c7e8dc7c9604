package graybox

import (
	"context"
	"math"
	"slices"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// sumsOf returns the sums over so many parts from their numbers in the order of graybox_report.
func sumsOf(p problems.Problem, all []float64, parts int64) sums {
	accs := p.Accumulators()
	searches := make([]solvers.Search, len(names))
	for k, name := range names {
		work := all[accs+states+k:]
		searches[k] = solvers.Search{Name: name, Work: work[0], Gain: work[len(names)]}
	}
	return sums{acc: all[:accs], f: p.Objective(all[:accs]), units: int64(all[accs]), awake: int64(all[accs+1]),
		cost: int64(all[accs+2]), nonFinite: int64(math.Ceil(all[accs+3] / float64(parts))), finite: int64(all[accs+4]),
		searches: solvers.Shares(searches)}
}

// report adds over the parts. It does not know the value of open parts, which have components in common.
func (r *run) report(ctx context.Context) (sums, error) {
	width := r.p.Accumulators() + reported
	for i, pl := range r.places {
		var err error
		r.rows[i], err = pl.ReduceRows(ctx, width, func(s int, part *shard.Sums, tile0, tiles int) error {
			size := pl.GroupSize(s)
			return r.kernels[i].report.Launch(s, []int{tiles * size}, []int{size}, r.values(i, s, device.Values{
				"from": tile0 - pl.Shards()[s].TileLo, "most": r.most, "patience": r.patience(i), "sums": part.Arg()}))
		})
		if err != nil {
			return sums{}, err
		}
	}
	all, layers := make([]float64, width), make([]int64, len(r.layers))
	for i, rows := range r.rows {
		of := shard.Fold(rows, width)
		for a, v := range of {
			all[a] += v
		}
		layers[r.classes[i].layer] += int64(of[r.p.Accumulators()+1])
	}
	found := sumsOf(r.p, all, r.parts())
	found.layers = layers
	found.units += r.state.Values * r.total()
	r.found = found
	return found, nil
}

// evaluate returns the accumulators of the best point of open parts.
func (r *run) evaluate(ctx context.Context) ([]float64, error) {
	acc, err := r.whole.Eval(ctx, 1, func(s int) []any {
		return []any{r.on[s].x.Arg(), uint64(0), uint32(r.places[0].Shards()[s].ReadLo - r.before)}
	})
	if err == nil {
		r.state.Values++
	}
	return acc, err
}

// measure is report, with the value of the best point of open parts.
func (r *run) measure(ctx context.Context) (sums, error) {
	if !r.open() {
		return r.report(ctx)
	}
	acc, err := r.evaluate(ctx)
	if err != nil {
		return sums{}, err
	}
	found, err := r.report(ctx)
	found.acc, found.f = acc, r.p.Objective(acc)
	return found, err
}

// readSums reads the sums of n parts of class i in shard s, from part number from on: for each part, all sums of the
// best point (row 0) or of the point of its restart (row 1).
func (r *run) readSums(i, s, from, n, row int) ([]float64, error) {
	width := partSums(r.p)
	all, of := make([]float64, n*width), make([]float64, n)
	for a := range width {
		if err := r.on[s].classes[i].acc.Read((row*width+a)*r.columns(i, s)+from, of); err != nil {
			return nil, err
		}
		for w, v := range of {
			all[w*width+a] = v
		}
	}
	return all, nil
}

// compare compares the first point of all parts with the host reference.
func (r *run) compare() error {
	accs := r.p.Accumulators()
	return r.places[0].Compare(r.s.Key, 1, func(s, tile int, row []float64) error {
		clear(row)
		for i, c := range r.classes {
			per := len(c.parts)
			all, err := r.readSums(i, s, (tile-r.places[i].Shards()[s].TileLo)*per, per, 1)
			if err != nil {
				return err
			}
			for own := range slices.Chunk(all, partSums(r.p)) {
				for a, v := range own[:accs] {
					row[a] += v
				}
			}
		}
		return nil
	}, func(_, lo, hi int) ([]float64, error) { return r.first(lo, hi), nil })
}

// Incumbent writes the best point to x.
func (r *run) Incumbent(first int, x []float64) error { return r.read(first, x) }
