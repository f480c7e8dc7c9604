package plot

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
)

// picture draws the figure.
func (f Figure) picture(w io.Writer) error {
	s := arrange(f.drawings(), onePanel)
	c := &canvas{size: s.size, resolution: fine}
	s.draw(c)
	return c.writeTo(w)
}

// Elements returns each panel as an SVG element of a page that has the Style.
func (f Figure) Elements() []string { return elements(f.drawings(), onePanel, fine) }

// SmallElements returns each panel as a small SVG element, for many panels on one page, and what their titles and the
// names of their lines have in common.
func (f Figure) SmallElements() (heading string, texts []string) {
	all := f.drawings()
	heading = report.Joined(takeCommon(all), takeRuns(all))
	return heading, elements(all, somePanels, coarse)
}

// elements returns each panel as an SVG element.
func elements(panels []drawing, size point, r resolution) (texts []string) {
	for i := range panels {
		s := arrange(panels[i:i+1], size)
		c := &canvas{size: s.size, resolution: r}
		s.draw(c)
		texts = append(texts, c.element())
	}
	return texts
}

// drawing is a panel with its axes.
type drawing struct {
	Panel
	x, y *axis
}

// drawings returns the panels with their axes. A method has one colour in all of them.
func (f Figure) drawings() (all []drawing) {
	methods := slices.Clone(f.Methods)
	for _, p := range f.Panels {
		for _, s := range p.Series {
			if !s.Reference && !slices.Contains(methods, s.Name) {
				methods = append(methods, s.Name)
			}
		}
	}
	x, y := f.axes()
	for i, p := range f.Panels {
		p.methods = methods
		all = append(all, drawing{p, x[i], y[i]})
	}
	return all
}

// mostColumns is the number of panels side by side. With two a picture can be read on a page and on a telephone.
const mostColumns = 2

// sheet is a picture of panels: what stands above them, and their places.
type sheet struct {
	panels        []drawing
	heading, runs string // what the titles of the panels and the names of their lines have in common
	key           *Panel // whose names stand above all panels; nil: each panel has its own
	columns       int
	panel, size   point // of each panel and of the picture
}

// arrange arranges panels. A single one has the given size. The parts of a title and the names of lines that are
// common to several panels stand above them. Panels are higher by the most rows of names that one of them has, so that
// their axes keep their size.
func arrange(panels []drawing, size point) sheet {
	s := sheet{panels: panels, runs: takeRuns(panels), columns: 1, panel: size}
	if len(panels) == 1 {
		panels[0].Y, s.runs = report.Joined(panels[0].Y, s.runs), ""
	} else {
		s.heading = takeCommon(panels)
		s.columns = mostColumns
		s.panel = somePanels
		if first := panels[0].Panel; !slices.ContainsFunc(panels, func(o drawing) bool {
			return o.ends(s.panel.x-2*margin) || !slices.Equal(o.labels(), first.labels())
		}) {
			s.key = &first
		}
	}
	names := 0.0
	for _, d := range panels {
		if s.key == nil && !d.ends(s.panel.x-2*margin) {
			_, height := d.Panel.key(s.panel.x - 2*margin)
			names = max(names, height)
		}
	}
	s.panel.y += names
	s.size.x = float64(s.columns) * s.panel.x
	s.size.y = float64((len(panels)+s.columns-1)/s.columns)*s.panel.y + s.head(nil)
	return s
}

// head draws what stands above the panels, unless c is nil, and returns its height.
func (s sheet) head(c *canvas) (height float64) {
	row := func(class string, size float64, text string) {
		if text == "" {
			return
		}
		if c != nil {
			c.text(class, size, point{margin, margin + height + size}, left, text)
		}
		height += 1.5 * size
	}
	row("ink", titleSize, s.heading)
	row("reference", labelSize, s.runs)
	if s.key != nil {
		_, keys := s.key.key(s.size.x - 2*margin)
		if c != nil {
			s.key.drawKey(c, point{margin, margin + height}, s.size.x-2*margin)
		}
		height += keys
	}
	if height > 0 {
		height += margin
	}
	return height
}

// draw draws the sheet.
func (s sheet) draw(c *canvas) {
	head := s.head(c)
	for i, d := range s.panels {
		from := point{float64(i%s.columns) * s.panel.x, head + float64(i/s.columns)*s.panel.y}
		d.draw(c, from, s.panel, s.key == nil)
	}
}

// takeCommon removes the parts that all titles have from the titles, and returns them.
func takeCommon(panels []drawing) string {
	parts := func(title string) []string { return strings.Split(title, report.TitleSeparator) }
	common := slices.DeleteFunc(parts(panels[0].Title), func(part string) bool {
		return slices.ContainsFunc(panels, func(d drawing) bool { return !slices.Contains(parts(d.Title), part) })
	})
	for i := range panels {
		panels[i].Title = report.Joined(slices.DeleteFunc(parts(panels[i].Title),
			func(part string) bool { return slices.Contains(common, part) })...)
	}
	return report.Joined(common...)
}

// takeRuns removes what the lines of results say of the number of their runs, if it is the same, and returns it.
func takeRuns(panels []drawing) (common string) {
	for _, d := range panels {
		for _, s := range d.Series {
			if !s.Reference && (s.Runs == "" || common != "" && s.Runs != common) {
				return ""
			}
			common = cmp.Or(s.Runs, common)
		}
	}
	for i := range panels {
		panels[i].Series = slices.Clone(panels[i].Series)
		for k := range panels[i].Series {
			panels[i].Series[k].Runs = ""
		}
	}
	return common
}

