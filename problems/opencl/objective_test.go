package opencl

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/test/cputime"
)

// testComponent is beyond what is understood, so that what is declared is what counts.
const testComponent = "static void component(uint k, point x, data d, real *acc) { acc[0] += as_double(at(x, k)); }\n"

// WriteFiles writes name, content, name, content, … into a new folder.
func WriteFiles(t testing.TB, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// parseText parses an objective of the given directives, its first lines.
func parseText(t testing.TB, text string, dim int) (*Objective, error) {
	t.Helper()
	p, err := ParseFile(filepath.Join(WriteFiles(t, "my.cl", text), "my.cl"), dim)
	if err != nil {
		return nil, err
	}
	return p, nil
}

func NpyText(t testing.TB, x ...float64) string {
	t.Helper()
	var b bytes.Buffer
	if err := input.WriteNpy(&b, x); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestObjectiveExamples(t *testing.T) {
	const dir = "../../test/testdata/"
	for _, test := range []struct {
		file   string
		dim    int
		spec   string
		name   string
		tiling problems.Tiling
		acc    []float64
		f      float64
	}{
		{"ackley.cl", 2500, dir + "ackley.cl:n=2500", "ackley",
			problems.Tiling{N: 2500, M: 2500, TileVars: 1000, TileComps: 1000}, []float64{0, 2500}, 0},
		{"chain.cl", 0, dir + "chain.cl:n=1000", "rosenbrock",
			problems.Tiling{N: 1000, M: 999, TileVars: 1000, TileComps: 1000, Halo: 1}, []float64{3, 4}, 7},
		{"rastrigin.cl", 10, dir + "rastrigin.cl:n=10", "rastrigin",
			problems.Tiling{N: 10, M: 10, TileVars: 1000, TileComps: 1000}, []float64{5}, 5},
		{"sphere_include.cl", 7, dir + "sphere_include.cl:n=7", "sphere",
			problems.Tiling{N: 7, M: 7, TileVars: 1000, TileComps: 1000}, []float64{6}, 6},
		{"broken.cl", 3, dir + "broken.cl:n=3", "broken",
			problems.Tiling{N: 3, M: 3, TileVars: 1000, TileComps: 1000}, []float64{6}, 6},
	} {
		p, err := ParseFile(dir+test.file, test.dim)
		if err != nil {
			t.Errorf("%s: %v", test.file, err)
			continue
		}
		o := p
		if o.Spec().String() != test.spec || o.Info().Title != test.name || o.Tiling() != test.tiling ||
			o.Accumulators() != len(test.acc) {
			t.Errorf("%s: %s %s %+v %d", test.file, o.Spec(), o.Info().Title, o.Tiling(), o.Accumulators())
		}
		if f := o.Objective(test.acc); math.Abs(f-test.f) > 1e-12 {
			t.Errorf("%s: f(%v) = %v, want %v", test.file, test.acc, f, test.f)
		}
		if best, ok := o.Info().BestKnown(); test.file != "broken.cl" && (!ok || best != 0) {
			t.Errorf("%s: best %v, %v", test.file, best, ok)
		}
	}
	_, err := ParseFile(dir+"escape.cl", 3)
	want := dir + `escape.cl:5:1: error: #include: "../x.h" leads out`
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("escape.cl: %v, want %s", err, want)
	}
}

func TestObjectiveDirectives(t *testing.T) {
	const b = "//@ bounds -1 1\n"
	for _, test := range []struct {
		text string
		n    int
		want problems.Tiling
	}{
		{b, 5, problems.Tiling{N: 5, M: 5, TileVars: 1000, TileComps: 64, Whole: true}},
		{b + "//@ reads whole\n//@ components 1", 5, problems.Tiling{N: 5, M: 1, TileVars: 1000, TileComps: 64,
			Whole: true}},
		{b + "//@ reads \"whole\"   quoted", 5, problems.Tiling{
			N: 5, M: 5, TileVars: 1000, TileComps: 64, Whole: true}},
		{b + "//@ reads k                or k..k+1, \"whole\", or lists FILE", 5,
			problems.Tiling{N: 5, M: 5, TileVars: 1000, TileComps: 1000}},
		{b + "//@reads k .. k + 2 // a chain\n//@ components n-2   without ends", 3000,
			problems.Tiling{N: 3000, M: 2998, TileVars: 1000, TileComps: 1000, Halo: 2}},
		{b + "//@ reads 2k..2k+1\n//@ components n/2", 2001, problems.Tiling{N: 2001, M: 1000, TileVars: 1000,
			TileComps: 500}},
		{b + "//@ reads 3*k+1..3*k+4\n//@ components (n-2)/3", 3002, problems.Tiling{N: 3002, M: 1000, TileVars: 999,
			TileComps: 333, Halo: 2}},
		{b + "//@ reads 2000k..2000k+1999\n//@ components n/2000", 8000, problems.Tiling{N: 8000, M: 4, TileVars: 2000,
			TileComps: 1}},
		{b + "//@ components 10\n//@ reads k\n", 5000, problems.Tiling{
			N: 5000, M: 10, TileVars: 1000, TileComps: 1000}},
	} {
		o, err := parseText(t, test.text+"\n"+testComponent, test.n)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
		} else if o.Tiling() != test.want {
			t.Errorf("%q: %+v, want %+v", test.text, o.Tiling(), test.want)
		}
	}
}

