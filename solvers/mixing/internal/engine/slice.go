package engine

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// Annealing of words of 32 chains: a work-group anneals a word, or a bundle of words (mixing/slice.cl).

// mostBundled is the number of words of a bundle, the width of the vectors in mixing/slice.cl.
const mostBundled = 8

func (m *Method) newAnnealShare(a *host.Annealing, info cl.Info) *annealShare {
	if a.Sliced != nil && shard.Wide(info) && !m.Form.Split {
		return &annealShare{bundle: mostBundled}
	}
	return &annealShare{bundle: 1}
}

// local reports whether a word of chains stays in local memory during whole sweeps.
func (d *annealDevices) local(info cl.Info) bool {
	return (info.Type != cl.CPU || d.e.Form.Split) && !d.e.Form.Spill &&
		int64(4*d.Sliced.Places+d.counts(info)+1024) <= info.LocalMem
}

// counts returns the bytes of local memory that a word of chains takes for what the bunches of a class gain. It is 0 if
// they do not fit; then a hub's place counts them.
func (d *annealDevices) counts(info cl.Info) int {
	bytes := 4 * d.Sliced.Planes * d.Sliced.LargestBunches()
	if int64(bytes*d.e.newAnnealShare(d.Annealing, info).bundle+1024) > info.LocalMem || d.e.Form.Spill {
		return 0
	}
	return bytes
}

// splitPlaces is the largest number of places of a class that have a work-item each.
const splitPlaces = 4096

// items returns the number of work-items that decide a band of places. Usually each decides four of them, with one
// draw. If that would leave most of a group idle, each decides one. A processor has groups of one item.
func (d *annealDevices) items(info cl.Info) int {
	if info.Type != cl.CPU && d.Sliced.LargestClass()*host.SliceBlock <= splitPlaces || d.e.Form.Split {
		return host.SliceBlock
	}
	return host.SliceBlock / 4
}

// wordDefines returns the defines of mixing/slice.cl.
func (d *annealDevices) wordDefines(info cl.Info) []kernels.Define {
	s := d.Sliced
	return []kernels.Define{
		kernels.Number("GROUP", d.group(info)), kernels.Number("WORDS", d.e.plan.Words),
		kernels.Number("VERTICES", len(s.Place)), kernels.Number("PLACES", s.Places),
		kernels.Number("CLASSES", len(s.Classes)/3), kernels.Number("DIGITS", s.Digits),
		kernels.Number("PLANES", s.Planes), kernels.Number("TOTAL_PLANES", s.Total),
		kernels.Number("BUNCHES", len(s.Owners)), kernels.Number("COUNTED", d.counts(info)/4/s.Planes),
		kernels.Number("STATE", d.e.stateWords()), kernels.Number("CUT_LO", stateCut),
		kernels.Flag("WIDE", d.e.newAnnealShare(d.Annealing, info).bundle > 1),
		kernels.Flag("SLICE_LOCAL", d.local(info)), kernels.Flag("SLICE_SPLIT", d.items(info) == host.SliceBlock),
	}
}

// evaluateWords computes the cuts of p, but no hashes, from words of chains, and reads the states of all individuals.
func (d *annealDevices) evaluateWords(ctx context.Context, p *host.Population, states []uint32) error {
	return d.e.g.Do(func(i int, dev *cl.Device) error {
		t, r, v, group := d.on[i], d.e.live[p].on[i], d.values(i, p), d.group(dev.Info())
		if t.count == 0 {
			return nil
		}
		room := 4 * host.ChainsPerWord * t.bundle
		if d.local(dev.Info()) {
			room += 4 * d.Sliced.Places
		}
		v["positive"], v["begin"], v["end"] = d.Sliced.Positive, r.first, r.first+r.count
		v["room"] = cl.LocalBytes(room)
		if err := d.e.g.Slices(ctx, dev, &t.looking, t.bundles(), func(lo, hi, _ int) error {
			v["offset"] = lo
			return d.kernels.evaluate.Launch(i, []int{(hi - lo) * group}, []int{group}, v)
		}); err != nil {
			return err
		}
		return r.states.Read(0, d.e.own(r, states))
	})
}
