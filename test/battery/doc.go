// Package battery counts the cases of the tests that attack clopt: wrong inputs, killed processes, failing disks and
// drivers, hostile files. They are grouped in rows, from R1 to R27. A test belongs to the row that its name begins
// with: TestR7BitFlips is a test of R7, in whatever package it is, and so is every fuzz target of R3.
//
//	row := battery.Begin(t)
//	for bit := range bits {
//		row.Check(found(bit), "bit %d is not found", bit)
//	}
//
// At its end such a test logs its figure, such as "R7 38120/38120". If the variable CLOPT_BATTERY names a file, it also
// adds the figure to this file, and the program in figures prints the sums of all rows:
//
//	make battery                      runs the tests of all rows completely, and prints their figures
//	go test -v -run '^TestR7' ./...   runs those of one row
package battery
