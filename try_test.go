package clopt_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt"
	trial "github.com/clopt/clopt/internal/shard/trial/child"
	"github.com/clopt/clopt/solvers"
)

// endless is a text whose evaluation does not end.
const endless = `//@ bounds -1 1
static void component(uint k, point x, data d, real *acc)
{
    for (uint i = 0; i < 10; i += acc[0] > R(1e30)) acc[0] += at(x, i % 3);
}
`

// TestMinimizeEndless ends the context of a run whose text does not end. Minimize returns.
func TestMinimizeEndless(t *testing.T) {
	t.Parallel() // it mostly waits
	if out, code := child(t, "endless"); code != 0 || out != "" {
		t.Errorf("exit %d: %s", code, out)
	}
}

// TestTryWith tries texts in a process of their own first. What ends that process is an error.
func TestTryWith(t *testing.T) {
	t.Parallel()
	files := weightFile([]float64{1, 2, 3})
	crash := strings.Replace(weightedText, "acc[0] +=", "acc[0] += *(global volatile real *)(0xdead0000 + k) +", 1)
	inGo, err := weighted(slices.Repeat([]float64{1}, 3))
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	crashed, started, setting := (*trial.CrashError)(nil), (*trial.StartError)(nil), (*solvers.SettingError)(nil)
	for _, c := range []struct {
		ctx  context.Context
		o    clopt.Objective
		with string
		as   any // the type of the error; nil: there is none
		is   error
	}{
		{t.Context(), clopt.SourceFS(weightedText, files).N(3), os.Args[0], nil, nil},
		{t.Context(), clopt.SourceFS(crash, files).N(3), os.Args[0], &crashed, nil},
		{t.Context(), clopt.SourceFS(weightedText, files).N(3), "/bin/true", &started, nil},
		{t.Context(), clopt.SourceFS(weightedText, files).N(3), "/none/clopt", &started, os.ErrNotExist},
		{t.Context(), clopt.Problem(inGo), os.Args[0], &setting, nil},
		{t.Context(), clopt.Parse("sphere").N(3), "/none/clopt", nil, nil},
		{short, clopt.Source(endless).N(3), os.Args[0], nil, context.DeadlineExceeded},
	} {
		res, err := clopt.Minimize(c.ctx, c.o, clopt.Options{Evals: 500, Method: "random", TryWith: c.with})
		if c.as == nil && c.is == nil {
			if err != nil || !res.Confirmed {
				t.Errorf("%s: %+v, %v", c.with, res, err)
			}
			continue
		}
		if err == nil || res != nil || c.as != nil && !errors.As(err, c.as) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: %+v, %v; want %T, %v", c.with, res, err, c.as, c.is)
		}
	}
}
