package cl

import "testing"

// The time of a build counts once: for a program that is not kept, and for the first launch of a kernel with a size.
func TestBuildTime(t *testing.T) {
	d := open(t)
	if d.Info().Type != CPU {
		t.Skip("only processors compile kernels at launches")
	}
	p, err := d.Build("kernel void test_fill(global uint *x) { x[get_global_id(0)] = 7; }", "", nil)
	check(t, err)
	defer p.Close()
	k, err := p.Kernel("test_fill", Mem[uint32]())
	check(t, err)
	x, err := Alloc[uint32](d, 1024)
	check(t, err)
	defer x.Close()
	before := d.BuildTime()
	if before <= 0 {
		t.Error("a program was built in no time")
	}
	earlier := d.Builds()
	if last := earlier[len(earlier)-1]; last.Took != before || last.Bytes != 66 || len(last.Sum) != 12 {
		t.Errorf("%+v, built in %v", last, before)
	}
	for _, c := range []struct {
		global, local int
		first         bool
	}{
		{64, 8, true}, {64, 8, false}, {64, 16, true}, {72, 8, false}, {1024, 8, true}, {1024, 8, false},
		{64, 16, false},
	} {
		check(t, k.Launch([]int{c.global}, []int{c.local}, x))
		now := d.BuildTime()
		if (now > before) != c.first {
			t.Errorf("a launch of %d by %d: the time of builds was %v, and is %v", c.global, c.local, before, now)
		}
		before = now
	}
	again, err := d.Build("kernel void test_fill(global uint *x) { x[get_global_id(0)] = 7; }", "", nil)
	check(t, err)
	defer again.Close()
	if now := d.BuildTime(); now != before {
		t.Errorf("a program that is kept was built in %v", now-before)
	}
	if more := d.Builds(); len(more) != 0 {
		t.Errorf("a program that is kept was built again: %+v", more)
	}
}
