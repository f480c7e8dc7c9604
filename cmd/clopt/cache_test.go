//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNoCache runs where PoCL cannot store kernels: a file stands in the place of the folder, or the disk is full. The
// run goes on in a temporary folder, which is removed, and a warning names the folder and what to do.
func TestNoCache(t *testing.T) {
	dir := t.TempDir()
	file(t, filepath.Join(dir, "file"), "")
	file(t, filepath.Join(dir, "own.cl"), sphereText)
	places := []string{filepath.Join(dir, "file")}
	if full := filepath.Join(dir, "full"); os.Mkdir(full, 0o700) == nil &&
		syscall.Mount("tmpfs", full, "tmpfs", 0, "size=64k") == nil { // as root
		defer syscall.Unmount(full, 0)
		places = append(places, full)
	}
	for _, place := range places {
		temporary := t.TempDir()
		cmd := exec.Command(os.Args[0]) // a process that has not opened a device for other tests
		cmd.Env = append(os.Environ(), rankArgs+"=run "+filepath.Join(dir, "own.cl")+" -n 3 -s random --evals 100 "+
			"--seed 1 -o "+t.TempDir(), "POCL_CACHE_DIR="+place, "TMPDIR="+temporary)
		out, _ := cmd.CombinedOutput()
		left, err := filepath.Glob(filepath.Join(temporary, "clopt-pocl-*"))
		if cmd.ProcessState.ExitCode() != 0 || !strings.Contains(strings.Join(strings.Fields(string(out)), " "),
			"PoCL cannot store the kernels that it compiles in "+place) || len(left) != 0 || err != nil {
			t.Errorf("%s: %v, left %v\n%s", place, cmd.ProcessState, left, out)
		}
	}
}
