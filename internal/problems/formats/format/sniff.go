package format

import (
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/problems/formats/foreign"
	"github.com/clopt/clopt/internal/problems/formats/meta"
	"github.com/clopt/clopt/internal/problems/formats/readers"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// Sniffed is the number of bytes by which a file is recognized.
const Sniffed = 64 << 10

// Sniff returns the format of a file by its content, and the kinds of problems that it may hold; there is one if the
// content says so. The format is Unknown if the file cannot be read; the reader of the file reports the fault.
func Sniff(path string) (Format, []graph.Kind) {
	src, err := input.FileSource(path)
	if err != nil {
		return Unknown, nil
	}
	t, err := src.Text()
	if err != nil {
		return Unknown, nil
	}
	defer t.Close()
	head := make([]byte, Sniffed)
	n, _ := io.ReadFull(t, head)
	f := Recognize(path, head[:n])
	if (f == BQM || f == BQPJSON) && n == Sniffed {
		return f, kindsAfter(t, path, f, head)
	}
	if m, err := meta.Read(path); (f == NPY || f == CSV || f == NPZ) && err == nil && m.Kind == "maxcut" {
		return f, []graph.Kind{graph.Sides}
	}
	return f, KindsOf(path, f, head[:n])
}

// kindsAfter returns the kinds that a file of a format in JSON may hold, of which the beginning of the text has been
// read into part. The key that says so may be anywhere.
func kindsAfter(rest io.Reader, path string, f Format, part []byte) []graph.Kind {
	const longest = 256 // bytes of the key and its value
	for {
		kinds := KindsOf(path, f, part)
		kept := copy(part, part[len(part)-longest:])
		n, err := io.ReadFull(rest, part[kept:cap(part)])
		if part = part[:kept+n]; len(kinds) == 1 || err != nil && n == 0 {
			return kinds
		}
	}
}

// KindsOf returns the kinds that a file of a format may hold.
func KindsOf(path string, f Format, head []byte) []graph.Kind {
	switch {
	case f == Rudy:
		switch bits, spins := headed(path, head); {
		case bits:
			return []graph.Kind{graph.Bits}
		case spins:
			return []graph.Kind{graph.Spins}
		}
	case f == List:
		if m := vartype.FindSubmatch(head); m != nil {
			return []graph.Kind{vartypes[strings.ToUpper(string(m[1]))]}
		}
	case f == Python && pythonBits.Match(head):
		return []graph.Kind{graph.Bits}
	case f == Python && pythonSpins.Match(head):
		return []graph.Kind{graph.Spins}
	case f == BQM || f == BQPJSON || f == DimodFile:
		if m := jsonKind.FindSubmatch(head); m != nil {
			return []graph.Kind{vartypes[strings.ToUpper(string(m[1]))]}
		}
	}
	return f.Kinds()
}

// What tells QUBOs and Ising problems of Python from each other: of a tuple, as to_qubo and to_ising of dimod return
// it, the first dictionary has pairs or single variables; a QUBO alone has pairs of equal ones, (0, 0).
var (
	pythonBits = regexp.MustCompile(`\A\s*\(\s*(defaultdict\([^{]*)?\{\s*\(|` +
		`\(\s*0\s*,\s*0\s*\)\s*:|\(\s*1\s*,\s*1\s*\)\s*:`)
	pythonSpins = regexp.MustCompile(`\A\s*\(\s*(defaultdict\([^{]*)?\{`)
)

// vartype finds the kind of variables in the comments of a list, as dimod writes it, or with blanks, quotes or in
// other case.
var vartype = regexp.MustCompile(`(?im)^\x{feff}?[ \t\f]*#.*?vartype["' \t:=]+(SPIN|BINARY)\b`)

// otherVartype finds any kind of variables in a comment, without its mark.
var otherVartype = regexp.MustCompile(`(?i)^[ \t]*vartype[ \t]*[:=][ \t]*(\S+)`)

// VartypeIn returns the kind of variables that a comment of a list names, without its mark. unknown is a name of no
// kind that is read; said is false if it names none.
func VartypeIn(comment []byte) (kind graph.Kind, unknown []byte, said bool) {
	if m := vartype.FindSubmatch(append([]byte("#"), comment...)); m != nil {
		return vartypes[strings.ToUpper(string(m[1]))], nil, true
	}
	if m := otherVartype.FindSubmatch(comment); m != nil {
		return 0, m[1], true
	}
	return 0, nil, false
}

var vartypes = map[string]graph.Kind{"SPIN": graph.Spins, "BINARY": graph.Bits, "BOOLEAN": graph.Bits}

// jsonKind finds the kind of variables in JSON. Names of variables may be such words, too, without the key.
var jsonKind = regexp.MustCompile(`"(?:variable_(?:type|domain)|vartype)"\s*:\s*"(SPIN|BINARY|spin|boolean)"`)

// Recognize returns the format of a file by its beginning. A single number is a matrix in CSV only by the name.
func Recognize(path string, head []byte) Format {
	ext := Ext(path)
	if ext == ".csv" && !isEdgeTable(head) {
		return CSV
	}
	f := sniff(head)
	if f != Rudy && f != List && f != CSV && f != Unknown {
		return f
	}
	switch {
	case ext == ".graph" || ext == ".metis":
		return METIS
	case slices.Contains(EdgeList.Trait().Exts, ext):
		return EdgeList
	}
	return f
}

// Ext returns the extension of a path in lower case, without that of a packer.
func Ext(path string) string {
	return strings.ToLower(filepath.Ext(input.Unpacked(path)))
}

// sniff returns the format of a text by its beginning.
func sniff(head []byte) Format {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	switch {
	case bytes.HasPrefix(head, []byte(input.NpyMagic)):
		return NPY
	case bytes.HasPrefix(head, []byte(input.ZipMagic)):
		return NPZ
	case bytes.HasPrefix(head, []byte(readers.DimodMagic)):
		return DimodFile
	case isMarket(head):
		return Matrix
	case Python.Trait().Begin.Match(head):
		return Python
	case bytes.IndexAny(bytes.TrimSpace(head), "{[") == 0:
		return sniffJSON(head)
	case isEdgeTable(head) && !isProgram(head):
		return EdgeList
	case isForeign(head):
		return Foreign
	}
	for f, t := range traits {
		if t.Begin != nil && t.Begin.Match(head) {
			return Format(f)
		}
	}
	switch {
	case isLP(head):
		return LP
	case isMPS(head):
		return MPS
	case isNamedEdges(head), isEdgePairs(head):
		return EdgeList
	case isSmallMatrix(head):
		return CSV
	case input.IsRow(head, ','), input.IsRow(head, ';'), input.IsRow(head, ' '), isLabelled(head):
		return CSV
	case vartype.Match(head):
		return List // even if the first line has two numbers: dimod writes no header
	}
	return sniffNumbers(head)
}

// sniffJSON returns the format of a text in JSON, or of one that begins so.
func sniffJSON(head []byte) Format {
	switch {
	case bytes.Contains(head, []byte(`"bqm_schema"`)) || bytes.Contains(head, []byte(`"BinaryQuadraticModel"`)):
		return BQM
	case bytes.Contains(head, []byte(`"variable_`)):
	case NodeLink.Trait().Begin.Match(head):
		return NodeLink
	case isForeign(head):
		return Foreign
	}
	return BQPJSON // its reader reports what is missing
}

// isForeign reports whether a text is in a format that is not read.
func isForeign(head []byte) bool {
	what, _ := foreign.Recognize(head)
	return what != ""
}

// isMarket reports whether a text begins as a MatrixMarket file. Its reader refuses a banner with one percent sign,
// which would be a comment in other formats.
func isMarket(head []byte) bool {
	name := bytes.TrimLeft(head, "%")
	return len(name) < len(head) && bytes.HasPrefix(bytes.ToLower(name), []byte("matrixmarket"))
}

// isLP reports whether the first word, after comments, begins the objective of an LP file. The reader refuses the form
// of lp_solve.
func isLP(head []byte) bool { return lpSense.Match(lpComments.ReplaceAll(head, nil)) }

// lpComments are the comments before the objective; the latter two forms are those of lp_solve.
var lpComments = regexp.MustCompile(`^(\s*(\\.*\n|//.*\n|/\*(?s:.*?)\*/))*\s*`)

// lpSense matches a word of LPSenses at the beginning of a text that does not give it a value.
var lpSense = regexp.MustCompile(`(?i)^(` + strings.Join(LPSenses, "|") + `)(:|\s*$|\s+[^=\s])`)

// isProgram reports whether a text is an LP or an MPS file that begins with comments. These may have commas and quotes.
func isProgram(head []byte) bool {
	return bytes.HasPrefix(head, []byte(`\`)) && isLP(head) || bytes.HasPrefix(head, []byte("*")) && isMPS(head)
}

// isLabelled reports whether a text begins as a square table with the names of its rows and columns, right or wrong.
func isLabelled(head []byte) bool {
	var line []byte
	for line = range bytes.Lines(head) {
		if !input.IsComment(line) {
			break
		}
	}
	l := input.LabelsOf(head, input.Separator(line), len(head) >= Sniffed)
	return l.Index || l.Fault != ""
}

// isMPS reports whether the first line, after comments, begins a section of an MPS file.
func isMPS(head []byte) bool {
	for line := range bytes.Lines(head) {
		if len(bytes.TrimSpace(line)) == 0 || line[0] == '*' {
			continue
		}
		word := string(bytes.Fields(line)[0])
		return bytes.HasPrefix(line, []byte(word)) && slices.Contains([]string{"NAME", "ROWS", "OBJSENSE"}, word)
	}
	return false
}

// sniffNumbers returns the format of a text by its first lines that are not comments.
func sniffNumbers(head []byte) Format {
	s := input.NewScanner(bytes.NewReader(head), "")
	var first [][]byte
	problem := false
	for {
		kind, word, err := s.Next()
		switch {
		case err != nil && len(first) > 2:
			return List // its reader reports the fault
		case err != nil && len(first) > 0:
			return Rudy
		case err != nil || kind == input.EndText:
			return Unknown
		case problem && string(word) == "qubo":
			return QUBO
		case problem && slices.Contains([]string{"edge", "edges", "col"}, string(word)):
			return DIMACS
		case problem:
			return Unknown
		case kind == input.EndLine:
			return sniffLine(s, first)
		case len(first) == 0 && string(word) == "e":
			return DIMACS // without a header
		}
		first = append(first, slices.Clone(word))
		if len(first) == 1 && len(word) == 1 && word[0] == 'p' {
			problem = true
			continue
		}
		if _, _, err := input.Exact(word); err != nil {
			switch c := word[0]; {
			case len(first) == 1 && (c < '0' || c > '9') && c != '-' && c != '+':
				return Unknown
			case len(first) > 2:
				return List
			}
			return Rudy
		}
	}
}

// sniffLine returns the format of a text whose first line has the given numbers. s stands after that line.
func sniffLine(s *input.Scanner, first [][]byte) Format {
	switch len(first) {
	case 1:
		second := 0
		for {
			kind, _, err := s.Next()
			if err != nil || kind != input.Field {
				if kind == input.EndLine && second == 2 {
					return ORLibrary
				}
				return List
			}
			second++
		}
	case 2:
		if n, ok, _ := input.Index(first[1]); string(first[0]) == "1" && ok && n > 1 {
			return Palubeckis // a graph of one vertex has no edges
		}
		return Rudy
	}
	return List
}
