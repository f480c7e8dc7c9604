package host

import (
	"math/bits"

	"github.com/clopt/clopt/internal/clc"
)

// An integer of any type is an int64: sign-extended where the type is signed, else zero-extended. One of type ULong has
// the bits of its value.

// width returns the bits of an integer type.
func width(t clc.Type) uint {
	switch t {
	case clc.Char, clc.UChar:
		return 8
	case clc.Short, clc.UShort:
		return 16
	case clc.Int, clc.UInt:
		return 32
	}
	return 64
}

// fit returns v as a value of type t.
func fit(t clc.Type, v int64) int64 {
	switch t {
	case clc.Bool:
		return truth(v != 0)
	case clc.Char:
		return int64(int8(v))
	case clc.UChar:
		return int64(uint8(v))
	case clc.Short:
		return int64(int16(v))
	case clc.UShort:
		return int64(uint16(v))
	case clc.Int:
		return int64(int32(v))
	case clc.UInt:
		return int64(uint32(v))
	}
	return v
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// smaller reports whether x < y, as values of type t.
func smaller(t clc.Type, x, y int64) bool {
	if t == clc.ULong {
		return uint64(x) < uint64(y)
	}
	return x < y
}

// least and most return the range of a type.
func least(t clc.Type) int64 {
	if t.Unsigned() {
		return 0
	}
	return -1 << (width(t) - 1)
}

func most(t clc.Type) int64 {
	if t.Unsigned() {
		return fit(t, -1)
	}
	return 1<<(width(t)-1) - 1
}

// integers1, integers2 and integers3 are the functions of integers, by their names in clc.Functions. t is the type of
// the arguments; results are still to be fitted into their type.
var (
	integers1 = map[string]func(t clc.Type, x int64) int64{
		"iabs": func(_ clc.Type, x int64) int64 { return max(x, -x) },
		"iclz": func(t clc.Type, x int64) int64 {
			return min(int64(bits.LeadingZeros64(uint64(x)<<(64-width(t)))), int64(width(t)))
		},
		"ipopcount": func(t clc.Type, x int64) int64 { return int64(bits.OnesCount64(uint64(x) << (64 - width(t)))) },
	}
	integers2 = map[string]func(t clc.Type, x, y int64) int64{
		"iabs_diff": func(t clc.Type, x, y int64) int64 {
			if smaller(t, x, y) {
				return y - x
			}
			return x - y
		},
		"imax": func(t clc.Type, x, y int64) int64 {
			if smaller(t, x, y) {
				return y
			}
			return x
		},
		"imin": func(t clc.Type, x, y int64) int64 {
			if smaller(t, y, x) {
				return y
			}
			return x
		},
		"iadd_sat": addSat, "isub_sat": subSat, "imul_hi": mulHigh,
		"imul24": func(_ clc.Type, x, y int64) int64 { return x * y },
		"ihadd":  func(t clc.Type, x, y int64) int64 { return half(t, x) + half(t, y) + x&y&1 },
		"irhadd": func(t clc.Type, x, y int64) int64 { return half(t, x) + half(t, y) + (x|y)&1 },
		"irotate": func(t clc.Type, x, y int64) int64 {
			w := width(t)
			by := uint64(y) & uint64(w-1)
			v := uint64(x) << (64 - w) >> (64 - w)
			return int64(v<<by | v>>(uint64(w)-by))
		},
	}
	integers3 = map[string]func(t clc.Type, x, y, z int64) int64{
		"iclamp": func(t clc.Type, x, lo, hi int64) int64 {
			if smaller(t, x, lo) {
				x = lo
			}
			if smaller(t, hi, x) {
				x = hi
			}
			return x
		},
		"imad24":  func(_ clc.Type, x, y, z int64) int64 { return x*y + z },
		"imad_hi": func(t clc.Type, x, y, z int64) int64 { return mulHigh(t, x, y) + z },
	}
)

// half returns x/2, rounded down.
func half(t clc.Type, x int64) int64 {
	if t == clc.ULong {
		return int64(uint64(x) >> 1)
	}
	return x >> 1
}

func addSat(t clc.Type, x, y int64) int64 {
	v := fit(t, x+y)
	switch {
	case t.Unsigned() && smaller(t, v, x), !t.Unsigned() && y > 0 && v < x:
		return most(t)
	case !t.Unsigned() && y < 0 && v > x:
		return least(t)
	}
	return v
}

func subSat(t clc.Type, x, y int64) int64 {
	v := fit(t, x-y)
	switch {
	case t.Unsigned() && smaller(t, x, y), !t.Unsigned() && y > 0 && v > x:
		return least(t)
	case !t.Unsigned() && y < 0 && v < x:
		return most(t)
	}
	return v
}

func mulHigh(t clc.Type, x, y int64) int64 {
	if w := width(t); w < 64 && t.Unsigned() {
		return int64(uint64(x*y) >> w)
	} else if w < 64 {
		return x * y >> w
	}
	high, _ := bits.Mul64(uint64(x), uint64(y))
	if t == clc.Long {
		return int64(high) - x>>63&y - y>>63&x
	}
	return int64(high)
}

// divide and modulo are x / y and x % y, where y is not 0.
func divide(t clc.Type, x, y int64) int64 {
	if t == clc.ULong {
		return int64(uint64(x) / uint64(y))
	}
	return x / y
}

func modulo(t clc.Type, x, y int64) int64 {
	if t == clc.ULong {
		return int64(uint64(x) % uint64(y))
	}
	return x % y
}

// operators are those of two integers of a type that give one of the same type, but / and %; the result is still to be
// fitted. A shift is by the lowest bits of y, as many as the width of the type has.
var operators = map[string]func(t clc.Type, x, y int64) int64{
	"+": func(_ clc.Type, x, y int64) int64 { return x + y }, "-": func(_ clc.Type, x, y int64) int64 { return x - y },
	"*": func(_ clc.Type, x, y int64) int64 { return x * y }, "&": func(_ clc.Type, x, y int64) int64 { return x & y },
	"|": func(_ clc.Type, x, y int64) int64 { return x | y }, "^": func(_ clc.Type, x, y int64) int64 { return x ^ y },
	"<<": func(t clc.Type, x, y int64) int64 { return x << (uint64(y) & uint64(width(t)-1)) },
	">>": func(t clc.Type, x, y int64) int64 {
		by := uint64(y) & uint64(width(t)-1)
		if t == clc.ULong {
			return int64(uint64(x) >> by)
		}
		return x >> by
	},
}
