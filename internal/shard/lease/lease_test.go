package lease

import (
	"errors"
	"testing"
)

// TestLease takes a lease, and closes it while it is taken.
func TestLease(t *testing.T) {
	var l Lease
	if err := l.Take(); err != nil {
		t.Fatal(err)
	}
	if err := l.Take(); !errors.Is(err, ErrInUse) {
		t.Error(err)
	}
	if l.Give() {
		t.Error("closes at the end of the first use")
	}
	if err := l.Take(); err != nil || l.Close() || l.Close() {
		t.Errorf("%v, or it closes while it is taken", err)
	}
	if err := l.Take(); !errors.Is(err, ErrInUse) {
		t.Error(err)
	}
	if !l.Give() {
		t.Error("does not close at the end of the second use")
	}
	if err := l.Take(); !errors.Is(err, ErrClosed) || l.Close() {
		t.Error(err)
	}
	if free := (Lease{}); !free.Close() || free.Close() {
		t.Error("a free lease does not close once")
	}
}
