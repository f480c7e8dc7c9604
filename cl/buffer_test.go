package cl

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
)

func TestBuffer(t *testing.T) {
	d := open(t)
	b := must(Alloc[uint64](d, 10))
	got := make([]uint64, 10)
	check(t, b.Read(0, got))
	for i, v := range got {
		if v != 0 {
			t.Errorf("element %d of a new buffer is %d", i, v)
		}
	}
	check(t, b.Fill(1<<63+5))
	check(t, b.Write(3, []uint64{7, 8}))
	check(t, b.Copy(0, b, 3, 2))
	check(t, b.Read(0, got))
	if want := "[7 8 9223372036854775813 7 8 9223372036854775813"; !strings.HasPrefix(fmt.Sprint(got), want) {
		t.Errorf("got %v, want %s…", got, want)
	}
	check(t, b.Read(10, nil))
	check(t, b.Write(0, nil))
	b.Close()
	b.Close()
	(*Buffer[uint64])(nil).Close()
	for name, f := range map[string]func(){
		"Read":      func() { b.Read(0, got) },
		"outside":   func() { must(Alloc[int32](d, 4)).Read(3, make([]int32, 2)) },
		"negative":  func() { must(Alloc[int32](d, 4)).Write(-1, make([]int32, 1)) },
		"overlap":   func() { c := must(Alloc[int32](d, 4)); c.Copy(0, c, 1, 2) },
		"no length": func() { Alloc[int32](d, -1) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p, _ := recover().(string); !strings.HasPrefix(p, "cl: ") {
					t.Errorf("panic is %q", p)
				}
			}()
			f()
		})
	}
	for _, n := range []int{1, 3, 16, 100, 12345} { // around the pattern of 128 bytes
		c := must(Alloc[float64](d, n))
		check(t, c.Fill(0.1))
		got := make([]float64, n)
		check(t, c.Read(0, got))
		for i, v := range got {
			if v != 0.1 {
				t.Fatalf("element %d of %d is %v after Fill", i, n, v)
			}
		}
		c.Close()
	}
	raw, odd := make([]byte, 24), make([]byte, 25)[1:]
	f := must(Alloc[float64](d, 3))
	check(t, f.Write(0, []float64{1, math.Inf(-1), 5e-324}))
	check(t, f.ReadBytes(0, raw))
	check(t, f.ReadBytes(0, odd)) // not aligned for float64
	if want := "000000000000f03f000000000000f0ff0100000000000000"; hex.EncodeToString(raw) != want ||
		hex.EncodeToString(odd) != want {
		t.Errorf("bytes %x and %x, want %s", raw, odd, want)
	}
	check(t, f.WriteBytes(1, odd[:16]))
	back := make([]float64, 3)
	check(t, f.Read(0, back))
	if back[1] != 1 || !math.IsInf(back[2], -1) {
		t.Errorf("written as bytes: %v", back)
	}
	check(t, f.ReadBytes(3, nil))
	f.Close()
	empty := must(Alloc[float32](d, 0))
	if empty.Len() != 0 {
		t.Errorf("an empty buffer has length %d", empty.Len())
	}
	check(t, empty.Fill(1))
	empty.Close()
}

func TestMemoryError(t *testing.T) {
	d := open(t)
	_, err := Alloc[float64](d, int(d.Info().GlobalMem/8)+1)
	var refused *MemoryError
	if !errors.As(err, &refused) {
		t.Fatalf("more than all memory: %v", err)
	}
	if refused.Bytes <= refused.Global || refused.MaxAlloc <= 0 || !strings.HasPrefix(err.Error(),
		d.String()+": clCreateBuffer: ") {
		t.Errorf("%v", err)
	}
	if !errors.Is(err, MemObjectAllocationFailure) {
		t.Errorf("%v wraps no code", err)
	}
}

// Sent values arrive in order, between launches, as they were when they were sent.
func TestSend(t *testing.T) {
	d := open(t)
	b, sum := must(Alloc[uint32](d, 1000)), must(Alloc[uint64](d, 1))
	p := must(d.Build(`kernel void send_add(global const uint *v, global ulong *sum)
{
    for (uint i = 0; i < 1000; i++) *sum += v[i];
}`, "", nil))
	defer p.Close()
	k := must(p.Kernel("send_add", Mem[uint32](), Mem[uint64]()))
	v, want := make([]uint32, 1000), uint64(0)
	for round := range 200 {
		for i := range v {
			v[i] = uint32(round*1000 + i)
			want += uint64(v[i])
		}
		check(t, b.Send(0, v[:500]))
		check(t, b.Send(500, v[500:]))
		clear(v)
		check(t, k.Launch([]int{1}, nil, b, sum))
		if round%10 == 0 {
			runtime.GC()
		}
	}
	got := make([]uint64, 1)
	check(t, sum.Read(0, got))
	if got[0] != want {
		t.Errorf("the sum is %d, want %d", got[0], want)
	}
	check(t, b.Send(1000, nil))
	b.Close()
	sum.Close()
}
