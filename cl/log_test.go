package cl

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clopt/clopt/test/battery"
)

// twoParts maps lines 1 to 10 to the prelude and the others to the user's file.
func twoParts(line int) (string, int, string) {
	if line <= 10 {
		return "prelude.cl", line, fmt.Sprintf("prelude line %d", line)
	}
	return "user.cl", line - 10, fmt.Sprintf("\treal v = foo(%d);", line-10)
}

func TestParseLog(t *testing.T) {
	for _, tc := range []struct {
		name, log string
		want      string // of the messages, one a line
	}{
		{"PoCL", "error: /root/.cache/pocl/kcache/tempfile_9maPdL.cl:12:11: use of undeclared identifier 'foo'\n" +
			"error: /root/.cache/pocl/kcache/tempfile_9maPdL.cl:13:2: expected expression\nDevice pthread failed " +
			"to build the program\n\x00",
			"user.cl:2:11: error: use of undeclared identifier 'foo'\nuser.cl:3:2: error: expected expression"},
		{"PoCL warning first", "warning: /tmp/a.cl:3:1: unused variable\nerror: /tmp/a.cl:12:1: bad",
			"user.cl:2:1: error: bad\nprelude.cl:3:1: warning: unused variable"},
		{"PoCL, in macros", "error: /tmp/a.cl:12:2 <Spelling=/tmp/a.cl:5:17>: bad\n" +
			"error: /tmp/a.cl:13:1 <Spelling=<scratch space>:9:17>: worse",
			"user.cl:2:2: error: bad\nuser.cl:3:1: error: worse"},
		{"Mesa", "input.cl:12:11: error: use of undeclared identifier 'foo'\nError executing LLVM compilation action.",
			"user.cl:2:11: error: use of undeclared identifier 'foo'"},
		{"NVIDIA", "<kernel>:12:43: error: use of undeclared identifier 'foo'\n\treal v = foo(2);\n\t         " +
			"^\n<kernel>:12:43: error: use of undeclared identifier 'foo'\n",
			"user.cl:2:43: error: use of undeclared identifier 'foo'"},
		{"clang", "/tmp/comgr-1/input/CompileSource:11:3: fatal error: 'x.h' file not found\n#include " +
			"\"x.h\"\n         ^~~~~\n1 error generated.\n",
			"user.cl:1:3: fatal error: 'x.h' file not found"},
		{"Intel", "2:12:4: error: no matching function for call to 'foo'\n2:3:1: note: candidate function not viable\n",
			"user.cl:2:4: error: no matching function for call to 'foo'\nprelude.cl:3:1: note: candidate function " +
				"not viable"},
		{"no file", ":12:4: error: oops", "user.cl:2:4: error: oops"},
		{"no column", "input.cl:14: error: oops", "user.cl:4: error: oops"},
		{"no column, severity first", "error: input.cl:14: oops", "user.cl:4: error: oops"},
		{"colours and CR", "\x1b[1minput.cl:12:4: \x1b[31merror: \x1b[0moops\r\n", "user.cl:2:4: error: oops"},
		{"driver's header", "/usr/share/pocl/_kernel.h:99:4: error: oops",
			"/usr/share/pocl/_kernel.h:99:4: error: oops"},
		{"Windows path", `C:\Temp\a.cl:12:4: error: oops`, "user.cl:2:4: error: oops"},
		{"linker", "Error(s) while linking: \nCannot find symbol g in kernel library\n", ""},
		{"huge line", "a.cl:99999999999999999999:1: error: oops", ""},
		{"empty", "\x00", ""},
	} {
		var got []string
		for _, m := range parseLog(tc.log, twoParts) {
			got = append(got, strings.SplitN(m.String(), "\n", 2)[0])
		}
		if s := strings.Join(got, "\n"); s != tc.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tc.name, s, tc.want)
		}
	}
}

func TestCaret(t *testing.T) {
	for _, tc := range []struct {
		source string
		col    int
		want   string
	}{
		{"\t\tx = y;", 7, "\t\tx = y;\n\t\t    ^"},
		{"a\tb", 3, "a\tb\n \t^"},
		{"é = y;", 6, "é = y;\n    ^"}, // columns are bytes: é is two
		{"ab", 99, "ab\n  ^"},
		{"ab", 1, "ab\n^"},
	} {
		m := Message{File: "f.cl", Line: 1, Col: tc.col, Severity: "error", Text: "no", Source: tc.source}
		if want := fmt.Sprintf("f.cl:1:%d: error: no\n%s", tc.col, tc.want); m.String() != want {
			t.Errorf("got\n%s\nwant\n%s", m, want)
		}
	}
}

func TestBuildErrorText(t *testing.T) {
	e := newBuildError("device 1 (GTX)", BuildProgramFailure, "<kernel>:12:11: error: foo?\n\x00", twoParts)
	want := "user.cl:2:11: error: foo?\n\treal v = foo(2);\n\t         ^\ndevice 1 (GTX): clBuildProgram: " +
		"CL_BUILD_PROGRAM_FAILURE"
	if e.Error() != want {
		t.Errorf("got\n%s\nwant\n%s", e, want)
	}
	var log strings.Builder
	for i := range 25 {
		fmt.Fprintf(&log, "a.cl:1:%d: error: number %d\n", i+1, i)
	}
	e = newBuildError("d", BuildProgramFailure, log.String(), twoParts)
	if s := e.Error(); strings.Count(s, ": error: ") != maxShown || !strings.Contains(s, "(15 more messages)") {
		t.Errorf("25 messages are printed as\n%s", s)
	}
	e = newBuildError("d", OutOfHostMemory, " \n  the compiler crashed\n\x00", twoParts)
	if e.Error() != "cannot be built on d:\nthe compiler crashed\nd: clBuildProgram: CL_OUT_OF_HOST_MEMORY" {
		t.Errorf("a log that is not understood: %s", e)
	}
	e = newBuildError("d", InvalidBuildOptions, "", nil)
	if e.Error() != "d: clBuildProgram: CL_INVALID_BUILD_OPTIONS" {
		t.Errorf("no log: %s", e)
	}
}

func FuzzLog(f *testing.F) {
	battery.Target(f)
	f.Add("error: a.cl:3:5: text\n")
	f.Add("<kernel>:2:43: error: text\n\x00")
	f.Add("a.cl:-1: warning: \xff\x1b[0m")
	f.Add("::: error: ")
	f.Fuzz(func(t *testing.T, log string) {
		e := newBuildError("device 0 (X)", BuildProgramFailure, log, twoParts)
		s := e.Error()
		if !utf8.ValidString(s) || strings.ContainsAny(s, "\x00\x1b\r") {
			t.Fatalf("not printable: %q", s)
		}
		for _, m := range e.Messages {
			if m.Line < 0 || m.Col < 0 || m.Severity == "" {
				t.Fatalf("message %+v", m)
			}
		}
	})
}
