package input_test

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
)

func ExampleReadTable() {
	text := "time,height\n0,1.5\n1,2x\n"
	_, err := input.ReadTable(bufio.NewReader(strings.NewReader(text)), "fall.csv", int64(len(text)))
	fmt.Println(err)
	n, _ := input.ParseCount("64Ki")
	fmt.Println(n, input.Nearest("rosenbrok", []string{"rastrigin", "rosenbrock"}))
	// Output:
	// fall.csv:3:3: error: "2x" is not a decimal number. Use numbers.
	// 65536 rosenbrock
}
