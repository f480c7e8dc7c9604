package battery_test

import (
	"strings"
	"testing"

	"github.com/clopt/clopt/test/battery"
)

// bomb is a small file that announces, or unpacks to, more than a computer holds, and a command that reads it.
type bomb struct{ file, command, text string }

func bombs() []bomb {
	return []bomb{
		{"g.txt", "eval maxcut:g.txt --x none", "2000000000 8\n1 2 3\n"},
		{"g.txt", "eval maxcut:g.txt --x none", "2147483647 0\n"},
		{"g.txt", "eval maxcut:g.txt --x none", "3 999999999999\n1 2 1\n"},
		{"g.txt", "eval maxcut:g.txt --x none", "99999999999999999999 1\n"},
		{"g.txt", "eval maxcut:g.txt --x none", strings.Repeat("9", 1<<20) + " 1\n"},
		{"g.txt", "eval maxcut:g.txt --x none", "3 1\n1 2 " + strings.Repeat("9", 1<<20) + "\n"},
		{"g.txt", "eval maxcut:g.txt --x none", strings.Repeat("# a comment\n", 1<<18)},
		{"g.mtx", "eval maxcut:g.mtx --x none", mtx + "2147483647 2147483647 1\n2 1 1\n"},
		{"g.mtx", "eval maxcut:g.mtx --x none", mtx + "3 3 999999999999999\n2 1 1\n"},
		{"q.qubo", "eval qubo:q.qubo --x none", "p qubo 0 2000000000 1 0\n0 0 1\n"},
		{"q.qubo", "eval qubo:q.qubo --x none", "p qubo 0 3 2000000000 2000000000\n0 0 1\n"},
		{"i.txt", "eval ising:i.txt --x none", "# clopt: n=2000000000\n0 1 2\n"},
		{"i.txt", "eval ising:i.txt --x none", "0 2147483646 2\n"},
		{"i.txt", "eval ising:i.txt --x none", "0 99999999999 2\n"},
		{"o.txt", "eval qubo:o.txt --x none", "1\n2000000000 1\n1 1 1\n"},
		{"o.txt", "eval qubo:o.txt --x none", "2000000000\n2 1\n1 1 1\n"},
		{"o.txt", "eval qubo:o.txt --x none", "1 900000000\n1 2\n"},
		{"m.csv", "eval qubo:m.csv --x none", strings.Repeat("0,", 1<<18) + "0\n"},
		{"b.json", "eval qubo:b.json --x none", strings.Repeat("[", 1<<20)},
		{"b.json", "eval qubo:b.json --x none", `{"a": ` + strings.Repeat(`{"a": `, 1<<17)},
		{"p.json", "eval qubo:p.json --x none",
			`{"variable_domain": "boolean", "variable_ids": [99999999999999999999]}`},
		{"p.lp", "eval qubo:p.lp --x none", "Minimize\n " + strings.Repeat("[", 1<<20) + "\nEnd\n"},
		{"m.npy", "eval qubo:m.npy --x none", announces("(2000000000, 2000000000)")},
		{"m.npy", "eval qubo:m.npy --x none", announces("(4611686018427387904, 4)")},
		{"x.npy", "eval classic/rastrigin --host --x x.npy", announces("(2000000000,)")},
		{"x.npy", "eval classic/rastrigin --host --x x.npy", announces("(100000000000000,)")},
		{"x.npy", "eval classic/rastrigin --host --x x.npy", announces("(99999999999999999999,)")},
		{"x.npy", "eval classic/rastrigin --host --x x.npy", announces("(" + strings.Repeat("1, ", 1<<13) + ")")},
		{"x.npy", "eval classic/rastrigin --host --x x.npy", "\x93NUMPY\x02\x00\xff\xff\xff\xff{}"},
		{"x.txt", "eval classic/rastrigin --host --x x.txt", strings.Repeat("1", 1<<20)},
		{"run.toml", "run run.toml", "problem = " + strings.Repeat("[", 1<<17)},
		{"run.toml", "run run.toml", strings.Repeat("a.", 1<<17) + "a = 1\n"},
		{"run.toml", "run run.toml", strings.Repeat("[a]\n", 1<<18)},
		{"s.toml", "suite s.toml --dry-run", suiteOf("cec2013/f{1..10000}{1..10000}{1..10000}")},
		{"s.toml", "suite s.toml --dry-run", suiteOf("cec2013/f{1..999999999999}")},
		{"s.toml", "suite s.toml --dry-run", suiteOf(strings.Repeat("{1,2}", 60))},
		{"o.cl", "run o.cl --dry-run", strings.Replace(sphere, "reads k", "reads k..k+99999999999999999999", 1)},
		{"o.cl", "run o.cl --dry-run", strings.Replace(sphere, "reads k", "grid 70000 70000 70000", 1)},
		{"o.cl", "run o.cl --dry-run", strings.Replace(sphere, "reads k", "components n*1e18", 1)},
		{"o.cl", "run o.cl --dry-run", strings.Replace(sphere, "reads k", "components "+strings.Repeat("(", 1<<20), 1)},
		{"o.cl", "run o.cl --dry-run", strings.Repeat("//@ bounds -5 5 \\\n", 1<<16)},
		{"w.npy", "run w.cl --dry-run", announces("(2000000000,)")},
		{"h.bkv", "eval maxcut:h.txt --x none", strings.Repeat("9", 1<<20)},
		{"g.txt", "eval maxcut:g.txt --x none", squeezed("3 3\n", "\n", 1<<28)},
		{"g.txt", "eval maxcut:g.txt --x none", squeezed("", "#", 1<<28)},
		{"g.txt", "eval maxcut:g.txt --x none", squeezed("3 3\n", "1 2 3 ", 1<<25)},
		{"g.txt", "eval maxcut:g.txt --x none", squeezed("100000000 100000000\n", "1 2\n", 1<<24)},
		{"b.json", "eval qubo:b.json --x none", squeezed("{", " ", 1<<28)},
	}
}

const mtx = "%%MatrixMarket matrix coordinate real symmetric\n"

// announces returns a .npy file of eight bytes whose header has another shape.
func announces(shape string) string {
	dict := "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }\n"
	return "\x93NUMPY\x01\x00" + string([]byte{byte(len(dict)), byte(len(dict) >> 8)}) + dict + "12345678"
}

func suiteOf(problem string) string {
	return "name = \"s\"\n[[table]]\nname = \"A\"\nproblems = [\"" + problem + "\"]\nevals = 100\n[[table.solver]]\n" +
		"solver = \"random\"\n"
}

// TestR2Bombs reads files that announce more than there is. The command refuses each as it refuses malformed ones.
func TestR2Bombs(t *testing.T) {
	count := battery.Begin(t)
	t.Chdir(t.TempDir())
	put(t, "w.cl", "//@ data w w.npy\n"+sphere)
	put(t, "h.txt", kinds[0].text)
	for i, b := range bombs() {
		if testing.Short() && i%4 > 0 {
			continue
		}
		put(t, b.file, b.text)
		err := refused(words(t, b.command), b.file)
		count.Check(err == nil, "%.60q: %v", b.text, err)
	}
}
