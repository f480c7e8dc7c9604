package graph

import (
	"github.com/clopt/clopt/problems/input"
)

// Read reads a graph from a file in rudy form or a MatrixMarket matrix, which may be compressed by gzip. It recognizes
// the format by the content. A fault is an *input.Error. Read compares the sizes in the header with the size of the
// file before it allocates anything.
func Read(path string, opt Options) (*Graph, Notes, error) {
	src, err := fileSource(path)
	if err != nil {
		return nil, Notes{}, err
	}
	return src.graph(opt)
}

// ReadQUBO reads a file of the form "p qubo …". Faults and sizes are as with Read.
func ReadQUBO(path string, opt Options) (*Quadratic, Notes, error) {
	return readQuadratic(path, opt, QUBO)
}

// ReadIsing reads an Ising problem: a list of lines "i i h" and "i j J", or the same after a header "n m". With a
// header spins count from 1; without one they count from 0 if there is a spin 0, else from 1. Faults and sizes are as
// with Read.
func ReadIsing(path string, opt Options) (*Quadratic, Notes, error) {
	return readQuadratic(path, opt, List)
}

func readQuadratic(path string, opt Options, want Format) (*Quadratic, Notes, error) {
	src, err := fileSource(path)
	if err != nil {
		return nil, Notes{}, err
	}
	return src.quadratic(opt, want)
}

// parse opens the text and calls read with a parser of it and its format.
func (src source) parse(opt Options, watch *repeated, read func(p *parser, form Format) error) (*parser, error) {
	t, err := src.text()
	if err != nil {
		return nil, err
	}
	defer t.Close()
	s := newScanner(t, src.name)
	for !s.eof && s.end < sniffed {
		s.fill(0)
	}
	p := &parser{scanner: s, opt: opt, most: t.most, watch: watch}
	if err := read(p, sniff(s.buf[:s.end])); err != nil {
		return nil, err
	}
	if int64(p.n) > freeVertices+s.read { // now the size of a compressed text is known, too
		return nil, input.Errorf(src.name, 0, 0,
			"%d vertices in a text of %d bytes: the header cannot be right. Check it.", p.n, s.read)
	}
	return p, nil
}

func (src source) graph(opt Options) (*Graph, Notes, error) {
	var lower parser
	read := func(p *parser, form Format) error {
		lower = parser{}
		switch form {
		case QUBO:
			return input.Errorf(p.file, 0, 0, "holds %v. Name it as qubo:%s.", form, p.file)
		case Matrix:
			return p.matrix(&lower)
		}
		return p.rudy()
	}
	p, err := src.parse(opt, nil, read)
	if err != nil {
		return nil, Notes{}, err
	}
	if p.general {
		return src.general(p, &lower, read)
	}
	g, notes, twice := p.finish()
	if twice != nil {
		again, err := src.parse(opt, twice, read)
		if err == nil {
			err = again.twice(*twice, 1)
		}
		return nil, Notes{}, err
	}
	return g, notes, nil
}

// finish makes the graph from the edges read.
func (p *parser) finish() (*Graph, Notes, *repeated) {
	g, zeros, merged, twice := p.edges.graph(p.n, p.opt.MergeEdges)
	p.notes.Zeros += zeros
	p.notes.Merged += merged
	return g, p.notes, twice
}

// general compares the triangles of a general matrix, which must be equal, and makes the graph of one of them.
func (src source) general(p, lower *parser, read func(*parser, Format) error) (*Graph, Notes, error) {
	digits := max(p.edges.digits, lower.edges.digits)
	if !p.edges.rescale(digits) || !lower.edges.rescale(digits) {
		return nil, Notes{}, input.Errorf(src.name, 0, 0,
			"the sum of all |weights|, in units of the smallest decimal, is beyond 2^62. Scale or round the weights.")
	}
	g, notes, twice := p.finish()
	var h *Graph
	again := p
	if twice == nil {
		if h, _, twice = lower.finish(); twice != nil {
			again = lower
		}
	}
	watched := twice
	if watched == nil {
		if watched = unequal(g, h); watched == nil {
			return g, notes, nil
		}
	}
	var second parser
	upper, err := src.parse(p.opt, watched, func(p *parser, form Format) error { return p.matrix(&second) })
	if err != nil {
		return nil, Notes{}, err
	}
	if twice != nil {
		if again == lower {
			upper = &second
			upper.scanner = p.scanner
		}
		return nil, Notes{}, upper.twice(*twice, 1)
	}
	seen := append(upper.seen, second.seen...)
	if len(seen) == 0 {
		return nil, Notes{}, input.Errorf(src.name, 0, 0,
			"the matrix is not symmetric at (%d, %d). Edges need a symmetric one.", watched.u+1, watched.v+1)
	}
	at := seen[0]
	for _, s := range seen {
		if s.line > at.line {
			at = s
		}
	}
	if len(upper.seen) == 0 || len(second.seen) == 0 {
		return nil, Notes{}, input.Errorf(src.name, at.line, at.col,
			"there is an entry for (%d, %d) in one order only: the matrix is not symmetric. Add the other one, or "+
				"write \"symmetric\" in the header.", watched.u+1, watched.v+1)
	}
	return nil, Notes{}, input.Errorf(src.name, at.line, at.col,
		"the entry for (%d, %d) differs from that in the other order: the matrix is not symmetric. Edges need a "+
			"symmetric one.", watched.u+1, watched.v+1)
}

func (src source) quadratic(opt Options, want Format) (*Quadratic, Notes, error) {
	base := 0
	read := func(p *parser, form Format) (err error) {
		switch {
		case want == QUBO && form != QUBO && form != Unknown:
			name := "maxcut"
			if form == List {
				name = "ising"
			}
			return input.Errorf(p.file, 0, 0, "holds %v, no \"p qubo\" header. Name it as %s:%s.", form, name, p.file)
		case want == QUBO:
			return p.qubo()
		case form == QUBO:
			return input.Errorf(p.file, 0, 0, "holds %v. Name it as qubo:%s.", form, p.file)
		case form == Matrix:
			return input.Errorf(p.file, 0, 0, "holds %v. Name it as maxcut:%s.", form, p.file)
		case form == Rudy:
			p.loops, base = true, 1
			return p.rudy()
		}
		base, err = p.list()
		return err
	}
	p, err := src.parse(opt, nil, read)
	if err != nil {
		return nil, Notes{}, err
	}
	digits := max(p.edges.digits, p.linear.digits)
	if !p.edges.rescale(digits) || !p.linear.rescale(digits) || p.edges.sum+p.linear.sum >= maxSum/4 {
		return nil, Notes{}, input.Errorf(src.name, 0, 0,
			"the sum of all |coefficients|, in units of the smallest decimal, is beyond 2^60, up to which values are "+
				"exact. Scale or round them.")
	}
	terms, twice := p.linearTerms()
	var g *Graph
	notes := p.notes
	if twice == nil {
		g, notes, twice = p.finish()
	}
	if twice != nil {
		shift, base := 0, base // the second reading may leave base as it is
		if want == List && base == 1 && p.listed {
			shift = 1 // a list is watched before its indices are shifted
		}
		again, err := src.parse(opt, &repeated{twice.u + shift, twice.v + shift}, read)
		if err == nil {
			err = again.twice(*twice, base)
		}
		return nil, Notes{}, err
	}
	return &Quadratic{terms, g}, notes, nil
}
