package battery_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/test/battery"
)

const (
	// mostTime and mostMemory are what it may take to refuse an input.
	mostTime   = time.Second
	mostMemory = 64 << 10 // KiB
)

// refused returns an error unless a command has ended with exit code 2 and one error about a place in a file, at once
// and with little memory.
func refused(o outcome, file string) error {
	place := regexp.MustCompile(`(?m)^(clopt: )?([^ ]*/)?` + regexp.QuoteMeta(file) + `(:\d+(:\d+)?)?: error: .+`)
	switch {
	case o.code != 2:
		return fmt.Errorf("want exit 2: %v", o)
	case !place.MatchString(o.errs):
		return fmt.Errorf("want %s:LINE:COL: error: %v", file, o)
	case repeats(o.errs) || o.out != "" || strings.ContainsAny(o.errs, "\x00\x1b"):
		return fmt.Errorf("want each error once, and no control characters: %q", o.out+o.errs)
	case o.spent > mostTime:
		return fmt.Errorf("it took %v: %v", o.spent, o)
	case o.peak > mostMemory:
		return fmt.Errorf("it took %d KiB: %v", o.peak, o)
	}
	return nil
}

// repeats reports whether a line is there twice.
func repeats(text string) bool {
	lines := strings.Split(text, "\n")
	return len(slices.Compact(slices.Sorted(slices.Values(lines)))) < len(lines)
}

