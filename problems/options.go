package problems

// Options are the parts of a problem that may stand outside its spec.
type Options struct {
	// Dim is the number of variables; 0 leaves it to the spec or the default.
	Dim int
	// Data is the directory of official instance data; empty means the
	// generated instance.
	Data string
	// Bounds and Maximize change an objective in a file; nil means its own
	// bounds. Of problems known by name, qubo and ising take Maximize.
	Bounds   *Bounds
	Maximize bool
	// DropLoops, MergeEdges and Sign (1, -1; 0: not given) say how a graph, a
	// QUBO or an Ising problem is read.
	DropLoops, MergeEdges bool
	Sign                  int
}

// Entry describes one problem that Parse knows by name.
type Entry struct {
	Name       string
	Title      string
	Dim        int      // the default n
	Modes      []string // values of mode; the first is the default
	Lo, Hi     float64  // the box
	References []string
}
