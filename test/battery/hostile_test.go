package battery_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/test/battery"
)

// hostile are objectives that attack the process that evaluates them, or the machine. A text takes the place of the
// statement of component, or of all of it if it has a component of its own.
var hostile = []struct {
	name, text string
	codes      []int // exit codes that are right
}{
	{"a null pointer", "acc[0] += *(global volatile real *)0;", []int{4}},
	{"a wild pointer", "acc[0] += ((global volatile real *)0xdead0000)[k];", []int{4}},
	{"a write through a wild pointer", "*(global volatile real *)(0xdead0000 + k) = at(x, k);", []int{4}},
	{"a deep stack", "volatile private real big[1 << 24]; big[k] = at(x, k); acc[0] += big[k];", []int{4}},
	{"a division by zero", "acc[0] += (real)(1 / (int)(k - k));", []int{0, 4, 9}},
	{"a trap", "__builtin_trap();", []int{4}},
	{"assembler", "__asm__ volatile(\"ud2\");", []int{4}},
	{"a system call",
		"long r; __asm__ volatile(\"syscall\" : \"=a\"(r) : \"a\"(231), \"D\"(0) : \"rcx\", \"r11\", \"memory\");",
		[]int{4}},
	{"a call of the C library", "extern int system(constant char *); acc[0] += system(\"touch victim\");", []int{4}},
	{"a write beside the sums", "acc[1] = 1; acc[0] += at(x, k);", []int{2, 4}},
	{"a read outside of the point", "acc[0] += at(x, k + 1);", []int{2}},
	{"a file of the machine", "#include \"/etc/passwd\"\nacc[0] += 1;", []int{2}},
	{"a file of the machine in an assembler", "__asm__(\".incbin \\\"/etc/passwd\\\"\");", []int{4}},
	{"a file of the machine in an assembler of joined words",
		"\n#define J(a, b) a##b\nJ(__as, m__)(\".incbin \\\"/etc/passwd\\\"\"); acc[0] += 1;", []int{4}},
	{"a file that a pragma compares", "\n#pragma GCC dependency \"/etc/passwd\"\nacc[0] += 1;", []int{2}},
	{"a file that an operator compares", "_Pragma(\"GCC dependency \\\"/etc/passwd\\\"\") acc[0] += 1;", []int{2}},
	{"a test for files by joined words",
		"\n#define J(a, b) a##b\n#if J(_, _has_include)(\"/etc/passwd\")\n#endif\nacc[0] += 1;", []int{2}},
	{"a test for files", "\n#if __has_include(\"/etc/passwd\")\n#endif\nacc[0] += 1;", []int{2}},
	{"an embedded file", "\n#embed \"/etc/passwd\"\nacc[0] += 1;", []int{2, 4}},
	{"a trigraph", "\n?" + "?=include <stdio.h>\nacc[0] += 1;", []int{2}},
	{"an end of the function",
		"acc[0] += 1; } kernel void probe(global int *p) { p[0] = 1; } static void other(void) {", []int{0, 2, 4}},
	{"other words", "\n#define acc nothing\nacc[0] += 1;", []int{2, 4}},
	{"another line", "\n#line 1 \"/etc/passwd\"\nacc[0] += nothing;", []int{2, 4}},
	{"a pragma", "\n#pragma OPENCL EXTENSION all : enable\n#error stop\nacc[0] += 1;", []int{4}},
	{"a barrier in a branch", "if (k == 0) barrier(CLK_LOCAL_MEM_FENCE); acc[0] += sq(at(x, k));", []int{0, 2, 4}},
	{"a lot of text", strings.Repeat("acc[0] += sq(at(x, k)); ", 1<<12), []int{0, 4}},
	{"deep brackets", "acc[0] += " + strings.Repeat("(", 1<<14) + "1" + strings.Repeat(")", 1<<14) + ";", []int{2, 4}},
	{"an endless value", "acc[0] += exp(1e30 * at(x, k)) - exp(1e30 * at(x, k));", []int{9}},
	{"the words of a good trial, then a trap", "printf(\"built\\nsurvived\\n\"); __builtin_trap();", []int{4}},
	{"an endless loop", "volatile int on = 1; while (on) acc[0] += at(x, k);", []int{4}},
	{"an endless recursion", "static real deep(real v) { return v > 1e9 ? v : v + sin(deep(v + 1)); }\n" +
		strings.Replace(component, statement, "acc[0] += deep(at(x, k));", 1), []int{2, 4}},
	{"a kernel of the library", "kernel void eval_tiles(global int *p) { p[0] = 1; }\n" + component, []int{2, 4}},
	{"a constructor", "__attribute__((constructor)) static void first(void) { __builtin_trap(); }\n" + component,
		[]int{0, 2, 4}},
	{"a comment without an end", "/* acc[0] += 1;", []int{2, 4}},
	{"an end without a comment", "acc[0] += 1; */", []int{2, 4}},
	{"a digraph", "\n%:include \"/etc/passwd\"\nacc[0] += 1;", []int{2, 4}},
	{"a continued directive", "\n#inc\\\nlude \"/etc/passwd\"\nacc[0] += 1;", []int{2, 4}},
	{"a commented directive", "\n/**/ #/**/include \"/etc/passwd\"\nacc[0] += 1;", []int{2, 4}},
	{"an include of itself", "\n#include \"o.cl\"\nacc[0] += 1;", []int{2}},
	{"a macro that doubles forty times", doubling(40) + "acc[0] += M40;", []int{2, 4}},
	{"a large private array", "private real big[1 << 27]; for (uint i = 0; i < 1u << 27; i += 512) big[i] = k; " +
		"acc[0] += big[k];", []int{4}},
	{"a large local array", "local real big[1 << 28]; big[k] = 1; acc[0] += sq(at(x, k));", []int{2, 4, 5}},
	{"other keywords", "#define return\n#define for(x)\n" + component, []int{0, 2, 4, 8}},
	{"other sums", "#define sum_add(a, b)\n" + component, []int{0, 2, 4, 8}},
	{"escapes that are printed", "printf(\"\\033]0;title\\007\"); acc[0] += sq(at(x, k));", []int{0}},
}

