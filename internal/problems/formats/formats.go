// Package formats reads files of graphs, QUBOs and Ising problems.
//
//	Read ────► graph.Model ────► write.Model
//
// Readers do not trust files: they compare the sizes in a header with the size of the file before they allocate
// anything, and report a fault as an *input.Error with file, line and column. What a format has no place for is in
// comments that begin with "clopt:", or in the file FILE.meta.json (see package meta), and is read back.
package formats

// Options allow features of a file that are usually faults, and say what a file leaves open.
type Options struct {
	// Pairs is "once" or "twice": how often the term of a pair counts in a QUBO after a header "n m". Without it such a
	// QUBO is refused.
	Pairs      string
	DropLoops  bool // skip edges from a vertex to itself instead of refusing them
	MergeEdges bool // add the weights of edges between the same vertices instead of refusing them
}

// Notes describe what is in the file and not in the model.
type Notes struct {
	Loops  int    // dropped, with Options.DropLoops
	Merged int    // edges added to others, with Options.MergeEdges
	Again  int    // edges that are there again, with the same weight, and count once
	Zeros  int    // edges of weight 0
	Fixed  int    // variables with one value, which are none of the model
	Long   int    // coefficients with more digits than are read
	Near   int    // coefficients rounded to keep sums exact
	Gone   int    // those of them that are 0 now
	Cut    string // to what, such as "14 decimals" or "multiples of 1000"; else ""
	Others string // names of numbers of edges, all of which have the weight 1, such as "length, capacity"; else ""
	Unread string // a comment about an offset or a scale that is in no known form; else ""
	Beside string // the FILE.meta.json that changes the values, and what it says; else ""
	Rows   bool   // three terms i, j, q may as well be the rows of a matrix
	Form   string // of a matrix: "symmetric", "upper triangular", …; else ""
	First  int    // the number of the first vertex or variable in the file, where they have no names
	Counts string // what the terms of the file count, such as "pairs count twice (Biq Mac)"
}
