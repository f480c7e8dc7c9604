// Figures prints the figure of every row of the battery from a file to which tests have added theirs (see package
// battery), and fails if a row is missing or incomplete.
//
//	go run ./test/battery/figures FILE
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/clopt/clopt/test/battery"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("name one file of figures")
	}
	f, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer f.Close()
	type figure struct{ good, all int }
	sums := map[string]figure{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var name string
		var one figure
		if _, err := fmt.Sscanf(lines.Text(), "%s %d/%d", &name, &one.good, &one.all); err != nil {
			return fmt.Errorf("%q: %w", lines.Text(), err)
		}
		sum := sums[name]
		sums[name] = figure{sum.good + one.good, sum.all + one.all}
	}
	bad := 0
	for _, row := range battery.Rows {
		sum, ran := sums[row.Name]
		if !ran {
			fmt.Printf("%-4s%-15s %s\n", row.Name, "missing", row.Tries)
		} else {
			fmt.Printf("%-4s%-15s %s\n", row.Name, fmt.Sprintf("%d/%d", sum.good, sum.all), row.Tries)
		}
		if !ran || sum.good < sum.all || sum.all == 0 {
			bad++
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d rows are missing or incomplete", bad)
	}
	return lines.Err()
}
