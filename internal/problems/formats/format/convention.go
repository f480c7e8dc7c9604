package format

import "regexp"

// Convention says what the lines "i j q" of a QUBO after a header "n m" mean. All count from 1 and are minimized.
type Convention struct {
	Name  string // whose it is; "": none is known
	Twice bool   // the term of a pair counts twice: it is x'Qx with one triangle of a symmetric Q
}

var (
	biqMac = Convention{"Biq Mac", true}
	qoblib = Convention{"QOBLIB", true}
	bonn   = Convention{"Bonn", false} // x'Qx, and the elements of Q are all there
)

// offsetLine is in files of QOBLIB.
var offsetLine = regexp.MustCompile(`(?m)^#\s*ObjectiveOffset\s`)

// ConventionOf returns the convention of a file by its name or its beginning.
func ConventionOf(path string, head []byte) Convention {
	switch ext := Ext(path); {
	case ext == ".sparse":
		return biqMac
	case ext == ".bq":
		return bonn
	case ext == ".qs", offsetLine.Match(head):
		return qoblib
	}
	return Convention{}
}

// quboWords are in comments of QUBOs whose lines are like those of a graph.
var quboWords = regexp.MustCompile(`(?i)\bQUBO\b|\bBQP\b|\bx'Qx\b|\bObjectiveOffset\b`)

// SaysQUBO reports whether a comment says that a file holds a QUBO.
func SaysQUBO(comment []byte) bool { return quboWords.Match(comment) }

// commentLines are those of lists after "n m".
var commentLines = regexp.MustCompile(`(?m)^[ \t]*[#%].*$`)

// headed reports whether a list after "n m" is a QUBO by its name or its comments, or an Ising problem by its name.
func headed(path string, head []byte) (bits, spins bool) {
	if ConventionOf(path, head).Name != "" {
		return true, false
	}
	for _, c := range commentLines.FindAll(head, -1) {
		if SaysQUBO(c) {
			return true, false
		}
	}
	return false, Ext(path) == ".qh"
}
