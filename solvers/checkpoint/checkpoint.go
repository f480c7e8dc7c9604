// Package checkpoint is the format of the files that hold a stopped run:
//
//	"CLOPTCK1"  version u32
//	section:    name [16]byte  length u64  CRC u32 of these 24 bytes
//	            blocks of 1 MiB, the last one shorter, each with a CRC u32 behind it
//	...
//	section:    name "end", length 0
//
// All numbers are little-endian; a CRC is CRC-32C. A block can be read and
// checked without the others, so that a file of many gigabytes is read in
// whatever order its new owner wants it. Nothing in a file is code.
//
// The state of a run, whose values become such sections, is package solvers'.
package checkpoint

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

const (
	// Version is that of the format; a file of another one is refused.
	Version = 1

	magic      = "CLOPTCK1"
	nameBytes  = 16
	headBytes  = nameBytes + 8 + 4
	blockBytes = 1 << 20
	last       = "end"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Damage says what is wrong with the bytes of a file.
type Damage struct{ Msg string }

func (d *Damage) Error() string { return d.Msg }

func damaged(format string, args ...any) error { return &Damage{fmt.Sprintf(format, args...)} }

// Writer writes one file.
type Writer struct {
	w     io.Writer
	left  int64  // bytes that the section still wants
	block []byte // of the section, not yet written
	err   error
}

// NewWriter starts a file. The Writer does not own w; its blocks are written
// with one call each.
func NewWriter(w io.Writer) *Writer {
	f := &Writer{w: w}
	f.write(binary.LittleEndian.AppendUint32([]byte(magic), Version))
	return f
}

func (f *Writer) write(b []byte) {
	if f.err == nil {
		_, f.err = f.w.Write(b)
	}
}

// Section begins a section of a name of at most 16 bytes, "end" excepted,
// whose length bytes are then given to Write.
func (f *Writer) Section(name string, length int64) error {
	if f.left > 0 && f.err == nil {
		panic("checkpoint: a section is shorter than it was announced")
	}
	if name == "" || len(name) > nameBytes || strings.ContainsRune(name, 0) || length < 0 {
		panic("checkpoint: name or length of a section")
	}
	head := make([]byte, nameBytes, headBytes)
	copy(head, name)
	head = binary.LittleEndian.AppendUint64(head, uint64(length))
	f.write(binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli)))
	f.left = length
	return f.err
}

// Write adds to the section. More than it was announced to have is a panic.
func (f *Writer) Write(b []byte) (int, error) {
	if int64(len(b)) > f.left {
		panic("checkpoint: a section is longer than it was announced")
	}
	n := len(b)
	for len(b) > 0 && f.err == nil {
		if f.block == nil {
			f.block = make([]byte, 0, blockBytes+4)
		}
		k := min(len(b), blockBytes-len(f.block))
		f.block = append(f.block, b[:k]...)
		b, f.left = b[k:], f.left-int64(k)
		if len(f.block) == blockBytes || f.left == 0 {
			f.write(binary.LittleEndian.AppendUint32(f.block, crc32.Checksum(f.block, castagnoli)))
			f.block = f.block[:0]
		}
	}
	return n, f.err
}

// Close ends the file and returns the first error of any call. A file without
// its end is damaged.
func (f *Writer) Close() error {
	f.Section(last, 0)
	return f.err
}

// File is a file that is read. It is safe for concurrent use.
type File struct {
	r        io.ReaderAt
	sections map[string]span
	names    []string
}

type span struct{ start, length int64 }

// stored is how many bytes a section of a length takes after its head.
func stored(length int64) int64 { return length + 4*((length+blockBytes-1)/blockBytes) }

