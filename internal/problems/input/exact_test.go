package input

import (
	"math"
	"strconv"
	"testing"
)

// Numbers that a program has printed for a float64, with however many digits, are its shortest decimal numbers; others
// are read as they stand.
func TestExactReadsPrintedNumbers(t *testing.T) {
	for word, want := range map[string]struct {
		v      int64
		digits int
	}{
		"2.9999999999999999e-01":         {3, 1},
		"-9.7840000000000005e-01":        {-9784, 4},
		"1.1905900000000000e+00":         {119059, 5},
		"0.1000000000000000055511151231": {1, 1},
		"999999999999.999999":            {1e12, 0},
		"-999999999.9999928":             {-9999999999999928, 7},
		"9.15753e-12":                    {915753, 17},
		"1e-300":                         {1, 300},
		"5e-324":                         {5, 324},
		"1e-400":                         {0, 0},
		"12345678901234567":              {12345678901234567, 0},
		"12345678901234567.0":            {12345678901234567, 0},
		"67360927926537395e-17":          {67360927926537395, 17},
		"1001.2345678901234":             {10012345678901234, 13},
	} {
		v, digits, err := Exact([]byte(word))
		if err != nil || v != want.v || digits != want.digits {
			t.Errorf("%s is %d·10^-%d, %v; want %d·10^-%d", word, v, digits, err, want.v, want.digits)
		}
		if back := AppendExact(nil, v, digits); err == nil {
			if again, places, err := Exact(back); err != nil || again != v || places != digits {
				t.Errorf("%s is written as %s, which is %d·10^-%d, %v", word, back, again, places, err)
			}
		}
	}
	for k := range 2000 { // floats of all sizes, in the forms of programs
		f := math.Ldexp(float64(k*k*7919+1)/3, k%1060-1040)
		v, digits, err := Binary(f, 64)
		for _, prec := range []int{16, 17, 20} {
			word := strconv.FormatFloat(f, 'e', prec, 64)
			w, places, e := Exact([]byte(word))
			same, _ := Ratio(w, places).Float64()
			if e != nil || err != nil || same != f || prec > 16 && (v != w || digits != places) {
				t.Fatalf("%s is %d·10^-%d, %v; Binary: %d·10^-%d, %v", word, w, places, e, v, digits, err)
			}
		}
	}
}
