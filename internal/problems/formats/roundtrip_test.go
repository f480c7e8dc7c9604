package formats

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/clopt/clopt/problems/graph"
)

// sums is a quadratic function, or a graph, as a test writes it into files.
type sums struct {
	n      int
	pairs  map[[2]int]int // i < j
	linear []int
	offset int
}

// randomSums returns a function of n variables with small whole coefficients. Each variable is in a pair.
func randomSums(r *rand.Rand, n int) sums {
	s := sums{n: n, pairs: map[[2]int]int{}, linear: make([]int, n), offset: 7}
	for j := range n {
		s.linear[j] = r.IntN(19) - 9
		for i := range j {
			if c := r.IntN(19) - 9; c != 0 && r.IntN(3) == 0 || i == j-1 {
				s.pairs[[2]int{i, j}] = c
			}
		}
	}
	return s
}

// each calls f with the pairs in their order.
func (s sums) each(f func(i, j, c int)) {
	for j := range s.n {
		for i := range j {
			if c, ok := s.pairs[[2]int{i, j}]; ok {
				f(i, j, c)
			}
		}
	}
}

// value returns the value of a point: Σ of pairs of a graph that are cut, or offset + Σ a·z + Σ c·z·z.
func (s sums) value(kind graph.Kind, x []uint8) (v int) {
	z := make([]int, s.n)
	for i := range z {
		z[i] = int(x[i])
		if kind == graph.Spins {
			z[i] = 2*z[i] - 1
		}
		if kind != graph.Sides {
			v += s.linear[i] * z[i]
		}
	}
	s.each(func(i, j, c int) {
		switch {
		case kind != graph.Sides:
			v += c * z[i] * z[j]
		case z[i] != z[j]:
			v += c
		}
	})
	return v
}

// lines writes the pairs, and the linear terms where linear has a verb for them, with numbers from base on.
func (s sums) lines(linear, pair string, base, times int) (text string, count int) {
	var b strings.Builder
	for i, a := range s.linear {
		if linear != "" && a != 0 {
			fmt.Fprintf(&b, linear, i+base, i+base, a)
			count++
		}
	}
	s.each(func(i, j, c int) { fmt.Fprintf(&b, pair, i+base, j+base, c*times); count++ })
	return b.String(), count
}

// headed writes the terms after "n m".
func (s sums) headed(base, times int) string {
	text, count := s.lines("%d %d %d\n", "%d %d %d\n", base, times)
	return fmt.Sprintf("%d %d\n%s", s.n, count, text)
}

// dimod writes the binary file of dimod.
func (s sums) dimod(version byte, vartype string) string {
	variables := "true"
	if version == 1 {
		variables = strings.ReplaceAll(fmt.Sprintf("%q", s.names()), " ", ", ")
	}
	head := fmt.Sprintf(`{"dtype": "float64", "itype": "int32", "ntype": "int64", "shape": [%d, %d], "type": `+
		`"BinaryQuadraticModel", "variables": %s, "vartype": %q}`+"\n", s.n, len(s.pairs), variables, vartype)
	head += strings.Repeat(" ", 64-(len(head)+14)%64)
	b := append([]byte("DIMODBQM"), version, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	b = append(b, head...)
	bias := func(c int) { b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(c))) }
	neighbours := make([][][2]int, s.n)
	s.each(func(i, j, c int) {
		neighbours[i] = append(neighbours[i], [2]int{j, c})
		neighbours[j] = append(neighbours[j], [2]int{i, c})
	})
	bias(s.offset)
	begin := 0
	for i, a := range s.linear {
		b = binary.LittleEndian.AppendUint64(b, uint64(begin))
		bias(a)
		begin += len(neighbours[i])
	}
	for _, of := range neighbours {
		for _, e := range of {
			b = binary.LittleEndian.AppendUint32(b, uint32(e[0]))
			bias(e[1])
		}
	}
	if version == 2 {
		labels := strings.ReplaceAll(fmt.Sprintf("%q", s.names()), " ", ", ")
		b = append(b, "VARS"...)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(labels)))
		b = append(b, labels...)
	}
	return string(b)
}

