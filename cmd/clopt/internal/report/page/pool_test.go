package page

import (
	"fmt"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/report/reporttest"
)

// TestPool checks that methods are compared over the problems of all families and sizes, unless one of the problems has
// two sizes.
func TestPool(t *testing.T) {
	t.Chdir(t.TempDir())
	problem := func(name string, n int) {
		for i := range 4 {
			for m, method := range []string{"masw", "random"} {
				v := float64(10*(m+1) + i)
				reporttest.Trace(t, fmt.Sprintf("x/%s-%d-%d-%d", name, n, i, m), fmt.Sprintf("%s:n=%d", name, n), n,
					method, 1, 1, 10, 100*v, 20, 10*v, 40, v)
			}
		}
	}
	for i, name := range []string{"cec2013/f1", "classic/ackley", "classic/branin", "a.cl"} {
		problem(name, 10+i)
	}
	has(t, pageOf(t, nil), "masw is best on 4 of 4 problems.",
		"4 problems with results of all methods; tests across problems need 5 or more.")
	problem("b.cl", 20)
	has(t, pageOf(t, nil), "all problems: masw is best on 5 of 5 problems.", "Tests over the medians of 5 problems")
	problem("b.cl", 30)
	has(t, pageOf(t, nil), "n=30: masw is best on 1 of 1 problem.",
		"1 problem with results of all methods; tests across problems need 5 or more.")
}
