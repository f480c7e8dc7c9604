package solvertest

import (
	"context"
	"math"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// opened are the devices that the tests of this process have asked for, by their
// number and how often each was opened. They stay open: PoCL takes half a second of a
// core to read its library for the first program of every context.
var opened = map[int][]*cl.Device{}

// OpenDevices makes a group of n devices of the kind that a run takes by default, some of them opened several times.
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

// OpenFirst makes a group of the first device, opened n times.
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

func ParseProblem(t testing.TB, spec string) problems.Problem {
	t.Helper()
	p, err := catalog.Parse(spec, problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func Advance(t *testing.T, r solvers.Run) {
	t.Helper()
	if _, ok, err := r.Step(context.Background(), math.MaxInt64); err != nil || !ok {
		t.Fatalf("step: %v, %v", ok, err)
	}
}

// WithSettings returns a copy of settings with further keys.
func WithSettings(set map[string]string, more ...string) map[string]string {
	all := map[string]string{}
	for k, v := range set {
		all[k] = v
	}
	for i := 0; i < len(more); i += 2 {
		all[more[i]] = more[i+1]
	}
	return all
}
