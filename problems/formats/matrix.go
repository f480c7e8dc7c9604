package formats

import (
	"bytes"
	"strings"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/input"
)

// matrix reads a MatrixMarket coordinate matrix of the weights of the edges. A symmetric matrix has each edge once. A
// general one has it twice, with equal weights. Zeros on the diagonal are skipped.
func (p *parser) matrix() error {
	general, field, err := p.matrixKind()
	if err != nil {
		return err
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
		return p.entry(word, field)
	})
}

// maxBanner is the largest number of bytes of the first line.
const maxBanner = 4096

// matrixKind reads the first line, the kind of the matrix.
func (p *parser) matrixKind() (general bool, field string, err error) {
	const form = "Write \"%%MatrixMarket matrix coordinate real symmetric\"; integer, pattern and general are read " +
		"as well."
	head := p.Head(maxBanner)
	i := bytes.IndexByte(head, '\n')
	if i < 0 {
		return false, "", p.Fail(1, "the header has no end. %s", form)
	}
	line := string(head[:i])
	words := strings.Fields(strings.ToLower(line))
	bad := func(k int, what string) (bool, string, error) {
		if k >= len(words) {
			return false, "", p.Fail(len(line)+1, "the header ends without its %s. %s", what, form)
		}
		at := 0
		for i := range k + 1 {
			at += len(line[at:]) - len(strings.TrimLeft(line[at:], " \t\r"))
			if i < k {
				at += strings.IndexAny(line[at:]+" ", " \t\r")
			}
		}
		return false, "", p.Fail(at+1, "the %s %q cannot be read. %s", what, strings.Fields(line[at:])[0], form)
	}
	word := func(k int) string {
		if k < len(words) {
			return words[k]
		}
		return ""
	}
	switch {
	case word(0) != "%%matrixmarket":
		return bad(0, "banner")
	case word(1) != "matrix":
		return bad(1, "object")
	case word(2) != "coordinate":
		return bad(2, "form")
	case word(3) != "real" && word(3) != "integer" && word(3) != "pattern":
		return bad(3, "field")
	case word(4) != "symmetric" && word(4) != "general":
		return bad(4, "symmetry")
	case len(words) > 5:
		return bad(5, "sixth word")
	}
	return words[4] == "general", words[3], nil
}

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
	}
	return p.edge(u, v, w, digits, col, 1)
}

// unequal returns the first edge that differs between the triangles of a general
// matrix, or nil.
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
