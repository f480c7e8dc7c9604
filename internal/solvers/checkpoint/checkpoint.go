// Package checkpoint reads and writes files that store a stopped run:
//
//	"CLOPTCK1"  version u32
//	section:    name [16]byte  length u64  CRC u32 of these 24 bytes
//	            chunks of 1 MiB, the last one shorter, each followed by a CRC u32
//	...
//	section:    name "end", length 0
//
// All numbers are little-endian; a CRC is CRC-32C. A chunk can be read and checked
// without the others, so that a file of many gigabytes can be read in any order.
// Nothing in a file is code.
//
// Package solvers decides which values of a run are stored in sections.
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
	// Version is the version of the format. Files of other versions are refused.
	Version = 2

	magic      = "CLOPTCK1"
	nameBytes  = 16
	headBytes  = nameBytes + 8 + 4
	chunkBytes = 1 << 20
	last       = "end"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Damage is a fault in the bytes of a file.
type Damage struct{ Msg string }

func (d *Damage) Error() string { return d.Msg }

func damaged(format string, args ...any) error { return &Damage{fmt.Sprintf(format, args...)} }

// Writer writes one file.
type Writer struct {
	w     io.Writer
	left  int64  // bytes that the section still lacks
	chunk []byte // bytes of the section that are not written yet
	err   error
}

// NewWriter begins a file. The Writer does not own w. It writes each chunk with one
// call.
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

// Section begins a section of length bytes, which are then passed to Write. The name
// must have 1 to 16 bytes and must not be "end".
func (f *Writer) Section(name string, length int64) error {
	if f.left > 0 && f.err == nil {
		panic("checkpoint: a section is shorter than announced")
	}
	if name == "" || len(name) > nameBytes || strings.ContainsRune(name, 0) || length < 0 {
		panic("checkpoint: invalid name or length of a section")
	}
	head := make([]byte, nameBytes, headBytes)
	copy(head, name)
	head = binary.LittleEndian.AppendUint64(head, uint64(length))
	f.write(binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli)))
	f.left = length
	return f.err
}

// Write appends b to the section. It panics if the section becomes longer than
// announced.
func (f *Writer) Write(b []byte) (int, error) {
	if int64(len(b)) > f.left {
		panic("checkpoint: a section is longer than announced")
	}
	n := len(b)
	for len(b) > 0 && f.err == nil {
		if f.chunk == nil {
			f.chunk = make([]byte, 0, chunkBytes+4)
		}
		k := min(len(b), chunkBytes-len(f.chunk))
		f.chunk = append(f.chunk, b[:k]...)
		b, f.left = b[k:], f.left-int64(k)
		if len(f.chunk) == chunkBytes || f.left == 0 {
			f.write(binary.LittleEndian.AppendUint32(f.chunk, crc32.Checksum(f.chunk, castagnoli)))
			f.chunk = f.chunk[:0]
		}
	}
	return n, f.err
}

// WriteSection writes a whole section.
func (f *Writer) WriteSection(name string, b []byte) error {
	if err := f.Section(name, int64(len(b))); err != nil {
		return err
	}
	_, err := f.Write(b)
	return err
}

// Close ends the file and returns the first error of any call. A file that was not
// closed is damaged.
func (f *Writer) Close() error {
	f.Section(last, 0)
	return f.err
}

// File is an open file for reading. It is safe for concurrent use.
type File struct {
	r        io.ReaderAt
	sections map[string]span
	names    []string
}

type span struct{ start, length int64 }

// stored returns the number of bytes in a file of a section, without its head.
func stored(length int64) int64 { return length + 4*((length+chunkBytes-1)/chunkBytes) }

// Open reads the heads of all sections of a file of size bytes. If they violate the
// format, the error is a *Damage.
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
				return nil, damaged("%d bytes after its end", size-at)
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

// Names returns the names of the sections in the order of the file.
func (f *File) Names() []string { return f.names }

// Section returns the section of a name. A missing section is a *Damage. Only one
// goroutine at a time may use a Section.
func (f *File) Section(name string) (*Section, error) {
	s, ok := f.sections[name]
	if !ok {
		return nil, damaged("no section %q", name)
	}
	return &Section{f: f, name: name, span: s, have: -1}, nil
}

// ReadSection returns a whole section. It is meant for small sections.
func (f *File) ReadSection(name string) ([]byte, error) {
	s, err := f.Section(name)
	if err != nil {
		return nil, err
	}
	return s.ReadAll()
}

// Section is one section of a File. It can be read from any offset.
type Section struct {
	f     *File
	name  string
	span  span
	chunk []byte // the chunk read last
	have  int64  // its number; -1 if there is none
}

// Size returns the length of the section in bytes.
func (s *Section) Size() int64 { return s.span.length }

// ReadAt fills b with the bytes of the section from offset off on, or returns an
// error. It checks each chunk that it reads.
func (s *Section) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 || off+int64(len(b)) > s.span.length {
		return 0, io.ErrUnexpectedEOF
	}
	n := 0
	for n < len(b) {
		k := (off + int64(n)) / chunkBytes
		if k != s.have {
			if err := s.load(k); err != nil {
				return n, err
			}
		}
		n += copy(b[n:], s.chunk[off+int64(n)-k*chunkBytes:])
	}
	return n, nil
}

func (s *Section) load(k int64) error {
	n := min(chunkBytes, s.span.length-k*chunkBytes)
	s.chunk = s.chunk[:0]
	if int64(cap(s.chunk)) < n+4 {
		s.chunk = make([]byte, 0, n+4)
	}
	b := s.chunk[:n+4]
	s.have = -1
	if err := s.f.read(b, s.span.start+k*(chunkBytes+4)); err != nil {
		return err
	}
	if crc32.Checksum(b[:n], castagnoli) != binary.LittleEndian.Uint32(b[n:]) {
		return damaged("chunk %d of section %q is damaged", k, s.name)
	}
	s.chunk, s.have = b[:n], k
	return nil
}

// maxWhole bounds the memory that ReadAll allocates.
const maxWhole = 1 << 30

// ReadAll returns the whole section. It is meant for small sections.
func (s *Section) ReadAll() ([]byte, error) {
	if s.span.length > maxWhole {
		return nil, damaged("section %q has %d bytes", s.name, s.span.length)
	}
	b := make([]byte, s.span.length)
	_, err := s.ReadAt(b, 0)
	return b, err
}
