package opencl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/test/battery"
)

// Every fault is an *input.Error with its place and the text that was found there.
func TestR1Objectives(t *testing.T) {
	count := battery.Begin(t)
	const b = "//@ bounds -1 1\n"
	for _, test := range []struct {
		head string // lines before the function component
		at   string // LINE:COL, or "" for an error without a place
		want string
	}{
		{"", "", "no bounds. Add a line //@ bounds LO HI"},
		{b + "//@ bond 3", "2:5", `unknown directive "bond". Did you mean //@ bounds?`},
		{b + "//@ maximize", "2:5", `unknown directive "maximize". clopt minimizes. Give --maximize, or negate`},
		{b + "//@ integer 0 2 4", "2:5", "Integers are not yet supported: variables are real. Round in the text"},
		{b + "//@ Constraint s0 < 3", "2:5", "no constraints but the bounds. Add a penalty"},
		{b + "//@ seed 3", "2:5", "It is a flag: clopt run FILE.cl --seed VALUE"},
		{b + "//@ foo 3", "2:5", `unknown directive "foo". Known are name`},
		{"//@ bounds -5,12 5,12", "1:12", "Write a point in place of the comma: -5.12"},
		{"//@ bounds [-5,5] [0,1]", "1:12", "bounds in brackets. Write //@ bounds LO HI, one interval for all " +
			"variables, or //@ bounds FILE"},
		{"//@ bounds [-5,5]", "1:12", "bounds in brackets"}, {"//@ bounds (0, 1)", "1:12", "bounds in brackets"},
		{"//@ bounds {0 1}", "1:12", "bounds in brackets"},
		{b + "static real component(uint k, point x, data d) { return at(x, k); }", "2:13",
			"component returns a value, and adds nothing. Write static void component(uint k, point x, data d, " +
				"real *acc), and acc[0] += VALUE in place of return"},
		{b + "void component(uint k, const real *x, data d, real *acc) {}", "2:6",
			"component has the parameters (uint k, const real * x, data d, real * acc). Write static void component("},
		{b + "double component(double *x, int n) { return x[0]; }", "2:8", "component returns a value"},
		{b + "static void component(uint k, point x, real *acc) {}", "2:13", "component has the parameters (uint k,"},
		{b + "//@ squares 1\nstatic real residuals(uint k, point x, data d) { return 1; }", "3:13",
			"residuals returns a value, and adds nothing"},
		{b + "static uint who(void) { return get_global_id(0); }", "2:32",
			"get_global_id: any work-item may compute a component"},
		{b + "#define ME get_local_id(0)", "2:12", "The number of the component is k, that of all DIM or COMPS"},
		{b + "static void w(void)\n{ barrier(CLK_LOCAL_MEM_FENCE); }", "3:3", "barrier: components are computed " +
			"each on its own"},
		{b + "//@ SUMS 3", "2:5", "unknown directive \"SUMS\""},
		{b + "//@", "2:1", "directive without a word"},
		{b + "//@ sums", "2:5", "directive //@ sums without a value. Write //@ sums 2"},
		{b + "//@ bounds -2 2", "2:5", "directive //@ bounds again, first in line 1"},
		{b + "int a; //@ sums 2", "2:8", "directive //@ sums after other text"},
		{b + "//@ f s0 + \\\n//  s0", "2:1", "directive //@ f over several lines"},
		{b + "//@ violation s1", "2:5", "not yet"},
		{b + "//@ domain binary", "2:5", "not yet"},
		{"//@ bounds 1", "1:13", "1 of 2 values. Write //@ bounds LO HI"},
		{"//@ bounds 1 1", "1:12", "lower bound 1 is not below upper bound 1"},
		{"//@ bounds 2 1", "1:12", "lower bound 2 is not below upper bound 1"},
		{"//@ bounds 0 nan", "1:14", `"nan" is not a decimal number`},
		{"//@ bounds -inf 0", "1:12", `"-inf" is not a decimal number`},
		{"//@ bounds 0 1e400", "1:14", `"1e400" is too large`},
		{"//@ bounds 0 0x10", "1:14", `"0x10" is not a decimal number`},
		{"//@ bounds 0 1x", "1:14", `"1x" is not a decimal number`},
		{"//@ bounds 0,1", "1:15", "1 of 2 values"},
		{"//@ bounds -1e308 1e308", "1:12", "too far apart"},
		{"//@ bounds 0 1 2", "1:16", `unexpected "2"`},
		{b + "//@ sums 0", "2:10", "sums is 0. Use an integer from 1 to 16."},
		{b + "//@ sums 17", "2:10", "sums is 17"},
		{b + "//@ squares 17", "2:13", "squares is 17"},
		{b + "//@ squares 2\n//@ sums 2", "2:13", "//@ squares and //@ sums exclude each other"},
		{b + "//@ squares 2\n//@ f s0/2", "2:13", "//@ squares and //@ f exclude each other"},
		{b + "//@ squares 2", "", "no function residuals"},
		{b + "//@ sums 1.5", "2:10", "sums is 1.5"},
		{b + "//@ inner 17", "2:11", "inner is 17. Use an integer from 1 to 16."},
		{b + "//@ inner 2", "", "no function component_inner for //@ inner 2"},
		{b + "//@ inner 1\n//@ sums 2", "", "2 sums and inner sums. Remove //@ sums"},
		{b + "//@ sums 2 accumulators", "2:12", `unexpected "accumulators"`},
		{b + "//@ name a/b", "2:10", `name "a/b"`},
		{b + "//@ name ..", "2:10", `name ".."`},
		{b + "//@ n 0", "2:7", "n is 0"},
		{b + "//@ n 3e9", "2:7", "n is 3e9"},
		{b + "//@ best nan", "2:10", `"nan" is not a decimal number`},
		{b + "#define real char", "2:1", "#define of real, which the text around the objective uses"},
		{b + "  #undef sum", "2:3", "#undef of sum"},
		{b + "#define uint ulong", "2:1", "#define of uint"},
		{b + "#if __has_include(\"/etc/passwd\")\n#endif", "2:5", `"__has_include": this word`},
		{b + "#define J(a, b) a##b\n#if J(__has_, include)(\"x\")\n#endif", "3:7", `"__has_": this word`},
		{b + "#define J(a, b) a##b\n#if J(_, _has_include)(\"x\")\n#endif", "3:7", `"_": this word`},
		{b + "#if _\\\n_has_include(\"x\")\n#endif", "2:5", `"_": this word`},
		{b + "_Pragma(\"GCC dependency \\\"/etc/passwd\\\"\")", "2:1", `"_Pragma": this word`},
		{b + "#pragma GCC dependency \"/etc/passwd\"", "2:1", "unsupported #pragma \"GCC dependency"},
		{b + " %:prag\\\nma clang dependency \"/etc/passwd\"", "2:2", "unsupported #pragma"},
		{b + "#pragma push_macro(\"real\")", "2:1", "unsupported #pragma"},
		{b + "#undef __asm__", "2:1", "#undef of __asm__"},
		{b + "//@ reads j", "2:11", `"j" is not a window`},
		{b + "//@ reads k..", "2:14", `"" is not a window`},
		{b + "//@ reads k+1..k+2", "2:11", "component 9, the last of 10, reads variable 10, outside 0...9. Write //@ " +
			"components n-1"},
		{b + "//@ components n\n//@ reads 2k+1..2k+2", "2:16", "reads variable 19, outside 0...9. Write //@ " +
			"components n/2"},
		{b + "//@ reads 3k+4, 3k+7", "2:11", "Write //@ components (n-2)/3"},
		{b + "//@ reads 3k+1", "2:11", "Write //@ components (n+1)/3"},
		{b + "//@ reads k+10", "2:11", "component 0 reads variable 10, outside 0...9. Use -n 11 or more."},
		{b + "//@ reads self, right", "2:11", `"self," is a neighbour on a grid. Add a line //@ grid`},
		{b + "//@ grid 2 5\n//@ reads self, k", "3:17", `"k" is not a neighbour on a grid`},
		{b + "//@ grid 2 5\n//@ reads self right down", "3:15",
			`no comma before "right down". Write a list such as //@ reads self, right, down`},
		{b + "//@ grid 2 5\n//@ reads self; right", "3:15", `no comma before "; right"`},
		{b + "//@ grid 2 5\n//@ reads k..k+1", "3:11", "or leave //@ grid out"},
		{b + "//@ grid 2 6\n//@ reads self", "2:10", "a grid of 12 cells for 10 variables and 10 components"},
		{b + "//@ grid 2\n//@ reads self", "2:10", "not two or three sizes"},
		{b + "//@ grid 70000 70000", "2:10", "a grid of 70000 70000. Use 1 to"},
		{b + "//@ grid 2 2.5", "2:10", "a grid of 2 2.5. Use 1 to"},
		{b + "//@ grid 2 rows(A)", "2:17", `"A" is not the name of a table`},
		{b + "//@ reads k, 2k", "2:14", "windows that move by 1 and by 2 with k"},
		{b + "//@ reads k, ", "2:13", `"" is not a window`},
		{b + "//@ reads k, k+5..k+90", "2:11", "87 variables that are not neighbours"},
		{b + "//@ reads k-1..k+1", "2:11", "window starts 1 before k. Shift it: k..k+2"},
		{b + "//@ reads k+1..k", "2:16", `window from "k+1" to "k"`},
		{b + "//@ reads k..2k", "2:14", `window from "k" to "2k"`},
		{b + "//@ reads 0k", "2:11", "does not move with k"},
		{b + "//@ reads k..k+99999999999999999999", "2:14", "more than 65536"},
		{b + "//@ reads lists", "2:16", "1 of 2 values"},
		{b + "//@ reads lists none.txt", "2:17", `"none.txt" cannot be read`},
		{b + "//@ components 0", "2:16", "0 components for n = 10"},
		{b + "//@ components rows(A)", "2:21", `"A" is not the name of a table`},
		{b + "//@ f s0/len", "2:10", "unknown name \"len\""},
		{b + "//@ target x", "2:12", `"x" is not a decimal number`},
		{b + "//@ label s1 energy", "2:11", `"s1" is not a sum. Use s0 to s0`},
		{b + "//@ label s0", "2:13", "no words"},
		{b + "//@ label s0 a\n//@ label s0 b", "3:11", "a second label of s0"},
		{"//@ bounds none.txt", "1:12", `"none.txt" cannot be read`},
		{b + "//@ components n*1e9", "2:16", "1e+10 components"},
		{b + "//@ components 0/0", "2:16", "NaN components"},
		{b + "//@ components s0", "2:16", `unknown name "s0"`},
		{b + "//@ f s0 +", "2:11", "unexpected end of the expression"},
		{b + "//@ f s0 + s1", "2:12", `unknown name "s1". Known are s0, n, e, pi`},
		{b + "//@ f ln(s0)", "2:7", `unknown function "ln". Did you mean`},
		{b + "//@ data w ../w.npy", "2:12", `leads out through ".."`},
		{b + "//@ data w /w.npy", "2:12", "is not a relative path"},
		{b + "//@ data float w.npy", "2:10", `table name "float"`},
		{b + "//@ data 1w w.npy", "2:10", `table name "1w"`},
		{b + "//@ data w none.npy", "2:12", `"none.npy" cannot be read`},
		{b + "//@ data w .", "2:12", `"." is not a regular file`},
		{b + "#include <math.h>", "2:1", "Write #include \"file\" on one line"},
		{b + "#include FILE", "2:1", "unsupported"},
		{b + "#include \"/etc/passwd\"", "2:1", "is not a relative path"},
		{b + "#include \"a/../../x.h\"", "2:1", `leads out through ".."`},
		{b + "  #  include \"none.h\"", "2:3", `"none.h" cannot be read`},
		{b + "%:include <a>", "2:1", "unsupported"},
		{b + "#inc\\\nlude \"a.h\"", "2:1", "unsupported"},
		{b + "/* a\n*/ # /* b\n*/ include \"/etc/passwd\"", "3:4", "unsupported"},
		{b + "/* *\\\n/\n#import \"a.h\"", "4:1", "unsupported"},
		{b + "#include \"my.cl\"", "2:1", `"my.cl" includes itself`},
		{b + "??=include <a>", "2:1", "trigraph"},
		{b + "/* \n", "2:1", "comment without its end"},
		{b + "\x00", "2:1", "control character 0x00"},
		{b + "// caf\xe9", "2:7", "byte 0xe9 is not UTF-8"},
		{"\ufeff" + b + "\r\n//@ bond 3", "3:5", "unknown directive"},
	} {
		_, err := parseText(t, test.head+"\n"+testComponent, 10)
		CheckInput(t, test.head, err, "my.cl", test.at, test.want)
		count.Count(!t.Failed())
	}
	_, err := parseText(t, b, 10)
	CheckInput(t, "no function", err, "my.cl", "", "no function component")
	_, err = parseText(t, b+"double f(const double *x, int n) { return x[0]; }\n", 10)
	CheckInput(t, "another function", err, "my.cl", "2:8", "no function component. Define static void component(")
	_, err = parseText(t, b+"// component(\n", 10)
	CheckInput(t, "function in a comment", err, "my.cl", "", "no function component")
	_, err = parseText(t, b+testComponent, 0)
	CheckInput(t, "no n", err, "my.cl", "", "Use -n N, or add a line //@ n 1000")
	_, err = parseText(t, b+testComponent, -1)
	CheckInput(t, "negative n", err, "my.cl", "", "-1 variables")
	_, err = parseText(t, b+strings.Repeat(" ", maxObjective)+testComponent, 10)
	CheckInput(t, "too long", err, "my.cl", "", "more than 4194304 bytes")
}

