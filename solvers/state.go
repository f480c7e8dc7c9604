package solvers

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// State is everything that a run must remember: a struct on the host, and vectors, which are mostly on the devices. It
// leaves out what follows from the key and from counters.
type State struct {
	// Host points to a struct that checkpoint.Encode accepts.
	Host any
	// Arrange is called when Host has been loaded. It may change all other fields, if they depend on Host. nil: they
	// do not.
	Arrange func() error
	// Vectors may be empty.
	Vectors []Vector
	// Pieces is the number of pieces in which the vectors are stored, and Each calls f for every one of them, with the
	// devices in parallel.
	Pieces int
	// Common is the number of the last pieces that every rank has whole, if several ranks make the run.
	Common int
	Each   func(f func(piece int) error) error
	// Restored is called after loading. It compares the vectors of the devices with the struct of the host. It
	// may be nil.
	Restored func(ctx context.Context) error
}

// Vector is a matrix whose columns are variables of the problem, its parts, or units that are dealt to devices.
type Vector struct {
	Name    string // at most 16 bytes
	Rows    int
	Size    int       // bytes of an element
	Columns []Columns // of each piece
}

// Columns are the columns of a vector in one piece of a state. On has the rows one after the other, each with the
// columns [From, To). The piece owns those in [Lo, Hi); the others are copies of columns of other pieces. The zero
// value has no columns.
type Columns struct {
	Lo, Hi, From, To int
	On               shard.Raw
}

// Progress is what Minimize must remember about a run, besides its State.
type Progress struct {
	Last        Sample        // the latest sample; its Elapsed counts from the first start
	Held        Sample        // of the best point of the State, maybe in the middle of a step; its Elapsed is now
	SinceBetter time.Duration // time from the latest improvement to Last, for Budget.Stall
	Idle        float64       // work from the latest improvement to Last, for Budget.StallEvaluations
}

// pieceList is the section "cut" of the file of a piece. It lists the vectors, each in a section of its own.
type pieceList struct{ Vectors []pieceVector }

// pieceVector describes the columns [Lo, Hi) of a vector.
type pieceVector struct {
	Name       string
	Rows, Size int
	Lo, Hi     int
}

const (
	stateSection = "state"
	pieceSection = "cut"

	// Piece is the largest number of bytes that is copied to or from a device at a time.
	Piece = 8 << 20
)

