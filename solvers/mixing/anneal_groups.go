package mixing

import (
	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/solvers/device"
	"github.com/clopt/clopt/solvers/mixing/internal/host"
)

// placesAlone is the largest number of places that a work-group sweeps alone if there are fewer words of chains than
// compute units.
const placesAlone = 1 << 15

// whole reports whether a work-group makes whole sweeps of a unit, if n units are annealed together.
func (d *annealDevices) whole(info cl.Info, n int) bool {
	switch {
	case d.Dense != nil:
		return true
	case d.Sliced == nil:
		return d.e.resident
	}
	return d.local(info) || !d.e.m.spill && (d.Sliced.Places <= placesAlone || n >= info.ComputeUnits)
}

// room returns the local memory of a work-group that makes whole sweeps.
func (d *annealDevices) room(info cl.Info) cl.LocalBytes {
	switch {
	case d.Dense != nil:
		return cl.LocalBytes(12)
	case d.Sliced == nil:
		return cl.LocalBytes(4*d.e.plan.words + 16)
	case d.local(info):
		return cl.LocalBytes(8 + 4*d.Sliced.Places)
	}
	return 8
}

// group returns the work-items of a group that makes whole sweeps. For a chain they are a quarter of a class, as each
// decides four vertices. For a word they are all that the largest class needs, or a part of them that wastes little.
func (d *annealDevices) group(info cl.Info) int {
	switch {
	case d.Dense != nil:
		return d.denseGroup(info)
	case d.Sliced != nil && d.e.m.group > 0:
		return d.e.m.group
	case info.Type == cl.CPU:
		return 1
	case d.Sliced == nil:
		return powerOfTwo(32, d.e.plan.x.Graph.N()/max(4*d.Classes.N(), 1), min(256, info.MaxGroup))
	}
	lanes := d.items(info) * d.Sliced.LargestClass()
	most := max(32, min(1024, info.MaxGroup)&^31)
	rounds := max(1, (lanes+most-1)/most)
	return max(32, (lanes/rounds+31)&^31)
}

// local reports whether a word of chains stays in local memory during whole sweeps.
func (d *annealDevices) local(info cl.Info) bool {
	return info.Type != cl.CPU && !d.e.m.spill && int64(4*d.Sliced.Places+1024) <= info.LocalMem
}

// splitPlaces is the largest number of places of a class that have a work-item each.
const splitPlaces = 4096

// items returns the number of work-items that decide a band of places. Usually each decides four of them, with one
// draw. If that would leave most of a group idle, each decides one. A processor has groups of one item.
func (d *annealDevices) items(info cl.Info) int {
	bands := d.Sliced.LargestClass()
	if info.Type != cl.CPU && bands*host.SliceBlock <= splitPlaces || d.e.m.split {
		return host.SliceBlock
	}
	return host.SliceBlock / 4
}

// wordDefines returns the defines of mixing/slice.cl.
func (d *annealDevices) wordDefines(info cl.Info) []kernels.Define {
	s := d.Sliced
	return []kernels.Define{
		device.Define("GROUP", d.group(info)), device.Define("WORDS", d.e.plan.words),
		device.Define("VERTICES", len(s.Place)), device.Define("PLACES", s.Places),
		device.Define("CLASSES", len(s.Classes)/3),
		device.Define("DIGITS", s.Digits), device.Define("PLANES", s.Planes),
		device.Flag("SLICE_LOCAL", d.local(info)), device.Flag("SLICE_SPLIT", d.items(info) == host.SliceBlock),
	}
}
