// Package foreign names the formats of graphs and of quadratic problems that package formats does not read, so that
// their files are refused by name, and not read as something else.
package foreign

import (
	"bytes"
	"regexp"
)

// format is a format that is not read.
type format struct {
	what  string // as in "is WHAT"
	begin *regexp.Regexp
	cure  string
}

// edges says what to do with a graph.
const edges = "Write its edges as lines \"i j w\", counting from 1, after a line \"n m\" with the numbers of " +
	"vertices and edges (clopt help graphs has an example)"

// formats are tried in their order.
var formats = []format{
	{"a graph in GEXF", regexp.MustCompile(`<gexf\b`), edges},
	{"a graph in DOT", regexp.MustCompile(`\A\s*(strict\s+)?(di)?graph\b[^\[{\n]*\{`), edges},
	{"a graph of Pajek", regexp.MustCompile(`(?i)\A\s*\*(vertices|network)\b`), edges},
	{"a graph in graph6 or sparse6", regexp.MustCompile(`\A>>(graph|sparse)6<<`), edges},
	{"a problem of TSPLIB", regexp.MustCompile(`\A\s*(NAME|TYPE|COMMENT|DIMENSION)\s*:`),
		"Write the problem as a QUBO (clopt help graphs)"},
	{"a network in DIMACS form", regexp.MustCompile(`(?m)\A(c[^\n]*\n)*p\s+(sp|max|min|asn)\b`), edges},
	{"a matrix as Python prints it", regexp.MustCompile(`\A\s*(array\s*\(\s*)?\[\s*\[`),
		"Write it with numpy.savetxt(\"q.csv\", Q, delimiter=\",\") or with numpy.save"},
	{"a small table with a heading, whose rows may be edges or those of a matrix",
		regexp.MustCompile(`\A(?:[A-Za-z_]\w*[,;\t]){1,2}[A-Za-z_]\w*\r?\n[^,;\t\n]+[,;\t][^,;\t\n]+` +
			`([,;\t][^,;\t\n]*)?\r?\n`), "Call the columns source,target,weight if they are edges, and leave the " +
			"heading out if it is a matrix"},
}

// Recognize returns what a file is by its beginning, as in "is a graph in GML", and what to do about it, if it is in
// one of the formats that are not read. Otherwise what is "".
func Recognize(head []byte) (what, cure string) {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	for _, f := range formats {
		if f.begin.Match(head) {
			return f.what, f.cure
		}
	}
	return "", ""
}
