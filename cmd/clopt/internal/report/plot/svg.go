package plot

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// svgCanvas draws a picture as SVG. Its texts keep the width for which they were placed, or their middle if they are
// short, whatever font a reader has. It follows the colour scheme of the reader: the colours of the house style are
// classes. Places are whole numbers of units, so that pictures of many points are small.
type svgCanvas struct {
	width, height vg.Length
	resolution
	body         bytes.Buffer
	now          svgState
	stack        []svgState
	style, lines string // of the lines that were drawn last, which become one element
	group, texts string // of the texts that were drawn last, which become one group
}

// resolution says how exact the lines of a picture are.
type resolution struct {
	unit float64   // of places in the picture, for a point
	step vg.Length // the height of the lowest steps of a line
}

// The lines of a coarse picture are a point off at most, which is about their width.
var (
	fine   = resolution{unit: 10}
	coarse = resolution{unit: 2, step: 1}
)

// svgState is what Push saves. The transform maps (x, y) to (a x + c y + e, b x + d y + f), in units.
type svgState struct {
	a, b, c, d, e, f float64
	ink              color.Color
	line             vg.Length
	dashes           []vg.Length
}

// Style is the style sheet of pictures: the font, and the colours of their classes. Paths with a width are lines, and
// all else is filled.
var Style = `svg{font-family:` + fontFamily + `;fill:currentColor}` +
	`path[stroke-width]{fill:none;stroke:currentColor}.paper{fill:#fff}.ink{color:#222}` +
	`.grid{color:#e6e6e6}.reference{color:#6b6b6b}` + lineColors(palette) +
	`@media (prefers-color-scheme:dark){.paper{fill:#16181c}.ink{color:#ddd}` +
	`.grid{color:#33363c}.reference{color:#a0a0a0}` + lineColors(darkPalette) + `}`

// lineColors returns the style of the classes of lines.
func lineColors(of []color.NRGBA) (style string) {
	for i, c := range of {
		style += fmt.Sprintf(".%s{color:#%02x%02x%02x}", lineClass(i), c.R, c.G, c.B)
	}
	return style
}

func newSVG(width, height vg.Length, r resolution) *svgCanvas {
	// The origin of a canvas is the lower left corner, that of SVG the upper left one.
	return &svgCanvas{width: width, height: height, resolution: r,
		now: svgState{a: r.unit, d: -r.unit, f: r.unit * height.Points(), line: 1}}
}

// Size returns the width and height.
func (c *svgCanvas) Size() (x, y vg.Length) { return c.width, c.height }

// WriteTo writes the picture as a document.
func (c *svgCanvas) WriteTo(w io.Writer) (int64, error) {
	n, err := fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" %s>\n<style>%s</style>\n<rect "+
		"class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n%s</svg>\n", c.size(), Style, c.content())
	return int64(n), err
}

// element returns the picture as an element of a page that has the Style.
func (c *svgCanvas) element() string {
	return fmt.Sprintf("<svg %s>\n%s</svg>\n", c.size(), c.content())
}

// size returns the attributes of the size.
func (c *svgCanvas) size() string {
	width, height := c.width.Points(), c.height.Points()
	return fmt.Sprintf("width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\"", short(width), short(height),
		short(width*c.unit), short(height*c.unit))
}

// content returns what was drawn.
func (c *svgCanvas) content() string {
	c.flush()
	return c.body.String()
}

// SetLineWidth sets the width of lines.
func (c *svgCanvas) SetLineWidth(w vg.Length) { c.now.line = w }

// SetLineDash sets the lengths of dashes and gaps.
func (c *svgCanvas) SetLineDash(pattern []vg.Length, _ vg.Length) { c.now.dashes = pattern }

// SetColor sets the colour of lines, areas and texts.
func (c *svgCanvas) SetColor(ink color.Color) { c.now.ink = ink }

// Rotate turns what is drawn from now on.
func (c *svgCanvas) Rotate(angle float64) {
	sin, cos := math.Sincos(angle)
	n := c.now
	c.now.a, c.now.b = n.a*cos+n.c*sin, n.b*cos+n.d*sin
	c.now.c, c.now.d = n.c*cos-n.a*sin, n.d*cos-n.b*sin
}

// Translate moves what is drawn from now on.
func (c *svgCanvas) Translate(to vg.Point) {
	c.now.e, c.now.f = c.at(to)
}

// Scale scales what is drawn from now on.
func (c *svgCanvas) Scale(x, y float64) {
	c.now.a, c.now.b, c.now.c, c.now.d = c.now.a*x, c.now.b*x, c.now.c*y, c.now.d*y
}

// Push saves the state.
func (c *svgCanvas) Push() { c.stack = append(c.stack, c.now) }

// Pop restores the state of the last Push.
func (c *svgCanvas) Pop() { c.now, c.stack = c.stack[len(c.stack)-1], c.stack[:len(c.stack)-1] }

