package runs

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// NewFolder never uses a folder twice, Slug returns valid names, and a folder can be locked only once.
func TestFolders(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "a", "b")
	for _, want := range []string{"x", "x.2", "x.3"} {
		if dir, err := NewFolder(parent, "x"); err != nil || filepath.Base(dir) != want {
			t.Errorf("%s, %v, want %s", dir, err, want)
		}
	}
	for text, want := range map[string]string{
		"cec2013/f1:mode=paper,n=1000": "cec2013-f1-mode-paper-n-1000", "../..": "run", "": "run", "A b": "a-b",
		"ünï/ñandú.cl": "ünï-ñandú.cl", strings.Repeat("é", 100): strings.Repeat("é", 60),
		strings.Repeat("x", 500): strings.Repeat("x", 120),
	} {
		if got := Slug(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	undo, err := Lock(parent)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(filepath.Join(parent, "lock"))
	if !strings.Contains(string(text), fmt.Sprint("pid ", os.Getpid())) {
		t.Errorf("lock: %q", text)
	}
	_, err = Lock(parent)
	if f, ok := errors.AsType[*Fault](err); !ok || f.Kind != Input {
		t.Errorf("second lock: %v", err)
	}
	undo()
}

// TestDiscard checks that a folder with something to keep is not removed.
func TestDiscard(t *testing.T) {
	for _, c := range []struct{ file, text string }{
		{"", ""}, {"log.txt", ""}, {TraceName, `{"type":"start"}`}, {TraceName, `{"type":"sample"}`},
		{ResultName, "{}"}, {"checkpoint/000001/manifest.json", "{}"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, c.file)
		os.MkdirAll(filepath.Dir(path), 0o777)
		if c.file != "" {
			if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		Discard(dir)
		keeps := strings.Contains(c.text, "sample") || strings.HasSuffix(c.file, ".json")
		if Exists(dir) != keeps {
			t.Errorf("with %s %q the folder is there: %v", c.file, c.text, !keeps)
		}
	}
}

func TestWriteWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	sum, err := WriteWhole(path, func(w io.Writer) error { _, err := io.WriteString(w, "abc"); return err })
	if err != nil || sum != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Error(sum, err)
	}
	_, err = WriteWhole(path, func(io.Writer) error { return syscall.ENOSPC })
	if f, ok := errors.AsType[*Fault](err); !ok || f.Kind != Output {
		t.Error(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "abc" {
		t.Errorf("after a failed write the file is %q, want \"abc\"", text)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("temporary files are left: %v", left)
	}
}
