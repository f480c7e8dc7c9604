package checkpoint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/test/battery"
)

// pattern returns n bytes whose period is not a power of two.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + i/251)
	}
	return b
}

// sizes are the sizes of sections: none, a few bytes, and around the end of a chunk.
var sizes = []int{0, 1, 1000, chunkBytes - 1, chunkBytes, chunkBytes + 1, 2*chunkBytes + 5}

func write(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	for i, n := range sizes {
		if err := w.Section(fmt.Sprint("s", i), int64(n)); err != nil {
			t.Fatal(err)
		}
		p := pattern(n)
		for len(p) > 0 { // in pieces of odd lengths
			k := min(len(p), 333_333)
			if _, err := w.Write(p[:k]); err != nil {
				t.Fatal(err)
			}
			p = p[k:]
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func open(b []byte) (*File, error) { return Open(bytes.NewReader(b), int64(len(b))) }

// readAll opens a file and reads all its sections.
func readAll(b []byte) (parts [][]byte, err error) {
	f, err := open(b)
	if err != nil {
		return nil, err
	}
	for _, name := range f.Names() {
		s, err := f.Section(name)
		if err != nil {
			return nil, err
		}
		p, err := s.ReadAll()
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

func TestSections(t *testing.T) {
	file := write(t)
	parts, err := readAll(file)
	if err != nil || len(parts) != len(sizes) {
		t.Fatalf("%d sections, %v", len(parts), err)
	}
	for i, n := range sizes {
		if !bytes.Equal(parts[i], pattern(n)) {
			t.Errorf("section %d of %d bytes differs", i, n)
		}
	}
	f, _ := open(file)
	s, _ := f.Section("s6")
	want := pattern(sizes[6])
	for _, off := range []int{0, 5, chunkBytes - 3, chunkBytes, 2*chunkBytes - 2, sizes[6] - 7} {
		got := make([]byte, 7)
		if _, err := s.ReadAt(got, int64(off)); err != nil || !bytes.Equal(got, want[off:off+7]) {
			t.Errorf("at %d: %v, %v", off, got, err)
		}
	}
	if _, err := s.ReadAt(make([]byte, 8), s.Size()-7); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("after the end: %v", err)
	}
	if _, err := f.Section("s7"); !isDamage(err) {
		t.Errorf("a section that is not there: %v", err)
	}
}

func isDamage(err error) bool {
	_, ok := errors.AsType[*Damage](err)
	return ok
}

// Every flipped bit and every missing byte is found.
func TestDamage(t *testing.T) {
	file := write(t)
	places := []int{}
	for at := 0; at < len(file); at += 9973 {
		places = append(places, at)
	}
	for at := range 200 { // heads and small sections
		places = append(places, at, len(file)-1-at)
	}
	for _, at := range places {
		bad := slices.Clone(file)
		bad[at] ^= 1 << (at % 8)
		if _, err := readAll(bad); !isDamage(err) {
			t.Fatalf("bit flipped in byte %d of %d: %v", at, len(file), err)
		}
	}
	for _, at := range places {
		if _, err := readAll(file[:at]); !isDamage(err) {
			t.Fatalf("cut to %d of %d bytes: %v", at, len(file), err)
		}
	}
	if _, err := readAll(append(slices.Clone(file), 0)); !isDamage(err) {
		t.Errorf("a byte after the end: %v", err)
	}
}

// A head that announces more bytes than the file has needs no memory.
func TestHugeLength(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	w.Section("huge", 1<<62)
	if _, err := open(b.Bytes()); !isDamage(err) {
		t.Errorf("%v", err)
	}
}

// limited accepts n bytes and then fails, like a full disk.
type limited struct{ n int }

func (l *limited) Write(b []byte) (int, error) {
	if l.n -= len(b); l.n < 0 {
		return 0, errors.New("no space left")
	}
	return len(b), nil
}

func TestWriteFails(t *testing.T) {
	for n := range 8 + 4 + headBytes + 40 + 4 + headBytes {
		w := NewWriter(&limited{n})
		w.Section("a", 40)
		w.Write(pattern(40))
		if err := w.Close(); err == nil {
			t.Fatalf("no error for a disk of %d bytes", n)
		}
	}
}

type inner struct {
	On    bool
	When  uint32
	Value float64
}

type state struct {
	N     int64
	K     int
	F     []float64
	Empty []uint16
	None  []float64
	Inner inner
	List  []inner
}

func TestFields(t *testing.T) {
	nan := math.Float64frombits(0x7ff8_0000_0000_1234)
	a := state{
		N: math.MinInt64, K: -3, F: []float64{nan, math.Inf(-1), math.Copysign(0, -1), 5e-324}, Empty: []uint16{},
		Inner: inner{true, math.MaxUint32, 0.1}, List: []inner{{}, {false, 7, -2.5}},
	}
	b := Encode(&a)
	var c state
	if err := Decode(b, &c); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(Encode(&c), b) || math.Float64bits(c.F[0]) != math.Float64bits(nan) || c.None != nil ||
		c.Empty == nil || c.List[1] != a.List[1] || c.K != -3 {
		t.Errorf("%+v", c)
	}
	for n := range b {
		c = state{K: 99}
		if err := Decode(b[:n], &c); err == nil || c.K != 99 {
			t.Fatalf("cut to %d of %d bytes: %v, %+v", n, len(b), err, c)
		}
	}
	if err := Decode(append(slices.Clone(b), 0), &c); !isDamage(err) {
		t.Errorf("a byte too many: %v", err)
	}
	var other struct{ N int64 }
	if err := Decode(b, &other); err == nil || !strings.Contains(err.Error(), "List []{On bool") {
		t.Errorf("another struct: %v", err)
	}
}

// Any bytes are either refused or read, without a panic and without much memory.
func FuzzOpen(f *testing.F) {
	battery.Target(f)
	var b bytes.Buffer
	w := NewWriter(&b)
	w.Section("state", 3)
	w.Write([]byte("abc"))
	w.Close()
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:20])
	f.Fuzz(func(t *testing.T, file []byte) { readAll(file) })
}

func FuzzDecode(f *testing.F) {
	battery.Target(f)
	f.Add(Encode(&state{F: []float64{1}, List: []inner{{}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		var s state
		if Decode(b, &s) == nil && len(Encode(&s)) != len(b) {
			t.Error("read, but written with another length")
		}
	})
}
