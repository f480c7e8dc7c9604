package battery_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/test/battery"
	"github.com/clopt/clopt/test/shorttest"
)

// TestR17BuildErrors gives objectives that do not compile to three drivers. Each error has its place in the file.
func TestR17BuildErrors(t *testing.T) {
	count := battery.Begin(t)
	for _, d := range shorttest.Rows(1, []struct {
		name, under string
		env         []string
		flags       string
	}{
		{"POCL", "", nil, "-d 0"},
		{"rusticl", "", []string{"RUSTICL_ENABLE=llvmpipe"}, "-d name:llvmpipe --precision fp32"},
		{"Oclgrind", "oclgrind", nil, "-d 0"},
	}) {
		for _, c := range []struct{ old, new, place string }{
			{"sq(", "squared(", "o.cl:7:"}, {"at(x, k)", "at(x, j)", "o.cl:7:"}, {"acc[0]", "acc[0", "o.cl:7:"},
			{"+=", "+= +", ""}, {"real *acc)", "real *acc) int", "o.cl:"}, {";\n}", "\n}", "o.cl:"},
			{"acc[0] +=", "undeclared = 1; acc[0] +=", "o.cl:7:"},
		} {
			t.Chdir(t.TempDir())
			put(t, "o.cl", strings.Replace(sphere, c.old, c.new, 1))
			args := append(strings.Fields("run o.cl -s random --evals 100 --seed 1 -q"), strings.Fields(d.flags)...)
			var o outcome
			if d.under == "" {
				o = run(t, d.env, args...)
			} else {
				o = execute(t, d.env, d.under, slices.Concat([]string{clopt}, args)...)
			}
			if c.place == "" { // it is right
				count.Check(o.code == 0, "%s: %v", d.name, o)
				continue
			}
			count.Check(o.code == 4 && strings.Contains(o.errs, c.place) && strings.Contains(o.errs, "error: "),
				"%s, %q: %v", d.name, c.new, o)
		}
	}
}
