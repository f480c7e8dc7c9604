package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/test/datatest"
)

// TestFetch gives fetch-cec2013.sh an archive of the official data, and one in which a digit differs.
func TestFetch(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(datatest.CEC2013(t), "F*.txt"))
	if len(files) == 0 {
		t.Fatal("the folder of the official data holds no file F*.txt")
	}
	pkg := filepath.Join(t.TempDir(), "package", "cdatafiles")
	if err := os.MkdirAll(pkg, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(pkg, filepath.Base(file)), string(text))
	}
	fetch := func(to string) (string, error) {
		archive := filepath.Join(t.TempDir(), "package.tar.gz")
		if out, err := exec.Command("tar", "-czf", archive, "-C", filepath.Dir(filepath.Dir(pkg)), "package").
			CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		out, err := exec.Command("scripts/fetch-cec2013.sh", to, archive).CombinedOutput()
		return string(out), err
	}
	good, bad := t.TempDir(), t.TempDir()
	if out, err := fetch(good); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if got, _ := filepath.Glob(filepath.Join(good, "cec2013lsgo", "F*.txt")); len(got) != len(files) {
		t.Errorf("%d files, want %d", len(got), len(files))
	}
	write(t, filepath.Join(pkg, "F1-xopt.txt"), "1\n")
	if out, err := fetch(bad); err == nil || !strings.Contains(out, "SHA-256") {
		t.Errorf("a wrong file is taken: %v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(bad, "cec2013lsgo")); err == nil {
		t.Error("wrong files are stored")
	}
}
