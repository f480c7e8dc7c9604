package device

import (
	"errors"
	"sync"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// Memory is the vectors of a run on its devices. Allocate and AllocateOn make it. The caller closes it.
type Memory struct {
	place  *shard.Placement // nil: by device
	mu     sync.Mutex
	shares map[int]*Share // by shard or device, of this rank
	away   map[int]*Share // by shard, of other ranks: described and not allocated
}

// RefusedError means that the device of a shard could not allocate a vector. It wraps the *cl.MemoryError.
type RefusedError struct {
	Device int // index in the group
	Err    error
}

func (e *RefusedError) Error() string { return e.Err.Error() }

func (e *RefusedError) Unwrap() error { return e.Err }

// Allocate allocates what every shard of a placement keeps, as listed by share for shard s. Shards of other ranks are
// only listed. If it fails, it frees everything that it allocated. If a device had too little memory, the error is a
// *RefusedError.
func Allocate(pl *shard.Placement, share func(s int, sh shard.Shard) Share) (*Memory, error) {
	m := &Memory{place: pl, shares: map[int]*Share{}, away: map[int]*Share{}}
	for s, sh := range pl.Shards() {
		if !pl.Here(s) {
			own := share(s, sh)
			m.away[s] = &own
		}
	}
	err := pl.Each(func(s int, sh shard.Shard, d *cl.Device) error {
		return m.allocate(s, sh.Device, d, share(s, sh))
	})
	refused, _ := errors.AsType[*RefusedError](err)
	if err != nil && refused == nil {
		return m.filled(err)
	}
	// All ranks return the first refusal.
	first := make([]uint32, len(pl.Shards()))
	for s, sh := range pl.Shards() {
		first[s] = uint32(problems.Flag(refused != nil && refused.Device == sh.Device))
	}
	if e := shard.GatherShards(pl, first, func(s int) int { return s + 1 }); e != nil {
		return m.filled(e)
	}
	for s, sh := range pl.Shards() {
		if first[s] == 1 && (refused == nil || sh.Device != refused.Device) {
			return m.filled(&RefusedError{sh.Device, errors.New("a device of another host has too little memory")})
		} else if first[s] == 1 {
			break
		}
	}
	return m.filled(err)
}

// AllocateOn is Allocate for work that is dealt to devices in units. each, such as the method Each of
// shard.ReplicaPlacement or Do of shard.Devices, calls its argument for the devices that have units.
func AllocateOn(each func(func(i int, d *cl.Device) error) error, share func(i int, d *cl.Device) Share) (*Memory,
	error) {
	m := &Memory{shares: map[int]*Share{}}
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

// share returns the share of a shard of any rank.
func (m *Memory) share(s int) *Share {
	if own := m.shares[s]; own != nil {
		return own
	}
	return m.away[s]
}

// State returns the state of a run: host, a pointer to a struct that checkpoint.Encode accepts, and the
// vectors that have Kept set, with a piece for each shard. The caller may set State.Restored.
func (m *Memory) State(host any) *solvers.State {
	shards := m.place.Shards()
	st := &solvers.State{Host: host, Pieces: len(shards), Each: func(f func(piece int) error) error {
		return m.place.Each(func(s int, _ shard.Shard, _ *cl.Device) error { return f(s) })
	}}
	first := m.share(0)
	for k, v := range first.Vectors {
		if v.Kept == "" || v.Rows == 0 {
			continue
		}
		size, _ := v.storage(first.Precision)
		kept := solvers.Vector{Name: v.Kept, Rows: v.Rows, Size: size}
		width := 1
		if v.Per == Part {
			width, kept.Rows, kept.Size = v.Rows, 1, v.Rows*size
			if v.Wide > 0 {
				width, kept.Rows, kept.Size = v.Wide, v.Rows, v.Wide*size
			}
		}
		for s, sh := range shards {
			share := m.share(s)
			v := share.Vectors[k]
			var c solvers.Columns
			if m.place.Here(s) {
				c.On = shard.Window{Of: v.raw(), Width: width, Off: v.Before}
			}
			switch v.Per {
			case Variable:
				c.Lo, c.Hi, c.From, c.To = sh.VarLo, sh.VarHi, sh.ReadLo, sh.ReadHi
			case Part:
				c.From, c.To = share.FirstPart, share.FirstPart+share.Parts
				c.Lo, c.Hi = c.From, c.To
			default:
				panic("device: vector " + v.Name + " is kept, and has neither variables nor parts for columns")
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
