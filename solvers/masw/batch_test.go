package masw

import (
	"fmt"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/test/solvertest"
)

// Runs share launches while their points and partial sums have 64 MiB together (docs/masw.md has these numbers).
func TestBatchSize(t *testing.T) {
	for _, c := range []struct {
		n, population int
		prec          problems.Precision
		want          int
	}{
		{1000, 0, problems.FP64, 83}, {1000, 0, problems.FP32, 166}, {10000, 0, problems.FP64, 8},
		{100000, 0, problems.FP64, 1}, {10000000, 0, problems.FP64, 1}, {2, 0, problems.FP64, 256},
		{2, 1000, problems.FP64, 65}, {2, 65535, problems.FP64, 1},
	} {
		p := solvertest.ParseProblem(t, fmt.Sprintf("classic/rastrigin:n=%d", c.n))
		if got := (&MASW{Population: c.population}).BatchSize(p, c.prec); got != c.want {
			t.Errorf("%+v: the batch size is %d", c, got)
		}
	}
}