// Windows are cut at the last variable, and offsets in any order make one window where they are neighbours.
func TestObjectiveOffsets(t *testing.T) {
	for _, test := range []struct {
		reads string
		n     int
		want  problems.Structure
		tile  problems.Tiling
	}{
		{"k..k+1", 5, problems.Windows(5, 5, 1, 0, 1), problems.Tiling{N: 5, M: 5, TileVars: 1000, TileComps: 1000,
			Halo: 1}},
		{"k..k+10", 10, problems.Windows(10, 10, 1, 0, 10), problems.Tiling{N: 10, M: 10, TileVars: 1000,
			TileComps: 1000, Halo: 10}},
		{"k+1, k", 5, problems.Windows(5, 5, 1, 0, 1), problems.Tiling{N: 5, M: 5, TileVars: 1000, TileComps: 1000,
			Halo: 1}},
		{"k, k+1,k+40, k + 1 // a grid", 1600, problems.Offsets(1600, 1600, 1, []int{0, 1, 40}),
			problems.Tiling{N: 1600, M: 1600, TileVars: 1000, TileComps: 1000, Halo: 40}},
		{"k, k+1, k+2048", 1 << 22, problems.Offsets(1<<22, 1<<22, 1, []int{0, 1, 2048}),
			problems.Tiling{N: 1 << 22, M: 1 << 22, TileVars: 2048, TileComps: 2048, Halo: 2048}},
		{"2k..2k+1, 2k+7  pairs", 20, problems.Offsets(20, 10, 2, []int{0, 1, 7}),
			problems.Tiling{N: 20, M: 10, TileVars: 1000, TileComps: 500, Halo: 6}},
	} {
		o, err := parseText(t, fmt.Sprintf("//@ bounds 0 1\n//@ components %d\n//@ reads %s\n", test.want.Components(),
			test.reads)+testComponent, test.n)
		if err != nil {
			t.Errorf("%s: %v", test.reads, err)
		} else if !reflect.DeepEqual(o.Structure(), test.want) || o.Tiling() != test.tile {
			t.Errorf("%s: %+v, %+v, want %+v, %+v", test.reads, o.Structure(), o.Tiling(), test.want, test.tile)
		}
	}
}

// For any window, a component reads only variables that its tile reads.
func TestObjectiveTilesCoverWindows(t *testing.T) {
	for _, stride := range []int{1, 2, 7, 400, 1000, 1001, 3000} {
		for _, from := range []int{0, 1, 5} {
			for _, width := range []int{0, 1, 6, 1500} {
				m := 3001 / stride
				n := stride*m + from + width
				text := fmt.Sprintf("//@ bounds 0 1\n//@ reads %dk+%d..%dk+%d\n//@ components %d\n", stride, from,
					stride, from+width, m+1)
				o, err := parseText(t, text+testComponent, n+1)
				if err != nil {
					t.Fatal(err)
				}
				tiling, seen := o.Tiling(), 0
				for i := range tiling.Tiles() {
					lo, hi := tiling.Reads(i)
					first, last := tiling.Comps(i)
					for k := first; k < last; k++ {
						seen++
						if stride*k+from < lo || stride*k+from+width >= hi {
							t.Fatalf("%s: component %d of tile %d reads outside %d...%d", text, k, i, lo, hi-1)
						}
					}
				}
				if seen != tiling.M {
					t.Fatalf("%s: %d components in tiles, want %d", text, seen, tiling.M)
				}
			}
		}
	}
}

