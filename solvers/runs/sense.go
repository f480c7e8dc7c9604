package runs

import (
	"fmt"

	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cut"
)

// Sense says which values of a run are better: Minimize or Maximize. Files have the values that a person sees.
type Sense string

// The senses, as result.json and the first line of a trace have them.
const (
	Minimize Sense = "minimize"
	Maximize Sense = "maximize"
)

// Sign is 1, or -1 for Maximize: the smaller of two values times it is the better one.
func (s Sense) Sign() float64 {
	if s == Maximize {
		return -1
	}
	return 1
}

// senseOf is the sense that values of this sign have.
func senseOf(sign float64) Sense {
	if sign < 0 {
		return Maximize
	}
	return Minimize
}

// checked returns s. Results of older versions have none: theirs follows from the problem.
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
