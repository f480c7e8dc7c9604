package formats

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/test/cputime"
)

// readGraph reads a graph.
func readGraph(path string, opt Options) (*graph.Graph, Notes, error) {
	m, notes, err := Read(path, graph.Sides, opt)
	if err != nil {
		return nil, notes, err
	}
	return m.Pairs, notes, nil
}

func write(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "g")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func zipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	z.Close()
	return b.String()
}

// list writes the edges of a graph, in units.
func list(g *graph.Graph) string {
	var b strings.Builder
	for u := range g.N() {
		for e := g.Offsets[u]; e < g.Offsets[u+1]; e++ {
			if int(g.Neighbors[e]) > u {
				fmt.Fprintf(&b, "%d-%d:%d ", u, g.Neighbors[e], g.Weights[e])
			}
		}
	}
	return strings.TrimSpace(b.String())
}

// TestForms reads variants of the formats that real files have.
func TestForms(t *testing.T) {
	const usual = "0-1:3 0-2:-1 1-2:1"
	matrix := "%%MatrixMarket  MATRIX coordinate "
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string
		unit float64
		note Notes
	}{
		"plain":           {"3 3\n1 2 3\n1 3 -1\n2 3 1\n", Options{}, usual, 1, Notes{}},
		"any order":       {"3 3\n3 2 1\n3 1 -1\n2 1 3\n", Options{}, usual, 1, Notes{}},
		"blank in header": {"3 3 \n1 2 3\n1 3 -1\n2 3 1\n", Options{}, usual, 1, Notes{}},
		"CRLF":            {"3 3\r\n1 2 3\r\n1 3 -1\r\n2 3 1\r\n\r\n", Options{}, usual, 1, Notes{}},
		"mark":            {"\ufeff3 3\n1 2 3\n1 3 -1\n2 3 1\n", Options{}, usual, 1, Notes{}},
		"no last newline": {"3 3\n1 2 3\n1 3 -1\n2 3 1", Options{}, usual, 1, Notes{}},
		"blank lines":     {"\n\n3 3\n\n1 2 3\n \t\n1 3 -1\n2 3 1\n\n\n", Options{}, usual, 1, Notes{}},
		"comments":        {"# a\nc b\nc\n%\n3 3\n1 2 3\n  # 1 2\n1 3 -1\n2 3 1\n%", Options{}, usual, 1, Notes{}},
		"tabs, signs":     {"3\t3\n1\t2\t+3\n1\t3\t-1\n2\t3\n", Options{}, usual, 1, Notes{}},
		"no weights":      {"3 2\n1 2\n2 3\n", Options{}, "0-1:1 1-2:1", 1, Notes{}},
		"no edges":        {"3 0\n", Options{}, "", 1, Notes{}},
		"zeros":           {"3 2\n1 2 0\n2 3 -0.0\n", Options{}, "", 1, Notes{Zeros: 2}},
		"decimals": {"3 3\n1 2 1.50\n1 3 -0.125\n2 3 2e1\n", Options{}, "0-1:1500 0-2:-125 1-2:20000", 0.001,
			Notes{}},
		"whole decimals": {"3 3\n1 2 3.0\n1 3 -1.000e0\n2 3 10E-1\n", Options{}, usual, 1, Notes{}},
		"leading zeros":  {"003 3\n01 2 3\n1 3 -000000000000000000000000001\n2 3 .1e1\n", Options{}, usual, 1, Notes{}},
		"loops": {"3 5\n1 2 3\n2 2 5\n1 3 -1\n2 3 1\n3 3\n", Options{DropLoops: true}, usual, 1,
			Notes{Loops: 2}},
		"repeats": {"3 5\n1 2 1\n2 1 2\n1 3 -1\n3 2 -2\n2 3 3\n", Options{MergeEdges: true}, usual, 1,
			Notes{Merged: 2}},
		"repeats to 0": {"2 2\n1 2 1\n2 1 -1\n", Options{MergeEdges: true}, "", 1, Notes{Merged: 1, Zeros: 1}},
		"DIMACS":       {"c a\np edge 3 3\ne 1 2 3\ne 3 1 -1\ne 2 3\n", Options{}, usual, 1, Notes{}},
		"DIMACS, both orders": {"p col 3 4\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n", Options{MergeEdges: true},
			"0-1:2 1-2:2", 1, Notes{Merged: 2}},
		"gzip": {zipped(t, "3 3\n1 2 3\n1 3 -1\n2 3 1\n"), Options{}, usual, 1, Notes{}},
		"symmetric": {matrix + "Integer symmetric\n% c\n3 3 3\n2 1 3\n3 1 -1\n3 2 1\n", Options{}, usual, 1,
			Notes{}},
		"upper triangle": {matrix + "real symmetric\n3 3 3\n1 2 3.0\n1 3 -1\n2 3 1e0\n", Options{}, usual, 1, Notes{}},
		"general": {matrix + "real general\n3 3 7\n1 2 3\n2 1 3\n1 3 -1\n3 1 -1.0\n2 3 1\n3 2 1\n2 2 0\n",
			Options{}, usual, 1, Notes{}},
		"general decimals": {matrix + "real general\r\n2 2 2\r\n1 2 0.5\r\n2 1 0.50\r\n", Options{}, "0-1:5", 0.1,
			Notes{}},
		"pattern": {matrix + "pattern symmetric\n3 3 1\n2 1\n", Options{}, "0-1:1", 1, Notes{}},
		"diagonal": {matrix + "integer symmetric\n3 3 4\n1 1 7\n2 1 3\n3 1 -1\n3 2 1\n", Options{DropLoops: true},
			usual, 1, Notes{Loops: 1}},
		"general diagonal": {matrix + "integer general\n2 2 4\n1 1 7\n2 1 3\n1 2 3\n2 2 1\n", Options{DropLoops: true},
			"0-1:3", 1, Notes{Loops: 2}},
		"largest sum": {"3 2\n1 2 4611686018427387902\n1 3 1\n", Options{}, "0-1:4611686018427387902 0-2:1", 1,
			Notes{}},
	} {
		g, notes, err := readGraph(write(t, c.text), c.opt)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		c.note.First = 1
		if got := list(g); got != c.want || g.Unit != c.unit || notes != c.note {
			t.Errorf("%s: %q, unit %g, %+v", name, got, g.Unit, notes)
		}
		if err := g.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAssignmentForms(t *testing.T) {
	for text, want := range map[string]string{
		"0110": "[[0 1 1 0]]", "0 1 1 0\r\n": "[[0 1 1 0]]", "0\n1\n1\n0\n": "[[0 1 1 0]]", "0,1,1,0": "[[0 1 1 0]]",
		"0, 1, 1,0\n": "[[0 1 1 0]]",
		"-1 +1 1 -1":  "[[0 1 1 0]]", "1 2 2 1": "[[0 1 1 0]]", "# x\n\n01\n10": "[[0 1 1 0]]",
		"1 1 1 1":          "[[1 1 1 1]]",
		"0110\n1111\n":     "[[0 1 1 0] [1 1 1 1]]",
		"0 1 1 0\n1 0 0 1": "[[0 1 1 0] [1 0 0 1]]", "0.0 1.0 1e0 0": "[[0 1 1 0]]", "\ufeff0110\n\n": "[[0 1 1 0]]",
		"1 1 1 1\n2 1 1 1": "[[0 0 0 0] [1 0 0 0]]",
	} {
		sides, err := input.ReadAssignments(write(t, text), 4)
		if got := fmt.Sprint(sides); err != nil || got != want {
			t.Errorf("%q: %s, %v", text, got, err)
		}
	}
	long := strings.Repeat("01", 50_000)
	if sides, err := input.ReadAssignments(write(t, long+"\n"+zipped(t, "")[:0]), 100_000); err != nil ||
		sides[0][99_999] != 1 || sides[0][8192] != 0 {
		t.Errorf("a row of 100000: %v", err)
	}
	if sides, err := input.ReadAssignments(write(t, zipped(t, "0110")), 4); err != nil || len(sides) != 1 {
		t.Errorf("gzip: %v", err)
	}
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]format.Format{
		"3 3\n1 2 1": format.Rudy, "# a\n\n3 3\n": format.Rudy, "%%MatrixMarket matrix": format.Matrix,
		"%%matrixmarket x":    format.Matrix,
		"c x\np qubo 0 1 1 1": format.QUBO, "0 0 1\n": format.List, "3 x\n": format.Rudy, "0x10 1": format.Rudy,
		"1 2 x": format.List, "x 3": format.Unknown,
		"p edge 3 3\n": format.DIMACS, "c x\np col 3 3\n": format.DIMACS, "p max 3 3\n": format.Foreign,
		"p\n": format.Unknown, "-0.5\n": format.List,
		"//@ name x\nstatic void": format.Unknown, "#define A 1\nint x;": format.Unknown, "": format.Unknown,
		"problem = 1":  format.Unknown,
		"Minimize\n x": format.LP, "/* a */ // b\n\\ c\nmax: x;": format.LP, "/* a\nmax: x;": format.Unknown,
		"max = 1":  format.Unknown,
		"minimise": format.LP,
		"\x00\x01": format.Unknown, zipped(t, "3 3\n"): format.Rudy,
	} {
		if got, _ := format.Sniff(write(t, text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestSniffKind finds the kind of variables of JSON with names that are words for kinds, wherever it stands.
func TestSniffKind(t *testing.T) {
	for word, want := range map[string]graph.Kind{`type": "BINARY`: graph.Bits, `type":"SPIN`: graph.Spins,
		`domain": "boolean`: graph.Bits, `domain" : "spin`: graph.Spins} {
		text := `{"bqm_schema": 3, "variable_labels": ["SPIN", "BINARY", "spin", "boolean"], "variable_` + word + `"}`
		for _, late := range []int{format.Sniffed - 60, format.Sniffed, 3*format.Sniffed - 800} {
			late := strings.Replace(text, "3,", `3, "a": "`+strings.Repeat("x", late-30)+`",`, 1) + "\n"
			if _, kinds := format.Sniff(write(t, late)); len(kinds) != 1 || kinds[0] != want {
				t.Fatalf("%d bytes with %s: %v, want %v", len(late), word, kinds, want)
			}
		}
		for range 8 {
			if _, kinds := format.Sniff(write(t, text)); len(kinds) != 1 || kinds[0] != want {
				t.Fatalf("%s: %v, want %v", text, kinds, want)
			}
		}
	}
}

// TestThreeTerms reads matrices of three rows, some of which may be meant as terms, and the same terms with blanks.
func TestThreeTerms(t *testing.T) {
	for text, want := range map[string]bool{
		"0,0,-1\n0,1,2.5\n1,1,-1\n": true, "0; 0; -1\r\n0; 1; 2\r\n1; 1; -1": true,
		"-1,0,3\n0,1,2\n0,0,-1\n": false, "0.5,0,3\n0,1,2\n0,0,-1\n": false, "0,1\n0,2\n": false,
	} {
		m, notes, err := Read(write(t, text), graph.Bits, Options{})
		if err != nil || strings.Contains(notes.Form, "terms i, j, q") != want {
			t.Errorf("%q: %q, %v", text, notes.Form, err)
		}
		if !want {
			continue
		}
		m, notes, err = Read(write(t, strings.NewReplacer(",", " ", ";", " ").Replace(text)), graph.Bits, Options{})
		if err != nil || m.N() != 2 || notes.Form != "" || !notes.Rows {
			t.Errorf("%q with blanks: %d variables, %+v, %v", text, m.N(), notes, err)
		}
	}
}

// TestHostile checks that files of up to 4 MiB that are made to be expensive are
// refused within a second and with less than 64 MiB of memory. The sizes that a
// header announces are not allocated.
func TestHostile(t *testing.T) {
	const size = 4 << 20
	bomb := zipped(t, strings.Repeat("\n", 100<<20))
	for name, text := range map[string]string{
		"vertices": "2000000000 8\n",
		"edges":    "1000 2000000000\n1 2 1\n",
		"both":     "2147483647 2147483647\n" + strings.Repeat("1 2 1\n", size/6),
		"word":     strings.Repeat("1", size),
		"comment":  "#" + strings.Repeat(" ", size),
		"blanks":   strings.Repeat("\n", size),
		"one line": "3 3\n" + strings.Repeat("1 ", size/2),
		"repeats":  fmt.Sprintf("9 %d\n", size/4-10) + strings.Repeat("1 2\n", size/4-10),
		"star":     fmt.Sprintf("1000000 %d\n", size/10) + strings.Repeat("1 1000000\n", size/10),
		"decimals": fmt.Sprintf("9 %d\n", size/8) + strings.Repeat("1 2 1.5\n", size/16) + "1 2 x\n",
		"matrix":   "%%MatrixMarket matrix coordinate real general\n5 5 2000000000\n" + strings.Repeat("1 2 1\n", 1000),
		"general": fmt.Sprintf("%%%%MatrixMarket matrix coordinate real general\n5 5 %d\n", size/6) +
			strings.Repeat("1 2 1\n", size/6),
		"bomb":       bomb,
		"big bomb":   zipped(t, "9 3000000\n"+strings.Repeat("1 2 3 \n", 3_000_000)),
		"zip header": zipped(t, "2000000000 2000000000\n1 2 1\n"),
		"zip edges":  zipped(t, "60000 2000000\n"+strings.Repeat("1 2 1\n", 2_000_000)),
		"cut":        zipped(t, strings.Repeat("1 2 3\n", 1000))[:40],
		"zeros":      "3 3\n" + strings.Repeat("\x00", size),
		"deep JSON":  `{"bqm_schema": ` + strings.Repeat("[", size),
		"wide JSON": `{"bqm_schema": 3, "variable_type": "BINARY", "linear_biases": [` + strings.Repeat("0,", size/2) +
			`0], "quadratic_head": 1}`,
		"sum":        "Minimize " + strings.Repeat("x+", size/2),
		"names":      "Minimize " + strings.Repeat("[ x * y + ", size/10),
		"columns":    "NAME\nROWS\n N o\nCOLUMNS\n" + strings.Repeat(" x o 1\n", size/7),
		"row":        strings.Repeat("0,", size/2),
		"empty rows": "1,2\n" + strings.Repeat("\n", size),
		"palubeckis": "1 1000000\n" + strings.Repeat("0 ", size/2),
		"GML":        "graph [" + strings.Repeat(" a [", size/4),
		"XML":        "<graphml><graph>" + strings.Repeat("<a>", size/16),
		"nodes":      `{"nodes": [` + strings.Repeat("0,", size/2) + `0], "links": []}`,
		"long row": "Minimize y0\nSubject To\n c: y0" + func() (text string) {
			var b strings.Builder
			for i := range 20000 {
				fmt.Fprintf(&b, " + y%d", i)
			}
			return b.String()
		}() + " <= 5\nEnd\n",
		"QPLIB":    "A\nQBN\nminimize\n2000000000\n1\n",
		"rows":     "A\nQBL\nminimize\n2\n2000000000\n1\n",
		"formula":  "p wcnf 2000000000 1 9\n1 1 0\n",
		"labels":   "DIMODBQM\x02\x00\xff\xff\xff\xff{}",
		"problems": "2000000000\n" + strings.Repeat("1 0\n", size/4),
	} {
		path, kind := write(t, text), graph.Sides
		if f, _ := format.Sniff(path); f > format.List {
			kind = graph.Bits
		}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := cputime.Used()
		_, _, err := Read(path, kind, Options{})
		d := cputime.Used() - start
		runtime.ReadMemStats(&after)
		if _, ok := errors.AsType[*input.Error](err); !ok {
			t.Errorf("%s: %v", name, err)
		}
		if total := after.TotalAlloc - before.TotalAlloc; d > time.Second || total > 64<<20 {
			t.Errorf("%s: %v, %d MiB allocated", name, d, total>>20)
		}
		t.Logf("%-10s %6.1f ms %5.1f MiB  %.120v", name, d.Seconds()*1e3,
			float64(after.TotalAlloc-before.TotalAlloc)/(1<<20), err)
	}
}

// TestOffsets reads the comments that say what the offset of a list of terms is, and says which ones it does not read.
func TestOffsets(t *testing.T) {
	const terms = "0 1 1\n1 2 -2\n"
	for _, c := range []struct {
		kind                 graph.Kind
		text, offset, unread string
	}{
		{graph.Spins, "# vartype=SPIN\n# offset=42\n" + terms, "42/1", ""},
		{graph.Bits, "# vartype=BINARY\n#offset: -2.5\n" + terms, "-5/2", ""},
		{graph.Spins, "# offset = 1e-3\n" + terms, "1/1000", ""},
		{graph.Spins, "# scale=2\n" + terms, "0/1", "scale=2"},
		{graph.Spins, "# the offset is 5\n" + terms, "0/1", "the offset is 5"},
		{graph.Bits, "# ObjectiveOffset 37\n# Vars Non-zeros\n3 2\n1 2 1\n2 3 -2\n", "37/1", ""},
		{graph.Sides, "# offset=3, a scale-free graph of 3\n3 2\n1 2 1\n2 3 -2\n", "0/1",
			"offset=3, a scale-free graph of 3"},
		{graph.Sides, "# a scale-free graph of 3\n3 2\n1 2 1\n2 3 -2\n", "0/1", ""},
		{graph.Sides, "%%MatrixMarket matrix coordinate integer symmetric\n% constant 7\n2 2 1\n2 1 3\n", "0/1",
			"constant 7"},
		{graph.Bits, "\\ Objective offset: 5\nMinimize\n x + 2\nBinary\n x\nEnd\n", "2/1", "Objective offset: 5"},
		{graph.Bits, "* objective constant 5\nNAME\nROWS\n N obj\nCOLUMNS\n x obj 1\nBOUNDS\n BV bnd x\nENDATA\n",
			"0/1",
			"objective constant 5"},
	} {
		m, notes, err := Read(write(t, c.text), c.kind, Options{Pairs: pairsOf(c.text)})
		if err != nil || m.Offset.String() != c.offset || notes.Unread != c.unread {
			t.Errorf("%q: %v, unread %q, %v", c.text, m, notes.Unread, err)
		}
	}
}

// pairsOf returns the option of a QUBO after a header.
func pairsOf(text string) string {
	if strings.Contains(text, "Vars") {
		return "once"
	}
	return ""
}

// TestAroundTerms reads the comments that say what the value of a QUBO is beside its terms, as programs write them.
func TestAroundTerms(t *testing.T) {
	for _, c := range []struct{ comments, offset, scale, unread, fault string }{
		{"c id : 3\nc \nc scale : 1.0\nc offset : -2.5\nc linear terms\n", "-5/2", "1/1", "", ""},
		{"c offset : 5\nc scale : 0.5\n", "5/2", "1/2", "", ""},
		{"c offset:1e-3\n", "1/1000", "1/1", "", ""},
		{"c offset 5\n", "0/1", "1/1", "offset 5", ""},
		{"c 3 bits, rule weight 2, offset 5\n", "0/1", "1/1", "3 bits, rule weight 2, offset 5", ""},
		{"c Constant term of objective = 5.00\n", "0/1", "1/1", "Constant term of objective = 5.00", ""},
		{"c scales of 3 fishes\nc offset : None\nc 0 0 1\n", "0/1", "1/1", "", ""},
		{"c clopt: offset=3\nc offset : 2\n", "5/1", "1/1", "", ""},
		{"c scale : 0\n", "", "", "", "g:1:1: error: the scale \"0\" is not positive"},
		{"c offset : 1\nc offset : 2\n", "", "", "", "g:2:1: error: a second offset"},
		{"c offset : 1x\n", "", "", "", "g:1:1: error: the offset \"1x\" is not a decimal number"},
	} {
		m, notes, err := Read(write(t, c.comments+"p qubo 0 2 1 1\n0 0 1\n0 1 -2.5\n"), graph.Bits, Options{})
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%q: %v, want %q", c.comments, err, c.fault)
			}
			continue
		}
		if err != nil || m.Offset.String() != c.offset || m.Scale.String() != c.scale || notes.Unread != c.unread {
			t.Errorf("%q: %v + %v·f, unread %q, %v", c.comments, m.Offset, m.Scale, notes.Unread, err)
		}
	}
}

// TestDecimalsAfterWhole reads a list of large whole penalties, which come before distances as programs print them.
func TestDecimalsAfterWhole(t *testing.T) {
	text := "# vartype=BINARY\n"
	for i := range 60 {
		text += fmt.Sprintf("%d %d 8.0\n", i, i+1)
	}
	m, notes, err := Read(write(t, text+"60 61 0.28696929073496535\n"), graph.Bits, Options{})
	if err != nil || notes.Zeros > 0 || notes.Cut != "14 decimals" {
		t.Fatalf("cut to %q, %d terms of 0, %v", notes.Cut, notes.Zeros, err)
	}
	x := make([]uint8, 62)
	x[60], x[61] = 1, 1
	if f := m.Value(x).FloatString(17); f != "0.28696929073496535" {
		t.Errorf("%s, want 0.28696929073496535", f)
	}
}

// TestLongOffset reads an offset that has more digits than sums can have with it.
func TestLongOffset(t *testing.T) {
	for offset, want := range map[string]string{
		"0.12345678901234567":    "1000.1234567890123456700",
		"-5.551115123125783e-17": "999.9999999999999999445",
		"0.125":                  "1000.1250000000000000000",
		"1e30":                   "1000000000000000000000000001000.0000000000000000000",
	} {
		text := "c offset : " + offset + "\np qubo 0 2 1 1\n0 0 1001.2345678901234\n0 1 -1.2345678901234\n"
		m, _, err := Read(write(t, text), graph.Bits, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if f := m.Value([]uint8{1, 1}).FloatString(19); f != want || m.Rest != nil {
			t.Errorf("offset %s: %s, want %s; the rest is %v", offset, f, want, m.Rest)
		}
		if _, err := m.To(graph.Spins); err != nil {
			t.Errorf("offset %s: %v", offset, err)
		}
	}
}

// TestWholeNpy reads 64-bit whole numbers beyond 2^53, which have all their digits, also in errors.
func TestWholeNpy(t *testing.T) {
	for _, c := range []struct {
		dtype string
		v     uint64
		want  string
	}{
		{"<i8", 9007199254740993, "9007199254740993"},
		{"<i8", ^uint64(9007199254740993 - 1), "-9007199254740993"},
		{"<u8", 9007199254740995, "9007199254740995"},
		{"<u8", 1<<63 + 1, "9223372036854776000"}, // with a note
		{"<f8", math.Float64bits(1 << 54), "18014398509481984"},
		{"<f8", math.Float64bits(math.Inf(-1)), "element (0, 0) is -Inf, which is not finite"},
	} {
		head := "{'descr': '" + c.dtype + "', 'fortran_order': False, 'shape': (2, 2), }"
		head += strings.Repeat(" ", 117-len(head)) + "\n"
		b := append([]byte("\x93NUMPY\x01\x00v\x00"), head...)
		for _, v := range []uint64{c.v, 0, 0, 0} {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
		m, notes, err := Read(write(t, string(b)), graph.Bits, Options{})
		got := fmt.Sprint(err)
		if err == nil {
			got = m.Value([]uint8{1, 0}).RatString()
		}
		if long := c.v == 1<<63+1; (notes.Long == 1) != long {
			t.Errorf("%s of %#x: %d numbers are said to be long", c.dtype, c.v, notes.Long)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s of %#x: %s, want %s", c.dtype, c.v, got, c.want)
		}
	}
}

// TestRefusedListOfQUBO reads a list whose name ends as those of QUBOs: the error must not send a graph back to where
// it came from.
func TestRefusedListOfQUBO(t *testing.T) {
	path := write(t, "3 1\n1 2 1\n")
	if err := os.Rename(path, path+".sparse"); err != nil {
		t.Fatal(err)
	}
	_, _, err := Read(path+".sparse", graph.Sides, Options{})
	if err == nil || strings.Contains(err.Error(), "maxcut:") || !strings.Contains(err.Error(), "give the file") {
		t.Error(err)
	}
}

// Numbers of edges that may be meant as weights, and are not read, are named where no edge has a weight.
func TestOtherNumbers(t *testing.T) {
	const (
		graphML = `<graphml><key id="d0" for="edge" attr.name="%s"/><graph><node id="a"/><node id="b"/>` +
			`<edge source="a" target="b"><data key="d0">5</data></edge></graph></graphml>`
		gml  = "graph [ node [ id 0 ] node [ id 1 ] edge [ id 3 source 0 target 1 %s 5 ] ]"
		json = `{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b", "key": 0, "%s": 5}]}`
		list = "source,target,id,note,%s\na,b,7,x,5\nb,c,8,y,6\n"
		dict = "a b {'color': 'red', '%s': 5}\n"
	)
	for name, form := range map[string]string{"a.graphml": graphML, "a.gml": gml, "a.json": json, "a.csv": list,
		"a.edgelist": dict} {
		for what, want := range map[string]string{"capacity": "capacity", "weight": ""} {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, fmt.Appendf(nil, form, what), 0o666); err != nil {
				t.Fatal(err)
			}
			if _, notes, err := Read(path, graph.Sides, Options{}); err != nil || notes.Others != want {
				t.Errorf("%s with %s: %q, %v", name, what, notes.Others, err)
			}
		}
	}
}
