// Package format lists the formats of graphs, QUBOs and Ising problems, and recognizes them.
//
//	Sniff: the format of a file, by its content; ByName, ByPath: the format to write
package format

import (
	"fmt"
	"regexp"
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
	CSV               // a square matrix; commas, semicolons or blanks between the elements
	METIS             // "n m", then a line for each vertex with its neighbours, counting from 1; not written
	EdgeList          // lines "a b" or "a b w" with any names of vertices, as of SNAP and KONECT; not written
	GraphML           // XML with nodes and edges; not written
	GML               // node [ id 0 ] and edge [ source 0 target 1 ]; not written
	NodeLink          // JSON with nodes and links; not written
	QPLIB             // binary variables and no constraints; not written
	DimodFile         // the binary file of a model of dimod; not written
	Formula           // clauses of up to three literals, with weights or without; not written
	NPZ               // an archive with a sparse matrix of scipy, or a square matrix of numpy; not written
	Python            // a dictionary as Python prints it, {(0, 1): 2.5}; not written
	Foreign           // a format that is not read; the error of Read names it
)

// Trait is what there is to know about a format, apart from its readers and writers.
type Trait struct {
	Name    string
	Kinds   []graph.Kind // that it holds; the first is the default
	Also    []graph.Kind // that its files are read as if they are named so, and that are not written
	Sense   Sense
	Offset  bool   // it has a place for an offset
	Names   bool   // it has a place for names
	Comment string // that begins a comment; "" if there are none
	Inside  bool   // it has another place for notes of programs

	What     string         // as in "holds a QUBO"
	Exts     []string       // of file names
	Begin    *regexp.Regexp // how its files begin, if that tells them from those of all others
	ReadOnly bool           // it is not written
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
	Unknown: {Name: "unknown", What: "an unknown format"},
	Rudy: {Name: "rudy", What: "a graph in rudy form", Exts: []string{".rud", ".mc", ".gset"},
		Kinds: []graph.Kind{graph.Sides}, Sense: Maximized, Comment: "#"},
	Matrix: {Name: "mtx", What: "a MatrixMarket matrix", Exts: []string{".mtx"},
		Kinds: []graph.Kind{graph.Sides}, Also: []graph.Kind{graph.Bits}, Sense: Maximized, Comment: "%"},
	DIMACS: {Name: "dimacs", What: "a graph in DIMACS form", Exts: []string{".dimacs", ".col"},
		Kinds: []graph.Kind{graph.Sides}, Sense: Maximized, Comment: "c"},
	QUBO: {Name: "qubo", What: "a QUBO", Exts: []string{".qubo"}, Kinds: []graph.Kind{graph.Bits}, Comment: "c"},
	List: {Name: "coo", What: "a list of couplings", Exts: []string{".coo", ".utm"},
		Kinds: []graph.Kind{graph.Spins, graph.Bits}, Comment: "#"},
	BQM: {Name: "bqm", What: "a binary quadratic model", Exts: []string{".json"},
		Kinds: []graph.Kind{graph.Spins, graph.Bits}, Offset: true, Names: true, Inside: true},
	BQPJSON: {Name: "bqpjson", What: "a binary quadratic program", Exts: []string{".bqpjson"},
		Kinds: []graph.Kind{graph.Spins, graph.Bits}, Offset: true, Names: true, Inside: true},
	ORLibrary: {Name: "orlib", What: "a file of the OR-Library", Exts: []string{".bqp"},
		Kinds: []graph.Kind{graph.Bits}, Sense: Maximized},
	Palubeckis: {Name: "palubeckis", What: "a matrix of Palubeckis", Kinds: []graph.Kind{graph.Bits},
		Sense: Maximized, ReadOnly: true},
	LP: {Name: "lp", What: "an LP file", Exts: []string{".lp"}, Kinds: []graph.Kind{graph.Bits}, Sense: Either,
		Offset: true, Names: true, Comment: `\`},
	MPS: {Name: "mps", What: "an MPS file", Exts: []string{".mps"}, Kinds: []graph.Kind{graph.Bits}, Sense: Either,
		Offset: true, Names: true, Comment: "*"},
	NPY: {Name: "npy", What: "a matrix of numpy", Exts: []string{".npy"}, Kinds: []graph.Kind{graph.Bits, graph.Sides}},
	CSV: {Name: "csv", What: "a matrix in CSV", Exts: []string{".csv"}, Kinds: []graph.Kind{graph.Bits, graph.Sides}},
	METIS: {Name: "metis", What: "a graph in METIS form", Kinds: []graph.Kind{graph.Sides}, Sense: Maximized,
		ReadOnly: true},
	EdgeList: {Name: "edges", What: "a list of edges", Kinds: []graph.Kind{graph.Sides},
		Also: []graph.Kind{graph.Bits, graph.Spins}, Sense: Maximized,
		Exts: []string{".edges", ".edgelist", ".el", ".wel"}, Begin: edgeLists, ReadOnly: true},
	GraphML: {Name: "graphml", What: "a graph in GraphML", Kinds: []graph.Kind{graph.Sides}, Sense: Maximized,
		Begin: regexp.MustCompile(`\A\s*<(?s:.*)<graphml\b|\A\s*<graphml\b`), ReadOnly: true},
	GML: {Name: "gml", What: "a graph in GML", Kinds: []graph.Kind{graph.Sides}, Sense: Maximized, ReadOnly: true,
		Begin: regexp.MustCompile(`(?i)\A\s*((creator|version|comment|#)[^\n]*\n\s*)*graph\s*\[`)},
	NodeLink: {Name: "nodelink", What: "a graph in node-link JSON", Kinds: []graph.Kind{graph.Sides},
		Sense: Maximized, Begin: regexp.MustCompile(`\A\s*\{(?s:.*)"(nodes|links)"\s*:`), ReadOnly: true},
	QPLIB: {Name: "qplib", What: "a problem of QPLIB", Kinds: []graph.Kind{graph.Bits}, Sense: Either, ReadOnly: true,
		Begin: regexp.MustCompile(`(?i)\A(\s*[#!][^\n]*\n)*[^\n]*\n\s*[LDCQ][CBMIG][NBLDCQO]\b[^\n]*\n` +
			`\s*(min|max)imi[sz]e\b`)},
	DimodFile: {Name: "dimod", What: "a binary file of dimod", Kinds: []graph.Kind{graph.Spins, graph.Bits},
		ReadOnly: true},
	Formula: {Name: "cnf", What: "a formula in DIMACS form", Kinds: []graph.Kind{graph.Bits}, ReadOnly: true,
		Begin: regexp.MustCompile(`\A(c[^\n]*\n|\s*\n)*(p\s+w?cnf\b|h\s+-?[1-9][0-9]*\s)`)},
	NPZ: {Name: "npz", What: "an archive of numpy", Kinds: []graph.Kind{graph.Bits, graph.Sides}, ReadOnly: true},
	Python: {Name: "python", What: "a dictionary of Python", Kinds: []graph.Kind{graph.Bits, graph.Spins},
		Also: []graph.Kind{graph.Sides}, ReadOnly: true,
		Begin: regexp.MustCompile(`\A\s*(\(\s*)?(defaultdict\([^{]*)?\{\s*(\(|('[^']*'|-?\w+)\s*:)`)},
	Foreign: {Name: "foreign", What: "a format that is not read", ReadOnly: true},
}

// edgeLists matches the beginning of lists of SNAP, KONECT and networkx.
var edgeLists = regexp.MustCompile(`\A(\s*#[^\n]*\n)*\s*#\s*FromNodeId\b|\A%\s*(sym|asym|bip)\s|` +
	`\A(\s*#[^\n]*\n)*\s*\S+[ \t]+\S+[ \t]+\{`)

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

// Maximizes reports whether a file of the format is a maximization. Cuts are, in all formats. QUBOs and Ising problems
// are none as lists after the header of a graph.
func (f Format) Maximizes(kind graph.Kind) bool {
	t := f.Trait()
	return kind == graph.Sides || kind == graph.Bits && t.Sense == Maximized && slices.Contains(t.Kinds, kind)
}

// Names returns the names of the formats that can be written.
func Names() (names []string) {
	for f := range traits {
		if f := Format(f); f != Unknown && !f.Trait().ReadOnly {
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
		IsSection(name)):
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
	ext := Ext(path)
	for f, t := range traits {
		if slices.Contains(t.Exts, ext) {
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

// LPSenses are the words that begin an LP file, in lower case.
var LPSenses = []string{"minimize", "minimise", "minimum", "min", "maximize", "maximise", "maximum", "max"}

var lpSections = []string{"subject to", "such that", "st", "s.t.", "bounds", "bound", "binaries", "binary", "bin",
	"generals", "general", "gen", "integers", "integer", "int", "semis", "semi", "sos", "end"}

// IsSection reports whether a name is a word that begins a section of an LP file.
func IsSection(name string) bool { return slices.Contains(lpSections, strings.ToLower(name)) }
