//go:build cgo

package cl

import (
	"testing"

	binding "github.com/jgillich/go-opencl/cl"
)

// handle relies on the names of unexported fields of the binding.
func TestHandles(t *testing.T) {
	d := open(t)
	p := must(d.Build("kernel void test_k(global int *a) { a[0] = 1; }", "", nil))
	k := must(p.Kernel("test_k", Mem[int32]()))
	if handle(d.info.handle.(boundDevice).d, "id") == 0 ||
		handle(p.built.program.(boundProgram).p, "clProgram") == 0 ||
		handle(k.kernel.(boundKernel).k, "clKernel") == 0 {
		t.Error("a handle is nil")
	}
}

// Errors of the binding are the numbers of OpenCL.
func TestBoundCode(t *testing.T) {
	for err, code := range codes {
		if codeOf(err) != code || codeNames[code] == "" {
			t.Errorf("%v gives %v", err, codeOf(err))
		}
	}
	if codeOf(nil) != nil || codeOf(binding.ErrOther(-1001)) != PlatformNotFound ||
		codeOf(binding.ErrUnknown) != unknown {
		t.Error("codes without a value in the binding are wrong")
	}
}
