package engine

import (
	"context"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// Annealing of words of 32 chains: a work-group anneals a word, or a bundle of words (mixing/slice.cl). What flips
// gain is counted (mixing/counters.cl) or added up (mixing/sums.cl).

// local reports whether a word of chains stays in local memory during whole sweeps.
func (d *annealDevices) local(info cl.Info) bool {
	return (info.Type != cl.CPU || d.e.Form.Split) && !d.e.Form.Spill &&
		int64(4*d.Sliced.Places+d.counts(info)+1024) <= info.LocalMem
}

// counts returns the bytes of local memory that a word of chains takes for what the bunches of a class gain. It is 0 if
// they do not fit; then a hub's place counts them.
func (d *annealDevices) counts(info cl.Info) int {
	c := d.Sliced.Counters
	if c == nil {
		return 0
	}
	bytes := 4 * c.Planes * c.LargestBunches()
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

// mostItems is the largest number of work-items of a group. An item that adds up gains has 32 sums, for which a device
// has registers for mostItemsOfSums at most.
const (
	mostItems       = 1024
	mostItemsOfSums = 256
)

// wordGroup returns the work-items of a group that makes whole sweeps of a word: all that the largest class needs, or a
// part of them that wastes little.
func (d *annealDevices) wordGroup(info cl.Info) int {
	items, most := d.items(info)*d.Sliced.LargestClass(), mostItems
	if d.Sliced.Sums != nil {
		most = mostItemsOfSums
	}
	most = max(32, min(most, info.MaxGroup)&^31)
	rounds := max(1, (items+most-1)/most)
	return max(32, (items/rounds+31)&^31)
}

// classOf is a class of vertices that are not neighbours: the struct mixing_class of the kernels.
type classOf struct {
	Bunch    uint32 // its first bunch
	Begin    uint32 // its first band
	Vertices uint32
}

// wordKernels compiles the kernels for words of chains.
func (d *annealDevices) wordKernels() (err error) {
	gains := "solvers/mixing/counters.cl"
	edges := "entries fours totals"
	bunches := "bunches owners "
	if d.Sliced.Sums != nil {
		gains = "solvers/mixing/sums.cl"
		edges = "edges weights lists totals"
		bunches = ""
	}
	d.programs, err = d.e.g.Programs(d.wordDefines, kernels.Struct("mixing_class", classOf{}),
		kernels.Get("solvers/mixing/rest.cl"), kernels.Get("solvers/mixing/words.cl"), kernels.Get(gains),
		kernels.Get("solvers/mixing/slice.cl"))
	if err != nil {
		return err
	}
	get := func(name, params string) *device.Kernel { return d.e.memory.Kernel(d.programs, name, params) }
	k := &d.kernels
	k.sweep = get("mixing_slice_sweep", edges+" "+bunches+"classes temps from to words done offset first groups "+
		"chains who when seed run room")
	k.class = get("mixing_slice_class", edges+" set T words done offset first groups chains who when "+
		"seed run")
	k.gather = get("mixing_slice_gather", "parents vertex words first chains")
	k.scatter = get("mixing_slice_scatter", "parents place words offset first")
	k.count = get("mixing_anneal_count", "T done offset")
	if d.Sliced.Counters != nil {
		k.evaluate = get("mixing_slice_evaluate", edges+" owners words states positive offset first begin end room")
	}
	return nil
}

// wordDefines returns the defines of mixing/words.cl, mixing/slice.cl and what flips gain.
func (d *annealDevices) wordDefines(info cl.Info) []kernels.Define {
	s := d.Sliced
	defines := []kernels.Define{
		kernels.Number("GROUP", d.group(info)), kernels.Number("WORDS", d.e.plan.Words),
		kernels.Number("VERTICES", len(s.Place)), kernels.Number("PLACES", s.Places),
		kernels.Number("CLASSES", len(s.Classes)/3),
		kernels.Flag("WIDE", d.e.newAnnealShare(d.Annealing, info).bundle > 1),
		kernels.Flag("SLICE_LOCAL", d.local(info)), kernels.Flag("SLICE_SPLIT", d.items(info) == host.SliceBlock),
	}
	if u := s.Sums; u != nil {
		weight := "int"
		if u.Wide {
			weight = "long"
		}
		return append(defines, kernels.Define{Name: "WEIGHT", Value: weight}, kernels.Flag("WIDE_SUMS", u.Wide))
	}
	c := s.Counters
	return append(defines, kernels.Number("DIGITS", c.Digits), kernels.Number("PLANES", c.Planes),
		kernels.Number("TOTAL_PLANES", c.Total), kernels.Number("BUNCHES", len(c.Owners)),
		kernels.Number("COUNTED", d.counts(info)/4/c.Planes), kernels.Number("STATE", d.e.stateWords()),
		kernels.Number("CUT_LO", stateCut))
}

// evaluateWords computes the cuts of p, but no hashes, from words of chains, and reads the states of all individuals.
func (d *annealDevices) evaluateWords(ctx context.Context, p *host.Population, states []uint32) error {
	return d.e.g.Do(func(i int, dev *cl.Device) error {
		t := d.on[i]
		r := d.e.live[p].on[i]
		v := d.values(i, p)
		group := d.group(dev.Info())
		if t.count == 0 {
			return nil
		}
		room := 4 * host.ChainsPerWord * t.bundle
		if d.local(dev.Info()) {
			room += 4 * d.Sliced.Places
		}
		v["positive"] = d.Sliced.Counters.Positive
		v["begin"] = r.first
		v["end"] = r.first + r.count
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
