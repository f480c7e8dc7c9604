package trial

import (
	"strings"
	"testing"
)

// An error proposes a window that has the variable that was read, not the one that is declared already.
func TestReadErrorProposes(t *testing.T) {
	for _, c := range []struct {
		e    ReadError
		want string
	}{
		{ReadError{Component: 0, Variable: 1<<32 - 1, Dim: 300}, "as in \"if (k > 0)\"."},
		{ReadError{Component: 0, Variable: 2, Dim: 2}, "The first variable is at(x, 0). Guard"},
		{ReadError{Component: 252, Variable: 254, Declared: []int{252, 253}, Dim: 300}, "//@ reads k..k+2\""},
		{ReadError{Component: 252, Variable: 290, Declared: []int{252}, Dim: 300}, "//@ reads k..k+38\""},
		{ReadError{Component: 2, Variable: 290, Declared: []int{2}, Dim: 300}, "//@ reads k..k+1\""},
		{ReadError{Component: 2, Variable: 9, Declared: []int{2, 3, 52}, Dim: 300}, "//@ reads k..k+1\""},
		{ReadError{Component: 25, Variable: 3, Declared: []int{25}, Dim: 300}, "//@ reads k..k+1\""},
		{ReadError{Component: 2, Variable: 9, Declared: []int{2, 3}, Dim: 300, Grid: true}, "self, right, down\""},
	} {
		if got := c.e.Error(); !strings.Contains(got, c.want) {
			t.Errorf("%q does not contain %s", got, c.want)
		}
	}
}
