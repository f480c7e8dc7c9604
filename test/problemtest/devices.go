package problemtest

import (
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/shard"
)

// Kinds opens one device of every kind there is, those that a run takes by
// default first. No device is a failure. The test closes them.
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
	return open(t, kinds)
}

// Devices opens n devices of one kind, that which a run takes by default. If
// there are fewer, some are opened several times. No device is a failure. The
// test closes them.
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
	return open(t, picked)
}

func open(t testing.TB, infos []cl.Info) []*cl.Device {
	t.Helper()
	var devices []*cl.Device
	for _, i := range infos {
		d, err := cl.Open(i)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(d.Close)
		devices = append(devices, d)
	}
	return devices
}

// Group makes a group of open devices. It is not to be closed: the devices
// belong to the test.
func Group(t testing.TB, devices []*cl.Device, opt shard.Options) *shard.Group {
	t.Helper()
	g, err := shard.NewGroup(devices, opt)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
