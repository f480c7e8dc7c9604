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

// TestHigherSteps: low steps are joined until they are high enough, and the ends of a line stay.
func TestHigherSteps(t *testing.T) {
	data := func(path ...point) string {
		return (&canvas{resolution: resolution{unit: 1}}).data(higherSteps(path, 4))
	}
	if got, want := data(point{0, 0}, point{1, 0}, point{1, 1}, point{2, 1}, point{2, 2}, point{3, 2}, point{3, 5},
		point{4, 5}, point{4, 6}), "M0,0h3v5h1v1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	level := data(point{0, 0}, point{1, 0}, point{1, 1}, point{2, 1}) // at its end
	if got, want := level, "M0,0h1v1h1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := data(point{0, 0}, point{1, 1}, point{2, 2}), "M0,0l1,1l1,1"; got != want { // no steps
		t.Errorf("%s, want %s", got, want)
	}
}
