package checkpoints

import (
	"fmt"
	"strconv"
)

// Identity has the properties in which a resumed run must be equal to the stored one.
type Identity struct {
	Problem   string `json:"problem"`
	Source    string `json:"source,omitempty"` // SHA-256 of the text of an objective
	Instance  string `json:"instance"`         // SHA-256 of the tables
	Solver    string `json:"solver"`
	Settings  string `json:"settings"`
	Seed      uint32 `json:"seed"`
	Run       uint32 `json:"run"`
	Precision string `json:"precision"`
}

// Difference describes the first difference of two runs. It is "" if they are equal.
func (a Identity) Difference(b Identity) string {
	for _, f := range []struct{ name, a, b string }{
		{"problem", a.Problem, b.Problem},
		{"objective's text (SHA-256)", a.Source, b.Source},
		{"instance data (SHA-256)", a.Instance, b.Instance},
		{"solver", a.Solver, b.Solver},
		{"solver settings", a.Settings, b.Settings},
		{"seed", strconv.FormatUint(uint64(a.Seed), 10), strconv.FormatUint(uint64(b.Seed), 10)},
		{"run", strconv.FormatUint(uint64(a.Run), 10), strconv.FormatUint(uint64(b.Run), 10)},
		{"precision", a.Precision, b.Precision},
	} {
		if f.a != f.b {
			return fmt.Sprintf("the %s is %s, and was %s", f.name, f.b, f.a)
		}
	}
	return ""
}
