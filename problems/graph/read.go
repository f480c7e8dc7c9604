package graph

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/clopt/clopt/problems/input"
)

// Format is the format of a file.
type Format int

// The formats. Files count vertices from 0 or 1; the vertices of a Graph always
// count from 0.
const (
	Unknown Format = iota
	Rudy           // "n m", then m lines "i j w", counting from 1; a missing w is 1
	Matrix         // MatrixMarket coordinate real, integer or pattern; symmetric or general
	QUBO           // "p qubo 0 N nodes couplers", then "i i a" and "i j q" with i < j, counting from 0
	List           // lines "i i h" and "i j J" without a header: an Ising problem
)

func (f Format) String() string {
	return [...]string{"unknown", "a graph in rudy form", "a MatrixMarket matrix", "a QUBO", "a list of couplings"}[f]
}

// Options allow features of a graph that are usually faults.
type Options struct {
	DropLoops  bool // skip edges from a vertex to itself instead of refusing them
	MergeEdges bool // add the weights of edges between the same vertices instead of refusing them
}

// Notes count edges of the file that are not in the graph.
type Notes struct {
	Loops  int // dropped, with Options.DropLoops
	Merged int // edges added to others, with Options.MergeEdges
	Zeros  int // edges of weight 0
}

// source is a file that can be opened again.
type source struct {
	name string
	size int64
	open func() (io.ReadCloser, error)
}

func fileSource(path string) (source, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return source{}, input.Errorf(path, 0, 0, "is a folder. Give a file.")
	case err == nil && !info.Mode().IsRegular():
		return source{}, input.Errorf(path, 0, 0, "is not a regular file. Copy its content into a file.")
	case err != nil:
		return source{}, openError(path, err)
	}
	return source{path, info.Size(), func() (io.ReadCloser, error) { return os.Open(path) }}, nil
}

func openError(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return input.Errorf(path, 0, 0, "no such file. Check the name.")
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return input.Errorf(path, 0, 0, "cannot be opened: %v.", err)
}

// Limits on the growth of a gzip file, so that a small file cannot keep a reader
// busy for long.
const (
	maxGrowth  = 25
	freeGrowth = 4 << 20 // bytes of text that are always allowed
)

// text is the text of a file, decompressed if it is a gzip file.
type text struct {
	io.Reader
	most  int64 // largest number of bytes of the text
	close func()
}

func (t *text) Close() { t.close() }

func (src source) text() (*text, error) {
	f, err := src.open()
	if err != nil {
		return nil, openError(src.name, err)
	}
	r := bufio.NewReaderSize(f, 64<<10)
	t := &text{Reader: r, most: src.size, close: func() { f.Close() }}
	head, _ := r.Peek(2)
	switch {
	case len(head) == 0:
		f.Close()
		return nil, input.Errorf(src.name, 0, 0, "is empty.")
	case bytes.Equal(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(r)
		if err != nil {
			f.Close()
			return nil, input.Errorf(src.name, 0, 0, "damaged gzip data: %v. Fetch the file again.", err)
		}
		t.most = max(freeGrowth, maxGrowth*src.size)
		t.Reader = &bounded{r: z, left: t.most}
	case bytes.Equal(head, []byte{0xff, 0xfe}), bytes.Equal(head, []byte{0xfe, 0xff}):
		f.Close()
		return nil, input.Errorf(src.name, 1, 1, "a text in UTF-16. Save it in UTF-8 or ASCII.")
	}
	return t, nil
}

// bounded returns an error if a compressed text grows too much.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, input.Errorf("", 0, 0,
			"the gzip data grows more than %d-fold, as no graph does. If it is a graph, unpack it first.", maxGrowth)
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// sniffed is the number of bytes that Sniff reads.
const sniffed = 64 << 10

// Sniff returns the format of a file by its content. It returns Unknown if the file
// cannot be read; the reader of the file reports the fault.
func Sniff(path string) Format {
	src, err := fileSource(path)
	if err != nil {
		return Unknown
	}
	t, err := src.text()
	if err != nil {
		return Unknown
	}
	defer t.Close()
	head := make([]byte, sniffed)
	n, _ := io.ReadFull(t, head)
	return sniff(head[:n])
}

// sniff returns the format of a text by its first line that is not a comment.
func sniff(head []byte) Format {
	if bytes.HasPrefix(bytes.ToLower(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))), []byte("%%matrixmarket")) {
		return Matrix
	}
	s := newScanner(bytes.NewReader(head), "")
	fields, problem := 0, false
	for {
		kind, word, err := s.next()
		switch {
		case err != nil || kind == endText:
			return Unknown
		case problem && string(word) == "qubo":
			return QUBO
		case problem:
			return Unknown
		case kind == endLine && fields == 2:
			return Rudy
		case kind == endLine:
			return List
		}
		fields++
		if fields == 1 && len(word) == 1 && word[0] == 'p' {
			problem = true
			continue
		}
		if _, _, err := decimal(word); err != nil {
			switch c := word[0]; {
			case fields == 1 && (c < '0' || c > '9') && c != '-' && c != '+':
				return Unknown
			case fields > 2:
				return List
			}
			return Rudy // its reader reports the fault
		}
	}
}
