// Package shorttest shortens tests: `go test -short` runs some rows of a long table
// and leaves some tests out. `make test` is short, `make test-full` is complete,
// and so is a plain `go test`.
package shorttest

import "testing"

// Rows is the part of a table that a test runs: with -short its first n rows, all rows otherwise.
func Rows[T any](n int, rows []T) []T {
	if testing.Short() {
		return rows[:n]
	}
	return rows
}

// Out leaves a test out with -short. It is for tests of which another one runs the same code.
func Out(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out by -short; make test-full runs it")
	}
}
