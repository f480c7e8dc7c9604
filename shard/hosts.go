package shard

import (
	"encoding/binary"
	"os"
	"slices"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/ranks"
)

// Exchanged counts exchanges between hosts.
type Exchanged struct {
	Count int64
	Bytes int64         // of all ranks
	Time  time.Duration // with the time to wait for other ranks
}

// Rank returns the number of this process among those that make a run together; 0 if there is only one.
func (g *Devices) Rank() int {
	if g.opt.Hosts == nil {
		return 0
	}
	return g.opt.Hosts.Rank()
}

// Shared reports whether several processes make a run together.
func (g *Devices) Shared() bool { return g.opt.Hosts != nil && g.opt.Hosts.Size() > 1 }

// Hosts returns the connection to the other ranks, or nil if there are none.
func (g *Devices) Hosts() ranks.Hosts {
	if !g.Shared() {
		return nil
	}
	return g.opt.Hosts
}

// Away returns the devices of other ranks for which use is above 0, or all of them if use is nil.
func (g *Devices) Away(use []int) (away []int) {
	for i, d := range g.devices {
		if d == nil && (use == nil || use[i] > 0) {
			away = append(away, i)
		}
	}
	return away
}

// Exchanged returns what this process has exchanged with others so far.
func (g *Devices) Exchanged() Exchanged { return g.exchanged }

// Number is an element that crosses between hosts.
type Number interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int32 | ~int64 | ~float32 | ~float64
}

// Gather completes all, of which the elements of device i end at end(i) and begin where those of the device before
// end. The process has filled those of its own devices. Alone it does nothing. All ranks call it.
func Gather[T Number](g *Devices, all []T, end func(device int) int) error {
	if !g.Shared() {
		return nil
	}
	ends := make([]int, g.opt.Hosts.Size())
	for i, rank := range g.ranks {
		ends[rank] = end(i)
	}
	return gather(g, all, ends)
}

// gather is Gather where the elements of rank r end at ends[r].
func gather[T Number](g *Devices, all []T, ends []int) error {
	size, last := binary.Size(T(0)), ends[len(ends)-1]
	if last == 0 {
		return nil
	}
	at := make([]int, len(ends))
	for r, end := range ends {
		at[r] = end * size
	}
	b := make([]byte, last*size)
	lo, hi := 0, ends[g.Rank()]
	if r := g.Rank(); r > 0 {
		lo = ends[r-1]
	}
	if _, err := binary.Encode(b[lo*size:], binary.LittleEndian, all[lo:hi]); err != nil {
		return err
	}
	start := time.Now()
	if err := g.opt.Hosts.AllGather(b, at); err != nil {
		return &ranks.Error{Err: err}
	}
	g.exchanged.Count++
	g.exchanged.Bytes += int64(len(b))
	g.exchanged.Time += time.Since(start)
	if _, err := binary.Decode(b, binary.LittleEndian, all[:lo]); err != nil {
		return err
	}
	_, err := binary.Decode(b[hi*size:], binary.LittleEndian, all[hi:last])
	return err
}

// Broadcast gives all ranks the numbers of the rank that has device i.
func Broadcast[T Number](g *Devices, i int, numbers []T) error {
	return Gather(g, numbers, func(device int) int {
		if g.ranks[device] < g.ranks[i] {
			return 0
		}
		return len(numbers)
	})
}

// Decide gives all ranks the numbers of rank 0, for what depends on the clock, on signals or on files.
func Decide[T Number](g *Devices, numbers ...*T) error {
	if !g.Shared() {
		return nil
	}
	all := make([]T, len(numbers))
	for k, v := range numbers {
		all[k] = *v
	}
	if err := gather(g, all, slices.Repeat([]int{len(all)}, g.opt.Hosts.Size())); err != nil {
		return err
	}
	for k, v := range numbers {
		*v = all[k]
	}
	return nil
}

// member is what each rank says about its devices.
type member struct {
	Host    string
	Infos   []cl.Info
	Weights []float64 // nil: not given
}

// join lists the devices of all ranks, in the order of the ranks.
func (g *Devices) join() error {
	name, err := os.Hostname()
	if err != nil {
		return err
	}
	own := g.devices
	members, err := ranks.Messages(g.opt.Hosts, member{name, g.infos, g.opt.Weights})
	if err != nil {
		return err
	}
	g.devices = nil
	g.infos = nil
	g.opt.Weights = nil
	given := false
	for rank, m := range members {
		given = given || m.Weights != nil
		for i, info := range m.Infos {
			info.Host, info.Rank = m.Host, rank
			d, w := (*cl.Device)(nil), 1.0
			if rank == g.Rank() {
				d = own[i]
			}
			if m.Weights != nil {
				w = m.Weights[i]
			}
			g.devices = append(g.devices, d)
			g.infos = append(g.infos, info)
			g.ranks = append(g.ranks, rank)
			g.opt.Weights = append(g.opt.Weights, w)
		}
	}
	if !given {
		g.opt.Weights = nil
	}
	return nil
}

// ReadPoint reads what the shards hold of a point to x, which begins with variable number first. read copies the
// variables of shard s from number lo on to dst; they are its own. Of all ranks, all call it with the same range.
func (pl *Placement) ReadPoint(first int, x []float64, read func(s, lo int, dst []float64) error) error {
	at := func(v int) int { return min(max(v-first, 0), len(x)) }
	if err := pl.Each(func(s int, sh Shard, _ *cl.Device) error {
		lo, hi := at(sh.VarLo), at(sh.VarHi)
		if lo == hi {
			return nil
		}
		return read(s, first+lo, x[lo:hi])
	}); err != nil {
		return err
	}
	held := x[at(pl.shards[0].VarLo):at(pl.shards[len(pl.shards)-1].VarHi)]
	return GatherShards(pl, held, func(s int) int { return at(pl.shards[s].VarHi) - at(pl.shards[0].VarLo) })
}

// GatherShards completes all, of which the elements of shard s end at end(s) and begin where those of the shard before
// end. The process has filled those of its own shards.
func GatherShards[T Number](pl *Placement, all []T, end func(s int) int) error {
	return Gather(pl.g, all, func(device int) (last int) {
		for s, sh := range pl.shards {
			if sh.Device <= device {
				last = end(s)
			}
		}
		return last
	})
}
