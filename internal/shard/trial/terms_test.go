package trial_test

import (
	"testing"

	"github.com/clopt/clopt/internal/shard/trial"
)

// Components that are not finite are said as one would say it, also where there is one.
func TestTermsString(t *testing.T) {
	for want, terms := range map[string]trial.Terms{
		"the only component is not finite":                           {All: 1, Odd: 1, First: []int{0}},
		"1 of 40 components (2.5 %) is not finite: 7":                {All: 40, Odd: 1, First: []int{7}},
		"6 of 12 components (50 %) are not finite: 0, 1, 2, 3, 4, …": {All: 12, Odd: 6, First: []int{0, 1, 2, 3, 4}},
	} {
		if got := terms.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
