package device

import (
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// Memory is the vectors of a run on its devices. Allocate and AllocateOn make it. The caller closes it.
type Memory struct {
	each   func(f func(place int, d *cl.Device) error) error
	shards []shard.Shard // by place; nil if places are devices
	mu     sync.Mutex
	shares map[int]*Share // by place: a shard, or a device
	away   map[int]*Share // the places of other ranks, which are listed only
}

// RefusedError means that the device of a shard could not allocate a vector. It wraps the *cl.MemoryError.
type RefusedError struct {
	Device int // index in shard.Devices
	Err    error
}

func (e *RefusedError) Error() string { return e.Err.Error() }

func (e *RefusedError) Unwrap() error { return e.Err }

// Allocate allocates what every shard of a placement keeps, as listed by share for shard s. Shards of other ranks are
// only listed. If it fails, it frees everything that it allocated. If a device had too little memory, the error is a
// *RefusedError, the same on all ranks.
func Allocate(pl *shard.Placement, share func(s int, sh shard.Shard) Share) (*Memory, error) {
	m := &Memory{shards: pl.Shards(), shares: map[int]*Share{}, away: map[int]*Share{}}
	for s, sh := range m.shards {
		if !pl.Here(s) {
			listed := share(s, sh)
			m.away[s] = &listed
		}
	}
	m.each = func(f func(place int, d *cl.Device) error) error {
		return pl.Each(func(s int, _ shard.Shard, d *cl.Device) error { return f(s, d) })
	}
	return m.filled(refusedFirst(pl, m.each(func(s int, d *cl.Device) error {
		return m.allocate(s, m.shards[s].Device, d, share(s, m.shards[s]))
	})))
}

// errElsewhere is the refusal of a device of another rank.
var errElsewhere = errors.New("a device of another host has too little memory")

// refusedFirst returns the first refusal of all ranks, or another error of this rank.
func refusedFirst(pl *shard.Placement, err error) error {
	refused, ok := errors.AsType[*RefusedError](err)
	if err != nil && !ok {
		return err
	}
	flags := make([]uint8, len(pl.Shards()))
	for s, sh := range pl.Shards() {
		flags[s] = uint8(problems.Flag(ok && refused.Device == sh.Device))
	}
	if e := shard.GatherShards(pl, flags, func(s int) int { return s + 1 }); e != nil {
		return e
	}
	first := slices.Index(flags, 1)
	if first < 0 || ok && refused.Device == pl.Shards()[first].Device {
		return err
	}
	return &RefusedError{pl.Shards()[first].Device, errElsewhere}
}

// AllocateOn is Allocate for work that is dealt to devices in units. each, such as the method Each of
// partial.Placement or Do of shard.Devices, calls its argument for the devices of this rank that have units. away
// lists those of other ranks, for which d is nil.
func AllocateOn(each func(func(i int, d *cl.Device) error) error, away []int,
	share func(i int, d *cl.Device) Share) (*Memory, error) {
	m := &Memory{each: each, shares: map[int]*Share{}, away: map[int]*Share{}}
	for _, i := range away {
		listed := share(i, nil)
		m.away[i] = &listed
	}
	return m.filled(each(func(i int, d *cl.Device) error { return m.allocate(i, i, d, share(i, d)) }))
}

func (m *Memory) allocate(place, device int, d *cl.Device, s Share) error {
	err := s.allocate(d)
	if err == nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.shares[place] = &s
		return nil
	}
	if _, refused := errors.AsType[*cl.MemoryError](err); refused {
		return &RefusedError{device, err}
	}
	return err
}

// filled returns m, or closes it and returns the error.
func (m *Memory) filled(err error) (*Memory, error) {
	if err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// Close frees all vectors and sets the fields that held them to nil. A second Close does nothing. m may be
// nil.
func (m *Memory) Close() {
	if m == nil {
		return
	}
	for _, s := range m.shares {
		s.release()
	}
	m.shares = nil
}

// State returns the state of a run: host, a pointer to a struct that checkpoint.Encode accepts, and the
// vectors that have Kept set, with a piece for each shard or device. The caller may set State.Restored.
func (m *Memory) State(host any) *solvers.State {
	all := maps.Clone(m.away)
	maps.Copy(all, m.shares)
	places := slices.Sorted(maps.Keys(all))
	st := &solvers.State{Host: host, Pieces: len(places), Each: func(f func(piece int) error) error {
		return m.each(func(place int, _ *cl.Device) error { return f(slices.Index(places, place)) })
	}}
	first := all[places[0]]
	for k, v := range first.Vectors {
		if v.Kept == "" || v.Rows == 0 {
			continue
		}
		size, _ := v.storage(first.Precision)
		kept := solvers.Vector{Name: v.Kept, Rows: v.Rows, Size: size}
		width := 1
		if v.Per != Variable {
			width, kept.Rows, kept.Size = v.Rows, 1, v.Rows*size
			if v.Wide > 0 {
				width = v.Wide
				kept.Rows = v.Rows
				kept.Size = v.Wide * size
			}
		}
		for _, place := range places {
			share := all[place]
			v := share.Vectors[k]
			var c solvers.Columns
			if m.shares[place] != nil {
				c.On = shard.Window{Of: v.raw(), Width: width, Off: v.Before}
			}
			switch v.Per {
			case Variable:
				sh := m.shards[place]
				c.Lo = sh.VarLo
				c.Hi = sh.VarHi
				c.From = sh.ReadLo
				c.To = sh.ReadHi
			case Part:
				c.From, c.To = share.FirstPart, share.FirstPart+share.Parts
				c.Lo, c.Hi = c.From+share.PartsBefore, c.To-share.PartsAfter
			case Unit:
				c.From, c.To = share.FirstUnit, share.FirstUnit+share.Units
				c.Lo, c.Hi = c.From, c.To
			default:
				panic("device: vector " + v.Name + " is kept, but is the same for all variables, parts and units")
			}
			kept.Columns = append(kept.Columns, c)
		}
		st.Vectors = append(st.Vectors, kept)
	}
	return st
}

// mostPieces is the largest number of pieces of a device's share.
const mostPieces = 64

// SplitUntilFits calls start with the shards of a plan and returns the shards with which it succeeded.
// After a *RefusedError it splits the share of the device that refused into twice as many pieces, since
// some devices have more memory than they give to one buffer. It returns any other error, and a
// *RefusedError if the pieces cannot be smaller.
func SplitUntilFits(t problems.Tiling, plans []shard.DevicePlan,
	start func(shards []shard.Shard) error) ([]shard.Shard, error) {
	pieces := make([]int, len(plans))
	for {
		shards := shard.Split(t, shard.Supers(plans), pieces)
		err := start(shards)
		if err == nil {
			return shards, nil
		}
		refused, ok := errors.AsType[*RefusedError](err)
		if !ok || t.Whole {
			return nil, err
		}
		n := &pieces[refused.Device]
		if *n >= mostPieces || plans[refused.Device].Supers <= max(1, *n) {
			return nil, err
		}
		*n = 2 * max(1, *n)
	}
}
