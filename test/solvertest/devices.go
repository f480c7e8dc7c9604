package solvertest

import (
	"context"
	"maps"
	"math"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// opened has the devices that tests of this process have opened, by index; a device may be opened several times. They
// stay open, because PoCL takes half a second to read its library for the first program of every context.
var opened = map[int][]*cl.Device{}

// OpenDevices returns a group of n devices of the kind that a run takes by default. If there are fewer, some are opened
// several times.
func OpenDevices(t testing.TB, n int, opt shard.Options) *shard.Devices {
	t.Helper()
	infos, err := cl.Discover()
	if err == nil {
		infos, err = cl.Select(infos, "")
	}
	if err != nil {
		t.Fatal(err)
	}
	var same []cl.Info
	for _, i := range infos {
		if i.Kind() == infos[0].Kind() {
			same = append(same, i)
		}
	}
	return groupOf(t, same, n, opt)
}

// OpenFirst returns a group that has the first device n times.
func OpenFirst(t testing.TB, n int, opt shard.Options) *shard.Devices {
	t.Helper()
	infos, err := cl.Discover()
	if err != nil {
		t.Fatal(err)
	}
	return groupOf(t, infos[:1], n, opt)
}

func groupOf(t testing.TB, infos []cl.Info, n int, opt shard.Options) *shard.Devices {
	t.Helper()
	var devices []*cl.Device
	for k := range n {
		info, times := infos[k%len(infos)], k/len(infos)
		if times == len(opened[info.Index]) {
			d, err := cl.Open(info)
			if err != nil {
				t.Fatal(err)
			}
			opened[info.Index] = append(opened[info.Index], d)
		}
		devices = append(devices, opened[info.Index][times])
	}
	g, err := shard.NewDevices(devices, opt)
	if err != nil {
		t.Fatal(err)
	}
	return g
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
	s, ok, err := r.Step(context.Background(), math.MaxInt64)
	if err != nil || !ok {
		t.Fatalf("step: %v, %v", ok, err)
	}
	return s
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
