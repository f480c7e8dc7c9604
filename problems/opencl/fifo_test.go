//go:build unix

package opencl

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe is refused, not read: it might never end.
func TestObjectiveFifo(t *testing.T) {
	dir := WriteFiles(t, "my.cl", "//@ bounds -1 1\n#include \"x.h\"\n"+testComponent)
	pipe := filepath.Join(dir, "x.h")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := ParseFile(filepath.Join(dir, "my.cl"), 3)
	CheckInput(t, "fifo", err, "my.cl", "2:1", "not a regular file")
	_, err = ParseFile(pipe, 3)
	CheckInput(t, "fifo", err, "x.h", "", "not a regular file")
}
