package plot

import (
	"cmp"
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

// Draw writes the panels to a file, in a grid about as wide as it is high. The format is png if the name ends in .png,
// otherwise svg.
func Draw(panels []Panel, out string) error {
	columns := int(math.Ceil(math.Sqrt(float64(len(panels)))))
	_, err := runs.WriteWhole(out, func(w io.Writer) error {
		return drawTo(w, panels, columns, strings.EqualFold(filepath.Ext(out), ".png"))
	})
	return err
}

// SVG returns a panel as an SVG element.
func SVG(p Panel) (string, error) {
	var b strings.Builder
	err := drawTo(&b, []Panel{p}, 1, false)
	return b.String(), err
}

// drawTo draws the panels in so many columns.
func drawTo(w io.Writer, panels []Panel, columns int, asPNG bool) error {
	rows := (len(panels) + columns - 1) / columns
	width, height := vg.Length(columns)*panelWidth, vg.Length(rows)*panelHeight
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	if canvas = newSVG(width, height); asPNG {
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(resolution))}
	}
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: vg.Centimeter / 2, PadY: vg.Centimeter / 2,
		PadTop: margin, PadBottom: margin, PadLeft: margin, PadRight: margin}
	all := draw.New(canvas)
	for i, p := range panels {
		if err := p.draw(tiles.At(all, i%columns, i/columns)); err != nil {
			return err
		}
	}
	_, err := canvas.WriteTo(w)
	return err
}

