package readers

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
)

// edgeLines are the lines "a b" or "a b w" of a list of edges, or of the terms of a quadratic function. Vertices are
// named by numbers or by other words.
type edgeLines struct {
	text      []byte
	first     int       // offset of the first line that is an edge
	line      int       // its number among those that are no comments, from 0
	separator byte      // a comma, a semicolon, a tab, or a blank for any number of blanks and tabs
	columns   int       // of the first line
	from, to  int       // the columns of the ends
	weight    int       // the column of the weight; -1: there is none
	heads     [][]byte  // the names of the ends in a heading of two columns, which may be an edge
	konect    [2]string // the form and the weights in the first line of KONECT; "": there is no such line
	given     int       // the number of vertices in the comments of KONECT, or 0
	others    others    // of the first edge
}

// Edges reads a list of edges without a header: of SNAP, KONECT or networkx, or a table with or without a heading. An
// edge without a weight has the weight 1.
func Edges(text []byte, to Sink) (Facts, error) {
	l, err := newEdgeLines(text)
	if err != nil {
		return Facts{}, err
	}
	known, err := l.vertices()
	if err == nil && len(l.heads) > 0 && slices.ContainsFunc(l.heads, known.has) { // it is an edge, not a heading
		l.line, l.from, l.to, l.heads = 0, 0, 1, nil
		known, err = l.vertices()
	}
	if err != nil {
		return Facts{}, err
	}
	if len(known.names)+len(known.numbers) == 0 {
		return Facts{}, fault(len(text), "no edges. Write lines \"a b\" or \"a b weight\".")
	}
	base, names := known.arrange(l.given)
	if err := to.Size(known.n, base, names, l.first); err != nil {
		return Facts{}, err
	}
	facts := Facts{Repeats: Equal, Bare: l.weight < 0}
	weighed := false
	if m := l.konect[1]; m == "positive" || strings.HasPrefix(m, "multi") {
		facts.Repeats = Summed
	}
	err = l.each(func(a, b, w []byte, at int) error {
		c, digits := int64(1), 0
		if w != nil {
			weighed = true
			if c, digits, err = number(w, at); err != nil {
				return err
			}
		}
		return to.Term(known.of(l.end(a, 0)), known.of(l.end(b, 1)), c, digits, at)
	})
	if !weighed {
		facts.Others = l.others
	}
	return facts, err
}

// vertices returns those that the list names.
func (l *edgeLines) vertices() (*vertices, error) {
	known := newVertices(max(1<<20, len(l.text)))
	return known, l.each(func(a, b, _ []byte, _ int) error {
		known.see(l.end(a, 0))
		known.see(l.end(b, 1))
		return nil
	})
}

// end returns the name of an end. In a graph of KONECT with two sides these count apart.
func (l *edgeLines) end(w []byte, which int) []byte {
	if l.konect[0] != "bip" {
		return w
	}
	return append([]byte{"LR"[which]}, w...)
}

// ends are pairs of words that are headings of the two ends of an edge, in lower case and without blanks, _ and -.
var ends = [][2]string{{"source", "target"}, {"from", "to"}, {"src", "dst"}, {"src", "dest"}, {"u", "v"}, {"i", "j"},
	{"node1", "node2"}, {"id1", "id2"}, {"vertex1", "vertex2"}, {"v1", "v2"}, {"fromnodeid", "tonodeid"},
	{"fromnode", "tonode"}, {"fromid", "toid"}, {"sourceid", "targetid"}, {"head", "tail"}, {"tail", "head"},
	{"row", "col"}, {"row", "column"}, {"var1", "var2"}, {"variable1", "variable2"}, {"node", "neighbor"},
	{"start", "end"}, {"user1", "user2"}, {"name1", "name2"}, {"from", "target"}, {"source", "destination"}}

// weightWords are headings of the weights.
var weightWords = []string{"weight", "w", "value", "weights", "coupling", "bias", "q", "cost", "rating", "count"}

// mostColumns is the largest number of columns of a table with a heading.
const mostColumns = 64

var unspaced = strings.NewReplacer(" ", "", "_", "", "-", "")

// heading finds the columns of a line of headings. weight is -1 if none is that of the weights. Two single letters may
// as well be an edge, and are no headings without a weight.
func heading(words []word) (from, to, weight int, ok bool) {
	var plain []string
	if len(words) > mostColumns {
		return 0, 0, 0, false
	}
	for _, w := range words {
		name := strings.ToLower(strings.Trim(string(w.text), "\"' "))
		plain = append(plain, unspaced.Replace(name))
	}
	for _, e := range append(slices.Clip(ends), numbered(plain)...) {
		from, to = slices.Index(plain, e[0]), slices.Index(plain, e[1])
		if from < 0 || to < 0 {
			continue
		}
		weight = slices.IndexFunc(plain, func(w string) bool { return slices.Contains(weightWords, w) })
		if weight < 0 && len(plain) == 3 && from+to < 3 {
			weight = 3 - from - to
		}
		if weight < 0 && len(e[0]) == 1 {
			continue // it may as well be an edge
		}
		return from, to, weight, true
	}
	return 0, 0, 0, false
}

