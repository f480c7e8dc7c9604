package solvers

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/checkpoint"
)

// Resumable is a Run that can be stored and continued, bit for bit.
type Resumable interface {
	Run
	// State lists all that the run must remember, between two steps. A run
	// that was just started may be given the state of another by Load.
	State() *State
}

// State is all that a run must remember: a struct on the host, and vectors on
// the devices. What follows from the key and from counters is not in it.
type State struct {
	// Host points to a struct that checkpoint.Encode takes.
	Host any
	// Vectors lie on the devices as Shards say; both may be empty.
	Vectors []Vector
	Shards  []shard.Shard
	// Each runs a function per shard, devices concurrently.
	Each func(f func(s int, sh shard.Shard, d *cl.Device) error) error
	// Restored is called after everything was loaded: it compares what the
	// devices now hold with what the host remembers. May be nil.
	Restored func(ctx context.Context) error
}

// Vector is a matrix whose columns are the problem's variables. A shard
// stores its rows one after the other, each of its Vars() columns.
type Vector struct {
	Name string // at most 16 bytes
	Rows int
	Size int // bytes of an element
	On   func(s int) shard.Raw
}

// Loop is what Minimize must remember besides the run.
type Loop struct {
	Last        Sample        // the latest one; its Elapsed counts from the first start
	SinceBetter time.Duration // from the latest improvement to it, for Budget.Stall
}

// cut is the section "cut" of a shard's file: which columns it has of which
// vectors, each of these being a section of its own.
type cut struct {
	Lo, Hi  int
	Vectors []cutVector
}

type cutVector struct {
	Name       string
	Rows, Size int
}

const (
	stateSection = "state"
	cutSection   = "cut"

	// piece bounds the bytes that cross to or from a device at a time.
	piece = 8 << 20
)

// Bytes is about what Save writes.
func (st *State) Bytes() (n int64) {
	for _, sh := range st.Shards {
		for _, v := range st.Vectors {
			n += int64(v.Rows) * int64(v.Size) * int64(sh.VarHi-sh.VarLo)
		}
	}
	return n
}

// SaveHost writes the host's struct as a section of w.
func (st *State) SaveHost(w *checkpoint.Writer) error {
	return writeSection(w, stateSection, checkpoint.Encode(st.Host))
}

// LoadHost reads what SaveHost wrote.
func (st *State) LoadHost(f *checkpoint.File) error {
	b, err := readSection(f, stateSection)
	if err != nil {
		return err
	}
	return checkpoint.Decode(b, st.Host)
}

// SaveShards writes one file per shard, which create opens; it is called from
// several goroutines. A shard writes the columns it owns, not its halo.
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
	about := cut{Lo: sh.VarLo, Hi: sh.VarHi}
	for _, v := range st.Vectors {
		about.Vectors = append(about.Vectors, cutVector{v.Name, v.Rows, v.Size})
	}
	text, err := json.Marshal(about)
	if err != nil {
		return err
	}
	if err := writeSection(w, cutSection, text); err != nil {
		return err
	}
	var buf []byte
	for _, v := range st.Vectors {
		columns := sh.VarHi - sh.VarLo
		if err := w.Section(v.Name, int64(v.Rows)*int64(columns)*int64(v.Size)); err != nil {
			return err
		}
		on := v.On(s)
		step := max(1, piece/v.Size)
		for row := range v.Rows {
			for lo := 0; lo < columns; lo += step {
				n := min(step, columns-lo)
				buf = grown(buf, n*v.Size)
				if err := on.ReadBytes(row*sh.Vars()+sh.VarLo-sh.ReadLo+lo, buf); err != nil {
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

// grown is a slice of n bytes, b itself if it has room.
func grown(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// LoadShards fills the vectors from the files of a run that may have been
// split in another way. The files' cuts lie side by side.
func (st *State) LoadShards(files []*checkpoint.File) error {
	if len(st.Vectors) == 0 {
		return nil
	}
	cuts := make([]cut, len(files))
	for i, f := range files {
		text, err := readSection(f, cutSection)
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
	order := make([]int, len(files))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cuts[a].Lo - cuts[b].Lo })
	at, end := 0, 0
	for _, i := range order {
		if cuts[i].Lo != at || cuts[i].Hi < at {
			return &checkpoint.Damage{Msg: fmt.Sprintf("variables %d to %d are in no file, or in two", at, cuts[i].Lo)}
		}
		at = cuts[i].Hi
	}
	for _, sh := range st.Shards {
		end = max(end, sh.ReadHi)
	}
	if at != end {
		return &checkpoint.Damage{Msg: fmt.Sprintf("the files hold %d variables, the problem has %d", at, end)}
	}
	return st.Each(func(s int, sh shard.Shard, _ *cl.Device) error {
		for _, i := range order {
			c := cuts[i]
			lo, hi := max(c.Lo, sh.ReadLo), min(c.Hi, sh.ReadHi)
			if lo >= hi {
				continue
			}
			for _, v := range st.Vectors {
				if err := loadPart(v, v.On(s), sh, files[i], c, lo, hi); err != nil {
					return fmt.Errorf("file %d: %w", i, err)
				}
			}
		}
		return nil
	})
}

// loadPart copies the columns [lo, hi) of all rows of a vector from a file to
// the shard sh.
func loadPart(v Vector, on shard.Raw, sh shard.Shard, f *checkpoint.File, c cut, lo, hi int) error {
	section, err := f.Section(v.Name)
	if err != nil {
		return err
	}
	if want := int64(v.Rows) * int64(c.Hi-c.Lo) * int64(v.Size); section.Size() != want {
		return &checkpoint.Damage{Msg: fmt.Sprintf("section %q has %d bytes; %d belong there", v.Name, section.Size(), want)}
	}
	var buf []byte
	step := max(1, piece/v.Size)
	for row := range v.Rows {
		for at := lo; at < hi; at += step {
			n := min(step, hi-at)
			buf = grown(buf, n*v.Size)
			from := int64(row)*int64(c.Hi-c.Lo) + int64(at-c.Lo)
			if _, err := section.ReadAt(buf, from*int64(v.Size)); err != nil {
				return err
			}
			if err := on.WriteBytes(row*sh.Vars()+at-sh.ReadLo, buf); err != nil {
				return err
			}
		}
	}
	return nil
}

// matches says whether a file has the vectors of this run.
func (st *State) matches(c cut) error {
	var want []cutVector
	for _, v := range st.Vectors {
		want = append(want, cutVector{v.Name, v.Rows, v.Size})
	}
	if !slices.Equal(c.Vectors, want) {
		return fmt.Errorf("the vectors are %+v; this run has %+v", c.Vectors, want)
	}
	return nil
}

func writeSection(w *checkpoint.Writer, name string, b []byte) error {
	if err := w.Section(name, int64(len(b))); err != nil {
		return err
	}
	_, err := w.Write(b)
	return err
}

func readSection(f *checkpoint.File, name string) ([]byte, error) {
	s, err := f.Section(name)
	if err != nil {
		return nil, err
	}
	return s.ReadAll()
}
