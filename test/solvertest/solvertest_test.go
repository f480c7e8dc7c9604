package solvertest

import (
	"testing"

	"github.com/clopt/clopt/solvers"
)

// Recording a sample without a step number does not panic. Minimize refuses such a method afterwards.
func TestRecordWithoutStep(t *testing.T) {
	var r samples
	if err := r.Record(solvers.Sample{Elapsed: 3}); err != nil || len(r.all) != 1 || r.all[0].Elapsed != 0 {
		t.Errorf("%+v, %v", r.all, err)
	}
}