func TestObjectiveIncludes(t *testing.T) {
	dir := WriteFiles(t,
		"my.cl", "\ufeff//@ bounds -1 1\r\n\r\n#include \"sub/a.h\" // terms\r\n# include \"once.h\"\r\n  #include "+
			"\"once.h\"\r\n"+testComponent,
		"sub/a.h", "#define A 1\n#include \"b.h\"\n/* #include \"none.h\" */\n#define C 3\n",
		"sub/b.h", "#define B 2",
		"once.h", "#pragma once\nstatic int once;\n")
	path := filepath.Join(dir, "my.cl")
	p, err := ParseFile(path, 4)
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.Text(problems.FP64, problems.Tile)
	if err != nil {
		t.Fatal(err)
	}
	want := []problems.Source{
		{File: path, Line: 1, Text: "//@ bounds -1 1\n\n"},
		{File: filepath.Join(dir, "sub/a.h"), Line: 1, Text: "#define A 1\n"},
		{File: filepath.Join(dir, "sub/b.h"), Line: 1, Text: "#define B 2"},
		{File: filepath.Join(dir, "sub/a.h"), Line: 3, Text: "/* #include \"none.h\" */\n#define C 3\n"},
		{File: filepath.Join(dir, "once.h"), Line: 1, Text: "            \nstatic int once;\n"},
		{File: path, Line: 6, Text: testComponent},
	}
	if len(text.Sources) != len(want) {
		t.Fatalf("%d sources: %+v", len(text.Sources), text.Sources)
	}
	for i, s := range text.Sources {
		if s != want[i] {
			t.Errorf("source %d is %+v, want %+v", i, s, want[i])
		}
	}
	if text.Options != "" {
		t.Errorf("fp64 options %q", text.Options)
	}
	if text, _ := p.Text(problems.FP32, problems.Tile); text.Options != "-cl-single-precision-constant" {
		t.Errorf("fp32 options %q", text.Options)
	}

	hash := p.ContentHash()
	if err := os.WriteFile(filepath.Join(dir, "sub/b.h"), []byte("#define B 3"), 0o644); err != nil {
		t.Fatal(err)
	}
	q, err := ParseFile(path, 4)
	if err != nil {
		t.Fatal(err)
	}
	if other := q.ContentHash(); len(hash) != 64 || other == hash {
		t.Errorf("hash %s, and %s after a change in an included file", hash, other)
	}
}

func TestObjectiveTables(t *testing.T) {
	ints := "\x93NUMPY\x01\x00\x46\x00{'descr': '>i4', 'fortran_order': False, 'shape': (2, 1), }" +
		strings.Repeat(" ", 10) + "\n" + "\x00\x00\x00\x07\x00\x00\x01\x00"
	dir := WriteFiles(t,
		"my.cl", "//@ bounds -1 1\n//@ data w w.npy   weights\n//@ data c sub/c.npy\n//@ reads lists l.txt\n//@ "+
			"components "+
			"2\n"+testComponent,
		"w.npy", NpyText(t, 1.5, -2), "sub/c.npy", ints, "l.txt", "# pairs\n0 2\n\n1 2 0\r\n")
	p, err := ParseFile(filepath.Join(dir, "my.cl"), 3)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := p.Text(problems.FP64, problems.Tile)
	want := "[{w [1.5 -2] [] false} {c [] [7 256] false} {reads [] [0 2 1 2 0] false} {reads_start [] [0 2 5] false}]"
	if got := fmt.Sprint(text.Tables); got != want {
		t.Errorf("tables %s, want %s", got, want)
	}
	if !p.Tiling().Whole {
		t.Error("lists without Whole")
	}
}