// numbered returns the pair of words that are the same but for 1 and 2, or a and b, at their ends, if there is no third
// one: person1 and person2.
func numbered(words []string) (pairs [][2]string) {
	for _, w := range words {
		for _, ends := range []string{"123", "abc"} {
			stem, ok := strings.CutSuffix(w, ends[:1])
			if ok && len(stem) > 2 && slices.Contains(words, stem+ends[1:2]) && !slices.Contains(words, stem+ends[2:]) {
				pairs = append(pairs, [2]string{w, stem + ends[1:2]})
			}
		}
	}
	return pairs
}

// IsHeading reports whether a line has the names of the ends of edges above their columns.
func IsHeading(line []byte) bool {
	l := edgeLines{separator: separatorOf(line)}
	_, _, _, ok := heading(l.split(line, 0))
	return ok
}

var konectForm = regexp.MustCompile(`^%\s*(sym|asym|bip)\s+(\w+)\s*$`)

// newEdgeLines finds the layout of a list.
func newEdgeLines(text []byte) (*edgeLines, error) {
	l := &edgeLines{text: text, first: len(text), to: 1, weight: -1}
	var lines [][]word
	err := eachLine(text, func(line []byte, start int) error {
		switch trimmed := bytes.TrimSpace(line); {
		case len(trimmed) == 0:
			return nil
		case trimmed[0] == '#' || trimmed[0] == '%':
			l.comment(trimmed)
			return nil
		}
		if l.separator == 0 {
			l.separator, l.first = separatorOf(line), start
		}
		if lines = append(lines, l.split(line, start)); len(lines) == 2 {
			return errEnough
		}
		return nil
	})
	switch {
	case err != nil && err != errEnough:
		return nil, err
	case len(lines) == 0:
		return l, nil
	}
	l.columns = len(lines[0])
	if err := l.layout(lines); err != nil {
		return nil, err
	}
	return l, nil
}

// errEnough ends a look at the first lines.
var errEnough = fault(0, "")

// comment reads a comment that KONECT writes.
func (l *edgeLines) comment(text []byte) {
	if m := konectForm.FindSubmatch(text); m != nil {
		l.konect = [2]string{string(m[1]), string(m[2])}
		return
	}
	if words := bytes.Fields(bytes.TrimLeft(text, "% ")); l.konect[0] != "" && l.konect[0] != "bip" && len(words) == 3 {
		if n, ok := whole(words[1]); ok && n < len(l.text) {
			l.given = n
		}
	}
}

// layout finds the columns from the first two lines that are no comments.
func (l *edgeLines) layout(lines [][]word) error {
	first := lines[0]
	if from, to, weight, ok := heading(first); ok {
		l.from, l.to, l.weight, l.line = from, to, weight, 1
		if len(first) == 2 {
			l.heads = [][]byte{first[0].text, first[1].text}
		}
		for c, name := range first {
			if c != from && c != to && len(lines) > 1 && c < len(lines[1]) {
				l.others.see(strings.Trim(string(name.text), "\"' "), lines[1][c].text)
			}
		}
		return nil
	}
	dict := func(w []word) bool { return len(w) > 2 && w[2].text[0] == '{' }
	if len(lines) == 2 && len(first) <= 3 && len(first) == len(lines[1]) && len(first) > 1 && !dict(first) {
		numbers := func(w []word) bool {
			for _, w := range w {
				if _, _, err := number(w.text, 0); err != nil {
					return false
				}
			}
			return true
		}
		if !numbers(first[2:]) && numbers(lines[1][2:]) || !numbers(first[:1]) && !numbers(first[1:2]) &&
			numbers(lines[1][:2]) {
			first, l.line = lines[1], 1
		}
	}
	switch {
	case len(first) < 2:
		return fault(first[0].at, "one word in a line, %s. Write an edge as \"a b\" or \"a b weight\".",
			input.Shown(first[0].text))
	case l.konect[0] != "":
		if len(first) > 2 && l.konect[1] != "unweighted" {
			l.weight = 2
		}
	case len(first) > 3:
		return fault(first[3].at, "a fourth word, %s. Write an edge as \"a b\" or \"a b weight\", or a heading with "+
			"the names source, target and weight above the columns.", input.Shown(first[3].text))
	case len(first) == 3:
		l.weight = 2
		for _, m := range dictNumber.FindAllSubmatch(first[2].text, -1) {
			l.others.see(string(m[1]), m[2])
		}
	}
	return nil
}

