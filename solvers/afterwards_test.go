package solvers

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// A function of the host that never answers does not hold up the end of a run.
func TestAfterwards(t *testing.T) {
	p := problems.NewFunction(problems.Spec{Family: "function"}, problems.Info{}, problems.Cube(2, 0, 1),
		func(ctx context.Context, _ [][]float64) ([]float64, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
	r := &Result{X: []float64{0.5, 0.5}, Elapsed: 20*time.Millisecond - 10*time.Second}
	var none *NonFiniteError
	if err := r.evaluate(p, shard.NoDevices(shard.Options{}), problems.FP64); !errors.As(err, &none) {
		t.Errorf("a first value: %v", err)
	}
	r.F = 1
	if err := r.again(p, shard.NoDevices(shard.Options{}), problems.FP64); err != nil || Agree(r.F, r.Again, 1) {
		t.Errorf("a second value: %v, %v", r.Again, err)
	}
}
