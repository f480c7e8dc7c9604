package plot

import (
	"cmp"
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
		s := arrange(all, onePanel)
		var canvas interface {
			vg.CanvasSizer
			io.WriterTo
		}
		if canvas = newSVG(s.width, s.height, fine); ext == ".png" {
			canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(s.width, s.height), vgimg.UseDPI(resolutionPNG))}
		}
		s.draw(canvas)
		_, err = canvas.WriteTo(w)
		return err
	})
	return err
}

// Elements returns each panel as an SVG element of a page that has the Style.
func (f Figure) Elements() ([]string, error) {
	all, err := f.drawings()
	return elements(all, onePanel, fine), err
}

// SmallElements returns each panel as a small SVG element, for many panels on one page, and what their titles and the
// names of their lines have in common. Their lines are coarse, and their axes have marks at labels only.
func (f Figure) SmallElements() (heading string, texts []string, err error) {
	all, err := f.drawings()
	if err != nil {
		return "", nil, err
	}
	heading = report.Joined(takeCommon(all), takeCounts(all))
	for _, d := range all {
		for _, axis := range []*plot.Axis{&d.plot.X, &d.plot.Y} {
			axis.Tick.Marker = labelledTicks{axis.Tick.Marker}
		}
	}
	return heading, elements(all, somePanels, coarse), nil
}

// elements returns each panel as an SVG element.
func elements(panels []drawing, size vg.Point, r resolution) (texts []string) {
	for i := range panels {
		s := arrange(panels[i:i+1], size)
		canvas := newSVG(s.width, s.height, r)
		s.draw(canvas)
		texts = append(texts, canvas.element())
	}
	return texts
}

// mostColumns is the number of panels side by side. With two a picture can be read on a page and on a telephone.
const mostColumns = 2

// sheet is a picture of panels: what stands above them, and their places.
type sheet struct {
	panels          []drawing
	heading, counts string   // what the titles of the panels and the names of their lines have in common
	key             *drawing // whose names stand above all panels; nil: each panel has its own
	columns         int
	width, height   vg.Length
	head            vg.Length // the height of what stands above the panels
}

// arrange arranges panels. A single one has the given size. The parts of a title and the names of lines that are
// common to several panels stand above them.
func arrange(panels []drawing, size vg.Point) sheet {
	s := sheet{panels: panels, counts: takeCounts(panels), columns: 1}
	if len(panels) == 1 {
		panels[0].Y, s.counts = report.Joined(panels[0].Y, s.counts), ""
	} else {
		s.heading, s.columns, size = takeCommon(panels), mostColumns, somePanels
		if d := panels[0]; !slices.ContainsFunc(panels, func(o drawing) bool {
			return o.ends(size.X) || !slices.Equal(o.names(), d.names())
		}) {
			s.key = &d
		}
	}
	s.width = vg.Length(s.columns) * size.X
	if s.heading != "" {
		s.head += margin + 1.5*titleSize
	}
	if s.counts != "" {
		s.head += 1.5 * labelSize
	}
	if s.key != nil {
		s.head += s.key.keyHeight(s.width - 2*margin)
	} else {
		size.Y += highestKey(panels, size.X)
	}
	s.height = vg.Length(s.rows())*size.Y + s.head
	return s
}

// rows returns the number of rows of panels.
func (s sheet) rows() int { return (len(s.panels) + s.columns - 1) / s.columns }

// draw draws the sheet.
func (s sheet) draw(canvas vg.CanvasSizer) {
	all := draw.New(canvas)
	tiles := draw.Tiles{Rows: s.rows(), Cols: s.columns, PadX: vg.Centimeter / 2, PadY: vg.Centimeter / 2,
		PadTop: margin, PadBottom: margin, PadLeft: margin, PadRight: margin}
	for i, d := range s.panels {
		d.draw(tiles.At(draw.Crop(all, 0, 0, 0, -s.head), i%s.columns, i/s.columns), s.key == nil)
	}
	top := draw.Crop(all, margin, -margin, 0, -margin)
	if s.heading != "" {
		top.Max.Y -= s.panels[0].row(top, titleSize, ink, s.heading)
	}
	if s.counts != "" {
		top.Max.Y -= s.panels[0].row(top, labelSize, reference, s.counts)
	}
	if s.key != nil {
		s.key.drawKey(top)
	}
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
