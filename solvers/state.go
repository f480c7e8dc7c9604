package solvers

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/checkpoint"
	"github.com/clopt/clopt/solvers/internal/host"
)

// Resumable is a Run that can be stored and resumed with the same bits.
type Resumable interface {
	Run
	// State returns the state of the run between two steps. The state of a stored run can be loaded into a run
	// that was just started.
	State() *State
}

// State is everything that a run must remember: a struct on the host, and vectors on the devices. It leaves
// out what follows from the key and from counters.
type State struct {
	// Host points to a struct that checkpoint.Encode accepts.
	Host any
	// Vectors are stored on the devices as Shards describe. Both may be empty.
	Vectors []Vector
	Shards  []shard.Shard
	// Parts returns the range of the parts of a shard; nil means that no vector is by part.
	Parts func(sh shard.Shard) (lo, hi int)
	// Each calls f for every shard, with the devices in parallel.
	Each func(f func(s int, sh shard.Shard, d *cl.Device) error) error
	// Loaded is called after Host has been loaded, and before the vectors are. It may replace the vectors. It may be
	// nil.
	Loaded func() error
	// Restored is called after loading. It compares the vectors of the devices with the struct of the host. It
	// may be nil.
	Restored func(ctx context.Context) error
}

// Vector is a matrix whose columns are the variables of the problem, or its parts. A shard stores the rows
// one after the other, each with the columns of that shard.
type Vector struct {
	Name   string // at most 16 bytes
	Rows   int
	Size   int  // bytes of an element
	ByPart bool // columns are parts
	On     func(s int) shard.Raw
}

// extent is the range of a vector's columns in a shard, which owns [Lo, Hi) and stores [From, To).
type extent struct{ Lo, Hi, From, To int }

func (st *State) extent(v Vector, sh shard.Shard) extent {
	if !v.ByPart {
		return extent{sh.VarLo, sh.VarHi, sh.ReadLo, sh.ReadHi}
	}
	lo, hi := st.Parts(sh)
	return extent{lo, hi, lo, hi}
}

// Progress is what Minimize must remember about a run, besides its State.
type Progress struct {
	Last        Sample        // the latest sample; its Elapsed counts from the first start
	SinceBetter time.Duration // time from the latest improvement to Last, for Budget.Stall
}

// cut is the section "cut" of a shard's file. It lists the vectors, each in a section of its own, and their
// columns. Its JSON names are those of earlier files.
type cut struct {
	Lo, Hi  int // variables
	PartLo  int `json:"BlockLo,omitempty"`
	PartHi  int `json:"BlockHi,omitempty"`
	Vectors []cutVector
}

type cutVector struct {
	Name       string
	Rows, Size int
	ByPart     bool `json:"ByBlock,omitempty"`
}

// of returns the range of a vector's columns.
func (c cut) of(v Vector) (lo, hi int) {
	if v.ByPart {
		return c.PartLo, c.PartHi
	}
	return c.Lo, c.Hi
}

const (
	stateSection = "state"
	cutSection   = "cut"

	// Piece is the largest number of bytes that is copied to or from a device at a time.
	Piece = 8 << 20
)

// Bytes returns the approximate size of the stored state.
func (st *State) Bytes() (n int64) {
	for _, sh := range st.Shards {
		for _, v := range st.Vectors {
			c := st.extent(v, sh)
			n += int64(v.Rows) * int64(v.Size) * int64(c.Hi-c.Lo)
		}
	}
	return n
}

// SaveHost writes the struct of the host as a section of w.
func (st *State) SaveHost(w *checkpoint.Writer) error {
	return w.WriteSection(stateSection, checkpoint.Encode(st.Host))
}

// LoadHost reads the section that SaveHost wrote.
func (st *State) LoadHost(f *checkpoint.File) error {
	b, err := f.ReadSection(stateSection)
	if err != nil {
		return err
	}
	if err := checkpoint.Decode(b, st.Host); err != nil || st.Loaded == nil {
		return err
	}
	return st.Loaded()
}

// SaveShards writes one file per shard. It calls create from several goroutines to open them. A shard
// writes the columns that it owns, without its halo.
func (st *State) SaveShards(create func(s int) (io.WriteCloser, error)) error {
	if len(st.Vectors) == 0 {
		return nil
	}
	return st.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		file, err := create(s)
		if err != nil {
			return err
		}
		err = st.saveShard(s, sh, file)
		if e := file.Close(); err == nil {
			err = e
		}
		return err
	})
}