const (
	statement = "acc[0] += sq(at(x, k));"
	component = "static void component(uint k, point x, data d, real *acc)\n{\n    " + statement + "\n}\n"
)

// doubling returns the definitions of macros M0 to Mn, each twice as long as the one before.
func doubling(n int) string {
	text := "\n#define M0 1\n"
	for k := range n {
		text += fmt.Sprintf("#define M%d M%d + M%d\n", k+1, k, k)
	}
	return text
}

// TestR18Hostile runs hostile objectives. Each is refused or fails its trial, or does no harm, and nothing outside of
// the folder of runs changes.
func TestR18Hostile(t *testing.T) {
	count := battery.Begin(t)
	const most = 35 * time.Second
	for i, h := range hostile {
		if testing.Short() && i%9 > 0 {
			continue
		}
		dir := t.TempDir()
		t.Chdir(dir)
		old := statement
		if strings.Contains(h.text, "void component(") {
			old = component
		}
		put(t, "o.cl", strings.Replace(sphere, old, h.text, 1))
		o := words(t, "run o.cl -s random --evals 500 --seed 1 -d 0 -q")
		left, err := filepath.Glob("*")
		if err != nil {
			t.Fatal(err)
		}
		harmed := slices.ContainsFunc(left, func(name string) bool { return name != "o.cl" && name != "runs" })
		count.Check(slices.Contains(h.codes, o.code) && o.took < most && !harmed &&
			!strings.Contains(o.errs, "internal error") && !strings.Contains(o.errs, "root:"),
			"%s: want one of %v, files %v: %v", h.name, h.codes, left, o)
	}
	if _, err := os.Stat("/etc/passwd"); err != nil {
		t.Error(err)
	}
}
