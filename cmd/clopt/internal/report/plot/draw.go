package plot

import (
	"cmp"
	"errors"
	"image/color"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
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
	counts := takeCounts(panels)
	if len(panels) == 1 {
		panels[0].Y, counts = report.Joined(panels[0].Y, counts), ""
	} else {
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
	if counts != "" {
		head += 1.5 * labelSize
	}
	if key != nil {
		head += vg.Length(len(key.keyRows(width-2*margin))) * rowHeight
	} else {
		size.Y += highestKey(panels, size.X)
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
	if counts != "" {
		top.Max.Y -= panels[0].row(top, labelSize, reference, counts)
	}
	if key != nil {
		key.drawKey(top)
	}
	_, err := canvas.WriteTo(w)
	return err
}

// takeCommon removes the parts that all titles have from the titles, and returns them.
func takeCommon(panels []drawing) string {
	var common []string
	for part := range strings.SplitSeq(panels[0].Title, report.TitleSeparator) {
		if !slices.ContainsFunc(panels, func(d drawing) bool {
			return !slices.Contains(strings.Split(d.Title, report.TitleSeparator), part)
		}) {
			common = append(common, part)
		}
	}
	for i := range panels {
		panels[i].Title = strings.Join(slices.DeleteFunc(strings.Split(panels[i].Title, report.TitleSeparator),
			func(part string) bool { return slices.Contains(common, part) }), report.TitleSeparator)
	}
	return strings.Join(common, report.TitleSeparator)
}

// takeCounts removes what all names of results say of the number of their runs, if it is the same, and returns it.
func takeCounts(panels []drawing) string {
	common := ""
	for _, d := range panels {
		for _, s := range d.Series {
			count := counted.FindString(s.Name)
			if !s.Reference && (count == "" || common != "" && count != common) {
				return ""
			}
			common = cmp.Or(count, common)
		}
	}
	for i := range panels {
		panels[i].Series = slices.Clone(panels[i].Series)
		for k := range panels[i].Series {
			s := &panels[i].Series[k]
			s.Name = strings.TrimSuffix(s.Name, common)
		}
	}
	return strings.Trim(common, " ()")
}

// drawing is a panel with its axes.
type drawing struct {
	Panel
	plot *plot.Plot
}

// row writes a row of text at the top of c and returns its height.
func (d drawing) row(c draw.Canvas, size vg.Length, color color.Color, words string) vg.Length {
	text := d.plot.X.Label.TextStyle
	text.XAlign, text.YAlign, text.Font.Size, text.Color = draw.XLeft, draw.YTop, size, color
	c.FillText(text, vg.Point{X: c.Min.X, Y: c.Max.Y}, words)
	return 1.5 * size
}

// wrapped deals the parts of a text to rows of a width.
func (d drawing) wrapped(text string, size, width vg.Length) (rows []string) {
	style := d.plot.X.Label.TextStyle
	style.Font.Size = size
	for part := range strings.SplitSeq(text, report.TitleSeparator) {
		last := len(rows) - 1
		if last >= 0 && style.Width(rows[last]+report.TitleSeparator+part) <= width {
			rows[last] += report.TitleSeparator + part
		} else if part != "" {
			rows = append(rows, part)
		}
	}
	return rows
}

// draw draws the panel: its title, the names of its lines, what y shows, and the axes. Names that are not at the
// ends of their lines stand below the title, if withKey is set.
func (d drawing) draw(c draw.Canvas, withKey bool) {
	ends := d.ends(c.Max.X - c.Min.X)
	for _, row := range d.wrapped(d.Title, titleSize, c.Max.X-c.Min.X) {
		c.Max.Y -= d.row(c, titleSize, ink, row)
	}
	if !ends && withKey {
		c.Max.Y -= d.drawKey(c)
	}
	for _, row := range d.wrapped(d.Y, labelSize, c.Max.X-c.Min.X) {
		c.Max.Y -= d.row(c, labelSize, reference, row)
	}
	c.Max.Y -= smallSize / 2
	d.plot.X.Label.Text = strings.Join(d.wrapped(d.X, labelSize, (c.Max.X-c.Min.X)*3/4), "\n")
	if !ends {
		d.spaceLabels(c)
		d.plot.Draw(c)
		return
	}
	const gap = vg.Length(7)
	inner := draw.Crop(c, 0, -d.room()-gap, 0, 0)
	d.spaceLabels(inner)
	d.plot.Draw(inner)
	d.drawEnds(c, d.plot.DataCanvas(inner), d.names(), gap)
}

// number returns the number of a name among those of the results of all panels, or among the references of this one. It
// chooses the colour and the dashes.
func (p Panel) number(name string) (n int) {
	if !p.one(name).Reference {
		return slices.Index(p.methods, counted.ReplaceAllString(name, ""))
	}
	for _, other := range p.names() {
		if other == name {
			break
		}
		if p.one(other).Reference {
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

// marked reports whether a series has marks: at its Marks, or at all of few points.
func (p Panel) marked(s series) bool {
	return s.Marks != nil || !s.Reference && len(s.X) <= mostMarks && (len(s.X) == 1 || !s.Single && !p.Steps)
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
	at := s.points(false)
	if s.Marks != nil {
		all := at
		at = nil
		for _, i := range s.Marks {
			at = append(at, all[i])
		}
	}
	points, err := plotter.NewScatter(at)
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
