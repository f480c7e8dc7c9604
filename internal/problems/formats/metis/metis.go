// Package metis reads graphs in the format of METIS: a header "n m", or "n m fmt ncon", then a line for each vertex
// with its neighbours, counting from 1. So every edge is in two lines.
package metis

import (
	"bytes"
	"fmt"

	"github.com/clopt/clopt/internal/problems/input"
)

// Fault is what is wrong with a text, and where.
type Fault struct {
	At  int // offset in the text
	Msg string
}

func (f *Fault) Error() string { return f.Msg }

func fault(at int, format string, args ...any) error { return &Fault{at, fmt.Sprintf(format, args...)} }

// layout is the header of a text.
type layout struct {
	n, m  int
	skip  int  // numbers before the neighbours of a vertex: its size and its weights
	edges bool // a weight follows each neighbour
}

// Each reads a text. It calls size with the number of vertices, then edge for every neighbour v of every vertex u; both
// count from 0, and weight is nil where edges have none. at is the offset of what a call is about. Errors of the calls
// are returned as they are, others are a *Fault. Sizes and weights of vertices are left out: no cut depends on them.
func Each(text []byte, size func(n, at int) error, edge func(u, v int, weight []byte, at int) error) error {
	var l *layout
	u := 0
	neighbours := 0
	next := 0
	for start := 0; start < len(text); start = next {
		line, _, _ := bytes.Cut(text[start:], []byte("\n"))
		next = start + len(line) + 1
		words := fieldsAt(line, start)
		switch {
		case bytes.HasPrefix(line, []byte("%")), l == nil && len(words) == 0:
			continue
		case l == nil:
			var err error
			if l, err = header(words); err != nil {
				return err
			}
			if err := size(l.n, words[0].at); err != nil {
				return err
			}
			continue
		case u == l.n && len(words) == 0:
			continue
		case u == l.n:
			return fault(words[0].at, "the header announces %d vertices, and this is a line after the last one. "+
				"Correct the "+
				"header.", l.n)
		}
		count, err := l.vertex(u, words, edge)
		if err != nil {
			return err
		}
		u, neighbours = u+1, neighbours+count
	}
	switch {
	case l == nil:
		return fault(len(text), "no header. Begin with the numbers of vertices and edges, \"n m\".")
	case u < l.n:
		return fault(len(text), "the file ends after the neighbours of %d of %d vertices. A vertex without "+
			"neighbours has "+
			"an empty line.", u, l.n)
	case neighbours != 2*l.m:
		return fault(len(text), "the header announces %d edges, and the lines have %d neighbours; each edge is in two "+
			"lines. Correct the header or the lines.", l.m, neighbours)
	}
	return nil
}

// header reads the words of the header.
func header(words []word) (*layout, error) {
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
	l := &layout{n: numbers[0], m: numbers[1]}
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
func (l *layout) vertex(u int, words []word, edge func(u, v int, weight []byte, at int) error) (count int, err error) {
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
		var weight []byte
		if l.edges {
			if k++; k == len(words) {
				return 0, fault(w.at, "the neighbour %d of vertex %d has no weight, and the header says that edges "+
					"have "+
					"one. Correct one of them.", v, u+1)
			}
			weight = words[k].text
		}
		if err := edge(u, v-1, weight, w.at); err != nil {
			return 0, err
		}
		count++
	}
	return count, nil
}

// word is a word of a line, at an offset of the text.
type word struct {
	text []byte
	at   int
}

// fieldsAt splits a line that begins at an offset into its words.
func fieldsAt(line []byte, start int) (words []word) {
	for at := 0; ; {
		rest := bytes.TrimLeft(line[at:], " \t\r")
		if len(rest) == 0 {
			return words
		}
		at = len(line) - len(rest)
		end := bytes.IndexAny(rest, " \t\r")
		if end < 0 {
			end = len(rest)
		}
		words = append(words, word{rest[:end], start + at})
		at += end
	}
}
