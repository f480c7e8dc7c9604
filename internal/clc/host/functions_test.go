package host

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/clopt/clopt/internal/clc"
)

// mostUlps is how many units of the last digit a function may be off in float64.
func mostUlps(name string) float64 {
	switch name {
	case "fabs", "floor", "ceil", "trunc", "rint", "round", "sqrt", "root", "sq", "copysign", "fmax", "fmin", "max",
		"min", "maxmag", "minmag", "fmod", "remainder", "step", "bound_above", "bound_below", "ldexp", "clamp", "fma",
		"logb", "sign", "modf", "fract", "fdim":
		return 0
	case "sin", "cos", "tan": // near zeros and poles
		return 12
	case "tgamma": // of large numbers
		return 40
	}
	return 2
}

// TestFunctions compares every function with values of more digits, in a tree of one call.
func TestFunctions(t *testing.T) {
	f, err := os.Open("testdata/functions.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := csv.NewReader(f)
	rows.FieldsPerRecord = -1
	all, err := rows.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	worst := map[string]float64{}
	for _, row := range all {
		name := row[0]
		seen[name] = true
		v := make([]float64, len(row)-1)
		for j, text := range row[1:] {
			if v[j], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
		args, want := v[:len(v)-1], v[len(v)-1]
		got, err := call(name, clc.Double, args)
		if err != nil {
			t.Fatal(err)
		}
		off := math.Abs(got-want) / ulp(want)
		if name == "lgamma" { // has zeros between the integers below 0
			off = math.Abs(got-want) / ulp(max(8, math.Abs(want)))
		}
		if name == "mad" || name == "mix" || name == "smoothstep" { // two roundings of larger numbers
			off = math.Abs(got-want) / ulp(64)
		}
		worst[name] = max(worst[name], off)
		if !(off <= mostUlps(name)) && got != want {
			t.Errorf("%s(%v) = %v, want %v: off by %.1f", name, args, got, want, off)
		}
	}
	for name, f := range clc.Functions {
		if (f.Kind == clc.Reals || f.Kind == clc.Powers) && !seen[name] && name != "nextafter" {
			t.Errorf("%s has no values", name)
		}
	}
	if testing.Verbose() {
		fmt.Println(worst)
	}
}

func ulp(v float64) float64 { return math.Nextafter(math.Abs(v), math.Inf(1)) - math.Abs(v) }

// call evaluates a function of numbers by a tree.
func call(name string, typ clc.Type, args []float64) (float64, error) {
	e := &clc.Call{Function: name, Type: typ}
	for j, v := range args {
		arg := clc.Expr(&clc.Number{Type: typ, Value: v})
		if j == 1 && clc.Functions[name].Kind == clc.Powers {
			arg = &clc.Number{Type: clc.Int, Bits: uint64(int64(v))}
		}
		e.Args = append(e.Args, arg)
	}
	out := &clc.Var{Name: "acc", Type: clc.Double, Len: 1}
	tree := &clc.Tree{K: &clc.Var{Name: "k", Type: clc.UInt}, Out: out, Body: []clc.Stmt{
		&clc.Assign{To: out, Element: &clc.Number{Type: clc.Int}, Value: e}}}
	f, err := Compile(tree, Data{})
	if err != nil {
		return 0, err
	}
	r := f.NewFrame()
	_, err = r.Run(0, 0, nil, 1000)
	return r.Out()[0], err
}
