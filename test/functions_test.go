package test

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/shorttest"
)

// calls returns the functions of clc.Functions as a text calls them, with a, b and c of type real, and i, j and l of
// type int.
func calls() (all []string) {
	arguments := map[clc.Kind][]string{clc.Reals: {"a", "b", "c"}, clc.Tests: {"a", "b"}, clc.Powers: {"a", "i"},
		clc.Choices: {"a", "b", "(bits)i"}, clc.Integers: {"i", "j", "l"}}
	for _, name := range slices.Sorted(maps.Keys(clc.Functions)) {
		f := clc.Functions[name]
		args := arguments[f.Kind]
		switch name {
		case "modf", "fract":
			all = append(all, fmt.Sprintf("%s(a, &t)", name))
			continue
		case "root": // of float
			all = append(all, "root((float)a)")
			continue
		case "iselect":
			args = arguments[clc.Integers]
		}
		if f.Kind == clc.Integers || name == "iselect" {
			name = name[1:]
		}
		all = append(all, fmt.Sprintf("%s(%s)", name, strings.Join(args[:f.Args], ", ")))
	}
	return all
}

// TestFunctionsOnDevices compares the functions that the host has with those of a device, each at some points.
// Variable 0 is the number of the function.
func TestFunctionsOnDevices(t *testing.T) {
	var text strings.Builder
	text.WriteString("//@ bounds -1000 1000\n//@ n 4\n//@ components 1\n#if REAL_BITS == 64\n#define bits long\n" +
		"#else\n#define bits int\n#endif\nstatic void component(uint k, point x, data d, real *acc)\n{\n" +
		"    real t, v = 0, a = at(x, 1), b = at(x, 2), c = at(x, 3);\n" +
		"    int f = (int)at(x, 0), i = (int)(a * 7), j = (int)(b * 9), l = (int)(c * 11);\n")
	all := calls()
	for f, call := range all {
		fmt.Fprintf(&text, "    if (f == %d) v = %s;\n", f, call)
	}
	text.WriteString("    acc[0] += v;\n}\n")
	path := filepath.Join(t.TempDir(), "f.cl")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := opencl.ParseFile(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	var points [][]float64
	for f := range all {
		for _, at := range [][]float64{{0.625, 0.25, 0.875}, {-0.375, 2.5, 1.75}, {1.8125, -0.5, -2.25}, {7, 3, 1}} {
			points = append(points, append([]float64{float64(f)}, at...))
		}
	}
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	for _, prec := range shorttest.Rows(1, []problems.Precision{problems.FP64, problems.FP32}) {
		h, err := problems.OnHost(p, prec)
		if err != nil {
			t.Fatal(err)
		}
		got, err := shard.Evaluate(t.Context(), g, p, prec, points)
		if err != nil {
			t.Fatal(err)
		}
		tolerance := map[problems.Precision]float64{problems.FP64: 1e-14, problems.FP32: 5e-6}[prec]
		for k, x := range points {
			sums, _, err := h.Sum(1, x, 1<<20)
			if err != nil {
				t.Errorf("%s at %v: %v", all[k/4], x[1:], err)
				continue
			}
			if want := sums[0]; !(math.Abs(got[k]-want) <= tolerance*max(1, math.Abs(want))) && got[k] != want &&
				!(math.IsNaN(got[k]) && math.IsNaN(want)) {
				t.Errorf("%v: %s at %v is %v on the device, and %v on the host", prec, all[k/4], x[1:], got[k], want)
			}
		}
	}
}
