package record

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/solvers"
)

// A sense has a sign, and a result with another text than the two senses is refused.
func TestSense(t *testing.T) {
	if Minimize.Sign() != 1 || Maximize.Sign() != -1 || SenseOf(1) != Minimize || SenseOf(-1) != Maximize {
		t.Error("Sign and SenseOf do not match")
	}
	for sense, good := range map[Sense]bool{Minimize: true, Maximize: true, "max": false, "": false} {
		text, err := (&Result{Header: Header{Format: Format, FormatVersion: Version}, Task: Task{Sense: sense}}).Seal()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseResult(text); (err == nil) != good || !good && !strings.Contains(err.Error(), "sense") {
			t.Errorf("%q: %v", sense, err)
		}
	}
}

// A change of one variable counts as its part of a point among the variable evaluations.
func TestVariableRate(t *testing.T) {
	r := Result{Dim: 1000, Effort: Effort{Evaluations: 5e3, Work: 5e3, Moves: 5e6, Seconds: 2}}
	if got := r.VariableRate(); got != 2.5e6 {
		t.Errorf("%g variable evaluations a second, want 2.5e6", got)
	}
}

// A result without moves is written as before there were any, so files of older versions are read.
func TestMovesAreOptional(t *testing.T) {
	r := Result{Header: Header{Format: Format, FormatVersion: Version}, Task: Task{Sense: Minimize},
		Effort: Effort{Evaluations: 7, Work: 7.5}}
	for _, moves := range []int64{0, 90} {
		r.Moves = moves
		text, err := r.Seal()
		if err != nil {
			t.Fatal(err)
		}
		if has := strings.Contains(string(text), `"moves"`); has != (moves > 0) {
			t.Errorf("%d moves: %s", moves, text)
		}
		if got, err := ParseResult(text); err != nil || got.Moves != moves || got.Evaluations != 7 {
			t.Errorf("%d moves are read as %+v, %v", moves, got, err)
		}
	}
}

// Whole numbers beyond 2^53 keep their digits in JSON, and a value that is worse by less than float64 shows is not said
// to be the optimum.
func TestDigits(t *testing.T) {
	q := graph.Quadratic{Linear: []int64{-1<<53 - 1, -3, 1}}
	q.Pairs, _, _, _ = new(graph.Edges).Graph(3, false)
	p, err := cut.New(graph.NewModel(graph.Bits, q))
	if err != nil {
		t.Fatal(err)
	}
	for digits, x := range map[string][]float64{"-9007199254740996": {1, 1, 0}, "-9007199254740995": {1, 1, 1}} {
		f, err := problems.Eval(p, x)
		if err != nil {
			t.Fatal(err)
		}
		b := BestOf(p, &solvers.Result{X: x, F: f, HostF: f, Again: f})
		if b.Value() != digits || b.BestKnown() != "-9007199254740996" || b.Optimal() != (x[2] == 0) {
			t.Errorf("%s is the optimum: %v, %+v", b.Value(), b.Optimal(), b)
		}
		text, err := json.Marshal(b)
		var back Best
		if err != nil || !strings.Contains(string(text), `"f":`+digits) || json.Unmarshal(text, &back) != nil ||
			!reflect.DeepEqual(back, b) {
			t.Errorf("%s is read as %+v, %v", text, back, err)
		}
	}
}
