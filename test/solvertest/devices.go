package solvertest

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/problemtest"
)

// OpenDevices joins n devices of the kind that a run takes by default. If there are fewer, some are opened several
// times. Do not close them: they stay open for other tests.
func OpenDevices(t testing.TB, n int, opt shard.Options) *shard.Devices {
	t.Helper()
	return problemtest.Group(t, problemtest.Devices(t, n), opt)
}

// OpenFirst is OpenDevices with the first device n times.
func OpenFirst(t testing.TB, n int, opt shard.Options) *shard.Devices {
	t.Helper()
	infos, err := cl.Discover()
	if err != nil {
		t.Fatal(err)
	}
	return problemtest.Group(t, problemtest.Open(t, slices.Repeat(infos[:1], n)), opt)
}

// ParseProblem returns the problem of a spec.
func ParseProblem(t testing.TB, spec string) problems.Problem {
	t.Helper()
	p, err := catalog.Parse(spec, problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Advance makes one step without a limit.
func Advance(t *testing.T, r solvers.Run) solvers.Sample {
	t.Helper()
	s, ok, err := r.Step(context.Background(), solvers.Unlimited)
	if err != nil || !ok {
		t.Fatalf("step: %v, %v", ok, err)
	}
	return s
}

// Settings returns the settings of a text "key=value key=value".
func Settings(text string) map[string]string {
	set := map[string]string{}
	for _, w := range strings.Fields(text) {
		k, v, _ := strings.Cut(w, "=")
		set[k] = v
	}
	return set
}

// WithSettings returns a copy of set with further settings. more lists keys and values in turn.
func WithSettings(set map[string]string, more ...string) map[string]string {
	all := map[string]string{}
	maps.Copy(all, set)
	for i := 0; i < len(more); i += 2 {
		all[more[i]] = more[i+1]
	}
	return all
}
