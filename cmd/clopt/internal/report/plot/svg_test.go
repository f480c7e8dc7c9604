package plot

import "testing"

// TestPath: points are relative and whole, those that are equal then are one, and so are horizontal lines that go on.
func TestPath(t *testing.T) {
	c := &canvas{resolution: resolution{unit: 1}}
	path := []point{{1, 2}, {1.2, 2.3}, {3, 2}, {6.4, 2}, {6, 1}, {4, 1}, {5, 3}, {4, 1}}
	if got, want := c.data(path), "M1,2h5v-1h-2l1,2l-1-2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := c.data([]point{{7, -8}, {9, -8}, {8, -8}}), "M7-8h2h-1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
