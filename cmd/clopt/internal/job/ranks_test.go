package job

import (
	"fmt"
	"testing"

	"github.com/clopt/clopt/cl"
)

// Ranks of a host deal the devices that they share, and keep those that only they see.
func TestDeal(t *testing.T) {
	see := func(host string, addresses ...string) (infos []cl.Info) {
		for i, a := range addresses {
			infos = append(infos, cl.Info{Host: host, Index: i, Address: a, Name: "GPU"})
		}
		return infos
	}
	for _, c := range []struct {
		chosen [][]cl.Info
		want   string // the addresses that each rank uses
	}{
		{[][]cl.Info{see("a", "1", "2", "3")}, "[[1 2 3]]"},
		{[][]cl.Info{see("a", "1", "2", "3"), see("a", "1", "2", "3")}, "[[1 3] [2]]"},
		{[][]cl.Info{see("a", "1", "2"), see("b", "1", "2")}, "[[1 2] [1 2]]"},
		{[][]cl.Info{see("a", "1"), see("a", "1"), see("b", "1")}, "[[1] [1] [1]]"},
		{[][]cl.Info{see("a", "1", "2"), see("a", "3", "4")}, "[[1 2] [3 4]]"},
		{[][]cl.Info{see("a"), see("a", "1"), see("a", "1")}, "[[] [1] [1]]"},
	} {
		each := deal(c.chosen)
		got := make([][]string, len(each))
		for rank, infos := range each {
			for _, info := range infos {
				got[rank] = append(got[rank], info.Address)
			}
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%v are dealt as %v, want %s", c.chosen, got, c.want)
		}
	}
}