func (st *State) saveShard(s int, sh shard.Shard, file io.Writer) error {
	w := checkpoint.NewWriter(file)
	about := cut{Lo: sh.VarLo, Hi: sh.VarHi, Vectors: st.list()}
	if st.Parts != nil {
		about.PartLo, about.PartHi = st.Parts(sh)
	}
	text, err := json.Marshal(about)
	if err != nil {
		return err
	}
	if err := w.WriteSection(cutSection, text); err != nil {
		return err
	}
	var buf []byte
	for _, v := range st.Vectors {
		c := st.extent(v, sh)
		if err := w.Section(v.Name, int64(v.Rows)*int64(c.Hi-c.Lo)*int64(v.Size)); err != nil {
			return err
		}
		on := v.On(s)
		step := max(1, Piece/v.Size)
		for row := range v.Rows {
			for lo := c.Lo; lo < c.Hi; lo += step {
				n := min(step, c.Hi-lo)
				buf = grown(buf, n*v.Size)
				if err := on.ReadBytes(row*(c.To-c.From)+lo-c.From, buf); err != nil {
					return err
				}
				if _, err := w.Write(buf); err != nil {
					return err
				}
			}
		}
	}
	return w.Close()
}

// grown returns a slice of n bytes, which reuses b if b is large enough.
func grown(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// LoadShards fills the vectors from the files of a run, which may have been split in another way. Together
// the files must have every column once.
func (st *State) LoadShards(files []*checkpoint.File) error {
	if len(st.Vectors) == 0 {
		return nil
	}
	cuts := make([]cut, len(files))
	for i, f := range files {
		text, err := f.ReadSection(cutSection)
		if err == nil {
			err = json.Unmarshal(text, &cuts[i])
		}
		if err == nil {
			err = st.matches(cuts[i])
		}
		if err != nil {
			return fmt.Errorf("file %d: %w", i, err)
		}
	}
	if err := st.covers(cuts); err != nil {
		return err
	}
	return st.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		for i, c := range cuts {
			for _, v := range st.Vectors {
				if err := loadPart(v, v.On(s), st.extent(v, sh), files[i], c); err != nil {
					return fmt.Errorf("file %d: %w", i, err)
				}
			}
		}
		return nil
	})
}

// covers checks that the files together have every column of this run once.
func (st *State) covers(cuts []cut) error {
	for _, kind := range []struct {
		name string
		of   Vector
	}{{"variables", Vector{}}, {"parts", Vector{ByPart: true}}} {
		if kind.of.ByPart && st.Parts == nil {
			continue
		}
		order := slices.Clone(cuts)
		slices.SortFunc(order, func(a, b cut) int {
			aLo, aHi := a.of(kind.of)
			bLo, bHi := b.of(kind.of)
			return cmp.Or(aLo-bLo, aHi-bHi)
		})
		at, end := 0, 0
		for _, c := range order {
			lo, hi := c.of(kind.of)
			if lo != at || hi < at {
				return &checkpoint.Damage{Msg: fmt.Sprintf("%s %d to %d are in no file, or in two", kind.name, at, lo)}
			}
			at = hi
		}
		for _, sh := range st.Shards {
			end = max(end, st.extent(kind.of, sh).To)
		}
		if at != end {
			return &checkpoint.Damage{Msg: fmt.Sprintf("the files hold %d %s, the problem has %d", at, kind.name, end)}
		}
	}
	return nil
}

// loadPart copies those columns of a file that a shard stores.
func loadPart(v Vector, on shard.Raw, to extent, f *checkpoint.File, c cut) error {
	first, end := c.of(v)
	lo, hi := max(first, to.From), min(end, to.To)
	if lo >= hi {
		return nil
	}
	section, err := f.Section(v.Name)
	if err != nil {
		return err
	}
	if want := int64(v.Rows) * int64(end-first) * int64(v.Size); section.Size() != want {
		return &checkpoint.Damage{Msg: fmt.Sprintf("section %q has %d bytes; want %d", v.Name, section.Size(),
			want)}
	}
	var buf []byte
	step := max(1, Piece/v.Size)
	for row := range v.Rows {
		for at := lo; at < hi; at += step {
			n := min(step, hi-at)
			buf = grown(buf, n*v.Size)
			from := int64(row)*int64(end-first) + int64(at-first)
			if _, err := section.ReadAt(buf, from*int64(v.Size)); err != nil {
				return err
			}
			if err := on.WriteBytes(row*(to.To-to.From)+at-to.From, buf); err != nil {
				return err
			}
		}
	}
	return nil
}

// list describes the vectors in the form of a file.
func (st *State) list() (all []cutVector) {
	for _, v := range st.Vectors {
		all = append(all, cutVector{v.Name, v.Rows, v.Size, v.ByPart})
	}
	return all
}

// matches checks that a file has the vectors of this run.
func (st *State) matches(c cut) error {
	want := st.list()
	if !slices.Equal(c.Vectors, want) {
		return fmt.Errorf("the vectors are %+v; this run has %+v", c.Vectors, want)
	}
	return nil
}

// RestoreError means that a stored point has another value than it had when it was stored.
type RestoreError struct{ Got, Want float64 }

func (e *RestoreError) Error() string {
	return fmt.Sprintf("a stored point has the value %.17g on these devices, and had %.17g; they are not usable for "+
		"this run", e.Got, e.Want)
}

// SameValue compares a value with the stored one. Both were computed by devices, so their errors may have
// opposite signs.
func SameValue(got, want, tol float64) error {
	if host.Finite(want) && Agree(got, want, 2*tol) || !host.Finite(want) && !host.Finite(got) {
		return nil
	}
	return &RestoreError{got, want}
}
