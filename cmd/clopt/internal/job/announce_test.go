package job

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// TestWhyIdle checks the reasons why a device has no share.
func TestWhyIdle(t *testing.T) {
	tiles := func(n int) problems.Tiling {
		return problems.Tiling{N: 10 * n, M: 10 * n, TileVars: 10, TileComps: 10}
	}
	whole := tiles(5)
	whole.Whole = true
	for _, c := range []struct {
		t      problems.Tiling
		supers []int
		weight float64
		want   string
	}{
		{tiles(1), []int{1, 0}, 1, "the problem has 1 tile"},
		{tiles(2), []int{1, 0, 1}, 1, "the problem has 2 tiles"},
		{tiles(9), []int{9, 0}, 0, "its weight is 0"},
		{tiles(9), []int{9, 0}, 0.01, "its share is below one tile"},
		{whole, []int{5, 0}, 1, "the objective runs on one device"},
		{tiles(9), []int{0, 0}, 1, "the method runs on the host"},
	} {
		var plans []shard.DevicePlan
		for _, n := range c.supers {
			plans = append(plans, shard.DevicePlan{Supers: n, Weight: 1})
		}
		plans[1].Weight = c.weight
		if got := whyIdle(c.t, plans, 1); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestCheckWritableLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := CheckWritable(filepath.Join(dir, "a", "b")); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
