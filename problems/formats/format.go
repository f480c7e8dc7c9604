// Package formats reads files of graphs, QUBOs and Ising problems.
//
//	Read ────► graph.Model ────► write.Model
//	Sniff: the format of a file, by its content; ByName, ByPath: the format to write
//
// Readers do not trust files: they compare the sizes in a header with the size of the file before they allocate
// anything, and report a fault as an *input.Error with file, line and column. What a format has no place for is in
// comments that begin with "clopt:", or in the file FILE.meta.json (see package meta), and is read back.
package formats

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
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
	DIMACS            // "p edge n m" or "p col n m", then m lines "e i j" or "e i j w", counting from 1
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

// Trait is what there is to know about a format, apart from its readers and writers.
type Trait struct {
	Name    string
	Kinds   []graph.Kind // that it holds; the first is the default
	Sense   Sense
	Offset  bool   // it has a place for an offset
	Names   bool   // it has a place for names
	Comment string // that begins a comment; "" if there are none
	Inside  bool   // it has another place for notes of programs

	what string // as in "holds a QUBO"
	exts []string
}

// Sense is the direction of optimization that a format implies.
type Sense int

// The senses. A file of a format of sense Either says the direction.
const (
	Minimized Sense = iota
	Maximized
	Either
)

var traits = [...]Trait{
	Unknown: {Name: "unknown", what: "an unknown format"},
	Rudy: {Name: "rudy", what: "a graph in rudy form", exts: []string{".rud", ".mc", ".gset"},
		Kinds: []graph.Kind{graph.Sides}, Sense: Maximized, Comment: "#"},
	Matrix: {Name: "mtx", what: "a MatrixMarket matrix", exts: []string{".mtx"}, Kinds: []graph.Kind{graph.Sides},
		Sense: Maximized, Comment: "%"},
	DIMACS: {Name: "dimacs", what: "a graph in DIMACS form", exts: []string{".dimacs", ".col"},
		Kinds: []graph.Kind{graph.Sides}, Sense: Maximized, Comment: "c"},
	QUBO: {Name: "qubo", what: "a QUBO", exts: []string{".qubo"}, Kinds: []graph.Kind{graph.Bits}, Comment: "c"},
	List: {Name: "coo", what: "a list of couplings", exts: []string{".coo", ".utm"},
		Kinds: []graph.Kind{graph.Spins, graph.Bits}, Comment: "#"},
	BQM: {Name: "bqm", what: "a binary quadratic model", exts: []string{".json"},
		Kinds: []graph.Kind{graph.Spins, graph.Bits}, Offset: true, Names: true, Inside: true},
	BQPJSON: {Name: "bqpjson", what: "a binary quadratic program", exts: []string{".bqpjson"},
		Kinds: []graph.Kind{graph.Spins, graph.Bits}, Offset: true, Names: true, Inside: true},
	ORLibrary: {Name: "orlib", what: "a file of the OR-Library", exts: []string{".bqp"},
		Kinds: []graph.Kind{graph.Bits}, Sense: Maximized},
	Palubeckis: {Name: "palubeckis", what: "a matrix of Palubeckis", Kinds: []graph.Kind{graph.Bits},
		Sense: Maximized},
	LP: {Name: "lp", what: "an LP file", exts: []string{".lp"}, Kinds: []graph.Kind{graph.Bits}, Sense: Either,
		Offset: true, Names: true, Comment: `\`},
	MPS: {Name: "mps", what: "an MPS file", exts: []string{".mps"}, Kinds: []graph.Kind{graph.Bits}, Sense: Either,
		Offset: true, Names: true, Comment: "*"},
	NPY: {Name: "npy", what: "a matrix of numpy", exts: []string{".npy"}, Kinds: []graph.Kind{graph.Bits, graph.Sides}},
	CSV: {Name: "csv", what: "a matrix in CSV", exts: []string{".csv"}, Kinds: []graph.Kind{graph.Bits, graph.Sides}},
}

func (f Format) String() string { return f.Trait().Name }

// Trait returns what there is to know about the format. The caller must not change its lists. A number that is no
// format holds nothing.
func (f Format) Trait() Trait {
	if f < 0 || int(f) >= len(traits) {
		return Trait{Name: fmt.Sprintf("Format(%d)", int(f))}
	}
	return traits[f]
}

// Kinds returns the kinds of problems that the format holds. The first is the default.
func (f Format) Kinds() []graph.Kind { return slices.Clone(f.Trait().Kinds) }

// Maximizes reports whether a file of the format is a maximization. Cuts are, in all formats. Ising problems are none,
// not even as a list after the header of a graph.
func (f Format) Maximizes(kind graph.Kind) bool {
	return f.Trait().Sense == Maximized && kind != graph.Spins || kind == graph.Sides
}

// Names returns the names of the formats that can be written.
func Names() (names []string) {
	for f := range traits {
		if f := Format(f); f != Unknown && f != Palubeckis {
			names = append(names, f.String())
		}
	}
	return names
}

// ByName returns the format of a name of Names.
func ByName(name string) (Format, bool) {
	for f, t := range traits {
		if strings.EqualFold(t.Name, name) && slices.Contains(Names(), t.Name) {
			return Format(f), true
		}
	}
	return Unknown, false
}

// AllowsName reports whether a name of a variable can be in a file of the format, which has a place for names.
func (f Format) AllowsName(name string) bool {
	switch {
	case f == BQM:
		return true
	case f == BQPJSON:
		v, err := strconv.ParseUint(name, 10, 63)
		return err == nil && strconv.FormatUint(v, 10) == name
	case name == "" || len(name) > 255 || f == LP && (strings.ContainsRune("0123456789.eE", rune(name[0])) ||
		isSection(name)):
		return false
	}
	for _, c := range name {
		if c <= ' ' || c > '~' || f == LP && strings.ContainsRune(`+-*^[]/:<>=\`, c) || f == MPS && c == '\'' {
			return false
		}
	}
	return true
}

// ByPath returns the format that the extension of a path stands for, before .gz if it has that. Other extensions stand
// for the default text format of the kind: rudy, qubo or coo, and for Unknown if there is no such kind.
func ByPath(path string, kind graph.Kind) Format {
	path = strings.ToLower(path)
	ext := filepath.Ext(strings.TrimSuffix(path, ".gz"))
	for f, t := range traits {
		if slices.Contains(t.exts, ext) {
			return Format(f)
		}
	}
	switch kind {
	case graph.Sides:
		return Rudy
	case graph.Bits:
		return QUBO
	case graph.Spins:
		return List
	}
	return Unknown
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
	Fixed  int    // variables with one value, which are none of the model
	Near   int    // numbers with too many decimals, read as the nearest float64
	Cut    string // how many decimals are left, where they are cut off to keep sums exact; else ""
	Unread string // a comment about an offset or a scale that is in no known form; else ""
	Form   string // of a matrix: "symmetric", "upper triangular", …; else ""
}
