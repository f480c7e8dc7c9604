//go:build unix

package battery_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/clopt/clopt/test/battery"
)

// special are things other than a file of some bytes that can have the name of an input.
var special = []struct {
	name string
	make func(path string) error
}{
	{"a pipe without a writer", func(path string) error { return syscall.Mkfifo(path, 0o666) }},
	{"a device without an end", func(path string) error { return os.Symlink("/dev/zero", path) }},
	{"a file of 2^40 zeros", func(path string) error {
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			return err
		}
		return os.Truncate(path, 1<<40)
	}},
	{"an empty device", func(path string) error { return os.Symlink("/dev/null", path) }},
	{"a folder", func(path string) error { return os.Mkdir(path, 0o777) }},
	{"a link to itself", func(path string) error { return os.Symlink(filepath.Base(path), path) }},
}

// TestR1SpecialFiles gives pipes, devices and huge files as inputs of every kind. The command refuses each with exit
// code 2, at once and with little memory.
func TestR1SpecialFiles(t *testing.T) {
	count := battery.Begin(t)
	t.Chdir(t.TempDir())
	put(t, "l.cl", strings.NewReplacer("reads k", "reads lists l.txt", "n 20", "n 3").Replace(sphere))
	put(t, "w.cl", "//@ data w w.npy\n"+sphere)
	put(t, "h.txt", kinds[0].text)
	try := func(k int, file, command string) {
		for i, s := range special {
			if testing.Short() && i != k%len(special) {
				continue
			}
			if err := s.make(file); err != nil {
				t.Fatal(err)
			}
			o := words(t, command)
			count.Check(o.code == 2 && o.out == "" && o.spent <= mostTime && o.peak <= mostMemory &&
				strings.Contains(o.errs, "error: "), "%s is %s: %v", file, s.name, o)
			os.RemoveAll(file)
		}
	}
	for k, c := range kinds {
		try(k, c.file, c.command)
	}
	try(0, "b.json", "plot b.json --kind throughput -o b.svg")
	try(1, "c.cl", "check c.cl")
	try(2, "c.toml", "check c.toml")
}
