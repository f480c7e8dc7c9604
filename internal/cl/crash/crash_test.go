package crash

import "testing"

// A wrong pointer in Go code is a panic, as without On.
func TestOnLeavesPanics(t *testing.T) {
	On("a panic has ended the process\n", 2, 4)
	defer On("", 0, 0)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	var p *int
	*p = 1
}
