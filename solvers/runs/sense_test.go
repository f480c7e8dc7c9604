package runs

import (
	"strings"
	"testing"

	"github.com/clopt/clopt/solvers/runs/disk"
)

// A sense has a sign, and a result with another text than the two senses is refused.
func TestSense(t *testing.T) {
	if Minimize.Sign() != 1 || Maximize.Sign() != -1 || senseOf(1) != Minimize || senseOf(-1) != Maximize {
		t.Error("Sign and senseOf do not match")
	}
	for sense, good := range map[Sense]bool{Minimize: true, Maximize: true, "max": false, "": false} {
		r := &Result{Sense: sense}
		if err := r.Write(t.TempDir()); err != nil {
			t.Fatal(err)
		}
		text, _ := disk.Sealed(r, &r.Check)
		if _, err := parseResult(text); (err == nil) != good || !good && !strings.Contains(err.Error(), "sense") {
			t.Errorf("%q: %v", sense, err)
		}
	}
}
