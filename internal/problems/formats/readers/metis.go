package readers

import (
	"bytes"

	"github.com/clopt/clopt/internal/problems/input"
)

// metisHeader is the header of a text in METIS form.
type metisHeader struct {
	n, m  int
	skip  int  // numbers before the neighbours of a vertex: its size and its weights
	edges bool // a weight follows each neighbour
}

// METIS reads a graph in the format of METIS: a header "n m", or "n m fmt ncon", then a line for each vertex with its
// neighbours, counting from 1. So every edge is in two lines, and the sink gets it twice. Sizes and weights of vertices
// are left out: no cut depends on them.
func METIS(text []byte, to Sink) (Facts, error) {
	var l *metisHeader
	u := 0
	neighbours := 0
	err := eachLine(text, func(line []byte, start int) error {
		words := fieldsAt(line, start)
		var err error
		switch {
		case bytes.HasPrefix(line, []byte("%")), l == nil && len(words) == 0:
			return nil
		case l == nil:
			if l, err = header(words); err != nil {
				return err
			}
			return to.Size(l.n, 1, nil, words[0].at)
		case u == l.n && len(words) == 0:
			return nil
		case u == l.n:
			return fault(words[0].at, "the header announces %d vertices, and this is a line after the last one. "+
				"Correct the header.", l.n)
		}
		count, err := l.vertex(u, words, to)
		u, neighbours = u+1, neighbours+count
		return err
	})
	switch {
	case err != nil:
		return Facts{}, err
	case l == nil:
		return Facts{}, fault(len(text), "no header. Begin with the numbers of vertices and edges, \"n m\".")
	case u < l.n:
		return Facts{}, fault(len(text), "the file ends after the neighbours of %d of %d vertices. A vertex without "+
			"neighbours has an empty line.", u, l.n)
	case neighbours != 2*l.m:
		return Facts{}, fault(len(text), "the header announces %d edges, and the lines have %d neighbours; each edge "+
			"is in two lines. Correct the header or the lines.", l.m, neighbours)
	}
	return Facts{}, nil
}

// header reads the words of the header.
func header(words []word) (*metisHeader, error) {
	const form = "Write \"n m\", and as a third word 1 if edges have weights."
	if len(words) < 2 || len(words) > 4 {
		return nil, fault(words[0].at, "the header has %d words. %s", len(words), form)
	}
	var numbers [4]int
	for k, w := range words {
		v, ok, _ := input.Index(w.text)
		if !ok {
			return nil, fault(w.at, "the header has %s. %s", input.Shown(w.text), form)
		}
		numbers[k] = v
	}
	l := &metisHeader{n: numbers[0], m: numbers[1]}
	flags, most := numbers[2], 1
	if len(words) == 4 {
		most = numbers[3]
	}
	if flags > 111 || flags%10 > 1 || flags/10%10 > 1 {
		return nil, fault(words[2].at, "the header has %s. %s", input.Shown(words[2].text), form)
	}
	l.edges, l.skip = flags%10 == 1, flags/10%10*most+flags/100
	return l, nil
}

// vertex reads the line of vertex u, and returns the number of its neighbours.
func (l *metisHeader) vertex(u int, words []word, to Sink) (count int, err error) {
	if len(words) < l.skip {
		return 0, fault(words[0].at, "the line of vertex %d has %d words, and the header says that %d come before its "+
			"neighbours. Correct one of them.", u+1, len(words), l.skip)
	}
	words = words[l.skip:]
	for k := 0; k < len(words); k++ {
		w := words[k]
		v, ok, _ := input.Index(w.text)
		if !ok || v < 1 || v > l.n {
			return 0, fault(w.at, "%s is no neighbour of vertex %d: line i after the header has the neighbours of "+
				"vertex i, "+
				"from 1 to %d.", input.Shown(w.text), u+1, l.n)
		}
		c, digits := int64(1), 0
		if l.edges {
			if k++; k == len(words) {
				return 0, fault(w.at, "the neighbour %d of vertex %d has no weight, and the header says that edges "+
					"have "+
					"one. Correct one of them.", v, u+1)
			}
			if c, digits, err = number(words[k].text, w.at); err != nil {
				return 0, err
			}
		}
		if err := to.Term(u, v-1, c, digits, w.at); err != nil {
			return 0, err
		}
		count++
	}
	return count, nil
}
