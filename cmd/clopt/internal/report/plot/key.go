package plot

import (
	"cmp"
	"slices"
	"strings"
)

// ends reports whether the names of the lines of a panel of that width stand at their ends: up to mostLabels short
// ones.
func (p Panel) ends(width float64) bool {
	names := p.labels()
	return len(names) > 1 && len(names) <= mostLabels && p.room() <= widestLabel*width
}

// room returns the width of the longest name.
func (p Panel) room() (room float64) {
	for _, name := range p.labels() {
		room = max(room, textWidth(name, smallSize))
	}
	return room
}

// The sizes of a name in rows: the piece of its line, the gap after that, and the space after the name.
const (
	keySample = 22
	keyGap    = 4
	keyApart  = 14
)

// keyName is a name in a row, in several lines if it is wider than the row.
type keyName struct {
	name  string
	lines []string
	width float64 // with the piece of its line, the gap and the space after it
}

// wrapped deals the parts of a text to lines of a width. A separator stands between two parts of a line.
func wrapped(text, separator string, size, width float64) (lines []string) {
	for part := range strings.SplitSeq(text, separator) {
		last := len(lines) - 1
		switch {
		case last >= 0 && textWidth(lines[last]+separator+part, size) <= width:
			lines[last] += separator + part
		case part != "":
			lines = append(lines, part)
		}
	}
	return lines
}

// key deals the names of the lines to rows of a width. height is that of all rows.
func (p Panel) key(width float64) (rows [][]keyName, height float64) {
	left, lines := 0.0, 0 // of the last row
	for _, name := range p.labels() {
		k := keyName{name: name, lines: wrapped(name, " ", smallSize, width-keySample-keyGap)}
		for _, line := range k.lines {
			k.width = max(k.width, keySample+keyGap+textWidth(line, smallSize)+keyApart)
		}
		if rows == nil || k.width-keyApart > left {
			height += float64(lines) * rowHeight
			rows = append(rows, nil)
			left = width
			lines = 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], k)
		left, lines = left-k.width, max(lines, len(k.lines))
	}
	return rows, height + float64(lines)*rowHeight + rowHeight/5
}

// drawKey draws the names in rows, each after a piece of its line, and returns the height of the rows.
func (p Panel) drawKey(c *canvas, at point, width float64) float64 {
	rows, height := p.key(width)
	for _, row := range rows {
		to, lines := at, 0
		for _, k := range row {
			s, y := p.one(k.name), to.y+rowHeight/2
			c.line(p.penOf(s), point{to.x, y}, point{to.x + keySample, y})
			if p.marked(s) {
				p.drawMark(c, s, point{to.x + keySample/2, y})
			}
			for i, line := range k.lines {
				down := 0.35*smallSize + float64(i)*rowHeight
				c.text("ink", smallSize, point{to.x + keySample + keyGap, y + down}, left, line)
			}
			to.x, lines = to.x+k.width, max(lines, len(k.lines))
		}
		at.y += float64(lines) * rowHeight
	}
	return height
}

// drawEnds draws the names at the height of the ends of their lines, right of all lines. place returns the place of a
// point of a line; names are between the heights top and bottom.
func (p Panel) drawEnds(c *canvas, place func(x, y float64) point, top, bottom float64) {
	ends, right := map[string]float64{}, 0.0
	for _, s := range p.Series {
		last := len(s.X) - 1
		end := place(s.X[last], s.Y[last])
		ends[s.label()], right = end.y, max(right, end.x)
	}
	names := p.labels()
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(ends[a], ends[b]) })
	heights := make([]float64, len(names))
	for i, name := range names {
		heights[i] = ends[name]
	}
	for i, y := range spread(heights, top, bottom-rowHeight/4) { // above the axis
		c.text(p.penOf(p.one(names[i])).class, smallSize, point{right + 2*offset, y + smallSize*0.35}, left, names[i])
	}
}

// spread returns the heights of rows of text, given in order, such that no two overlap and the squares of their ways
// are least (isotonic regression). They are between least and most, or below most if there is no room.
func spread(heights []float64, least, most float64) (apart []float64) {
	type block struct{ sum, rows float64 } // rows without space between them
	mean := func(b block) float64 { return b.sum / b.rows }
	var blocks []block
	for i, y := range heights {
		b := block{y - float64(i)*rowHeight, 1}
		for n := len(blocks); n > 0 && mean(blocks[n-1]) > mean(b); n-- {
			b = block{b.sum + blocks[n-1].sum, b.rows + blocks[n-1].rows}
			blocks = blocks[:n-1]
		}
		blocks = append(blocks, b)
	}
	most -= float64(len(heights)-1) * rowHeight
	for _, b := range blocks {
		for range int(b.rows) {
			apart = append(apart, min(max(mean(b), least), most)+float64(len(apart))*rowHeight)
		}
	}
	return apart
}
