package input

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNearFile checks that the error of a missing file names one with nearly the same name, and no other one.
func TestNearFile(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.cl", "ackley.cl", "graph.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, near := range map[string]string{
		"ackley.c": "ackley.cl", "akcley.cl": "ackley.cl",
		"grap.txt": "graph.txt", "sphere.cl": "", "a": "", "g.cl": "",
		"none/ackley.cl": "",
	} {
		path := filepath.Join(dir, name)
		_, missing := os.Open(path)
		advice := "Check the path."
		if near != "" {
			advice = "Did you mean " + filepath.Join(dir, near) + "?"
		}
		if got := FileError(path, missing).Error(); !strings.HasSuffix(got, advice) {
			t.Errorf("%s: %s, want %s", name, got, advice)
		}
	}
	if got := FileError(filepath.Join(dir, "ackley.c"), errors.New("odd")).Error(); strings.Contains(got, "mean") {
		t.Errorf("a file that is there but cannot be read: %s", got)
	}
}