// kinds are good files of every kind that clopt reads, each with a command that reads it, and texts that damage it.
var kinds = []struct {
	file, command, text string
	damages             [][2]string // a text, and what takes its place
}{
	{"g.txt", "eval maxcut:g.txt --x none", "4 4\n1 2 3\n2 3 1\n3 4 3\n1 4 -2\n", [][2]string{
		{"4 4", "4 5"}, {"2 3 1", "2 9 1"}, {"2 3 1", "2 3 x"}, {"2 3 1", "2 2 1"}, {"2 3 1", "1 2 1"}}},
	{"g.mtx", "eval maxcut:g.mtx --x none", "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 3\n3 1 1\n",
		[][2]string{{"integer", "complex"}, {"3 3 2", "3 4 2"}, {"2 1 3", "2 1 1.5"}, {"3 1 1", "3 1"},
			{"3 3 2", "3 3 3"}}},
	{"q.qubo", "eval qubo:q.qubo --x none", "p qubo 0 4 2 2\n0 0 5\n2 2 -1\n0 1 -4\n1 2 -2\n", [][2]string{
		{"p qubo 0 4", "p qubo 7 4"}, {"2 2 -1", "2 9 -1"}, {"0 1 -4", "0 1 x"}, {"p qubo", "p cnf"}}},
	{"i.txt", "eval ising:i.txt --x none", "0 0 1\n0 1 2\n1 2 -3\n# vartype=SPIN\n", [][2]string{
		{"SPIN", "TERNARY"}, {"0 1 2", "0 1 2 3"}, {"1 2 -3", "-1 2 3"}, {"1 2 -3", "1 2 1e400"}}},
	{"b.json", "eval qubo:b.json --x none", `{"type": "BinaryQuadraticModel", "version": {"bqm_schema": "3.0.0"},
"use_bytes": false, "variable_type": "BINARY", "linear_biases": [1, 2],
"quadratic_head": [0], "quadratic_tail": [1], "quadratic_biases": [3]}
`, [][2]string{{"BINARY", "TERNARY"}, {"[1, 2]", `[1, "x"]`}, {"[0]", "[7]"}, {"[3]", "[3, 4]"}, {"]}", "]"}}},
	{"p.json", "eval qubo:p.json --x none", `{"variable_ids": [3, 4], "variable_domain": "boolean",
"scale": 1, "offset": 0,
"linear_terms": [{"id": 3, "coeff": 1}], "quadratic_terms": [{"id_head": 3, "id_tail": 4, "coeff": 2}]}
`, [][2]string{{"[3, 4]", "[3, 3]"}, {`"scale": 1`, `"scale": -1`}, {`"id": 3`, `"id": 9`},
		{`"coeff": 2`, `"coeff": "x"`}}},
	{"o.txt", "eval qubo:o.txt --x none", "1\n3 3\n1 1 4\n1 3 -7\n2 3 1\n", [][2]string{
		{"1\n3 3", "1\n3 4"}, {"1 3 -7", "1 9 -7"}, {"2 3 1", "1 3 1"}, {"2 3 1", "2 3"}}},
	{"m.csv", "eval qubo:m.csv --x none", "1,2\n2,4\n", [][2]string{
		{"2,4", "2"}, {"2,4", "2,x"}, {"1,2", "1,2,3"}, {"2,4", "2,4\n5,6"}}},
	{"p.lp", "eval qubo:p.lp --x none", "Minimize\n obj: 3 a - 2 b + [ 3 a * b ] / 2\nBinary a b\nEnd\n", [][2]string{
		{"3 a -", "3 * * a -"}, {"Binary a b", "Binary a"}, {"/ 2", ""}, {"Binary", "Subject To\n c: a >= 1\nBinary"}}},
	{"p.mps", "eval qubo:p.mps --x none", "NAME p\nROWS\n N obj\nCOLUMNS\n a obj 1\n b obj -2\n" +
		"BOUNDS\n BV bnd a\n BV bnd b\nQUADOBJ\n a b 3\nENDATA\n",
		[][2]string{{" BV bnd a\n", ""}, {" N obj", " L row"}, {"a b 3", "a c 3"},
			{"b obj -2", "b cost -2"}, {"-2", "two"}}},
	{"m.npy", "eval qubo:m.npy --x none", strings.Replace(npy(1, 2, 2, 4), "(4,), }  ", "(2, 2), }", 1),
		[][2]string{{"<f8", "<c16"}, {"False", "Maybe"},
			{"(2, 2)", "(2, 3)"}, {"\x93NUMPY", "\x93NUMPI"}}},
	{"x.txt", "eval classic/rastrigin -n 3 --host --x x.txt", "1 2 3\n0.5 -1 2\n", [][2]string{
		{"1 2 3", "1 2"}, {"1 2 3", "1,2,3"}, {"0.5", "nan"}, {"0.5", "0x1"}}},
	{"x.npy", "eval classic/rastrigin -n 4 --host --x x.npy", npy(1, 2, 3, 4), [][2]string{{"<f8", "|O8"},
		{"(4,)", "(-1,)"}, {"(4,)", "(2,)"}, {"False", "True "}}},
	{"x0.txt", "run classic/rastrigin -n 3 -s masw --x0 x0.txt", "1 2 3\n", [][2]string{
		{"1 2 3", "1 2"}, {"1 2 3", "1 2 99"}, {"1 2 3", "1 2 inf"}}},
	{"run.toml", "run run.toml", "problem = \"cec2013/f1\"\nevals = \"1000\"\nseed = \"7\"\n", [][2]string{
		{"evals", "evls"}, {"1000", "many"}, {"seed = \"7\"", "seed = [7]"}, {"problem =", "problem"},
		{"\"cec2013/f1\"", "5"}, {"cec2013/f1", "cec2013/f99"}}},
	{"s.toml", "suite s.toml --dry-run", "name = \"s\"\n[[table]]\nname = \"A\"\n" +
		"problems = [\"cec2013/f1\"]\ndims = [1000]\nevals = 100\n[[table.solver]]\nsolver = \"random\"\n",
		[][2]string{{"problems", "porblems"}, {"100", "\"x\""},
			{"f1", "f{9..1}"}, {"random", "randon"}, {"dims = [1000]", "dims = [0]"}, {"[[table]]", "[[table"}}},
	{"o.cl", "run o.cl --dry-run", sphere, [][2]string{{"bounds", "bonds"}, {"-5 5", "5 -5"}, {"//@ n 20", "//@ n x"},
		{"reads k", "reads k+1"}, {"component", "compound"}, {"//@ n 20", "#include <math.h>"}, {"sq(", "\x01sq("}}},
	{"l.txt", "run l.cl --dry-run", "0\n1 2\n2\n", [][2]string{{"1 2", "1 9"}, {"1 2", "1 x"}, {"2\n2", "2\n"},
		{"0\n", "0\n1\n"}}},
	{"w.npy", "run w.cl --dry-run", npy(1, 2, 3), [][2]string{{"<f8", "<c16"}, {"(3,)", "(4,)"}, {"(3,)", "(2,)"}}},
	{"F1-xopt.txt", "run cec2013/f1 --data .", strings.Repeat("1.5\n", 1000), [][2]string{{"1.5", "101"}, {"1.5", "x"},
		{"1.5\n1.5", "1.5"}, {"1.5\n", "1.5\n1.5\n"}}},
	{"h.bkv", "eval maxcut:h.txt --x none", "5\n", [][2]string{{"5", "five"}, {"5", "5 6"}, {"5", "1e400"}}},
	{"a.txt", "eval maxcut:h.txt --x a.txt", "0 1 0 1\n", [][2]string{{"0 1 0 1", "0 1 0"}, {"0 1 0 1", "0 1 0 2"},
		{"0 1 0 1", "0 1 0 x"}}},
}

