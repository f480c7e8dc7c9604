package plot

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/clopt/clopt/solvers/runs"
)

// Write writes the figure to a file: numbers if the name ends in .jsonl, otherwise a picture, as png or svg.
func (f Figure) Write(out string) error {
	_, err := runs.WriteWhole(out, func(w io.Writer) error {
		ext := strings.ToLower(filepath.Ext(out))
		if ext == ".jsonl" {
			return f.write(w)
		}
		all, err := f.drawings()
		if err != nil {
			return err
		}
		return draws(w, all, ext == ".png")
	})
	return err
}

// SVGs returns each panel as an SVG element.
func (f Figure) SVGs() (texts []string, err error) {
	all, err := f.drawings()
	for i := range all {
		var b strings.Builder
		err = errors.Join(err, draws(&b, all[i:i+1], false))
		texts = append(texts, b.String())
	}
	return texts, err
}

// mostColumns is the number of panels side by side. With two a picture can be read on a page and on a telephone.
const mostColumns = 2

// draws draws panels. The parts of a title and the names of lines that are common to several panels stand above them.
func draws(w io.Writer, panels []drawing, asPNG bool) error {
	heading, size, columns := "", onePanel, 1
	var key *drawing
	if len(panels) > 1 {
		heading, size, columns = takeCommon(panels), somePanels, mostColumns
		if d := panels[0]; !slices.ContainsFunc(panels, func(o drawing) bool {
			return o.ends(size.X) || !slices.Equal(o.names(), d.names())
		}) {
			key = &d
		}
	}
	rows := (len(panels) + columns - 1) / columns
	width, head := vg.Length(columns)*size.X, vg.Length(0)
	if heading != "" {
		head += margin + 1.5*titleSize
	}
	if key != nil {
		head += vg.Length(len(key.keyRows(width-2*margin))) * rowHeight
	}
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	height := vg.Length(rows)*size.Y + head
	if canvas = newSVG(width, height); asPNG {
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(resolution))}
	}
	all := draw.New(canvas)
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: vg.Centimeter / 2, PadY: vg.Centimeter / 2,
		PadTop: margin, PadBottom: margin, PadLeft: margin, PadRight: margin}
	for i, d := range panels {
		d.draw(tiles.At(draw.Crop(all, 0, 0, 0, -head), i%columns, i/columns), key == nil)
	}
	top := draw.Crop(all, margin, -margin, 0, -margin)
	if heading != "" {
		top.Max.Y -= panels[0].row(top, titleSize, ink, heading)
	}
	if key != nil {
		key.drawKey(top)
	}
	_, err := canvas.WriteTo(w)
	return err
}

// takeCommon removes the parts that all titles have from the titles, and returns them.
func takeCommon(panels []drawing) string {
	const apart = ", "
	var common []string
	for part := range strings.SplitSeq(panels[0].Title, apart) {
		if !slices.ContainsFunc(panels, func(d drawing) bool {
			return !slices.Contains(strings.Split(d.Title, apart), part)
		}) {
			common = append(common, part)
		}
	}
	for i := range panels {
		panels[i].Title = strings.Join(slices.DeleteFunc(strings.Split(panels[i].Title, apart),
			func(part string) bool { return slices.Contains(common, part) }), apart)
	}
	return strings.Join(common, apart)
}

// drawing is a panel with its axes.
type drawing struct {
	Panel
	plot *plot.Plot
}

// drawings returns the panels with their axes. Axes that show the same have the same range, except values of OwnY.
func (f Figure) drawings() (all []drawing, err error) {
	ranges := map[string][2]float64{}
	for _, p := range f.Panels {
		pl, err := p.axes()
		if err != nil {
			return nil, err
		}
		all = append(all, drawing{p, pl})
	}
	each := func(do func(name string, a *plot.Axis)) {
		for _, d := range all {
			do(fmt.Sprint("x ", d.X, d.LogX), &d.plot.X)
			if !d.OwnY {
				do(fmt.Sprint("y ", d.Y, d.LogY), &d.plot.Y)
			}
		}
	}
	each(func(name string, a *plot.Axis) {
		r, ok := ranges[name]
		if !ok {
			r = [2]float64{a.Min, a.Max}
		}
		ranges[name] = [2]float64{min(r[0], a.Min), max(r[1], a.Max)}
	})
	each(func(name string, a *plot.Axis) { a.Min, a.Max = ranges[name][0], ranges[name][1] })
	return all, nil
}

