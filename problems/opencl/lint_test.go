package opencl

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/problems/opencl/lint"
)

// block is an objective in a page.
var block = regexp.MustCompile("(?s)```c file=\\S+\n(.*?)```")

// The objectives in this repository mean what they say.
func TestNoWarnings(t *testing.T) {
	count := 0
	look := func(path, text string) {
		count++
		s, err := scan(path, []byte(text))
		if err != nil {
			t.Error(err)
			return
		}
		tokens := lint.Tokens(path, 1, string(s.code), maxTokens)
		for _, w := range lint.Check(tokens, lint.Sizes{Sums: maxAccumulators, Inner: maxAccumulators,
			Squares: maxAccumulators}) {
			t.Error(w)
		}
		if !strings.Contains(text, "//@ components") && !strings.Contains(text, "//@ grid") {
			for _, w := range sameForAll(tokens) {
				t.Error(w)
			}
		}
		for _, err := range []*input.Error{checkSignatures(tokens), checkAlone(tokens)} {
			if err != nil {
				t.Error(err)
			}
		}
	}
	for _, root := range []string{"../../docs", "../../test"} {
		if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Base(path) == "broken.cl" {
				return err
			}
			ext := filepath.Ext(path)
			if ext != ".cl" && ext != ".md" {
				return nil
			}
			text, err := os.ReadFile(path)
			if ext == ".cl" && strings.Contains(string(text), "//@") {
				look(path, string(text))
			}
			for _, b := range block.FindAllSubmatch(text, -1) {
				look(path, string(b[1]))
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	if count < 80 {
		t.Errorf("only %d objectives", count)
	}
}

// A function of the text may have the name of one that is refused.
func TestOwnNames(t *testing.T) {
	for _, text := range []string{
		"static real barrier(real v) { return log(v); }\nstatic void component(uint k, point x, data d, real *acc) { " +
			"acc[0] += barrier(at(x, k)); }\n",
		"#define barrier(v) log(v)\nstatic void component(uint k, point x, data d, real *acc) { " +
			"real mem_fence = barrier(at(x, k)); acc[0] += mem_fence; }\n",
		"#define P point\nstatic void component(uint k, P x, data d, real acc[]) { acc[0] += at(x, k); }\n",
		"static void component(const uint k, const point x, const data d, real *restrict acc)\n{ acc[0] += at(x, " +
			"k); }\n",
		"static void component(uint k, point x, data d, real *acc);\nstatic void component(uint, point, data, real " +
			"*);\n",
	} {
		p, err := parseText(t, "//@ bounds 0 1\n"+text, 3)
		if err != nil || len(p.Info().Warnings) > 0 {
			t.Errorf("%s%v", text, err)
		}
	}
}

// A warning has the place in the file of the user, also in an included one.
func TestWarningsHavePlaces(t *testing.T) {
	dir := WriteFiles(t, "my.cl", "//@ bounds 0 1\n/* a\ncomment */\n#include \"h.h\"\n"+
		"static void component(uint k, point x, data d, real *acc)\n{ // 1/2\n    acc[0] += HALF + \\\n 3/4*at(x, "+
		"k);\n}\n",
		"h.h", "\n#define HALF 1/2\n")
	p, err := ParseFile(filepath.Join(dir, "my.cl"), 3)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(strings.Join(p.Info().Warnings, "\n"), dir+string(filepath.Separator), "")
	if !strings.HasPrefix(got, "h.h:2:14: warning: 1/2 of two integers is 0. Write R(1.0) / 2\n"+
		"my.cl:8:2: warning: 3/4 of two integers is 0.") {
		t.Error(got)
	}
}

// A text that has the whole function in every component is warned of: its value is n times too large.
func TestSameForAll(t *testing.T) {
	const b = "//@ bounds 0 1\n"
	const whole = "(uint k, point x, data d, real *acc)\n{ acc[0] += sq(at(x, 0) - at(x, 1)); }\n"
	for _, c := range []struct {
		text string
		n    int
		warn bool
	}{
		{b + "static void component" + whole, 3, true},
		{b + "static void component" + strings.ReplaceAll(whole, "uint k", "const uint"), 3, true},
		{b + "//@ squares 1\nstatic void residuals(uint i, point x, data d, real *r) { r[0] = at(x, 0); }\n", 3, true},
		{b + "static void component" + strings.ReplaceAll(whole, "+=", "+= k*"), 3, false},
		{b + "//@ components 1\nstatic void component" + whole, 3, false},
		{b + "//@ components n\nstatic void component" + whole, 3, false},
		{b + "static void component" + strings.ReplaceAll(whole, "at(x, 1)", "1"), 1, false},
		{b + "//@ n 1\nstatic void component" + strings.ReplaceAll(whole, "at(x, 1)", "1"), 0, false},
		{b + "//@ n 2\nstatic void component" + whole, 0, true},
		{b + "#define OWN at(x, k)\nstatic void component" + strings.ReplaceAll(whole, "at(x, 0)", "OWN"), 3, false},
		{b + "static void component(uint k, point x, data d, real *acc);\nstatic void component" +
			strings.ReplaceAll(whole, "at(x, 0)", "at(x, k)"), 3, false},
	} {
		p, err := parseText(t, c.text, c.n)
		if err != nil || (len(p.Info().Warnings) == 1) != c.warn {
			t.Errorf("%s, n = %d: %v, %v", c.text, c.n, p.Info().Warnings, err)
		}
	}
}
