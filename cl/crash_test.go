package cl

import "testing"

// A wrong pointer in Go code is a panic, as without OnCrash.
func TestOnCrashLeavesPanics(t *testing.T) {
	OnCrash("a panic has ended the process\n", 2, 4)
	defer OnCrash("", 0, 0)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	var p *int
	*p = 1
}