// at returns the place of a point in the picture, in units.
func (c *svgCanvas) at(p vg.Point) (x, y float64) {
	return c.now.a*p.X.Points() + c.now.c*p.Y.Points() + c.now.e, c.now.b*p.X.Points() + c.now.d*p.Y.Points() + c.now.f
}

// Stroke draws a line along a path.
func (c *svgCanvas) Stroke(path vg.Path) {
	if c.now.line <= 0 {
		return
	}
	dashes := ""
	if len(c.now.dashes) > 0 {
		var all []string
		for _, d := range c.now.dashes {
			all = append(all, short(d.Points()*c.unit))
		}
		dashes = " stroke-dasharray=\"" + strings.Join(all, ",") + "\""
	}
	style := fmt.Sprintf("%s stroke-width=\"%s\"%s", c.paint("stroke"),
		short(c.now.line.Points()*c.unit), dashes)
	if style != c.style || c.texts != "" {
		c.flush()
	}
	c.style, c.lines = style, c.lines+c.data(path)
}

// flush writes the lines and the texts that were drawn last.
func (c *svgCanvas) flush() {
	if c.lines != "" {
		fmt.Fprintf(&c.body, "<path%s d=\"%s\"/>\n", c.style, c.lines)
	}
	if c.texts != "" {
		fmt.Fprintf(&c.body, "<g%s>\n%s</g>\n", c.group, c.texts)
	}
	c.lines, c.style, c.texts, c.group = "", "", "", ""
}

// Fill fills a path.
func (c *svgCanvas) Fill(path vg.Path) {
	c.flush()
	fmt.Fprintf(&c.body, "<path%s d=\"%s\"/>\n", c.paint("fill"), c.data(path))
}

// paint returns the class of the colour of now, and the opacity of a line or an area.
func (c *svgCanvas) paint(attribute string) string {
	paint := fmt.Sprintf(" class=\"%s\"", inkClass(c.now.ink))
	if n, ok := c.now.ink.(color.NRGBA); ok && n.A < 255 {
		paint += fmt.Sprintf(" %s-opacity=\"%s\"", attribute, short(float64(n.A)/255))
	}
	return paint
}

// data returns the commands of a path.
func (c *svgCanvas) data(path vg.Path) string {
	if c.step > 0 && staircase(path) {
		path = higherSteps(path, c.step)
	}
	var d pathData
	for _, s := range path {
		switch s.Type {
		case vg.MoveComp:
			d.move(c.at(s.Pos))
		case vg.LineComp:
			d.line(c.at(s.Pos))
		case vg.CloseComp:
			d.close()
		case vg.ArcComp:
			c.arc(&d, s)
		}
	}
	return d.text.String()
}

// arcSteps is the number of lines of a circle. Circles are marks of a few points.
const arcSteps = 24

// arc draws an arc by short lines.
func (c *svgCanvas) arc(d *pathData, s vg.PathComp) {
	steps := max(1, int(math.Ceil(math.Abs(s.Angle)/(2*math.Pi)*arcSteps)))
	for i := range steps + 1 {
		sin, cos := math.Sincos(s.Start + s.Angle*float64(i)/float64(steps))
		x, y := c.at(vg.Point{X: s.Pos.X + s.Radius*vg.Length(cos), Y: s.Pos.Y + s.Radius*vg.Length(sin)})
		if i == 0 {
			d.move(x, y)
		} else {
			d.line(x, y)
		}
	}
}

// shortText is the largest number of characters of a text that keeps its middle, not its width.
const shortText = 5

// FillString writes a text.
func (c *svgCanvas) FillString(face font.Face, at vg.Point, text string) {
	if text == "" || face.Font.Size <= 0 {
		return
	}
	x, y := c.at(at)
	width := face.Width(text).Points() * c.unit
	place, anchor := "", ""
	if angle := math.Atan2(c.now.b, c.now.a); angle != 0 {
		place = fmt.Sprintf(" transform=\"rotate(%s %s,%s)\"", short(angle*180/math.Pi), whole(x), whole(y))
	}
	if len(text) <= shortText && place == "" {
		x, anchor = x+width/2, " text-anchor=\"middle\""
	} else {
		place += fmt.Sprintf(" textLength=\"%s\" lengthAdjust=\"spacingAndGlyphs\"", whole(width))
	}
	group := fmt.Sprintf("%s font-size=\"%s\"%s", c.paint("fill"), short(face.Font.Size.Points()*c.unit), anchor)
	if c.lines != "" || group != c.group {
		c.flush()
	}
	var escaped bytes.Buffer
	escape(&escaped, text)
	c.group = group
	c.texts += fmt.Sprintf("<text x=\"%s\" y=\"%s\"%s>%s</text>\n", whole(x), whole(y), place, escaped.String())
}

// DrawImage is not used by any picture.
func (c *svgCanvas) DrawImage(vg.Rectangle, image.Image) {}

// short writes a number with at most two digits after the point.
func short(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100+0, 'f', -1, 64)
}
