// Package formats reads and writes files of graphs, QUBOs and Ising problems.
//
//	Read ────► graph.Model ────► Write
//	Sniff: the format of a file, by its content; ByName, ByPath: the format to write
//	ReadAssignments, ReadBest: partitions and best values of a graph
//
// Readers do not trust files: they compare the sizes in a header with the size of the file before they allocate
// anything, and report a fault as an *input.Error with file, line and column. What a format has no place for is in
// comments that begin with "clopt:", or in the file FILE.meta.json (see meta.go), and is read back.
package formats

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/clopt/clopt/problems/graph"
)

// Format is the format of a file.
type Format int

// The formats. The vertices and variables of a graph.Model always count from 0.
const (
	Unknown    Format = iota
	Rudy              // "n m", then m lines "i j w", counting from 1; a missing w is 1
	Matrix            // MatrixMarket coordinate real, integer or pattern; symmetric or general
	QUBO              // "p qubo 0 N nodes couplers", then "i i a" and "i j q" with i < j, counting from 0
	List              // lines "i i h" and "i j J" without a header; "# vartype=SPIN" or BINARY
	BQM               // JSON of a binary quadratic model of dimod
	BQPJSON           // JSON of a binary quadratic program of bqpjson
	ORLibrary         // the number of problems; for each "n m" and m lines "i j q", from 1; maximized
	Palubeckis        // "1 n", then all elements of a symmetric matrix; maximized
	LP                // CPLEX LP with binary variables and no constraints
	MPS               // MPS with binary variables and no constraints
	NPY               // a square matrix of numpy
	CSV               // a square matrix, commas between the elements
)

// trait is what there is to know about a format, apart from its readers and writers.
type trait struct {
	name    string
	what    string // as in "holds a QUBO"
	exts    []string
	kinds   []graph.Kind // that it holds; the first is the default
	sense   sense
	offset  bool   // it has a place for an offset
	names   bool   // it has a place for names
	comment string // that begins a comment; "" if there are none
	inside  bool   // it has another place for notes of programs
}

// sense is the direction of optimization that a format implies.
type sense int

const (
	minimized sense = iota
	maximized
	either
)

var traits = [...]trait{
	Unknown: {name: "unknown", what: "an unknown format"},
	Rudy: {name: "rudy", what: "a graph in rudy form", exts: []string{".rud", ".mc", ".gset"},
		kinds: []graph.Kind{graph.Sides}, sense: maximized, comment: "#"},
	Matrix: {name: "mtx", what: "a MatrixMarket matrix", exts: []string{".mtx"}, kinds: []graph.Kind{graph.Sides},
		sense: maximized, comment: "%"},
	QUBO: {name: "qubo", what: "a QUBO", exts: []string{".qubo"}, kinds: []graph.Kind{graph.Bits}, comment: "c"},
	List: {name: "coo", what: "a list of couplings", exts: []string{".coo", ".utm"},
		kinds: []graph.Kind{graph.Spins, graph.Bits}, comment: "#"},
	BQM: {name: "bqm", what: "a binary quadratic model", exts: []string{".json"},
		kinds: []graph.Kind{graph.Spins, graph.Bits}, offset: true, names: true, inside: true},
	BQPJSON: {name: "bqpjson", what: "a binary quadratic program", exts: []string{".bqpjson"},
		kinds: []graph.Kind{graph.Spins, graph.Bits}, offset: true, inside: true},
	ORLibrary: {name: "orlib", what: "a file of the OR-Library", exts: []string{".bqp"},
		kinds: []graph.Kind{graph.Bits}, sense: maximized},
	Palubeckis: {name: "palubeckis", what: "a matrix of Palubeckis", kinds: []graph.Kind{graph.Bits},
		sense: maximized},
	LP: {name: "lp", what: "an LP file", exts: []string{".lp"}, kinds: []graph.Kind{graph.Bits}, sense: either,
		offset: true, names: true, comment: `\`},
	MPS: {name: "mps", what: "an MPS file", exts: []string{".mps"}, kinds: []graph.Kind{graph.Bits}, sense: either,
		offset: true, names: true, comment: "*"},
	NPY: {name: "npy", what: "a matrix of numpy", exts: []string{".npy"}, kinds: []graph.Kind{graph.Bits, graph.Sides}},
	CSV: {name: "csv", what: "a matrix in CSV", exts: []string{".csv"}, kinds: []graph.Kind{graph.Bits, graph.Sides}},
}

func (f Format) String() string { return traits[f].name }

// Kinds returns the kinds of problems that the format holds. The first is the usual one.
func (f Format) Kinds() []graph.Kind { return slices.Clone(traits[f].kinds) }

// maximizes reports whether a file of the format is a maximization. Cuts are, in all formats.
func (f Format) maximizes(kind graph.Kind) bool {
	return traits[f].sense == maximized || kind == graph.Sides
}

// Names returns the names of the formats that Write writes.
func Names() (names []string) {
	for f := range traits {
		if writers[Format(f)] != nil {
			names = append(names, traits[f].name)
		}
	}
	return names
}

// ByName returns the format of a name of Names.
func ByName(name string) (Format, bool) {
	i := slices.IndexFunc(traits[:], func(t trait) bool { return strings.EqualFold(t.name, name) })
	return Format(max(i, 0)), i > 0 && writers[Format(i)] != nil
}

// ByPath returns the format that the extension of a path stands for, before .gz if it has that. Other extensions stand
// for the usual text format of the kind: rudy, qubo or coo.
func ByPath(path string, kind graph.Kind) Format {
	path = strings.ToLower(path)
	ext := filepath.Ext(strings.TrimSuffix(path, ".gz"))
	for f, t := range traits {
		if slices.Contains(t.exts, ext) {
			return Format(f)
		}
	}
	return [...]Format{graph.Sides: Rudy, graph.Bits: QUBO, graph.Spins: List}[kind]
}

// Options allow features of a file that are usually faults.
type Options struct {
	DropLoops  bool // skip edges from a vertex to itself instead of refusing them
	MergeEdges bool // add the weights of edges between the same vertices instead of refusing them
}

// Notes describe what is in the file and not in the model.
type Notes struct {
	Loops  int    // dropped, with Options.DropLoops
	Merged int    // edges added to others, with Options.MergeEdges
	Zeros  int    // edges of weight 0
	Form   string // of a matrix: "symmetric", "upper triangular", …; else ""
}