// Bytes returns the approximate size of the stored state.
func (st *State) Bytes() (n int64) {
	for _, v := range st.Vectors {
		for _, c := range v.Columns {
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
	return checkpoint.Decode(b, st.Host)
}

// SavePieces writes one file per piece. It calls create from several goroutines to open them. A piece writes the
// columns that it owns.
func (st *State) SavePieces(create func(piece int) (io.WriteCloser, error)) error {
	if len(st.Vectors) == 0 {
		return nil
	}
	return st.Each(func(piece int) error {
		file, err := create(piece)
		if err != nil {
			return err
		}
		err = st.savePiece(piece, file)
		if e := file.Close(); err == nil {
			err = e
		}
		return err
	})
}

func (st *State) savePiece(piece int, file io.Writer) error {
	w := checkpoint.NewWriter(file)
	var about pieceList
	for _, v := range st.Vectors {
		c := v.Columns[piece]
		about.Vectors = append(about.Vectors, pieceVector{v.Name, v.Rows, v.Size, c.Lo, c.Hi})
	}
	text, err := json.Marshal(about)
	if err != nil {
		return err
	}
	if err := w.WriteSection(pieceSection, text); err != nil {
		return err
	}
	var buf []byte
	for _, v := range st.Vectors {
		c := v.Columns[piece]
		if err := w.Section(v.Name, int64(v.Rows)*int64(c.Hi-c.Lo)*int64(v.Size)); err != nil {
			return err
		}
		step := max(1, Piece/v.Size)
		for row := range v.Rows {
			for lo := c.Lo; lo < c.Hi; lo += step {
				n := min(step, c.Hi-lo)
				buf = grown(buf, n*v.Size)
				if err := c.On.ReadBytes(row*(c.To-c.From)+lo-c.From, buf); err != nil {
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

// LoadPieces fills the vectors from the files of a run, which may have been divided in another way. Together the files
// must have every column once. LoadHost comes first.
func (st *State) LoadPieces(files []*checkpoint.File) error {
	if st.Arrange != nil {
		if err := st.Arrange(); err != nil {
			return err
		}
	}
	if len(st.Vectors) == 0 {
		return nil
	}
	pieces := make([]pieceList, len(files))
	for i, f := range files {
		text, err := f.ReadSection(pieceSection)
		if err == nil {
			err = json.Unmarshal(text, &pieces[i])
		}
		if err == nil {
			err = st.matches(pieces[i])
		}
		if err != nil {
			return fmt.Errorf("file %d: %w", i, err)
		}
	}
	for k, v := range st.Vectors {
		of := make([]pieceVector, len(pieces))
		for i, c := range pieces {
			of[i] = c.Vectors[k]
		}
		if err := v.covered(of); err != nil {
			return err
		}
	}
	return st.Each(func(piece int) error {
		for i, c := range pieces {
			for k, v := range st.Vectors {
				if err := load(v.Columns[piece], files[i], c.Vectors[k]); err != nil {
					return fmt.Errorf("file %d: %w", i, err)
				}
			}
		}
		return nil
	})
}

// covered checks that the parts of v in files together have every column that this run has, once.
func (v Vector) covered(files []pieceVector) error {
	files = slices.DeleteFunc(files, func(c pieceVector) bool { return c.Lo == c.Hi })
	slices.SortFunc(files, func(a, b pieceVector) int { return cmp.Or(a.Lo-b.Lo, a.Hi-b.Hi) })
	first, end := math.MaxInt, 0
	for _, c := range v.Columns {
		if c.From < c.To {
			first, end = min(first, c.Lo), max(end, c.To)
		}
	}
	at := min(first, end)
	for _, c := range files {
		if c.Lo != at || c.Hi < at {
			return &checkpoint.Damage{Msg: fmt.Sprintf("columns %d to %d of %s are in no file, or in two", at, c.Lo,
				v.Name)}
		}
		at = c.Hi
	}
	if at != end {
		return &checkpoint.Damage{Msg: fmt.Sprintf("the files hold %d columns of %s, this run has %d", at, v.Name, end)}
	}
	return nil
}

// load copies those columns of a file that a piece of this run stores.
func load(to Columns, f *checkpoint.File, from pieceVector) error {
	lo, hi := max(from.Lo, to.From), min(from.Hi, to.To)
	if lo >= hi {
		return nil
	}
	section, err := f.Section(from.Name)
	if err != nil {
		return err
	}
	columns, size := int64(from.Hi-from.Lo), int64(from.Size)
	if want := int64(from.Rows) * columns * size; section.Size() != want {
		return &checkpoint.Damage{Msg: fmt.Sprintf("section %q has %d bytes; want %d", from.Name, section.Size(),
			want)}
	}
	var buf []byte
	step := max(1, Piece/from.Size)
	for row := range from.Rows {
		for at := lo; at < hi; at += step {
			n := min(step, hi-at)
			buf = grown(buf, n*from.Size)
			if _, err := section.ReadAt(buf, (int64(row)*columns+int64(at-from.Lo))*size); err != nil {
				return err
			}
			if err := to.On.WriteBytes(row*(to.To-to.From)+at-to.From, buf); err != nil {
				return err
			}
		}
	}
	return nil
}

// matches checks that a file has the vectors of this run.
func (st *State) matches(c pieceList) error {
	about := func(name string, rows, size int) string {
		return fmt.Sprintf("%s of %d rows, %d bytes", name, rows, size)
	}
	var got, want []string
	for _, v := range c.Vectors {
		got = append(got, about(v.Name, v.Rows, v.Size))
	}
	for _, v := range st.Vectors {
		want = append(want, about(v.Name, v.Rows, v.Size))
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("the vectors are %q; this run has %q", got, want)
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

// SameOnHost compares the value of a point by the host reference with the stored one.
func SameOnHost(p problems.Referenced, x []float64, want float64) error {
	f, err := problems.Eval(p, x) // refuses points of another length
	if err != nil {
		return err
	}
	tol := p.Tolerance(problems.FP64)
	if again := problems.Reported(p, x, f); again != f && SameValue(again, want, tol) == nil {
		return nil // it is that of a result
	}
	return SameValue(f, want, tol)
}
