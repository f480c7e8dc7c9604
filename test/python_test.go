package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// python puts a python3 with the modules that the tests of the package use into the folder bin, and returns the folder
// of the package.
func python(t *testing.T, bin string) string {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} { // the first one on the PATH may have no modules
		path, err := exec.LookPath(name)
		if err != nil || exec.Command(path, "-c", "import numpy, scipy.sparse, networkx").Run() != nil {
			continue
		}
		text := "#!/bin/sh\nexec '" + path + "' -B \"$@\"\n"
		if err := os.WriteFile(filepath.Join(bin, "python3"), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
		folder, err := filepath.Abs("../python")
		if err != nil {
			t.Fatal(err)
		}
		return folder
	}
	t.Fatal("no python3 has numpy, scipy and networkx: apt-get install python3-numpy python3-scipy python3-networkx")
	return ""
}

// TestPython runs the tests of the Python package with the built command.
func TestPython(t *testing.T) {
	bin := build(t)
	folder := python(t, bin)
	cmd := exec.Command(filepath.Join(bin, "python3"), "-m", "unittest", "discover", "-s", "tests")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "PYTHONPATH="+folder, "CLOPT_BINARY="+filepath.Join(bin, "clopt"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