// Open reads the heads of all sections of a file of size bytes. What does not
// keep the format is a *Damage.
func Open(r io.ReaderAt, size int64) (*File, error) {
	f := &File{r: r, sections: map[string]span{}}
	head := make([]byte, headBytes)
	start := int64(len(magic) + 4)
	if size < start {
		return nil, damaged("%d bytes are too few for a checkpoint", size)
	}
	if err := f.read(head[:start], 0); err != nil {
		return nil, err
	}
	if string(head[:len(magic)]) != magic {
		return nil, damaged("not a checkpoint: it does not begin with %s", magic)
	}
	if v := binary.LittleEndian.Uint32(head[len(magic):]); v != Version {
		return nil, damaged("version %d of the format; this clopt reads version %d", v, Version)
	}
	for at := start; ; {
		if size-at < headBytes {
			return nil, damaged("cut off at byte %d", size)
		}
		if err := f.read(head, at); err != nil {
			return nil, err
		}
		if crc32.Checksum(head[:headBytes-4], castagnoli) != binary.LittleEndian.Uint32(head[headBytes-4:]) {
			return nil, damaged("the head of a section at byte %d is damaged", at)
		}
		name := strings.TrimRight(string(head[:nameBytes]), "\x00")
		length := int64(binary.LittleEndian.Uint64(head[nameBytes:]))
		at += headBytes
		if name == last {
			if at != size {
				return nil, damaged("%d bytes behind its end", size-at)
			}
			return f, nil
		}
		if _, twice := f.sections[name]; twice || length < 0 {
			return nil, damaged("section %q at byte %d", name, at-headBytes)
		}
		if length > size-at || stored(length) > size-at {
			return nil, damaged("cut off at byte %d, in section %q", size, name)
		}
		f.sections[name] = span{at, length}
		f.names = append(f.names, name)
		at += stored(length)
	}
}

func (f *File) read(b []byte, at int64) error {
	_, err := f.r.ReadAt(b, at)
	if errors.Is(err, io.EOF) {
		return damaged("cut off at byte %d", at)
	}
	return err
}

// Names are the sections in the order of the file.
func (f *File) Names() []string { return f.names }

// Section finds a section; a missing one is a *Damage. The reader is used by
// one goroutine.
func (f *File) Section(name string) (*Section, error) {
	s, ok := f.sections[name]
	if !ok {
		return nil, damaged("no section %q", name)
	}
	return &Section{f: f, name: name, span: s, have: -1}, nil
}

// Section is one section, readable from any place.
type Section struct {
	f     *File
	name  string
	span  span
	block []byte // the one read last
	have  int64  // its number; -1 for none
}

// Size is its length in bytes.
func (s *Section) Size() int64 { return s.span.length }

// ReadAt fills b from byte off of the section on, or fails; each block that it
// touches is checked.
func (s *Section) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 || off+int64(len(b)) > s.span.length {
		return 0, io.ErrUnexpectedEOF
	}
	n := 0
	for n < len(b) {
		k := (off + int64(n)) / blockBytes
		if k != s.have {
			if err := s.load(k); err != nil {
				return n, err
			}
		}
		n += copy(b[n:], s.block[off+int64(n)-k*blockBytes:])
	}
	return n, nil
}

func (s *Section) load(k int64) error {
	n := min(blockBytes, s.span.length-k*blockBytes)
	if s.block = s.block[:0]; int64(cap(s.block)) < n+4 {
		s.block = make([]byte, 0, n+4)
	}
	b := s.block[:n+4]
	s.have = -1
	if err := s.f.read(b, s.span.start+k*(blockBytes+4)); err != nil {
		return err
	}
	if crc32.Checksum(b[:n], castagnoli) != binary.LittleEndian.Uint32(b[n:]) {
		return damaged("block %d of section %q is damaged", k, s.name)
	}
	s.block, s.have = b[:n], k
	return nil
}

// maxWhole bounds what ReadAll allocates.
const maxWhole = 1 << 30

// ReadAll is the whole section, for those that are small.
func (s *Section) ReadAll() ([]byte, error) {
	if s.span.length > maxWhole {
		return nil, damaged("section %q has %d bytes", s.name, s.span.length)
	}
	b := make([]byte, s.span.length)
	_, err := s.ReadAt(b, 0)
	return b, err
}