// npy returns a .npy file with a vector of numbers.
func npy(values ...float64) string {
	var b bytes.Buffer
	input.WriteNpy(&b, values)
	return b.String()
}

// anyDamage are damages of any file.
var anyDamage = []struct {
	name   string
	damage func(text string) string
}{
	{"empty", func(string) string { return "" }},
	{"a NUL byte", func(s string) string { return s[:1] + "\x00" + s[1:] }},
	{"UTF-16", func(s string) string { return "\xff\xfe" + strings.Join(strings.Split(s, ""), "\x00") }},
	{"an escape", func(s string) string { return "\x1b]0;title\x07" + s }},
	{"zeros", func(s string) string { return strings.Repeat("\x00", 4096) }},
	{"not UTF-8", func(s string) string { return s[:1] + "\xfe\xed" + s[1:] }},
	{"half a gzip", func(s string) string { return squeezed("", s, 1)[:20] }},
}

// squeezed compresses a text that is followed by n copies of another one.
func squeezed(text, more string, n int) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	piece := strings.Repeat(more, min(n, 1<<12))
	for range n / min(n, 1<<12) {
		z.Write([]byte(piece))
	}
	z.Close()
	return b.String()
}

// TestR1Malformed damages files of every kind in every way. The command refuses each with exit code 2 and the place, at
// once and with little memory.
func TestR1Malformed(t *testing.T) {
	count := battery.Begin(t)
	t.Chdir(t.TempDir())
	put(t, "l.cl", strings.NewReplacer("reads k", "reads lists l.txt", "n 20", "n 3").Replace(sphere))
	put(t, "w.cl", "//@ data w w.npy\n"+sphere)
	put(t, "h.txt", kinds[0].text)
	for _, k := range kinds {
		try := func(what, text string) {
			put(t, k.file, text)
			err := refused(words(t, k.command), k.file)
			count.Check(err == nil, "%s, %s: %v", k.file, what, err)
		}
		put(t, k.file, k.text)
		if good := words(t, k.command); strings.Contains(good.errs, k.file+":") {
			t.Errorf("%s is refused before it is damaged: %v", k.file, good)
		}
		for i, d := range k.damages {
			if !strings.Contains(k.text, d[0]) {
				t.Fatalf("%s has no %q", k.file, d[0])
			}
			if !testing.Short() || i == 0 {
				try(fmt.Sprintf("%q for %q", d[1], d[0]), strings.Replace(k.text, d[0], d[1], 1))
			}
		}
		for i, d := range anyDamage {
			if !testing.Short() || i == len(k.file)%len(anyDamage) {
				try(d.name, d.damage(k.text))
			}
		}
		os.Remove(k.file)
	}
}