// CheckInput fails t unless err is an *input.Error in a file called file, at LINE:COL.
func CheckInput(t *testing.T, what string, err error, file, at, want string) {
	t.Helper()
	var fault *input.Error
	if !errors.As(err, &fault) {
		t.Errorf("%q: %v, want an input error", what, err)
		return
	}
	place := ""
	if fault.Line > 0 {
		place = fmt.Sprintf("%d:%d", fault.Line, fault.Col)
	}
	if filepath.Base(fault.File) != file || place != at || !strings.Contains(fault.Msg, want) {
		t.Errorf("%q: %v\nwant %s:%s and %s", what, err, file, at, want)
	}
}

// Faults in files that an objective includes or reads.
func TestR1ObjectiveFiles(t *testing.T) {
	count := battery.Begin(t)
	const b = "//@ bounds -1 1\n"
	for _, test := range []struct {
		head, name, content string
		file, at, want      string
	}{
		{"#include \"a.h\"", "a.h", "\n#include \"a.h\"", "a.h", "2:1", "includes itself"},
		{"#include \"a.h\"", "a.h", "\n#include \"my.cl\"", "a.h", "2:1", "includes itself"},
		{"#include \"a.h\"", "a.h", "//@ sums 2", "a.h", "1:1", "directive in an included file"},
		{"#include \"a.h\"", "a.h", "x\n /* y", "a.h", "2:2", "comment without its end"},
		{"#include \"a.h\"", "a.h", "x\n\x01", "a.h", "2:1", "control character 0x01"},
		{"#include \"a/a.h\"", "a/a.h", "#include \"../b.h\"", "a.h", "1:1", "leads out"},
		{"#include \"a.h\"", "a.h", strings.Repeat(" ", maxObjective), "a.h", "", "more than 4194304 bytes"},
		{"//@ data w w.npy", "w.npy", "1 2 3", "w.npy", "", "not a .npy file"},
		{"//@ data w w.npy", "w.npy", NpyText(t, 1, 2)[:140], "w.npy", "", "cut off"},
		{"//@ data w w.npy int", "w.npy", NpyText(t, 1, 2), "my.cl", "2:18", `"int" is not a type`},
		{"//@ data w w.csv uint", "w.csv", "1,2\n3,-4\n", "w.csv", "", "element [1, 1] is -4, and not an integer"},
		{"//@ data w w.csv", "w.csv", "1,2\n3,x\n", "w.csv", "2:3", `"x" is not a decimal number`},
		{"//@ data w w.mtx", "w.mtx", "1 2\n", "w.mtx", "1:1", "not a MatrixMarket file"},
		{"//@ data w w.txt\n//@ data w w.txt", "w.txt", "1", "my.cl", "3:10", `table "w" again`},
		{"//@ data w_len w.txt\n//@ data w w.txt", "w.txt", "1", "my.cl", "3:10", "the size w_len of the table"},
		{"//@ data w w.txt\n//@ data w_rows w.txt", "w.txt", "1", "my.cl", "3:10", `table "w_rows" again, or the size`},
		{"//@ reads lists l.txt", "l.txt", "0 1 2\n0 x\n1\n", "l.txt", "2:3", `"x" is not a variable`},
		{"//@ reads lists l.txt", "l.txt", "0 1 2\n0 3\n1\n", "l.txt", "2:3", `"3" is not a variable`},
		{"//@ reads lists l.txt", "l.txt", "0 1 2\n0 2\n", "l.txt", "2:0", "2 lines for 3 components"},
		{"//@ reads lists l.txt", "l.txt", "0\n1\n2\n\n0\n", "l.txt", "5:1", "more lines than the 3 components"},
		{"//@ bounds b.txt", "b.txt", "0 1\n0 1\n", "b.txt", "", "2 rows of 2 numbers for 3 variables"},
		{"//@ bounds b.txt", "b.txt", "0 1\n0 1\n2 1\n", "b.txt", "", "variable 2: lower bound 2 is not below"},
		{"//@ bounds b.txt", "b.txt", "1 1\n0 0\n2 2\n", "b.txt", "", "all variables are fixed"},
		{"//@ bounds b.txt", "b.txt", "0 1\n0\n", "b.txt", "2:0", "numbers in the line: 1, in those before: 2"},
		{"//@ reads lists l.txt", "l.txt", "\n", "l.txt", "", "file of 1 bytes for 3 components"},
	} {
		head := b + test.head
		if strings.HasPrefix(test.head, "//@ bounds") {
			head = test.head
		}
		dir := WriteFiles(t, "my.cl", head+"\n"+testComponent, test.name, test.content)
		_, err := ParseFile(filepath.Join(dir, "my.cl"), 3)
		CheckInput(t, test.head+" "+test.content[:min(20, len(test.content))], err, test.file, test.at, test.want)
		count.Count(!t.Failed())
	}
}

