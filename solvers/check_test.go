package solvers

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/clopt/clopt/shard"
)

// What a method would refuse is refused without a device: the group has none
// that could build a kernel.
func TestCheck(t *testing.T) {
	p := parse(t, "cec2013/f1")
	start, outside := make([]float64, 1000), make([]float64, 1000)
	outside[3] = 101
	for _, c := range []struct {
		m     Solver
		x0    [][]float64
		evals int64
		want  string // "": not refused
	}{
		{&Random{}, nil, 1, ""},
		{&Random{}, [][]float64{start}, 0, "random takes no start points"},
		{&MASW{}, nil, 0, ""},
		{&MASW{}, nil, 100, ""},
		{&MASW{}, nil, 99, "99 evaluations is below one step of masw (100 evaluations)"},
		{&MASW{Population: 4}, [][]float64{start, start, start, start}, 4, ""},
		{&MASW{Population: 4}, [][]float64{start, start, start, start, start}, 4, "5 start points"},
		{&MASW{}, [][]float64{start[1:]}, 0, "999 variables"},
		{&MASW{}, [][]float64{outside}, 0, "is 101"},
	} {
		s := Settings{X0: c.x0, Budget: Budget{Evaluations: c.evals}}
		err := Check(p, s, c.m)
		if _, ok := errors.AsType[*SettingError](err); ok != (c.want != "") || ok && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %d points, %d evaluations: %v, want %q", c.m.Name(), len(c.x0), c.evals, err, c.want)
		}
		if c.want != "" {
			if _, err := Minimize(context.Background(), p, &shard.Group{}, s, c.m); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Minimize of %s, %d points, %d evaluations: %v, want %q", c.m.Name(), len(c.x0), c.evals, err, c.want)
			}
		}
	}
}
