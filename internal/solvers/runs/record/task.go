package record

import (
	"fmt"
	"strings"

	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/solvers"
)

// Task is what ran. A run with the same task on devices of the same kind has the same bits.
type Task struct {
	Problem   string    `json:"problem"` // its spec
	Sense     Sense     `json:"sense"`   // which values are better; "" in the traces of older versions
	Algorithm Algorithm `json:"algorithm"`
	Seed      uint32    `json:"seed"`
	Run       uint32    `json:"run"`
	Precision string    `json:"precision"`
	Data      string    `json:"data,omitempty"`
}

// Algorithm is the name of a method, and its settings as its String returns them.
type Algorithm struct {
	Name     string `json:"name"`
	Settings string `json:"settings"`
}

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

// SenseOf returns Maximize for a negative sign, and otherwise Minimize.
func SenseOf(sign float64) Sense {
	if sign < 0 {
		return Maximize
	}
	return Minimize
}

// Limits are the stop rules of a run. A zero field is no rule.
type Limits struct {
	Evaluations int64        `json:"evaluations,omitempty"`
	Moves       int64        `json:"moves,omitempty"`
	Seconds     exact.Number `json:"seconds,omitempty"`
	Stall       exact.Number `json:"stall,omitempty"` // seconds without a better value
	// StallEvaluations are evaluations without a better value.
	StallEvaluations int64         `json:"stall_evaluations,omitempty"`
	Target           *exact.Number `json:"target,omitempty"`
	GTol             exact.Number  `json:"gtol,omitempty"` // slope at which a run ends
}

// LimitsOf returns the limits of a budget. sign is the factor of shown values.
func LimitsOf(b solvers.Budget, sign float64) Limits {
	l := Limits{Evaluations: b.Evaluations, Moves: b.Moves, Seconds: Seconds(b.Time), Stall: Seconds(b.Stall),
		StallEvaluations: b.StallEvaluations, GTol: exact.Number(b.GTol)}
	if b.Target != nil {
		l.Target = new(exact.Number(sign * *b.Target))
	}
	return l
}

// String returns the limits in words, without the target: "1000 evaluations or 60 s".
func (l Limits) String() string {
	var parts []string
	if l.Evaluations > 0 {
		parts = append(parts, fmt.Sprintf("%d evaluations", l.Evaluations))
	}
	if l.Moves > 0 {
		parts = append(parts, fmt.Sprintf("%d moves", l.Moves))
	}
	if l.Seconds > 0 {
		parts = append(parts, fmt.Sprintf("%g s", float64(l.Seconds)))
	}
	if l.Stall > 0 {
		parts = append(parts, fmt.Sprintf("%g s without a better value", float64(l.Stall)))
	}
	if l.StallEvaluations > 0 {
		parts = append(parts, fmt.Sprintf("%d evaluations without a better value", l.StallEvaluations))
	}
	return strings.Join(parts, " or ")
}

// Cell is the place of a run in a campaign.
type Cell struct {
	Suite string `json:"suite"`
	Table string `json:"table"`
	Label string `json:"label"` // name of the method in the table
	// Devices is the number of devices that the campaign asks for; 0 means all.
	Devices int `json:"devices,omitempty"`
	// View says how to show the table; nil means by function and method.
	View *View `json:"view,omitempty"`
}

// View describes a table of a campaign that compares more than final values. The table has a line for each problem and
// method, and a column for each metric.
type View struct {
	// Show names the metrics, such as "error", "seconds" or "at 10s".
	Show []string `toml:"show" json:"show,omitempty"`
	// Baselines are methods of the table, or of a paper, with which speeds are compared.
	Baselines []string `toml:"baselines" json:"baselines,omitempty"`
	// Ratio is the quantity that is compared with a baseline; "" means seconds.
	//
	//	seconds    time of whole runs that came to their end or target
	//	rate       evaluations a second
	//	move rate  moves a second
	//	value      seconds until the final value of the baseline is reached
	Ratio string `toml:"ratio" json:"ratio,omitempty"`
}