func TestR19ObjectiveLinks(t *testing.T) {
	count := battery.Begin(t)
	dir := WriteFiles(t, "in/my.cl", "//@ bounds -1 1\n#include \"x.h\"\n"+testComponent, "out.h", "", "in/y.h",
		"int y;")
	path := filepath.Join(dir, "in", "my.cl")
	for _, test := range []struct{ target, want string }{
		{"../out.h", "leads out through a symbolic link"},
		{filepath.Join(dir, "out.h"), "leads out through a symbolic link"},
		{"x.h", "cannot be read"},
	} {
		link := filepath.Join(dir, "in", "x.h")
		os.Remove(link)
		if err := os.Symlink(test.target, link); err != nil {
			t.Fatal(err)
		}
		_, err := ParseFile(path, 3)
		CheckInput(t, test.target, err, "my.cl", "2:1", test.want)
		count.Count(!t.Failed())
	}
	link := filepath.Join(dir, "in", "x.h")
	os.Remove(link)
	if err := os.Symlink("y.h", link); err != nil {
		t.Fatal(err)
	}
	if _, err := ParseFile(path, 3); err != nil {
		t.Errorf("a link inside the folder: %v", err)
	}
	_, err := ParseFile(filepath.Join(dir, "none.cl"), 3)
	CheckInput(t, "missing", err, "none.cl", "", "no such file")
}

