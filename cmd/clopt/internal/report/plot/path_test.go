package plot

import (
	"testing"

	"gonum.org/v1/plot/vg"
)

// TestPathData: points are relative and whole, those that are equal then are one, and so are horizontal lines that go
// on.
func TestPathData(t *testing.T) {
	var d pathData
	d.move(1, 2)
	for _, p := range [][2]float64{{1.2, 2.3}, {3, 2}, {6.4, 2}, {6, 1}, {4, 1}, {5, 3}, {4, 1}} {
		d.line(p[0], p[1])
	}
	d.close()
	d.move(7, -8)
	if got, want := d.text.String(), "M1,2h5v-1h-2l1,2l-1-2zM7-8"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestHigherSteps: low steps are joined until they are high enough, and the ends of a line stay.
func TestHigherSteps(t *testing.T) {
	path := func(points ...vg.Length) (p vg.Path) {
		p.Move(vg.Point{X: points[0], Y: points[1]})
		for i := 2; i < len(points); i += 2 {
			p.Line(vg.Point{X: points[i], Y: points[i+1]})
		}
		return p
	}
	data := func(p vg.Path) string { return newSVG(1, 0, resolution{unit: 1, step: 4}).data(p) }
	if got, want := data(path(0, 0, 1, 0, 1, 1, 2, 1, 2, 2, 3, 2, 3, 5, 4, 5, 4, 6)), "M0,0h3v-5h1v-1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := data(path(0, 0, 1, 0, 1, 1, 2, 1)), "M0,0h1v-1h1"; got != want { // level at its end
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := data(path(0, 0, 1, 1, 2, 2)), "M0,0l1-1l1-1"; got != want { // no steps
		t.Errorf("%s, want %s", got, want)
	}
}
