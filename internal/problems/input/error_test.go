package input

import (
	"errors"
	"testing"
)

func TestError(t *testing.T) {
	for _, test := range []struct {
		err  Error
		want string
	}{
		{Error{"a.cl", 2, 5, "x", false}, "a.cl:2:5: error: x"},
		{Error{"a.cl", 2, 0, "x", false}, "a.cl:2: error: x"},
		{Error{"a.cl", 0, 0, "x", false}, "a.cl: error: x"},
		{Error{"", 2, 5, "x", false}, "x"},
	} {
		var e *Error
		if err := error(&test.err); err.Error() != test.want || !errors.As(err, &e) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}