// Files that include each other many times are refused, not expanded.
func TestObjectiveIncludeBomb(t *testing.T) {
	files := []string{"my.cl", "//@ bounds -1 1\n#include \"0.h\"\n" + testComponent}
	for i := range 30 {
		files = append(files, fmt.Sprintf("%d.h", i), strings.Repeat(fmt.Sprintf("#include \"%d.h\"\n", i+1), 2))
	}
	_, err := ParseFile(filepath.Join(WriteFiles(t, append(files, "30.h", "")...), "my.cl"), 3)
	if err == nil || !strings.Contains(err.Error(), "more than 1000 files") {
		t.Error(err)
	}
}

func FuzzObjective(f *testing.F) {
	battery.Target(f)
	examples, err := filepath.Glob("../../test/testdata/*.cl")
	if err != nil || len(examples) == 0 {
		f.Fatal("no examples", err)
	}
	for _, name := range examples {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, "")
	}
	f.Add([]byte("//@ bounds 0 1\n//@ n 3\n//@ reads lists inc\n"+testComponent), "0\n1 2\n2")
	f.Add([]byte("//@ bounds 0 1\n//@ n 3\n//@ data w inc\n#include \"inc\"\n"+testComponent), NpyText(f, 1, 2))
	f.Add([]byte("//@ bounds inc\n//@ n 2\n//@ label s0 energy, eV\n"+testComponent), "0 1\n2 2\n")
	f.Add([]byte("//@ bounds 0 1\n//@ data A inc real\n//@ n cols(A)\n//@ components rows(A)\n"+testComponent),
		"%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 3\n2 1 4\n")
	f.Add([]byte("//@ bounds 0 1\n/* \\\n *\\\n/ %:inc\\\nlude \"inc\"\n"+testComponent), "#pragma once\n'\"/*")
	dir := f.TempDir()
	path := filepath.Join(dir, "my.cl")
	f.Fuzz(func(t *testing.T, text []byte, included string) {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "inc"), []byte(included), 0o644); err != nil {
			t.Fatal(err)
		}
		o, err := ParseFile(path, 0)
		if err != nil {
			var fault *input.Error
			if !errors.As(err, &fault) {
				t.Fatalf("%v is no input error", err)
			}
			return
		}
		tiling := o.Tiling()
		if lo, hi := o.Domain().Box(); !(lo < hi) || tiling.N < 1 || tiling.M < 1 || tiling.Tiles() < 1 {
			t.Fatalf("box %v %v, tiling %+v", lo, hi, tiling)
		}
		o.Objective(make([]float64, o.Accumulators()))
		for _, s := range o.sources {
			if strings.ContainsAny(s.Text, "\x00\x01\x02\r") {
				t.Fatalf("control characters in %q", s.Text)
			}
		}
	})
}
