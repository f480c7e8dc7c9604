package device

import (
	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/partial"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// Replicas is what a run of many whole points holds: a program and vectors on each device, and one stored
// point, with which it evaluates the best of the points in full.
type Replicas struct {
	*partial.Placement
	*StoredPoint
	g      *shard.Devices
	memory *Memory
	dim    int
}

// PlaceReplicas compiles defines and parts for every device i with use[i] > 0, in groups of the size that
// group returns (see partial.Place), and allocates what share lists for each of these devices. It compares
// the devices with the host, unless this is switched off. The caller closes the Replicas.
func PlaceReplicas(g *shard.Devices, p problems.Problem, s solvers.Setup, use []int, group func(cl.Info) int,
	share func(device int) Share, defines []kernels.Define, parts ...kernels.Part) (_ *Replicas, err error) {
	r := &Replicas{g: g, dim: p.Domain().N}
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	r.Placement, err = partial.Place(g, p, s.Precision, use, group, defines, parts...)
	if err != nil {
		return nil, err
	}
	r.memory, err = AllocateOn(r.Each, g.Away(use), func(i int, _ *cl.Device) Share {
		return share(i)
	})
	if err != nil {
		return nil, err
	}
	if g.Checked() {
		if err = r.Check(s.Key); err != nil {
			return nil, err
		}
	}
	r.StoredPoint, err = PlaceStored(g, p, s.Precision, use, 1)
	return r, err
}

// ReplicaItems plans what PlaceReplicas allocates besides the vectors that share lists: the tables of TouchItems and
// the stored point.
func ReplicaItems(p problems.Problem, prec problems.Precision) []shard.PlanItem {
	return append(TouchItems(p, prec, problems.Partial), StoredItems(p, prec, 1)...)
}

// State returns the state of a run: host and the vectors that are kept, as Memory.State.
func (r *Replicas) State(host any) *solvers.State { return r.memory.State(host) }

// Kernel returns a kernel on all devices. params are as for Memory.Kernel.
func (r *Replicas) Kernel(name, params string) *Kernel { return r.memory.Kernel(r, name, params) }

// Devices returns the devices, those that are not in use included.
func (r *Replicas) Devices() *shard.Devices { return r.g }

// Read reads one of the points that a vector on a device, perhaps of another rank, holds one after the other. points
// returns the vector.
func (r *Replicas) Read(device int, points func() *shard.Reals, number int) ([]float64, error) {
	x := make([]float64, r.dim)
	if err := r.Each(func(i int, _ *cl.Device) error {
		if i != device {
			return nil
		}
		return points().Read(number*r.dim, x)
	}); err != nil {
		return nil, err
	}
	return x, shard.Broadcast(r.g, device, x)
}

// Close releases all vectors and programs. r may be nil.
func (r *Replicas) Close() {
	if r == nil {
		return
	}
	r.StoredPoint.Close()
	r.memory.Close()
	r.Placement.Close()
}