// axes returns a plot of the panel without its title and names: first the bands, then the lines, with marks if a line
// has few points.
func (p Panel) axes() (*plot.Plot, error) {
	pl := plot.New()
	pl.BackgroundColor = nil
	pl.X.Label.Text = p.X
	for _, axis := range []*plot.Axis{&pl.X, &pl.Y} {
		axis.Label.TextStyle.Font.Size, axis.Tick.Label.Font.Size = labelSize, smallSize
		axis.Label.TextStyle.Color, axis.Tick.Label.Color = reference, ink
		axis.LineStyle.Color, axis.Tick.Color = ink, ink
	}
	pl.X.Tick.Marker, pl.Y.Tick.Marker = linearTicks{}, linearTicks{}
	if p.LogX {
		pl.X.Scale, pl.X.Tick.Marker = plot.LogScale{}, logTicks{}
	}
	if p.LogY {
		pl.Y.Scale, pl.Y.Tick.Marker = plot.LogScale{}, logTicks{}
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = gridInk, gridInk
	pl.Add(grid)
	for _, s := range p.Series {
		if s.Low == nil {
			continue
		}
		band, err := plotter.NewPolygon(s.band(p.Steps))
		if err != nil {
			return nil, err
		}
		band.Color = bandColor(p.number(s.Name))
		band.LineStyle.Width = 0
		pl.Add(band)
	}
	for _, s := range p.Series {
		if err := p.add(pl, s); err != nil {
			return nil, err
		}
	}
	p.widen(pl)
	if p.Share {
		pl.Y.Min, pl.Y.Max = 0, 1
	}
	return pl, nil
}

// row writes a row of text at the top of c and returns its height.
func (d drawing) row(c draw.Canvas, size vg.Length, color color.Color, words string) vg.Length {
	text := d.plot.X.Label.TextStyle
	text.XAlign, text.YAlign, text.Font.Size, text.Color = draw.XLeft, draw.YTop, size, color
	c.FillText(text, vg.Point{X: c.Min.X, Y: c.Max.Y}, words)
	return 1.5 * size
}

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

// draw draws the panel: its title, the names of its lines, what y shows, and the axes. Names that are not at the
// ends of their lines stand below the title, if withKey is set.
func (d drawing) draw(c draw.Canvas, withKey bool) {
	ends := d.ends(c.Max.X - c.Min.X)
	if d.Title != "" {
		c.Max.Y -= d.row(c, titleSize, ink, d.Title)
	}
	if !ends && withKey {
		c.Max.Y -= d.drawKey(c)
	}
	c.Max.Y -= d.row(c, labelSize, reference, d.Y) + smallSize/2
	if !ends {
		d.plot.Draw(c)
		return
	}
	const gap = vg.Length(7)
	inner := draw.Crop(c, 0, -d.room()-gap, 0, 0)
	d.plot.Draw(inner)
	d.drawEnds(c, d.plot.DataCanvas(inner), d.names(), gap)
}

// number returns the number of a name among those of results, or among those of references. It chooses the colour and
// the dashes.
func (p Panel) number(name string) (n int) {
	for _, other := range p.names() {
		if other == name {
			break
		}
		if p.one(other).Reference == p.one(name).Reference {
			n++
		}
	}
	return n
}

// lineOf returns the style of a series.
func (p Panel) lineOf(s series) draw.LineStyle {
	if s.Reference {
		return referenceStyle(p.number(s.Name))
	}
	style := lineStyle(p.number(s.Name))
	if s.Single {
		style.Width = thinWidth
	}
	return style
}

// marked reports whether the points of a series have marks.
func (p Panel) marked(s series) bool {
	return !s.Reference && len(s.X) <= mostMarks && (len(s.X) == 1 || !s.Single && !p.Steps)
}

// add adds the line of a series to a plot.
func (p Panel) add(pl *plot.Plot, s series) error {
	line, err := plotter.NewLine(s.points(p.Steps))
	if err != nil {
		return err
	}
	line.LineStyle = p.lineOf(s)
	pl.Add(line)
	if !p.marked(s) {
		return nil
	}
	points, err := plotter.NewScatter(s.points(false))
	if err != nil {
		return err
	}
	points.GlyphStyle = markStyle(p.number(s.Name))
	pl.Add(points)
	return nil
}

// one returns the first series of a name.
func (p Panel) one(name string) series {
	return p.Series[slices.IndexFunc(p.Series, func(s series) bool { return s.Name == name })]
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

// keyWidth returns the width of a name in rows.
func (d drawing) keyWidth(name string) vg.Length {
	return keySample + keyGap + d.nameStyle(name).Width(name) + keyApart
}

// keyRows deals the names to rows of a width.
func (d drawing) keyRows(width vg.Length) (rows [][]string) {
	left := vg.Length(0)
	for _, name := range d.names() {
		if rows == nil || d.keyWidth(name)-keyApart > left {
			rows, left = append(rows, nil), width
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], name)
		left -= d.keyWidth(name)
	}
	return rows
}

// drawKey draws the names in rows at the top, each after a piece of its line, and returns the height of the rows.
func (d drawing) drawKey(c draw.Canvas) vg.Length {
	rows := d.keyRows(c.Max.X - c.Min.X)
	for i, row := range rows {
		at := vg.Point{X: c.Min.X, Y: c.Max.Y - (vg.Length(i)+0.5)*rowHeight}
		for _, name := range row {
			s, style := d.one(name), d.nameStyle(name)
			c.StrokeLine2(d.lineOf(s), at.X, at.Y, at.X+keySample, at.Y)
			if d.marked(s) {
				c.DrawGlyph(markStyle(d.number(name)), vg.Point{X: at.X + keySample/2, Y: at.Y})
			}
			style.Color = ink
			c.FillText(style, vg.Point{X: at.X + keySample + keyGap, Y: at.Y}, name)
			at.X += d.keyWidth(name)
		}
	}
	return vg.Length(len(rows))*rowHeight + rowHeight/5
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
	low := data.Min.Y
	for _, name := range names { // names that are too near to each other move up, and all down if there is no room
		ends[name] = max(ends[name], low)
		low = ends[name] + rowHeight
	}
	high := data.Max.Y
	for _, name := range slices.Backward(names) {
		ends[name] = min(ends[name], high)
		high = ends[name] - rowHeight
	}
	for _, name := range names {
		c.FillText(d.nameStyle(name), vg.Point{X: right + gap, Y: ends[name]}, name)
	}
}

// logTicks marks 1 to 9 times each power of ten. With several powers it labels only these; with few it also labels 2
// and 5, or every mark. If that gives fewer than two labels, the marks are those of a linear axis.
type logTicks struct{}

func (logTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	decades := math.Log10(high / low)
	every := math.Ceil(decades / 8) // every so many powers of ten are labelled
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for d := 1.0; d < 10; d++ {
			v := d * math.Pow(10, e)
			if v < low*(1-1e-9) || v > high*(1+1e-9) || d > 1 && every > 1 {
				continue
			}
			t := plot.Tick{Value: v}
			if d == 1 && math.Mod(e, every) == 0 || (d == 2 || d == 5) && decades < 2 || decades < 0.7 {
				t.Label = tickLabel(v)
			}
			ticks = append(ticks, t)
		}
	}
	labels := 0
	for _, t := range ticks {
		if t.Label != "" {
			labels++
		}
	}
	if labels < 2 {
		return linearTicks{}.Ticks(low, high)
	}
	return ticks
}