func (s sums) names() (names []string) {
	for i := range s.n {
		names = append(names, fmt.Sprintf("v%d", i))
	}
	return names
}

// npy writes an array of numpy of 4-byte integers, or a text of three bytes.
func npy(shape string, v []int, text string) string {
	dtype := "<i4"
	if text != "" {
		dtype = "|S3"
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", dtype, shape)
	head += strings.Repeat(" ", 63-(len(head)+10)%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	b = append(b, head...)
	for _, e := range v {
		b = binary.LittleEndian.AppendUint32(b, uint32(int32(e)))
	}
	return string(b) + text
}

// npz writes a matrix of scipy in a form.
func (s sums) npz(form string) string {
	var rows, columns, data, begins []int
	for i := range s.n {
		begins = append(begins, len(data))
		for j := range s.n {
			c := s.pairs[[2]int{i, j}]
			if i == j {
				c = s.linear[i]
			}
			if c != 0 {
				rows, columns, data = append(rows, i), append(columns, j), append(data, c)
			}
		}
	}
	begins = append(begins, len(data))
	one := func(v []int) string { return npy(fmt.Sprintf("(%d,)", len(v)), v, "") }
	files := map[string]string{"data": one(data), "shape": one([]int{s.n, s.n}), "format": npy("()", nil, form)}
	switch form {
	case "coo":
		files["row"], files["col"] = one(rows), one(columns)
	default: // csc is the transposed matrix, which has the same value
		files["indices"], files["indptr"] = one(columns), one(begins)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, _ := z.Create(name + ".npy")
		io.WriteString(w, text)
	}
	z.Close()
	return b.String()
}

// inBoth writes each pair in both directions, with a format of names.
func (s sums) inBoth(line string) string {
	var b strings.Builder
	s.each(func(i, j, c int) {
		fmt.Fprintf(&b, line, i, j, c)
		fmt.Fprintf(&b, line, j, i, c)
	})
	return b.String()
}

// qplib writes the lower triangle of Q and the linear terms as QPLIB does.
func (s sums) qplib() string {
	text, count := "", 0
	s.each(func(i, j, c int) { text += fmt.Sprintf("%d %d %d\n", j+1, i+1, c); count++ })
	text = fmt.Sprintf("TOY\nQBN # type\nminimize\n%d # variables\n%d # elements\n%s3 # usual\n%d\n", s.n, count, text,
		s.n)
	for i, a := range s.linear {
		text += fmt.Sprintf("%d %d\n", i+1, a)
	}
	return text + fmt.Sprintf("%d\n1e30\n0\n0\n", s.offset)
}

// python writes what to_qubo of dimod returns, or for spins to_ising, as Python prints it.
func (s sums) python(spins bool) string {
	linear, pairs := "", ""
	for i, a := range s.linear {
		if spins {
			linear += fmt.Sprintf("%d: %d.0, ", i, a)
		} else {
			pairs += fmt.Sprintf("(%d, %d): np.float64(%d.0), ", i, i, a)
		}
	}
	s.each(func(i, j, c int) {
		if i != j {
			pairs += fmt.Sprintf("(%d, %d): %d.0, ", i, j, c)
		}
	})
	pairs = strings.TrimSuffix(pairs, ", ")
	if spins {
		return fmt.Sprintf("({%s}, {%s}, %d)\n", strings.TrimSuffix(linear, ", "), pairs, s.offset)
	}
	return fmt.Sprintf("(defaultdict(<class 'float'>, {%s}), %d.0)\n", pairs, s.offset)
}

// packed packs a text.
func packed(t *testing.T, by, text string) string {
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch by {
	case "xz":
		w, err = xz.NewWriter(&b)
	default:
		w, err = zstd.NewWriter(&b)
	}
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

// TestReadersValue writes random problems in the forms of other programs, reads them, and compares the values of 1000
// points with those of the terms that were written.
func TestReadersValue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := randomSums(r, 14)
	list, m := s.lines("", "%d %d %d\n", 0, 1)
	nodes := func(form string) (text string) {
		for i := range s.n {
			text += fmt.Sprintf(form, i)
		}
		return text
	}
	edges := func(form string) (text string) { text, _ = s.lines("", form, 0, 1); return text }
	neighbours := make([]string, s.n)
	s.each(func(i, j, c int) {
		neighbours[i] += fmt.Sprintf("%d %d ", j+1, c)
		neighbours[j] += fmt.Sprintf("%d %d ", i+1, c)
	})
	entries, count := s.lines("%d %d %d\n", "%d %d %d\n", 1, 1)
	const sides, bits, spins = graph.Sides, graph.Bits, graph.Spins
	whole := s // with even pairs, of which the half is written where they count twice
	whole.pairs = map[[2]int]int{}
	for ij, c := range s.pairs {
		whole.pairs[ij] = 2 * c
	}
	for _, c := range []struct {
		name, file string
		kind       graph.Kind
		of         sums
		offset     bool
		text       string
	}{
		{"Biq Mac", "q.sparse", bits, whole, false, s.headed(1, 1)},
		{"QOBLIB", "q.qs", bits, whole, true, "# ObjectiveOffset 7\n# Vars Non-zeros\n" + s.headed(1, 1)},
		{"Bonn", "q.bq", bits, s, false, "# Bonn\n" + s.headed(1, 1)},
		{"Qubist", "q.qh", spins, s, false, s.headed(0, 1)},
		{"rudy from 0", "g.txt", sides, s, false, fmt.Sprintf("%d %d\n%s", s.n, m, list)},
		{"METIS", "g.graph", sides, s, false, fmt.Sprintf("%d %d 001\n%s\n", s.n, m, strings.Join(neighbours, "\n"))},
		{"SNAP", "snap.txt", sides, s, false, "# FromNodeId\tToNodeId\tw\n" + s.inBoth("%d\t%d\t%d\n")},
		{"KONECT", "out.g", sides, s, false, "% sym signed\n" + edges("%d %d %d 12345\n")},
		{"networkx", "g.edgelist", sides, s, false, edges("%d %d {'weight': %d}\n")},
		{"CSV", "g.csv", sides, s, false, "source,target,weight\n" + s.inBoth("v%02d,v%02d,%d\n")},
		{"CSV of a QUBO", "qubo.csv", bits, s, false, "i;j;q\n" + strings.ReplaceAll(strings.TrimSpace(entries),
			" ", ";")},
		{"GraphML", "g.graphml", sides, s, false, `<?xml version="1.0"?><graphml><key id="k" for="edge" ` +
			`attr.name="weight"/><graph edgedefault="undirected">` + nodes(`<node id="n%d"/>`) +
			edges(`<edge source="n%d" target="n%d"><data key="k">%d</data></edge>`) + "</graph></graphml>"},
		{"GML", "g.gml", sides, s, false, "Creator \"x\"\ngraph [\ndirected 1\n" + nodes("node [ id %d ]\n") +
			s.inBoth("edge [ source %d target %d\n weight %d graphics [ x 1 ] ]\n") + "]\n"},
		{"node-link", "g.json", sides, s, false, `{"directed": true, "nodes": [` + nodes(`{"id": "v%d"},`) +
			`{"id": "apart"}], "edges": [` + strings.TrimSuffix(
			s.inBoth(`{"source": "v%d", "target": "v%d", "weight": %d},`), ",") + "]}"},
		{"MatrixMarket, symmetric", "q.mtx", bits, whole, false, fmt.Sprintf("%%%%MatrixMarket matrix coordinate "+
			"integer symmetric\n%d %d %d\n%s", s.n, s.n, count, entries)},
		{"MatrixMarket, general", "q.mtx", bits, s, false, fmt.Sprintf("%%%%MatrixMarket matrix coordinate integer "+
			"general\n%d %d %d\n%s", s.n, s.n, count, entries)},
		{"scipy, coo", "q.npz", bits, s, false, s.npz("coo")},
		{"scipy, csr", "q.npz", bits, s, false, s.npz("csr")},
		{"scipy, csc", "q.npz", bits, s, false, s.npz("csc")},
		{"QPLIB", "q.qplib", bits, s, true, s.qplib()},
		{"dimod 1", "q.bqm", bits, s, true, s.dimod(1, "BINARY")},
		{"dimod 2", "q.bqm", spins, s, true, s.dimod(2, "SPIN")},
		{"dimod COO", "q.coo", spins, s, true, "# vartype=SPIN\n# offset=7\n" + edges("%d %d %d\n") +
			func() string { text, _ := s.lines("%d %d %d\n", "", 0, 1); return text[:strings.Index(text, "%!")] }()},
		{"Python", "q.txt", bits, s, true, s.python(false)},
		{"Python, spins", "j.txt", spins, s, true, s.python(true)},
		{"xz", "g.txt.xz", sides, s, false, packed(t, "xz", fmt.Sprintf("%d %d\n%s", s.n, m, list))},
		{"zstd", "q.sparse.zst", bits, whole, false, packed(t, "zstd", s.headed(1, 1))},
	} {
		path := filepath.Join(t.TempDir(), c.file)
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		model, _, err := Read(path, c.kind, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if model.N() < s.n || model.N() > s.n+1 {
			t.Errorf("%s: %d variables, want %d", c.name, model.N(), s.n)
			continue
		}
		constant := 0
		if c.offset {
			constant = s.offset
		}
		x := make([]uint8, model.N())
		for range 1000 {
			for i := range x {
				x[i] = uint8(r.IntN(2))
			}
			if got, want := model.Value(x).RatString(), fmt.Sprint(c.of.value(c.kind, x)+constant); got != want {
				t.Errorf("%s: %s at %v, want %s", c.name, got, x, want)
				break
			}
		}
	}
}

// TestFormulaValue reads a formula with clauses of up to three literals, and compares the values of 1000 points with
// the weights of the clauses that do not hold. The variables of the clauses of three have their better values.
func TestFormulaValue(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n, m, top = 9, 60, 1000
	text := fmt.Sprintf("c random\np wcnf %d %d %d\n", n, m, top)
	var clauses [][]int
	var weights []int
	soft := 0
	for k := range m {
		var c []int
		for range 1 + r.IntN(3) {
			c = append(c, (1+r.IntN(n))*(1-2*r.IntN(2)))
		}
		w := r.IntN(9)
		if k%7 == 0 {
			w = top
		} else {
			soft += w
		}
		clauses, weights = append(clauses, c), append(weights, w)
		text += fmt.Sprint(w, " ", strings.Trim(fmt.Sprint(c), "[]"), " 0\n")
	}
	model, _, err := Read(write(t, text), graph.Bits, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		x := make([]uint8, model.N())
		for i := range n {
			x[i] = uint8(r.IntN(2))
		}
		want := 0
		for k, c := range clauses {
			holds := false
			for _, v := range c {
				holds = holds || v > 0 && x[v-1] == 1 || v < 0 && x[-v-1] == 0
			}
			if w := weights[k]; !holds && w == top {
				want += soft + 1
			} else if !holds {
				want += w
			}
		}
		for i := n; i < len(x); i++ { // they do not depend on each other
			before := model.Value(x)
			if x[i] = 1; model.Value(x).Cmp(before) > 0 {
				x[i] = 0
			}
		}
		if got := model.Value(x).RatString(); got != fmt.Sprint(want) {
			t.Fatalf("%s at %v, want %d", got, x, want)
		}
	}
}
