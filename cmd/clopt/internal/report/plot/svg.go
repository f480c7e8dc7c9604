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

// svgCanvas draws a picture as SVG. Its texts keep the width for which they were placed, whatever font a reader has. It
// follows the colour scheme of the reader: the colours of the house style are classes.
type svgCanvas struct {
	width, height vg.Length
	body          bytes.Buffer
	now           svgState
	stack         []svgState
	style, lines  string // of the lines that were drawn last, which become one element
}

// svgState is what Push saves. The transform maps (x, y) to (a x + c y + e, b x + d y + f), in points.
type svgState struct {
	a, b, c, d, e, f float64
	ink              color.Color
	line             vg.Length
	dashes           []vg.Length
}

// svgStyle colours the classes of a picture.
var svgStyle = `<style>.paper{fill:#fff}.ink{color:#222}.grid{color:#e6e6e6}.reference{color:#6b6b6b}` +
	lineColors(palette) + `@media (prefers-color-scheme:dark){.paper{fill:#16181c}.ink{color:#ddd}` +
	`.grid{color:#33363c}.reference{color:#a0a0a0}` + lineColors(darkPalette) + `}</style>`

// lineColors returns the style of the classes of lines.
func lineColors(of []color.NRGBA) (style string) {
	for i, c := range of {
		style += fmt.Sprintf(".%s{color:#%02x%02x%02x}", lineClass(i), c.R, c.G, c.B)
	}
	return style
}

func newSVG(width, height vg.Length) *svgCanvas {
	// The origin of a canvas is the lower left corner, that of SVG the upper left one.
	return &svgCanvas{width: width, height: height, now: svgState{a: 1, d: -1, f: height.Points(), line: 1}}
}

// Size returns the width and height.
func (c *svgCanvas) Size() (x, y vg.Length) { return c.width, c.height }

// WriteTo writes the picture as a document.
func (c *svgCanvas) WriteTo(w io.Writer) (int64, error) {
	c.flush()
	n, err := fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" "+
		"viewBox=\"0 0 %s %s\" font-family=\"%s\">\n%s\n<rect "+
		"class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n%s</svg>\n",
		short(c.width.Points()), short(c.height.Points()), short(c.width.Points()), short(c.height.Points()),
		fontFamily, svgStyle, c.body.String())
	return int64(n), err
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

// at returns the place of a point in the picture.
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
			all = append(all, short(d.Points()))
		}
		dashes = " stroke-dasharray=\"" + strings.Join(all, ",") + "\""
	}
	style := fmt.Sprintf("fill=\"none\" stroke-width=\"%s\"%s%s", short(c.now.line.Points()), dashes, c.paint("stroke"))
	if style != c.style {
		c.flush()
	}
	c.style, c.lines = style, c.lines+c.data(path)
}

// flush writes the lines that were drawn last.
func (c *svgCanvas) flush() {
	if c.lines != "" {
		fmt.Fprintf(&c.body, "<path d=\"%s\" %s/>\n", c.lines, c.style)
	}
	c.lines, c.style = "", ""
}

// Fill fills a path.
func (c *svgCanvas) Fill(path vg.Path) {
	c.flush()
	fmt.Fprintf(&c.body, "<path d=\"%s\"%s/>\n", c.data(path), c.paint("fill"))
}

// paint returns the attribute of a line or an area in the colour of now.
func (c *svgCanvas) paint(attribute string) string {
	paint := fmt.Sprintf(" class=\"%s\" %s=\"currentColor\"", inkClass(c.now.ink), attribute)
	if n, ok := c.now.ink.(color.NRGBA); ok && n.A < 255 {
		paint += fmt.Sprintf(" %s-opacity=\"%s\"", attribute, short(float64(n.A)/255))
	}
	return paint
}

// data returns the commands of a path. Its points are rounded to a tenth of a point, and those that are equal then are
// one, as are horizontal lines that go on in one direction.
func (c *svgCanvas) data(path vg.Path) string {
	var b bytes.Buffer
	var last [2]float64
	level, right := -1, false // where the last line begins in b if it is horizontal, otherwise -1; its direction
	point := func(command byte, p vg.Point) {
		x, y := c.at(p)
		at := [2]float64{math.Round(x * 10), math.Round(y * 10)}
		if command == 'L' && at == last {
			return
		}
		switch {
		case command == 'M':
			level = -1
			fmt.Fprintf(&b, "M%s,%s", tenth(x), tenth(y))
		case at[0] == last[0]:
			level = -1
			fmt.Fprintf(&b, "V%s", tenth(y))
		case at[1] == last[1]:
			if level >= 0 && right == (at[0] > last[0]) {
				b.Truncate(level)
			}
			level, right = b.Len(), at[0] > last[0]
			fmt.Fprintf(&b, "H%s", tenth(x))
		default:
			level = -1
			fmt.Fprintf(&b, "L%s,%s", tenth(x), tenth(y))
		}
		last = at
	}
	for _, s := range path {
		switch s.Type {
		case vg.MoveComp:
			point('M', s.Pos)
		case vg.LineComp:
			point('L', s.Pos)
		case vg.CloseComp:
			b.WriteByte('Z')
		case vg.ArcComp:
			c.arc(point, s)
		}
	}
	return b.String()
}

// arcSteps is the number of lines of a circle. Circles are marks of a few points.
const arcSteps = 24

// arc draws an arc by short lines.
func (c *svgCanvas) arc(point func(command byte, p vg.Point), s vg.PathComp) {
	steps := max(1, int(math.Ceil(math.Abs(s.Angle)/(2*math.Pi)*arcSteps)))
	for i := range steps + 1 {
		sin, cos := math.Sincos(s.Start + s.Angle*float64(i)/float64(steps))
		p := vg.Point{X: s.Pos.X + s.Radius*vg.Length(cos), Y: s.Pos.Y + s.Radius*vg.Length(sin)}
		point(map[bool]byte{true: 'M', false: 'L'}[i == 0], p)
	}
}

// FillString writes a text.
func (c *svgCanvas) FillString(face font.Face, at vg.Point, text string) {
	if text == "" || face.Font.Size <= 0 {
		return
	}
	c.flush()
	x, y := c.at(at)
	turned := ""
	if angle := math.Atan2(c.now.b, c.now.a); angle != 0 {
		turned = fmt.Sprintf(" transform=\"rotate(%s %s,%s)\"", short(angle*180/math.Pi), short(x), short(y))
	}
	var escaped bytes.Buffer
	escape(&escaped, text)
	fmt.Fprintf(&c.body, "<text x=\"%s\" y=\"%s\" font-size=\"%s\" textLength=\"%s\" "+
		"lengthAdjust=\"spacingAndGlyphs\"%s%s>%s</text>\n", short(x), short(y), short(face.Font.Size.Points()),
		short(face.Width(text).Points()), turned, c.paint("fill"), escaped.String())
}

// DrawImage is not used by any picture.
func (c *svgCanvas) DrawImage(vg.Rectangle, image.Image) {}

// tenth writes a length with at most one digit after the point.
func tenth(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10+0, 'f', -1, 64) }

// short writes a length with at most two digits after the point.
func short(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100+0, 'f', -1, 64)
}