// linearTicks marks and labels values at equal distances.
type linearTicks struct{}

func (linearTicks) Ticks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i, t := range ticks {
		if t.Label != "" {
			ticks[i].Label = tickLabel(t.Value)
		}
	}
	return ticks
}

// tickLabel writes a number for an axis: 200, 2e4, 1e-7.
func tickLabel(v float64) string {
	if size := math.Abs(v); size == 0 || size >= 0.01 && size < 1e4 {
		return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64)
	}
	m, e, _ := strings.Cut(strconv.FormatFloat(v, 'e', 4, 64), "e") // 0.1 times a power is not exact
	m = strings.TrimRight(strings.TrimRight(m, "0"), ".")
	n, _ := strconv.Atoi(e)
	return m + "e" + strconv.Itoa(n)
}

// widen lengthens axes on which all values are equal. A logarithmic axis without length cannot be drawn.
func (p Panel) widen(pl *plot.Plot) {
	for _, a := range []struct {
		axis *plot.Axis
		log  bool
	}{{&pl.X, p.LogX}, {&pl.Y, p.LogY}} {
		if a.axis.Max-a.axis.Min > 1e-9*math.Abs(a.axis.Max) {
			continue
		}
		if a.log {
			a.axis.Min, a.axis.Max = a.axis.Min/2, a.axis.Max*2
		} else {
			a.axis.Min, a.axis.Max = a.axis.Min-1, a.axis.Max+1
		}
	}
}

// points returns the points of a line. With steps a value holds until the next x.
func (s series) points(steps bool) plotter.XYs {
	return line(s.X, s.Y, steps)
}

// line returns the points (x, y), with steps two for each after the first.
func line(x, y []float64, steps bool) (xy plotter.XYs) {
	for i := range x {
		if steps && i > 0 {
			xy = append(xy, plotter.XY{X: x[i], Y: y[i-1]})
		}
		xy = append(xy, plotter.XY{X: x[i], Y: y[i]})
	}
	return xy
}

// band returns the outline of the band between lo and hi.
func (s series) band(steps bool) plotter.XYs {
	back := line(s.X, s.High, steps)
	slices.Reverse(back)
	return append(line(s.X, s.Low, steps), back...)
}