// The sizes of tables are numbers of the text, and can be used in directives.
func TestObjectiveSizes(t *testing.T) {
	dir := WriteFiles(t,
		"my.cl", "//@ bounds box.csv\n//@ data A a.mtx\n//@ data b b.txt uint  counts\n//@ data w w.npy real\n"+
			"//@ n cols(A)\n//@ components rows(A) - 1\n//@ f s0/len(b)\n//@ target 0.5\n//@ label s0 energy, eV  c\n"+
			testComponent,
		"a.mtx", "%%MatrixMarket matrix coordinate real general\n4 3 2\n2 3 1.5\n1 1 -1\n", "b.txt", "1\n2\n3\n4\n5\n",
		"w.npy", strings.Replace(NpyText(t, 0, 0), "<f8", "<i8", 1), "box.csv", "lo,hi\n0,1\n2,2\n-1,3\n")
	p, err := ParseFile(filepath.Join(dir, "my.cl"), 0)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := p.Text(problems.FP64, problems.Tile)
	want := "[{A_val [-1 1.5] [] false} {A_col [] [0 2] false} {A_row_start [] [0 1 2 2 2] false} " +
		"{b [] [1 2 3 4 5] false} {w [0 0] [] false}]"
	if got := fmt.Sprint(text.Tables); got != want {
		t.Errorf("tables %s, want %s", got, want)
	}
	want = "[{A_rows 4} {A_cols 3} {A_len 2} {A_val_len 2} {A_col_len 2} {A_row_start_len 5} {b_rows 5} {b_cols 1} " +
		"{b_len 5} {w_rows 2} {w_cols 1} {w_len 2}]"
	if got := fmt.Sprint(text.Numbers); got != want {
		t.Errorf("numbers %s, want %s", got, want)
	}
	if d, m := p.Domain(), p.Tiling().M; d.N != 3 || m != 3 || p.Objective([]float64{10}) != 2 ||
		fmt.Sprint(d.Lo, d.Hi) != "[0 2 -1] [1 2 3]" {
		t.Errorf("%+v, %d components, f(10) = %v", d, m, p.Objective([]float64{10}))
	}
	if i := p.Info(); *i.Target != 0.5 || i.Sums[0] != "energy, eV" {
		t.Errorf("info %+v", i)
	}
	if _, err := ParseFile(filepath.Join(dir, "my.cl"), 4); err == nil || !strings.Contains(err.Error(),
		"3 rows of 2 numbers for 4 variables") {
		t.Error(err)
	}
}

// A grid may have the size of a table.
func TestObjectiveGridSizes(t *testing.T) {
	dir := WriteFiles(t,
		"my.cl", "//@ bounds 0 1\n//@ data A a.csv\n//@ grid 2*rows(A) cols(A)  cells\n//@ reads self, right\n"+
			testComponent, "a.csv", "1,2,3\n4,5,6\n")
	p, err := ParseFile(filepath.Join(dir, "my.cl"), 0)
	if err != nil {
		t.Fatal(err)
	}
	want := problems.Grid([3]int{1, 4, 3}, [3]int{}, [3]int{0, 0, 1})
	if !reflect.DeepEqual(p.Structure(), want) {
		t.Errorf("%+v, want %+v", p.Structure(), want)
	}
}

// Hostile texts of the largest size take less than a second.
func TestObjectiveFast(t *testing.T) {
	head := "//@ bounds -1 1\n" + testComponent
	for _, unit := range []string{"#\n", "\\\n", "//@ x\\\n", "//@\n", "/**/", "\"\\\"", "# \\\n", "??", "component ",
		"#define a\n", "\\ ", "'\n", "#include\\\n", "n"} {
		text := head + strings.Repeat(unit, (maxObjective-len(head))/len(unit))
		path := filepath.Join(WriteFiles(t, "my.cl", text), "my.cl")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := cputime.Used()
		_, err := ParseFile(path, 3)
		d := cputime.Used() - start
		runtime.ReadMemStats(&after)
		if all := after.TotalAlloc - before.TotalAlloc; all > 64<<20 {
			t.Errorf("%q: %d MiB allocated (%v)", unit, all>>20, err)
		}
		if d > time.Second {
			t.Errorf("%q: %v (%v)", unit, d, err)
		}
	}
	for _, unit := range []string{"+s0", "(", "-", "^2", "exp("} {
		start := cputime.Used()
		_, err := parseText(t, head+"//@ f s0"+strings.Repeat(unit, 1<<20/len(unit)), 3)
		if d := cputime.Used() - start; err == nil || d > time.Second {
			t.Errorf("%q: %v (%v)", unit, d, err)
		}
	}
}
