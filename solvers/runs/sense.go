package runs

import (
	"fmt"

	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cut"
)

// Sense says which values of a run are better. Files have values in the sense of the problem.
type Sense string

// The senses, as result.json and the first line of a trace spell them.
const (
	Minimize Sense = "minimize"
	Maximize Sense = "maximize"
)

// Sign returns 1, or -1 for Maximize. Of two values times Sign, the smaller one is better.
func (s Sense) Sign() float64 {
	if s == Maximize {
		return -1
	}
	return 1
}

// senseOf returns Maximize for a negative sign, and otherwise Minimize.
func senseOf(sign float64) Sense {
	if sign < 0 {
		return Maximize
	}
	return Minimize
}

// checked returns s, or an error if s is unknown. For "", as in results of older versions, it returns the sense of the
// problem.
func (s Sense) checked(problem string) (Sense, error) {
	switch s {
	case Minimize, Maximize:
		return s, nil
	case "":
	default:
		return "", fmt.Errorf("sense %.40q is neither %s nor %s", s, Minimize, Maximize)
	}
	spec, err := catalog.Spec(problem)
	if err != nil {
		return "", fmt.Errorf("no sense, and the problem is unknown: %w", err)
	}
	if yes, _ := spec.Get("maximize"); yes == "true" || spec.Family == cut.MaxCut.Name {
		return Maximize, nil
	}
	return Minimize, nil
}
