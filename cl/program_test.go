package cl

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A text that a device has built recently is not built again. Each Program has its
// own kernels and works until it is closed. The last one to close releases a text
// that the context has dropped.
func TestProgramsKept(t *testing.T) {
	d := alone(t, 1)[0]
	text := func(k int) string {
		return fmt.Sprintf("kernel void test_set(global uint *a) { a[0] = %du; }\n", k)
	}
	a := must(Alloc[uint32](d, 1))
	set := func(p *Program, want uint32) {
		t.Helper()
		k := must(p.Kernel("test_set", Mem[uint32]()))
		got := []uint32{99}
		if check(t, k.Launch([]int{1}, nil, a)); a.Read(0, got) != nil || got[0] != want {
			t.Fatalf("%d instead of %d", got[0], want)
		}
	}
	one, two := must(d.Build(text(0), "", nil)), must(d.Build(text(0), "", nil))
	if one.built != two.built {
		t.Error("the same text is built twice")
	}
	if other := must(d.Build(text(0), "-DOTHER", nil)); other.built == one.built {
		t.Error("other options are ignored")
	} else {
		other.Close()
	}
	set(one, 0)
	set(two, 0)
	one.Close()
	one.Close() // does nothing
	for k := 1; k <= maxKept; k++ {
		p := must(d.Build(text(k), "", nil))
		set(p, uint32(k))
		p.Close()
	}
	kept := d.context.kept
	if len(kept) != maxKept || kept[0].text != text(maxKept) || !two.built.dropped {
		t.Errorf("%d kept of %d, the first is %q", len(kept), maxKept, kept[0].text)
	}
	set(two, 0) // the context has dropped it, its user has not
	again := must(d.Build(text(0), "", nil))
	if again.built == two.built {
		t.Error("a dropped program is used again")
	}
	was := two.built
	two.Close()
	if was.users != 0 {
		t.Errorf("%d users of a program that has none", was.users)
	}
	set(again, 0)
	d.Close()
	if len(d.context.kept) != 0 || !again.built.dropped {
		t.Error("a closed device keeps programs")
	}
	again.Close()
}

// A launch without a local size has groups of few sizes on processors, and runs all
// its items.
func TestGroupsChosen(t *testing.T) {
	d := open(t)
	p := must(d.Build(`
kernel void test_count(global uint *a, global uint *size)
{
    const uint i = get_global_id(0) + get_global_size(0) * get_global_id(1);
    a[i] += i + 1u;
    size[i] = get_local_size(0) * get_local_size(1);
}`, "", nil))
	defer p.Close()
	k := must(p.Kernel("test_count", Mem[uint32](), Mem[uint32]()))
	sizes := map[uint32]bool{}
	for _, global := range [][]int{{1}, {7}, {8}, {24, 3}, {64}, {97, 5}, {192}, {960, 2}, {3, 64}, {99999}} {
		n := global[0]
		if len(global) > 1 {
			n *= global[1]
		}
		a, size := must(Alloc[uint32](d, n)), must(Alloc[uint32](d, n))
		check(t, a.Write(0, make([]uint32, n)))
		check(t, k.Launch(global, nil, a, size))
		got, of := make([]uint32, n), make([]uint32, n)
		check(t, errors.Join(a.Read(0, got), size.Read(0, of)))
		for i, v := range got {
			if v != uint32(i+1) {
				t.Fatalf("%v: item %d wrote %d", global, i, v)
			}
			sizes[of[i]] = sizes[of[i]] || n < 1<<16
		}
	}
	few := 0
	for _, small := range sizes {
		if small {
			few++
		}
	}
	if d.Info().Type == CPU && (few > 3 || len(sizes) > 4) {
		t.Errorf("groups of %v items, true where a launch is small", sizes)
	}
}

func TestBuildErrorOnDevice(t *testing.T) {
	d := open(t)
	testBuildError(t, d)
}

func testBuildError(t *testing.T, d *Device) {
	text := "#define N 1\nkernel void test_good(global int *a) { a[0] = N; }\nkernel void test_bad(global int " +
		"*a)\n{\n\ta[0] = missing + 1;\n}\n"
	lines := strings.Split(text, "\n")
	where := func(line int) (string, int, string) {
		if line <= 2 {
			return "prelude.cl", line, lines[line-1]
		}
		return "user.cl", line - 2, lines[line-1]
	}
	for range 2 { // the second log may come from a cache
		_, err := d.Build(text, "", where)
		var b *BuildError
		if !errors.As(err, &b) {
			t.Fatalf("got %v", err)
		}
		if !errors.Is(err, BuildProgramFailure) {
			t.Errorf("code is %v", b.Code)
		}
		if len(b.Messages) == 0 {
			t.Fatalf("nothing understood in %q", b.Log)
		}
		m := b.Messages[0]
		if m.File != "user.cl" || m.Line != 3 || m.Col != 9 || m.Source != lines[4] ||
			!strings.Contains(m.Text, "missing") {
			t.Errorf("message %+v from log %q", m, b.Log)
		}
		want := "\ta[0] = missing + 1;\n\t       ^\n"
		if s := err.Error(); !strings.HasPrefix(s, "user.cl:3:9: error: ") || !strings.Contains(s, want) ||
			!strings.Contains(s, d.String()) {
			t.Errorf("printed as\n%s", s)
		}
		if strings.ContainsRune(b.Log, 0) {
			t.Error("the log holds a NUL byte")
		}
	}
}

func TestLongLog(t *testing.T) {
	d := open(t)
	var text strings.Builder
	for i := range 200 { // the compiler stops after some errors, not after warnings of one long line
		fmt.Fprintf(&text, "#warning %d %s\n", i, strings.Repeat("x", 10000))
	}
	text.WriteString("#error stop\n")
	_, err := d.Build(text.String(), "", nil)
	var b *BuildError
	if !errors.As(err, &b) {
		t.Fatalf("got %T", err)
	}
	t.Logf("log of %d bytes, %d messages", len(b.Log), len(b.Messages))
	if len(b.Messages) == 0 || b.Messages[0].Severity == "warning" {
		t.Errorf("first message %.100v", b.Messages)
	}
}

func TestBadOptions(t *testing.T) {
	d := open(t)
	_, err := d.Build("kernel void test_k(global int *a) { a[0] = 1; }", "-no-such-option", nil)
	if err == nil || !strings.Contains(err.Error(), d.String()) {
		t.Errorf("got %v", err)
	}
	if _, err := d.Build("a\x00b", "", nil); err == nil {
		t.Error("a NUL byte in a text passes")
	}
}
