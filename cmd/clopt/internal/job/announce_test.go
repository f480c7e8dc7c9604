package job

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/shard"
)

// TestWhyIdle checks the reasons why a device has no share.
func TestWhyIdle(t *testing.T) {
	for _, c := range []struct {
		supers []int
		weight float64
		whole  bool
		want   string
	}{
		{[]int{1, 0}, 1, false, "the problem cannot be divided further"},
		{[]int{1, 0, 1}, 1, false, "the problem cannot be divided further"},
		{[]int{9, 0}, 0, false, "its weight is 0"},
		{[]int{9, 0}, 0.01, false, "its share of the problem is too small"},
		{[]int{5, 0}, 1, true, "the objective runs on one device"},
		{[]int{0, 0}, 1, false, "the method runs on the host"},
	} {
		var plans []shard.DevicePlan
		for _, n := range c.supers {
			plans = append(plans, shard.DevicePlan{Supers: n, Weight: 1})
		}
		plans[1].Weight = c.weight
		if got := whyIdle(plans, 1, c.whole, "problem"); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestUntyped checks that a device which does not say what it is gets a note.
func TestUntyped(t *testing.T) {
	notes := untyped([]cl.Info{{Type: cl.GPU}, {Index: 1, Name: "odd", Type: cl.Other}, {Type: cl.CPU}})
	if len(notes) != 1 || !strings.Contains(notes[0], "odd") || !strings.Contains(notes[0], "used as a GPU") {
		t.Error(notes)
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