// draw draws one panel: first the bands, then the lines, with marks if a line has few points. Up to mostLabels lines
// have their names at their ends.
func (p Panel) draw(c draw.Canvas) error {
	pl := plot.New()
	pl.BackgroundColor = nil
	pl.Title.Text, pl.Title.TextStyle.Font.Size, pl.Title.Padding = p.title, titleSize, vg.Length(6)
	pl.X.Label.Text, pl.Y.Label.Text = p.x, p.y
	for _, axis := range []*plot.Axis{&pl.X, &pl.Y} {
		axis.Label.TextStyle.Font.Size, axis.Tick.Label.Font.Size = labelSize, smallSize
		axis.Label.TextStyle.Color, axis.Tick.Label.Color, axis.LineStyle.Color, axis.Tick.Color = ink, ink, ink, ink
	}
	pl.Title.TextStyle.Color = ink
	if p.logX {
		pl.X.Scale, pl.X.Tick.Marker = plot.LogScale{}, logTicks{}
	}
	if p.logY {
		pl.Y.Scale, pl.Y.Tick.Marker = plot.LogScale{}, logTicks{}
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = gridInk, gridInk
	pl.Add(grid)
	for _, s := range p.Series {
		if s.lo == nil {
			continue
		}
		band, err := plotter.NewPolygon(s.band(p.steps))
		if err != nil {
			return err
		}
		band.Color = bandColor(p.number(s.name))
		band.LineStyle.Width = 0
		pl.Add(band)
	}
	pl.Legend.TextStyle.Font.Size, pl.Legend.TextStyle.Color = smallSize, ink
	names := map[string]bool{}
	for _, s := range p.Series {
		thumbs, err := p.add(pl, s)
		if err != nil {
			return err
		}
		if !names[s.name] {
			pl.Legend.Add(s.name, thumbs...)
		}
		names[s.name] = true
	}
	p.widen(pl)
	if p.share {
		pl.Y.Min, pl.Y.Max = 0, 1
	}
	if len(names) > mostLabels {
		pl.Legend.Top, pl.Legend.Left = p.emptiest(pl)
		pl.Draw(c)
		return nil
	}
	pl.Legend = plot.NewLegend()
	p.drawNamed(pl, c)
	return nil
}

// number returns the number of the first line with a name, which chooses its colour.
func (p Panel) number(name string) (n int) {
	seen := map[string]bool{}
	for _, s := range p.Series {
		if s.name == name {
			return n
		}
		if !seen[s.name] && !s.dashed {
			n++
		}
		seen[s.name] = true
	}
	return n
}

// add adds the line of a series to a plot. It returns what stands for the line in a legend.
func (p Panel) add(pl *plot.Plot, s series) ([]plot.Thumbnailer, error) {
	line, err := plotter.NewLine(s.points(p.steps))
	if err != nil {
		return nil, err
	}
	i := p.number(s.name)
	line.LineStyle = lineStyle(i)
	switch {
	case s.dashed:
		line.LineStyle = referenceStyle
	case s.thin:
		line.LineStyle.Width = thinWidth
	}
	pl.Add(line)
	if s.dashed || len(s.x) > 12 || (s.thin || p.steps) && len(s.x) > 1 {
		return []plot.Thumbnailer{line}, nil
	}
	points, err := plotter.NewScatter(s.points(false))
	if err != nil {
		return nil, err
	}
	points.GlyphStyle = markStyle(i)
	pl.Add(points)
	return []plot.Thumbnailer{line, points}, nil
}

// drawNamed draws a plot with the name of each line at its end, right of the axes.
func (p Panel) drawNamed(pl *plot.Plot, c draw.Canvas) {
	type label struct {
		name  string
		style draw.TextStyle
		y     vg.Length
	}
	var labels []label
	room := vg.Length(0)
	for _, s := range p.Series {
		if slices.ContainsFunc(labels, func(l label) bool { return l.name == s.name }) {
			continue
		}
		style := pl.X.Tick.Label
		style.XAlign, style.YAlign = draw.XLeft, draw.YCenter
		if style.Color = reference; !s.dashed {
			style.Color = palette[p.number(s.name)%len(palette)]
		}
		labels = append(labels, label{name: s.name, style: style})
		room = max(room, style.Width(s.name))
	}
	const gap = vg.Length(5)
	inner := draw.Crop(c, 0, -room-gap, 0, 0)
	pl.Draw(inner)
	data := pl.DataCanvas(inner)
	for i, l := range labels {
		for _, s := range p.Series {
			if s.name == l.name {
				labels[i].y = data.Y(pl.Y.Norm(s.y[len(s.y)-1]))
			}
		}
	}
	slices.SortStableFunc(labels, func(a, b label) int { return cmp.Compare(a.y, b.y) })
	line := 1.2 * smallSize
	for i := range labels { // names that are too near to each other move up, and all down if there is no room
		if labels[i].y = max(labels[i].y, data.Min.Y); i > 0 {
			labels[i].y = max(labels[i].y, labels[i-1].y+line)
		}
	}
	for i := len(labels) - 1; i >= 0; i-- {
		highest := data.Max.Y - vg.Length(len(labels)-1-i)*line
		labels[i].y = min(labels[i].y, highest)
	}
	for _, l := range labels {
		c.FillText(l.style, vg.Point{X: data.Max.X + gap, Y: l.y}, l.name)
	}
}

// emptiest returns the corner for the legend: the one where curves are seldom (errors fall, speeds rise) if it is free,
// otherwise the one that fewest points cross.
func (p Panel) emptiest(pl *plot.Plot) (top, left bool) {
	crossed := func(top, left bool) (n int) {
		for _, s := range p.Series {
			for i := range s.x {
				const steps = 20 // points on the line from the last point to this one
				for k := range steps {
					x, y := pl.X.Norm(s.x[i]), pl.Y.Norm(s.y[i])
					if i > 0 {
						part := float64(k) / steps
						x += part * (pl.X.Norm(s.x[i-1]) - x)
						y += part * (pl.Y.Norm(s.y[i-1]) - y)
					}
					if top {
						y = 1 - y
					}
					if !left {
						x = 1 - x
					}
					if x < 0.25 && y < 0.05*float64(len(p.Series))+0.03 {
						n++
					}
				}
			}
		}
		return n
	}
	top, left = p.x == "devices", p.x != "variables"
	least := crossed(top, left)
	for _, c := range [][2]bool{{!top, left}, {top, !left}, {!top, !left}} {
		if n := crossed(c[0], c[1]); n < least {
			least, top, left = n, c[0], c[1]
		}
	}
	return top, left
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
		ticks = plot.DefaultTicks{}.Ticks(low, high)
		for i, t := range ticks {
			if t.Label != "" {
				ticks[i].Label = tickLabel(t.Value)
			}
		}
	}
	return ticks
}

// tickLabel writes a number for an axis: 200, 2e5, 1e-7.
func tickLabel(v float64) string {
	if v >= 0.01 && v < 1e5 {
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
	}{{&pl.X, p.logX}, {&pl.Y, p.logY}} {
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
	return line(s.x, s.y, steps)
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
	back := line(s.x, s.hi, steps)
	slices.Reverse(back)
	return append(line(s.x, s.lo, steps), back...)
}
