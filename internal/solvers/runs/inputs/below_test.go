package inputs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
)

// An included file that became a link to a file elsewhere after it was read is not copied to the run folder.
func TestSwappedForALink(t *testing.T) {
	dir, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	for path, text := range map[string]string{secret: "secret\n", filepath.Join(dir, "a.h"): "\n",
		filepath.Join(dir, "f.cl"): "//@ bounds 0 1\n#include \"a.h\"\n" +
			"static void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k); }\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	o, err := opencl.ParseFile(filepath.Join(dir, "f.cl"), 3)
	if err != nil {
		t.Fatal(err)
	}
	var p problems.Problem = o
	run, err := disk.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	in := Of(p)
	if err := os.Remove(filepath.Join(dir, "a.h")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, "a.h")); err != nil {
		t.Skip(err)
	}
	if err := in.Write(run); err == nil {
		t.Error("a file elsewhere is copied")
	}
	if text, err := os.ReadFile(filepath.Join(run.Path, Name, "a.h")); err == nil {
		t.Errorf("%q", text)
	}
}
