package kernels_test

import (
	"fmt"

	"github.com/clopt/clopt/kernels"
)

// Locate finds the line of a part from a line of the assembled text, as in the log of a driver.
func ExampleAssemble() {
	text := "kernel void mine_fill(global float *x)\n{ x[get_global_id(0)] = HALF; }\n"
	mine := kernels.Part{Name: "mine.cl", Text: text}
	source := kernels.Assemble([]kernels.Define{{Name: "HALF", Value: "0.5f"}}, mine)
	fmt.Print(source.Text)
	for line := range 10 {
		if name, at, text := source.Locate(line); at == 2 {
			fmt.Println(name, at, text)
		}
	}
	// Output:
	// #define HALF 0.5f
	// kernel void mine_fill(global float *x)
	// { x[get_global_id(0)] = HALF; }
	// mine.cl 2 { x[get_global_id(0)] = HALF; }
}
