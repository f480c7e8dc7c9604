package trial

import (
	"context"
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
)

// Lengths of the guards before and after arrays, in numbers: on processors, and on devices with little memory an item.
const trialGuard, trialGuardSmall = 4096, 64

// guarded is an array with guards. Their elements are numbered from 0 to 2*guard - 1. The first array of a trial is the
// one that components write to; the others are tables.
type guarded struct {
	name   string
	length int
	buffer any // nil for the first array
	next   uint32
}

// index returns the index in the array of element q of its guards.
func (a *guarded) index(q, guard uint32) int {
	if q < guard {
		return int(q) - int(guard)
	}
	return a.length + int(q-guard)
}

// Values of the guards of tables: those of a launch, which are replaced by the others in further launches. A component
// whose value changes with them reads outside of a table.
var guardReals = [...]float64{math.NaN(), 1e3, -1e3}

// setAll gives all guards the values of a kind.
func (t *trial) setAll(kind int) error {
	for a := range t.arrays {
		if err := t.set(a, kind, 0, 2*t.guard); err != nil {
			return err
		}
	}
	return nil
}

// set gives guards lo to hi - 1 of array a the values of a kind, and the others the usual ones.
func (t *trial) set(a, kind int, lo, hi uint32) error {
	if a == 0 {
		t.own = [2]uint32{}
		if kind > 0 {
			t.own = [2]uint32{lo, hi}
		}
		return nil
	}
	array := &t.arrays[a]
	switch b := array.buffer.(type) {
	case *cl.Buffer[uint32]:
		return fill(b, array.length, t.guard, lo, hi, 0, [...]uint32{0, 1, array.next}[kind])
	case *cl.Buffer[float64]:
		return fill(b, array.length, t.guard, lo, hi, guardReals[0], guardReals[kind])
	case *cl.Buffer[float32]:
		return fill(b, array.length, t.guard, lo, hi, float32(guardReals[0]), float32(guardReals[kind]))
	}
	panic("trial: a table of another type")
}

// fill writes the guards before and after an array of length numbers.
func fill[T cl.Elem](b *cl.Buffer[T], length int, guard, lo, hi uint32, usual, other T) error {
	v := make([]T, 2*guard)
	for q := range v {
		v[q] = usual
		if uint32(q) >= lo && uint32(q) < hi {
			v[q] = other
		}
	}
	if err := b.Write(0, v[:guard]); err != nil {
		return err
	}
	return b.Write(int(guard)+length, v[guard:])
}

// blame returns the error of component k, whose value depends on the kind of guards.
func (t *trial) blame(ctx context.Context, point, k uint32, kind int) error {
	if err := t.setAll(0); err != nil {
		return err
	}
	usual, err := t.launch(ctx, point, k, 1, 1)
	if err != nil {
		return err
	}
	// differs reports whether the value changes with guards lo to hi - 1 of array a.
	differs := func(a int, lo, hi uint32) (bool, error) {
		if err := t.set(a, kind, lo, hi); err != nil {
			return false, err
		}
		h, err := t.launch(ctx, point, k, 1, 1)
		if err != nil {
			return false, err
		}
		return h[0] != usual[0], t.set(a, 0, 0, 2*t.guard)
	}
	if again, err := t.launch(ctx, point, k, 1, 1); err != nil {
		return err
	} else if again[0] != usual[0] {
		return &UnsteadyError{File: problems.SourceOf(t.p), Component: k}
	}
	for a, array := range t.arrays {
		lo, hi := uint32(0), 2*t.guard
		yes, err := differs(a, lo, hi)
		if err != nil {
			return err
		}
		if !yes {
			continue
		}
		for hi-lo > 1 {
			mid := (lo + hi) / 2
			lower, err := differs(a, lo, mid)
			if err != nil {
				return err
			}
			upper := false
			if !lower {
				if upper, err = differs(a, mid, hi); err != nil {
					return err
				}
			}
			if !lower && !upper { // it needs guards of both halves
				break
			}
			if lower {
				hi = mid
			} else {
				lo = mid
			}
		}
		return &IndexError{File: problems.SourceOf(t.p), Component: k, Array: array.name, Length: array.length,
			Index: array.index(lo, t.guard), Known: hi-lo == 1}
	}
	return &UnsteadyError{File: problems.SourceOf(t.p), Component: k}
}
