package input

import (
	"bufio"
	"bytes"
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

// Text is the text of a file, which is unpacked if it is packed.
type Text struct {
	io.Reader
	Most  int64 // largest number of bytes of the text
	close func()
}

// Close closes the file.
func (t *Text) Close() { t.close() }

// Text opens the file, which gzip, bzip2, xz or zstd may have packed. The caller closes the text. Empty files, texts in
// UTF-16 and archives are refused. A file whose name ends in .npz is no text, and is opened as it is.
func (src Source) Text() (*Text, error) {
	f, err := os.Open(src.Name)
	if err != nil {
		return nil, openError(src.Name, err)
	}
	r := bufio.NewReaderSize(f, 64<<10)
	t := &Text{Reader: r, Most: src.Size, close: func() { f.Close() }}
	head, _ := r.Peek(6)
	p := packerOf(head)
	switch {
	case len(head) == 0:
		err = Errorf(src.Name, 1, 1, "is empty.")
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		err = Errorf(src.Name, 1, 1, "a text in UTF-16. Save it in UTF-8 or ASCII.")
	case p == nil, p.what == zipWhat && strings.EqualFold(filepath.Ext(src.Name), ".npz"):
	case p.open == nil:
		err = Errorf(src.Name, 1, 1, "is %s. Unpack it, or pack it by gzip, bzip2, xz or zstd.", p.what)
	default:
		var unpacked io.ReadCloser
		if unpacked, err = p.open(r); err != nil {
			err = Errorf(src.Name, 0, 0, "damaged %s data: %v. Fetch the file again.", p.what, err)
			break
		}
		t.Most = max(freeGrowth, p.growth*src.Size)
		t.Reader = &bounded{r: unpacked, left: t.Most, by: p}
		t.close = func() { unpacked.Close(); f.Close() }
	}
	if err != nil {
		f.Close()
		return nil, err
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
