package mixing

import "github.com/clopt/clopt/cl"

// placesAlone is the largest number of places that a work-group sweeps alone if there are fewer words of chains than
// compute units.
const placesAlone = 1 << 15

// whole reports whether a work-group makes whole sweeps of a bundle, if n bundles are annealed together.
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
	return 8 * mostBundled
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
