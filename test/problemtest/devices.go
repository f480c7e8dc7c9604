package problemtest

import (
	"sync"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/shard"
)

// Kinds opens one device of every kind that there is, those that a run takes by default first. They stay open. Without
// a device the test fails.
func Kinds(t testing.TB) []*cl.Device {
	t.Helper()
	infos, err := cl.Discover()
	if err != nil {
		t.Fatal(err)
	}
	usual, err := cl.Select(infos, "")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var kinds []cl.Info
	for _, i := range append(usual, infos...) {
		if kind := i.Kind(); !seen[kind] {
			seen[kind] = true
			kinds = append(kinds, i)
		}
	}
	return Open(t, kinds)
}

// Devices opens n devices of the kind that a run takes by default. If there are fewer, it opens some several times.
// They stay open, and another call returns the same ones. Without a device the test fails.
func Devices(t testing.TB, n int) []*cl.Device {
	t.Helper()
	infos, err := cl.Discover()
	if err == nil {
		infos, err = cl.Select(infos, "")
	}
	if err != nil {
		t.Fatal(err)
	}
	var same, picked []cl.Info
	for _, i := range infos {
		if i.Kind() == infos[0].Kind() {
			same = append(same, i)
		}
	}
	for k := range n {
		picked = append(picked, same[k%len(same)])
	}
	return Open(t, picked)
}

// Open opens devices, one that is listed several times as often. They stay open, and another call returns the same
// ones.
func Open(t testing.TB, infos []cl.Info) []*cl.Device {
	t.Helper()
	opened.Lock()
	defer opened.Unlock()
	if opened.devices == nil {
		opened.devices = map[int][]*cl.Device{}
	}
	var devices []*cl.Device
	times := map[int]int{}
	for _, i := range infos {
		k := times[i.Index]
		times[i.Index]++
		if k == len(opened.devices[i.Index]) {
			d, err := cl.Open(i)
			if err != nil {
				t.Fatal(err)
			}
			opened.devices[i.Index] = append(opened.devices[i.Index], d)
		}
		devices = append(devices, opened.devices[i.Index][k])
	}
	return devices
}

// opened are the devices that tests of this process have asked for, by their number and
// how often each was opened. They stay open: PoCL takes half a second of a core to read
// its library for the first program of every context.
var opened struct {
	sync.Mutex
	devices map[int][]*cl.Device
}

// Group makes a shard.Devices of open devices. Do not close it: the devices stay open for other tests.
func Group(t testing.TB, devices []*cl.Device, opt shard.Options) *shard.Devices {
	t.Helper()
	g, err := shard.NewDevices(devices, opt)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
