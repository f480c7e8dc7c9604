package plot

import (
	"cmp"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ends reports whether the names of the lines of a panel of that width stand at their ends: up to mostLabels short
// ones.
func (d drawing) ends(width vg.Length) bool {
	names := d.names()
	return len(names) > 1 && len(names) <= mostLabels && d.room() <= widestLabel*width
}

// room returns the width of the longest name.
func (d drawing) room() (room vg.Length) {
	for _, name := range d.names() {
		room = max(room, d.nameStyle(name).Width(name))
	}
	return room
}

// nameStyle returns the style of a name at the end of its line.
func (d drawing) nameStyle(name string) draw.TextStyle {
	style := d.plot.X.Tick.Label
	style.XAlign, style.YAlign, style.Color = draw.XLeft, draw.YCenter, d.lineOf(d.one(name)).Color
	return style
}

// The sizes of a name in rows: the piece of its line, the gap after that, and the space after the name.
const (
	keySample = vg.Length(22)
	keyGap    = vg.Length(4)
	keyApart  = vg.Length(14)
)

// keyName is a name in a row, in several lines if it is wider than the row.
type keyName struct {
	name  string
	lines []string
	width vg.Length // with the piece of its line, the gap and the space after it
}

// keyNames returns the names as they stand in rows of a width.
func (d drawing) keyNames(width vg.Length) (all []keyName) {
	for _, name := range d.names() {
		style := d.nameStyle(name)
		k := keyName{name: name}
		line := ""
		for word := range strings.FieldsSeq(name) {
			longer := strings.TrimSpace(line + " " + word)
			if line != "" && style.Width(longer) > width-keySample-keyGap {
				k.lines = append(k.lines, line)
				longer = word
			}
			line = longer
		}
		k.lines = append(k.lines, line)
		for _, line := range k.lines {
			k.width = max(k.width, keySample+keyGap+style.Width(line)+keyApart)
		}
		all = append(all, k)
	}
	return all
}

// keyRows deals the names to rows of a width.
func (d drawing) keyRows(width vg.Length) (rows [][]keyName) {
	left := vg.Length(0)
	for _, k := range d.keyNames(width) {
		if rows == nil || k.width-keyApart > left {
			rows, left = append(rows, nil), width
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], k)
		left -= k.width
	}
	return rows
}

// rowLines returns the number of lines of a row of names.
func rowLines(row []keyName) (most int) {
	for _, k := range row {
		most = max(most, len(k.lines))
	}
	return most
}

// drawKey draws the names in rows at the top, each after a piece of its line, and returns the height of the rows.
func (d drawing) drawKey(c draw.Canvas) vg.Length {
	width := c.Max.X - c.Min.X
	top := c.Max.Y
	for _, row := range d.keyRows(width) {
		at := vg.Point{X: c.Min.X, Y: top - rowHeight/2}
		for _, k := range row {
			s, style := d.one(k.name), d.nameStyle(k.name)
			c.StrokeLine2(d.lineOf(s), at.X, at.Y, at.X+keySample, at.Y)
			if d.marked(s) {
				c.DrawGlyph(markStyle(d.number(k.name)), vg.Point{X: at.X + keySample/2, Y: at.Y})
			}
			style.Color = ink
			for i, line := range k.lines {
				c.FillText(style, vg.Point{X: at.X + keySample + keyGap, Y: at.Y - vg.Length(i)*rowHeight}, line)
			}
			at.X += k.width
		}
		top -= vg.Length(rowLines(row)) * rowHeight
	}
	return d.keyHeight(width)
}

// keyHeight returns the height of the rows of names.
func (d drawing) keyHeight(width vg.Length) vg.Length {
	lines := 0
	for _, row := range d.keyRows(width) {
		lines += rowLines(row)
	}
	return vg.Length(lines)*rowHeight + rowHeight/5
}

// highestKey returns the height of the most rows of names that a panel of that width has below its title, 0 if all
// names stand at the ends of lines. Panels are higher by that, so that their axes keep their size.
func highestKey(panels []drawing, width vg.Length) (height vg.Length) {
	for _, d := range panels {
		if !d.ends(width) {
			height = max(height, d.keyHeight(width-2*margin))
		}
	}
	return height
}

// drawEnds draws the names at the height of the ends of their lines, right of all lines.
func (d drawing) drawEnds(c, data draw.Canvas, names []string, gap vg.Length) {
	ends, right := map[string]vg.Length{}, data.Min.X
	for _, s := range d.Series {
		last := len(s.X) - 1
		ends[s.Name] = data.Y(d.plot.Y.Norm(s.Y[last]))
		right = max(right, data.X(d.plot.X.Norm(s.X[last])))
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(ends[a], ends[b]) })
	heights := make([]vg.Length, len(names))
	for i, name := range names {
		heights[i] = ends[name]
	}
	for i, y := range spread(heights, data.Min.Y+rowHeight/4, data.Max.Y) { // above the axis
		c.FillText(d.nameStyle(names[i]), vg.Point{X: right + gap, Y: y}, names[i])
	}
}

// spread returns the heights of rows of text, given from low to high, such that no two overlap and the squares of their
// ways are least (isotonic regression). They are between least and most, or below if there is no room.
func spread(heights []vg.Length, least, most vg.Length) []vg.Length {
	type block struct{ sum, rows vg.Length } // rows without space between them
	mean := func(b block) vg.Length { return b.sum / b.rows }
	var blocks []block
	for i, y := range heights {
		b := block{y - vg.Length(i)*rowHeight, 1}
		for n := len(blocks); n > 0 && mean(blocks[n-1]) > mean(b); n-- {
			b = block{b.sum + blocks[n-1].sum, b.rows + blocks[n-1].rows}
			blocks = blocks[:n-1]
		}
		blocks = append(blocks, b)
	}
	most -= vg.Length(len(heights)-1) * rowHeight
	var apart []vg.Length
	for _, b := range blocks {
		for range int(b.rows) {
			apart = append(apart, min(max(mean(b), least), most)+vg.Length(len(apart))*rowHeight)
		}
	}
	return apart
}
