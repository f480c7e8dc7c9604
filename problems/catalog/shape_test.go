package catalog

import (
	"testing"

	"github.com/clopt/clopt/problems"
)

// What the families say of their objectives.
func TestShapes(t *testing.T) {
	for spec, want := range map[string]bool{
		"ackley": true, "cec2013/f3:mode=paper,n=1000": true, "cec2013/f1": true, "rastrigin": true,
		"exponential": true, "shekel5": true, "schwefel": true,
		"salomon": false, "griewank": false, "shubert": false, "langermann": false,
	} {
		p, err := Parse(spec, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := problems.FollowsSlopes(p); got != want || problems.BendsUp(p) == want {
			t.Errorf("%s: follows slopes %v, bends up %v", spec, got, problems.BendsUp(p))
		}
	}
}
