package runs

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
