package record

import (
	"encoding/json"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// Kept says what the points are worth that a run has kept.
type Kept struct {
	Points int          `json:"points"`
	Best   int          `json:"best"`  // how many of them have the value of the best one
	Worst  exact.Number `json:"worst"` // the value of the last one
}

// KeptOf returns what points of p are worth. There is at least one.
func KeptOf(p problems.Problem, kept []solvers.Kept) *Kept {
	k := &Kept{Points: len(kept), Worst: exact.Number(p.Info().Sign() * kept[len(kept)-1].F)}
	for _, s := range kept {
		if s.F == kept[0].F {
			k.Best++
		}
	}
	return k
}

// array is an array as dimod writes it.
type array struct {
	Type  string `json:"type"`
	Data  any    `json:"data"`
	Dtype string `json:"data_type"`
	Shape []int  `json:"shape"`
	Bytes bool   `json:"use_bytes"`
}

// SampleSet returns the points that a run of p has kept as JSON that SampleSet.from_serializable of dimod reads, with
// the values of the problem as energies, and how often searches ended in each. Variables have their names, or their
// numbers from 0 on; those of an Ising problem are -1 and 1.
func SampleSet(p problems.Problem, kept []solvers.Kept) []byte {
	n := p.Domain().N
	kind, low, step := "BINARY", 0, 1
	if p.Spec().Family == "ising" {
		kind, low, step = "SPIN", -1, 2
	}
	rows, energies, counts := make([][]int, len(kept)), make([]json.Number, len(kept)), make([]int, len(kept))
	for k, s := range kept {
		rows[k], counts[k] = make([]int, n), s.Count
		for i, v := range s.X {
			rows[k][i] = low + step*int(v)
		}
		energies[k] = energy(p, s)
	}
	labels := make([]any, n)
	for i := range labels {
		labels[i] = i
		if names := p.Domain().Names; names != nil {
			labels[i] = names[i]
		}
	}
	sense := Minimize
	if p.Info().Maximize {
		sense = Maximize
	}
	text, err := json.Marshal(map[string]any{
		"type": "SampleSet", "version": map[string]string{"sampleset_schema": "3.1.0"},
		"num_variables": n, "num_rows": len(kept),
		"sample_data": array{"array", rows, "int8", []int{len(kept), n}, false}, "sample_type": "int8",
		"sample_packed": false,
		"vectors": map[string]array{"energy": {"array", energies, "float64", []int{len(kept)}, false},
			"num_occurrences": {"array", counts, "int64", []int{len(kept)}, false}},
		"variable_labels": labels, "variable_type": kind,
		"info": map[string]any{"problem": p.Spec().String(), "sense": sense},
	})
	if err != nil {
		panic("record: " + err.Error()) // texts and numbers only
	}
	return append(text, '\n')
}

// energy returns the value of a point with all its digits, where it is a decimal number.
func energy(p problems.Problem, s solvers.Kept) json.Number {
	if e, ok := p.(problems.Exact); ok {
		x := make([]float64, len(s.X))
		for i, v := range s.X {
			x[i] = float64(v)
		}
		v := e.ExactValue(x)
		if _, decimal := v.FloatPrec(); decimal {
			return json.Number(input.Decimal(v))
		}
	}
	return json.Number(exact.Format(p.Info().Sign() * s.F))
}
