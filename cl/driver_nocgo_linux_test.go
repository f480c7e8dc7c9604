//go:build !cgo

package cl

import (
	"strings"
	"testing"
)

func init() {
	children["musl"] = func() int {
		glibc = "no_function_of_this_name"
		return children["discover"]()
	}
}

// A C library for which purego cannot make threads is refused.
func TestOtherCLibrary(t *testing.T) {
	if out, code := child(t, "musl"); code != 3 || !strings.Contains(out, "without cgo clopt needs glibc") {
		t.Errorf("exit %d: %s", code, out)
	}
}
