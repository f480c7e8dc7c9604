package test

import (
	"errors"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
)

// onDevice launches a kernel after the prelude and parts, in the form that a
// problem gets: k(in, outputs …, scalars …), with an item for every number of in,
// or for every eight (wide). The outputs are as long as in.
func onDevice[T float32 | float64](d *cl.Device, wide bool, parts []string, name, text string, in []T, outputs int,
	scalars ...T) (out [][]T, err error) {
	flag := map[bool]string{true: "1", false: "0"}
	bits, scalar, items := "64", cl.F64, len(in)
	if _, ok := any(in).([]float32); ok {
		bits, scalar = "32", cl.F32
	}
	if wide {
		items /= 8
	}
	texts := []kernels.Part{kernels.Get("lib/prelude.cl")}
	for _, p := range parts {
		texts = append(texts, kernels.Get(p))
	}
	src := kernels.Assemble([]kernels.Define{
		{Name: "REAL_BITS", Value: bits}, {Name: "SUM_FP64", Value: flag[d.Info().FP64]}, {Name: "GROUP", Value: "1"},
		{Name: "ROOT_BY_FP64", Value: "0"}, {Name: "WIDE", Value: flag[wide]},
	}, append(texts, kernels.Part{Name: "check", Text: text})...)
	prog, err := d.Build(src.Text, "-cl-std=CL1.2", src.Locate)
	if err != nil {
		return nil, err
	}
	defer prog.Close()
	var types []cl.Arg
	var args []any
	buffers := make([]*cl.Buffer[T], 1+outputs)
	for i := range buffers {
		if buffers[i], err = cl.Alloc[T](d, len(in)); err != nil {
			return nil, err
		}
		defer buffers[i].Close()
		types, args = append(types, cl.Mem[T]()), append(args, buffers[i])
	}
	for _, s := range scalars {
		types, args = append(types, scalar), append(args, s)
	}
	k, err := prog.Kernel(name, types...)
	if err != nil {
		return nil, err
	}
	err = errors.Join(buffers[0].Write(0, in), k.Launch([]int{items}, nil, args...))
	for _, b := range buffers[1:] {
		out = append(out, make([]T, len(in)))
		err = errors.Join(err, b.Read(0, out[len(out)-1]))
	}
	return out, err
}
