// Package datatest finds the published data with which some tests compare. The repository holds none of them.
package datatest

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir returns the folder of the data: CLOPT_DATA, or shared/data beside the repository. It may not exist.
func Dir(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("CLOPT_DATA"); dir != "" {
		return dir
	}
	top, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for !exists(filepath.Join(top, "go.mod")) && top != filepath.Dir(top) {
		top = filepath.Dir(top)
	}
	return filepath.Join(top, "..", "shared", "data")
}

// File returns the path of a file below the folder of the data. A test without it is skipped.
func File(t testing.TB, path ...string) string {
	t.Helper()
	file := filepath.Join(append([]string{Dir(t)}, path...)...)
	if !exists(file) {
		t.Skipf("there is no %s (set CLOPT_DATA)", file)
	}
	return file
}

// CEC2013 returns the folder of the official data of CEC'2013, which may be that of all data. A test without it is
// skipped.
func CEC2013(t testing.TB) string {
	t.Helper()
	dir := Dir(t)
	for _, dir := range []string{filepath.Join(dir, "cec2013lsgo"), dir} {
		if exists(filepath.Join(dir, "reference.json")) {
			return dir
		}
	}
	t.Skipf("no official CEC'2013 data in %s (set CLOPT_DATA)", dir)
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
