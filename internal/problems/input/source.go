package input

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Source is a regular file that can be opened again.
type Source struct {
	Name string
	Size int64 // bytes of the file, packed or not
}

// FileSource returns the source of a file. It is an *Error if path is not a regular file.
func FileSource(path string) (Source, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return Source{}, Errorf(path, 0, 0, "is a folder. Give a file.")
	case err == nil && !info.Mode().IsRegular():
		return Source{}, notRegular(path)
	case err != nil:
		return Source{}, openError(path, err)
	}
	return Source{path, info.Size()}, nil
}

// notRegular is the error of a pipe or a device, which may have no end, or no writer.
func notRegular(path string) *Error {
	return Errorf(path, 0, 0, "is not a regular file. Copy its content into a file.")
}

func openError(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return Errorf(path, 0, 0, "no such file. Check the name.")
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return Errorf(path, 0, 0, "cannot be opened: %v.", err)
}

// Limits on the growth of a gzip file, so that a small file cannot keep a reader
// busy for long.
const (
	maxGrowth  = 25
	freeGrowth = 4 << 20 // bytes of text that are always allowed
)

// Text is the text of a file, decompressed if it is a gzip file.
type Text struct {
	io.Reader
	Most  int64 // largest number of bytes of the text
	close func()
}

// Close closes the file.
func (t *Text) Close() { t.close() }

// packed are the first bytes of what other programs than gzip have packed.
var packed = []struct{ begin, what string }{
	{"PK\x03\x04", "a zip archive"}, {"BZh", "packed by bzip2"}, {"\xfd7zXZ\x00", "packed by xz"},
	{"\x28\xb5\x2f\xfd", "packed by zstd"}, {"7z\xbc\xaf\x27\x1c", "packed by 7-Zip"},
}

// Text opens the file. The caller closes the text. Empty files, texts in UTF-16 and packed files are refused, unless
// gzip has packed them.
func (src Source) Text() (*Text, error) {
	f, err := os.Open(src.Name)
	if err != nil {
		return nil, openError(src.Name, err)
	}
	r := bufio.NewReaderSize(f, 64<<10)
	t := &Text{Reader: r, Most: src.Size, close: func() { f.Close() }}
	head, _ := r.Peek(6)
	for _, p := range packed {
		if bytes.HasPrefix(head, []byte(p.begin)) {
			f.Close()
			if strings.EqualFold(filepath.Ext(src.Name), ".npz") {
				return nil, Errorf(src.Name, 1, 1, "is an archive of numpy, which is not read. Write its matrix as "+
					".npy, as "+
					"numpy.save(\"Q.npy\", scipy.sparse.load_npz(\"%s\").toarray()) does.", filepath.Base(src.Name))
			}
			return nil, Errorf(src.Name, 1, 1, "is %s, and only gzip is read. Unpack it.", p.what)
		}
	}
	switch {
	case len(head) == 0:
		f.Close()
		return nil, Errorf(src.Name, 1, 1, "is empty.")
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(r)
		if err != nil {
			f.Close()
			return nil, Errorf(src.Name, 0, 0, "damaged gzip data: %v. Fetch the file again.", err)
		}
		t.Most = max(freeGrowth, maxGrowth*src.Size)
		t.Reader = &bounded{r: z, left: t.Most}
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		f.Close()
		return nil, Errorf(src.Name, 1, 1, "a text in UTF-16. Save it in UTF-8 or ASCII.")
	}
	return t, nil
}

// IsText reports whether a file is a text as far as its first bytes show, packed by gzip or not. It is true if there is
// no such file.
func IsText(path string) bool {
	src, err := FileSource(path)
	if err != nil {
		return true
	}
	t, err := src.Text()
	if err != nil {
		return false
	}
	t.Close()
	return true
}

// bounded returns an error if a compressed text grows too much.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, Errorf("", 0, 0,
			"the gzip data grows more than %d-fold, as no graph does. If it is a graph, unpack it first.", maxGrowth)
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
