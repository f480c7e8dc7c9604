// Package hostmem says how much memory this process may still take on its machine, so that what would not fit is
// refused before it is allocated.
package hostmem

import (
	"fmt"
	"math"
	"runtime/metrics"
)

// Room is how much memory a process may still take.
type Room struct {
	Bytes int64  // math.MaxInt64: not known, or not limited
	Limit string // what limits it, such as "the machine"
}

// unlimited is where nothing is known.
var unlimited = Room{Bytes: math.MaxInt64}

// slack is what a process needs besides the vectors that are asked for: stacks of threads, pieces of the heap that are
// not full, and what a garbage collection has not reached yet.
const slack = 64 << 20

// Left returns how much memory this process may still take, less what the machinery of the process needs: the least of
// the memory that the machine has available, of the limits of its control groups, and of its limit of virtual memory
// (ulimit -v). Memory that Go has freed, and keeps, may be taken again. On systems other than Linux it is unlimited.
func Left() Room {
	least := unlimited
	for _, r := range rooms(free()) {
		if r.Bytes < least.Bytes {
			least = r
		}
	}
	if least.Bytes < math.MaxInt64 {
		least.Bytes = max(0, least.Bytes-slack)
	}
	return least
}

// heap is what Go has freed: idle memory that it still has, and addresses of memory that it has given back.
type heap struct{ idle, given int64 }

func free() heap {
	s := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return heap{int64(s[0].Value.Uint64()), int64(s[1].Value.Uint64())}
}

// Error means that something needs more memory than the process may take.
type Error struct {
	What string // that needs the memory, such as "the table a.csv"
	Need int64  // bytes
	Left Room
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s needs %s of memory, and %s are left of %s", e.What, Bytes(e.Need), Bytes(e.Left.Bytes),
		e.Left.Limit)
}

// Check returns an *Error if need bytes for something are more than what is left.
func Check(what string, need int64) error {
	if left := Left(); need > left.Bytes {
		return &Error{what, need, left}
	}
	return nil
}

// Bytes returns a size as a text in binary units.
func Bytes(n int64) string {
	v, unit := float64(n), 0
	for v >= 1024 && unit < 5 {
		v, unit = v/1024, unit+1
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %ciB", v, " KMGTP"[unit])
}
