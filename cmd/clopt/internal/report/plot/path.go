package plot

import (
	"bytes"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
)

// pathData writes the commands of a path, from its second point on relative to the point before. Points are rounded to
// whole numbers. Those that are equal then are one, as are horizontal lines that go on in one direction.
type pathData struct {
	text     bytes.Buffer
	first    [2]int // where the line began
	last     [2]int // the point before
	level    int    // where the last command begins in text, if it is horizontal
	from     int    // x before that command
	previous byte   // the last command
}

// move begins a line.
func (d *pathData) move(x, y float64) {
	d.last = [2]int{round(x), round(y)}
	d.first, d.previous = d.last, 'M'
	d.text.WriteString("M" + strconv.Itoa(d.last[0]) + pair(d.last[1]))
}

// line goes on to a point.
func (d *pathData) line(x, y float64) {
	at := [2]int{round(x), round(y)}
	right, down := at[0]-d.last[0], at[1]-d.last[1]
	switch {
	case right == 0 && down == 0:
		return
	case right == 0:
		d.command('v', strconv.Itoa(down))
	case down != 0:
		d.command('l', strconv.Itoa(right)+pair(down))
	default:
		if before := d.last[0] - d.from; d.previous == 'h' && (before > 0) == (right > 0) {
			d.text.Truncate(d.level)
			right += before
		} else {
			d.level, d.from = d.text.Len(), d.last[0]
		}
		d.command('h', strconv.Itoa(right))
	}
	d.last = at
}

// close goes back to the point where the line began.
func (d *pathData) close() {
	d.command('z', "")
	d.last = d.first
}

// command writes a command.
func (d *pathData) command(name byte, numbers string) {
	d.text.WriteByte(name)
	d.text.WriteString(numbers)
	d.previous = name
}

// pair writes the second number of a pair. A minus parts it from the first one.
func pair(n int) string {
	if n < 0 {
		return strconv.Itoa(n)
	}
	return "," + strconv.Itoa(n)
}

// round returns the nearest whole number.
func round(v float64) int { return int(math.Round(v)) }

// whole writes the nearest whole number.
func whole(v float64) string { return strconv.Itoa(round(v)) }

// staircase reports whether all lines of a path are horizontal or vertical.
func staircase(path vg.Path) bool {
	for i, s := range path {
		switch {
		case s.Type == vg.MoveComp || s.Type == vg.CloseComp:
		case s.Type != vg.LineComp || s.Pos.X != path[i-1].Pos.X && s.Pos.Y != path[i-1].Pos.Y:
			return false
		}
	}
	return true
}

// higherSteps returns a staircase in which steps that are lower than least are joined with those after them. Its ends
// stay.
func higherSteps(path vg.Path, least vg.Length) (joined vg.Path) {
	y := vg.Length(0) // of the last line of joined
	for i, s := range path {
		end := i == len(path)-1 || path[i+1].Type != vg.LineComp
		if s.Type == vg.MoveComp || s.Type == vg.LineComp && (end || max(s.Pos.Y-y, y-s.Pos.Y) >= least) {
			if s.Type == vg.LineComp && s.Pos.X != path[i-1].Pos.X { // first up or down, then along
				joined = append(joined, vg.PathComp{Type: vg.LineComp, Pos: vg.Point{X: path[i-1].Pos.X, Y: s.Pos.Y}})
			}
			y = s.Pos.Y
		}
		s.Pos.Y = y
		joined = append(joined, s)
	}
	return joined
}
