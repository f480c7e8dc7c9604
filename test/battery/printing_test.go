package battery_test

import (
	"strings"
	"testing"
)

// TestPrinting checks that what an objective prints does not get into the results on standard output.
func TestPrinting(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "o.cl", strings.Replace(sphere, "acc[0] +=", `if (k == 0) printf("hello\n"); acc[0] +=`, 1))
	put(t, "x.txt", "1 1 1\n")
	o := words(t, "eval o.cl -n 3 --x x.txt -d 0")
	if o.code != 0 || strings.Contains(o.out, "hello") || !strings.Contains(o.errs, "hello") {
		t.Error(o)
	}
}