// draw draws the panel: its title, the names of its lines, what y shows, and the axes. Names that are not at the
// ends of their lines stand below the title, if withKey is set.
func (d drawing) draw(c *canvas, from, size point, withKey bool) {
	at := point{from.x + margin, from.y + margin}
	width := size.x - 2*margin
	rows := func(class string, size float64, text string) {
		for _, row := range wrapped(text, report.TitleSeparator, size, width) {
			c.text(class, size, point{at.x, at.y + size}, left, row)
			at.y += 1.5 * size
		}
	}
	rows("ink", titleSize, d.Title)
	ends := d.ends(width)
	if !ends && withKey {
		at.y += d.drawKey(c, at, width)
	}
	rows("reference", labelSize, d.Y)
	at.y += smallSize / 2

	below := wrapped(d.X, report.TitleSeparator, labelSize, width*3/4)
	bottom := from.y + size.y - margin - 1.3*labelSize*float64(len(below))
	low := point{at.x, bottom - 1.1*smallSize - tick - offset} // the lower left corner of the lines
	high := point{at.x + width, at.y}
	if ends {
		high.x -= d.room() + 2*offset
	}
	up := d.y.labels(low.y-high.y, func(string) float64 { return smallSize })
	for _, l := range up {
		low.x = max(low.x, at.x+textWidth(l.text, smallSize)+1.5*tick+offset)
	}
	across := d.x.labels(high.x-low.x, func(text string) float64 { return textWidth(text, smallSize) + 4 })
	if !ends && len(across) > 0 { // the last label may stand half beyond the axis
		last := textWidth(across[len(across)-1].text, smallSize) / 2
		high.x -= max(0, last-margin)
	}
	place := func(x, y float64) point {
		return point{low.x + (high.x-low.x)*d.x.at(x), low.y + (high.y-low.y)*d.y.at(y)}
	}
	drawAxes(c, side{axis: d.x, labels: across, from: low, to: point{high.x, low.y}, out: point{0, 1},
		depth: low.y - high.y, anchor: middle, away: tick + 1.1*smallSize},
		side{axis: d.y, labels: up, from: low, to: point{low.x, high.y}, out: point{-1, 0},
			depth: high.x - low.x, anchor: right, away: 1.5 * tick, down: 0.35 * smallSize})
	for i, row := range below {
		down := 1.2*labelSize + 1.3*labelSize*float64(i)
		c.text("reference", labelSize, point{(low.x + high.x) / 2, bottom + down}, middle, row)
	}
	d.drawLines(c, place)
	if ends {
		d.drawEnds(c, place, high.y, low.y)
	}
}

// side is an axis at a side of the lines of a panel.
type side struct {
	*axis
	labels   []label
	from, to point   // the side of the lines, from the begin of the axis to its end
	out      point   // a step of a point away from the lines
	depth    float64 // the length of the lines of the grid
	anchor   string  // of the texts
	away     float64 // how far they are from the axis
	down     float64 // and how far down
}

// at returns a point that is away from the side, beside the place of a value.
func (s side) at(v, away float64) point {
	place := s.axis.at(v)
	return point{s.from.x + (s.to.x-s.from.x)*place + s.out.x*away,
		s.from.y + (s.to.y-s.from.y)*place + s.out.y*away}
}

// drawAxes draws axes with their labels, and a grid. Things of one style follow each other, so that they are one
// element.
func drawAxes(c *canvas, sides ...side) {
	grid, ink := pen{class: "grid", width: axisWidth}, pen{class: "ink", width: axisWidth}
	for _, s := range sides {
		for _, l := range s.labels {
			if l.text != "" {
				c.line(grid, s.at(l.value, 0), s.at(l.value, -s.depth))
			}
		}
	}
	for _, s := range sides {
		for _, l := range s.labels {
			if l.text != "" {
				c.line(ink, s.at(l.value, offset), s.at(l.value, offset+tick))
			} else if !c.coarse {
				c.line(ink, s.at(l.value, offset), s.at(l.value, offset+tick/2))
			}
		}
		c.line(ink, s.at(s.low, offset), s.at(s.high, offset))
	}
	for _, s := range sides {
		for _, l := range s.labels {
			p := s.at(l.value, offset+s.away)
			c.text("ink", smallSize, point{p.x, p.y + s.down}, s.anchor, l.text)
		}
	}
}

// drawLines draws first the bands, then the lines, with marks if a line has few points.
func (d drawing) drawLines(c *canvas, place func(x, y float64) point) {
	path := func(x, y []float64, steps bool) (path []point) {
		for i := range x {
			if steps && i > 0 {
				path = append(path, place(x[i], y[i-1]))
			}
			path = append(path, place(x[i], y[i]))
		}
		return path
	}
	for _, s := range d.Series {
		if s.Low != nil {
			back := path(s.X, s.High, d.Steps)
			slices.Reverse(back)
			c.area(d.penOf(s).class, bandShade, append(path(s.X, s.Low, d.Steps), back...))
		}
	}
	for _, s := range d.Series {
		c.line(d.penOf(s), path(s.X, s.Y, d.Steps && !s.Reference)...)
		if !d.marked(s) {
			continue
		}
		for i := range s.X {
			if s.Marks == nil || slices.Contains(s.Marks, i) {
				d.drawMark(c, s, place(s.X[i], s.Y[i]))
			}
		}
	}
}
