package cl_test

import (
	"errors"
	"fmt"

	"github.com/clopt/clopt/cl"
)

// A kernel doubles the numbers of a buffer.
func Example() {
	infos, err := cl.Discover()
	if err != nil {
		fmt.Println(err)
		return
	}
	device, err := cl.Open(infos[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	defer device.Close()
	program, err := device.Build("kernel void twice(global float *x) { x[get_global_id(0)] *= 2.0f; }", "", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer program.Close()
	twice, err := program.Kernel("twice", cl.Mem[float32]())
	if err != nil {
		fmt.Println(err)
		return
	}
	x := []float32{1, 2, 3}
	buffer, err := cl.Alloc[float32](device, len(x))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer buffer.Close()
	err = errors.Join(buffer.Write(0, x), twice.Launch([]int{len(x)}, nil, buffer), buffer.Read(0, x))
	fmt.Println(x, err)
	// Output:
	// [2 4 6] <nil>
}
