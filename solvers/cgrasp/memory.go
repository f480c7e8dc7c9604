package cgrasp

import (
	"errors"
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/internal/host"
)

// What a slot keeps as words, reals and counts; kernels/solvers/cgrasp/cgrasp.cl.
const (
	graspWords, graspReals, graspCounts = 12, 6, 3

	graspWordPhase, graspWordWho, graspWordOdd = 0, 1, 11
	graspRealBest                              = 4
)

// graspDevice is the memory of one device.
type graspDevice struct {
	first, slots              int
	x, z, gain, before, at, y *shard.Reals
	mark                      *cl.Buffer[uint8]
	acc                       *shard.Sums
	words                     *cl.Buffer[uint32]
	reals                     *shard.Reals
	counts                    *cl.Buffer[uint64]
	x0                        *shard.Reals
	did                       *cl.Buffer[uint32] // units of a slot in a launch, and whether it has more to do
	pace                      [2]float64         // seconds of a unit of a slot, in constructions and local searches; measured
	hostWords, hostDid        []uint32
	hostReals                 []float64
	hostCounts                []uint64
}

// room allocates a device's memory and sets what is not zero.
func (r *graspRun) room(i int, d *cl.Device) (err error) {
	o, prec, n := r.on[i], r.s.Precision, r.p.Dim()
	reals := func(n int) (v *shard.Reals) {
		if err == nil {
			v, err = shard.AllocReals(d, prec, n)
		}
		return v
	}
	o.x, o.z, o.gain, o.before, o.at = reals(o.slots*n), reals(o.slots*n), reals(o.slots*n), reals(o.slots*n), reals(o.slots*n)
	o.y, o.reals, o.x0 = reals(o.slots*n*r.width), reals(o.slots*graspReals), reals(max(1, len(r.s.X0)*n))
	if err == nil {
		o.mark, err = cl.Alloc[uint8](d, o.slots*r.rules.marks())
	}
	if err == nil {
		o.acc, err = shard.AllocSums(d, o.slots*r.p.Accumulators())
	}
	if err == nil {
		o.words, err = cl.Alloc[uint32](d, o.slots*graspWords)
	}
	if err == nil {
		o.counts, err = cl.Alloc[uint64](d, o.slots*graspCounts)
	}
	if err == nil {
		o.did, err = cl.Alloc[uint32](d, 2*o.slots)
	}
	if err != nil {
		return err
	}
	o.pace = [2]float64{1e-5, 1e-4}
	o.hostWords, o.hostDid = make([]uint32, o.slots*graspWords), make([]uint32, 2*o.slots)
	o.hostReals, o.hostCounts = make([]float64, o.slots*graspReals), make([]uint64, o.slots*graspCounts)
	for k := range o.slots {
		o.hostWords[k*graspWords+graspWordWho] = uint32(o.first + k)
		o.hostReals[k*graspReals+graspRealBest] = math.Inf(1)
	}
	if err := errors.Join(o.words.Write(0, o.hostWords), o.reals.Write(0, o.hostReals)); err != nil {
		return err
	}
	for k, x := range r.s.X0 {
		if err := o.x0.Write(k*n, host.StoredIn(r.p, x, prec)); err != nil {
			return err
		}
	}
	return nil
}

func (o *graspDevice) close() {
	if o == nil {
		return
	}
	for _, v := range []*shard.Reals{o.x, o.z, o.gain, o.before, o.at, o.y, o.reals, o.x0} {
		v.Close()
	}
	for _, v := range []*cl.Buffer[uint32]{o.words, o.did} {
		if v != nil {
			v.Close()
		}
	}
	if o.mark != nil {
		o.mark.Close()
	}
	if o.counts != nil {
		o.counts.Close()
	}
	o.acc.Close()
}
