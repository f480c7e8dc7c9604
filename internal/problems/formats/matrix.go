package formats

import (
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// matrix reads a MatrixMarket matrix. It has the weights of the edges: a symmetric matrix has each edge
// once, a general one twice, with equal weights. Or it is the Q of x'Qx, in which a symmetric matrix has one of two
// equal elements, and a general one all elements. Zeros on the diagonal are skipped.
func (p *parser) matrix() error {
	kind, err := p.Banner(matrixKinds, "Write \"%%MatrixMarket matrix coordinate real symmetric\"; integer, pattern "+
		"and general are read as well.")
	if err != nil {
		return err
	}
	if kind.Form == "array" {
		return p.array(kind.Symmetry == "symmetric")
	}
	var size, col [3]int
	fields, err := p.oneLine(func(k int, word []byte) error {
		if k == 3 {
			return p.Fail(p.Col, "the sizes have a fourth word, %s. Write \"rows columns entries\".", input.Shown(word))
		}
		v, ok, large := input.Index(word)
		if large {
			return p.Fail(p.Col, "%.40s is beyond the maximum of %d. Check the sizes.", word, input.MaxIndex)
		}
		if !ok {
			return p.Fail(p.Col, "%s is not a whole number. Write \"rows columns entries\".", input.Shown(word))
		}
		size[k], col[k] = v, p.Col
		return nil
	})
	switch {
	case err != nil:
		return err
	case fields == 0:
		return p.Fail(p.Col, "no sizes. Write a line \"rows columns entries\" after the header.")
	case fields < 3:
		return p.Fail(p.Col, "the sizes end after %d of 3 numbers. Write \"rows columns entries\".", fields)
	case size[0] != size[1]:
		return p.Fail(col[0], "a matrix of %d rows and %d columns. Edges need a square one.", size[0], size[1])
	}
	half := size[2]
	general := kind.Symmetry == "general"
	p.double = !general && p.kind == graph.Bits
	if general {
		half /= 2
	}
	drop := p.opt
	p.opt.DropLoops = true // the number of entries includes the diagonal
	err = p.header(size[0], half, col[0], col[2], 4*size[2]/max(half, 1))
	p.opt = drop
	if err != nil {
		return err
	}
	p.reserve(size[2]) // in a general matrix all entries may be in one triangle
	p.general = general
	p.base = 1
	return p.announced(size[2], "sizes", "entries", func(word []byte) error {
		return p.entry(word, kind.Field)
	})
}

// matrixKinds are the forms, fields and symmetries of matrices of weights.
var matrixKinds = [3][]string{{"coordinate", "array"}, {"real", "integer", "pattern"}, {"symmetric", "general"}}

// entry reads the rest of a line "i j a" whose first field is word.
func (p *parser) entry(word []byte, field string) error {
	u, v, col, err := p.ends(word, 1, "the line ends after 1 number. Write an entry as \"i j a\".")
	if err != nil {
		return err
	}
	w, digits := int64(1), 0
	if field == "pattern" {
		err = p.endOfLine("an entry of a pattern is \"i j\"")
	} else {
		w, digits, err = p.lastWeight("the line ends after 2 numbers. Write an entry as \"i j a\".",
			"an entry is \"i j a\"")
	}
	switch {
	case err != nil:
		return err
	case field == "integer" && digits > 0:
		return p.Fail(p.Col, "%s in a matrix of integers. Write \"real\" in the header, or a whole number.",
			input.AppendExact(nil, w, digits))
	case u == v && w == 0:
		return nil
	case u != v && p.double:
		w, digits = twice(w, digits)
	}
	return p.edge(u, v, w, digits, col, 1)
}

// unequal returns the first edge that differs between the triangles of a general matrix, or nil.
func unequal(a, b *graph.Graph) *graph.Pair {
	for u := range a.N() {
		i, j := a.Offsets[u], b.Offsets[u]
		for i < a.Offsets[u+1] || j < b.Offsets[u+1] {
			switch {
			case j == b.Offsets[u+1] || i < a.Offsets[u+1] && a.Neighbors[i] < b.Neighbors[j]:
				return &graph.Pair{U: u, V: int(a.Neighbors[i])}
			case i == a.Offsets[u+1] || a.Neighbors[i] > b.Neighbors[j]:
				return &graph.Pair{U: u, V: int(b.Neighbors[j])}
			case a.Weights[i] != b.Weights[j]:
				return &graph.Pair{U: u, V: int(a.Neighbors[i])}
			}
			i, j = i+1, j+1
		}
	}
	return nil
}