// separatorOf returns the separator of a line.
func separatorOf(line []byte) byte {
	switch {
	case bytes.Count(line, []byte(";")) > 0 && bytes.Count(line, []byte(",")) == 0:
		return ';'
	case bytes.IndexByte(line, '{') < 0 && bytes.IndexByte(line, ',') >= 0:
		return ','
	case bytes.IndexByte(line, '\t') >= 0 && !bytes.Contains(line, []byte(" \t")) && bytes.IndexByte(line, '{') < 0:
		return '\t'
	}
	return ' '
}

// split splits a line into its words. Words in quotes may hold separators. A dictionary of networkx is one word.
func (l *edgeLines) split(line []byte, start int) (words []word) {
	for at, more := 0, true; more; {
		var w word
		w, at, more = l.next(line, at, start)
		if w.text == nil && l.separator == ' ' {
			break
		}
		words = append(words, w)
	}
	return words
}

// closing returns the offset of the first quotation mark that is not one of two, or -1.
func closing(text []byte, mark byte) int {
	for at := 0; at < len(text); at++ {
		switch {
		case text[at] != mark:
		case at+1 < len(text) && text[at+1] == mark:
			at++
		default:
			return at
		}
	}
	return -1
}

// next returns the word at an offset of a line, and the offset of the next one. more is false if there is none.
func (l *edgeLines) next(line []byte, at, start int) (w word, next int, more bool) {
	for at < len(line) && (line[at] == ' ' || line[at] == '\t' && l.separator != '\t') {
		at++
	}
	if at == len(line) {
		return word{at: start + at}, at, false
	}
	end := at
	switch c := line[at]; {
	case c == '"' || c == '\'':
		if i := closing(line[at+1:], c); i >= 0 {
			end = at + 1 + i
			w = word{bytes.ReplaceAll(line[at+1:end], []byte{c, c}, []byte{c}), start + at}
			end++
			break
		}
		fallthrough
	default:
		if c == '{' && l.separator == ' ' {
			end = len(line)
		}
		for end < len(line) && line[end] != l.separator && (l.separator != ' ' || line[end] != '\t') {
			end++
		}
		w = word{bytes.TrimRight(line[at:end], " \t"), start + at}
	}
	for end < len(line) && (line[end] == ' ' || line[end] == '\t' && l.separator != '\t') {
		end++
	}
	if end < len(line) && line[end] == l.separator {
		return w, end + 1, true
	}
	return w, end, end < len(line)
}

// dictWeight finds the weight in a dictionary of networkx, and dictNumber what may be any number.
var (
	dictWeight = regexp.MustCompile(`['"]weight['"]\s*:\s*([^,}\s]+)`)
	dictNumber = regexp.MustCompile(`['"]([^'"]+)['"]\s*:\s*([-+.\d][^,}\s]*)`)
)

// each calls f with the ends and the weight of each edge. The weight is nil if there is none.
func (l *edgeLines) each(f func(a, b, weight []byte, at int) error) error {
	k := 0
	return eachLine(l.text, func(line []byte, start int) error {
		i := 0
		for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
			i++
		}
		if i == len(line) || line[i] == '#' || line[i] == '%' {
			return nil
		}
		if k++; k <= l.line {
			return nil
		}
		var a, b, w word
		n := 0
		for at, more := 0, true; more; n++ {
			var v word
			if v, at, more = l.next(line, at, start); v.text == nil && l.separator == ' ' {
				break
			}
			switch n {
			case l.from:
				a = v
			case l.to:
				b = v
			case l.weight:
				w = v
			}
		}
		return l.edge(n, a, b, w, start+i, f)
	})
}

// edge calls f with the edge of a line of n words.
func (l *edgeLines) edge(n int, a, b, w word, at int, f func(a, b, weight []byte, at int) error) error {
	switch {
	case len(a.text) == 0 || len(b.text) == 0:
		return fault(at, "an edge without its two ends. Write an edge as \"a b\" or \"a b weight\".")
	case n != l.columns && l.konect[0] == "":
		return fault(at, "a line of %d words, and the first one has %d. Write all edges in the same way.", n,
			l.columns)
	case l.weight < 0:
		return f(a.text, b.text, nil, at)
	case len(w.text) > 0 && w.text[0] == '{':
		m := dictWeight.FindSubmatch(w.text)
		if m == nil {
			return f(a.text, b.text, nil, at)
		}
		return f(a.text, b.text, m[1], at)
	case w.text == nil && l.konect[0] != "":
		return f(a.text, b.text, nil, at)
	case len(w.text) == 0:
		return fault(at, "an edge without a weight, and others have one. Write a number.")
	}
	return f(a.text, b.text, w.text, at)
}
