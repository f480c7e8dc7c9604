package methods

import (
	"strings"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// lacks are what a problem may lack for a method. words are in the text of the refusal.
var lacks = []struct{ words, property string }{
	{"is a function of the host", "a device text"},
	{"are 0 or 1", "real variables"},
	{"is not linear in its sums", "g linear"},
	{"bend up in its sums", "g that bends down"},
	{"may read any variable", "windows or lists"},
	{"read variables of other tiles", "parts within tiles"},
	{"takes problems on graphs", "a cut"},
	{"declares none", "squares"},
	{"variables at most", "few variables"},
}

// Missing returns the property that p lacks for m, as docs/matrix.md names it, and "" where m takes p. If the refusal
// of m names no property of the table, Missing returns its text.
func Missing(m solvers.Solver, p problems.Problem, prec problems.Precision) string {
	err := solvers.Suits(m, p, prec)
	if err == nil {
		return ""
	}
	for _, w := range lacks {
		if strings.Contains(err.Error(), w.words) {
			return w.property
		}
	}
	return err.Error()
}
