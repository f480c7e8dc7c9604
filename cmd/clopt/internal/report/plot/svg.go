package plot

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// point is a place in a picture, or a size, in points. The origin is the upper left corner.
type point struct{ x, y float64 }

// pen says how a line is drawn.
type pen struct {
	class  string // its colour
	width  float64
	dashes []float64 // lengths of dashes and gaps; nil: none
}

// canvas draws a picture as SVG. It follows the colour scheme of the reader: colours are classes of the Style. Places
// are whole numbers of units, so that pictures of many points are small.
type canvas struct {
	size point
	resolution
	body  strings.Builder
	begin string // of the element that is open, to which things of the same style are added
	end   string
}

// resolution says how exact a picture is.
type resolution struct {
	unit   float64 // of places in the picture, for a point
	coarse bool    // axes have marks at labels only
}

// The lines of a coarse picture are half a point off at most, which is less than their width.
var (
	fine   = resolution{unit: 10}
	coarse = resolution{unit: 1, coarse: true}
)

// writeTo writes the picture as a document.
func (c *canvas) writeTo(w io.Writer) error {
	_, err := fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" %s>\n<style>%s</style>\n<rect class=\"paper\" "+
		"width=\"100%%\" height=\"100%%\"/>\n%s</svg>\n", c.extent(), Style, c.content())
	return err
}

// element returns the picture as an element of a page that has the Style.
func (c *canvas) element() string {
	return fmt.Sprintf("<svg %s>\n%s</svg>\n", c.extent(), c.content())
}

// extent returns the attributes of the size.
func (c *canvas) extent() string {
	return fmt.Sprintf("width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\"", short(c.size.x), short(c.size.y),
		short(c.size.x*c.unit), short(c.size.y*c.unit))
}

// content returns what was drawn.
func (c *canvas) content() string {
	c.put("", "", "")
	return c.body.String()
}

// put adds content to the open element if that has the same begin, and to a new element otherwise.
func (c *canvas) put(begin, content, end string) {
	if begin != c.begin {
		c.body.WriteString(c.end + begin)
		c.begin, c.end = begin, end
	}
	c.body.WriteString(content)
}

// line draws a line along a path.
func (c *canvas) line(p pen, path ...point) {
	style := ""
	if p.dashes != nil {
		lengths := make([]string, len(p.dashes))
		for i, d := range p.dashes {
			lengths[i] = short(d * c.unit)
		}
		style = " stroke-dasharray=\"" + strings.Join(lengths, ",") + "\""
	}
	c.put(fmt.Sprintf("<path class=\"%s\" stroke-width=\"%s\"%s d=\"", p.class, short(p.width*c.unit), style),
		c.data(path), "\"/>\n")
}

// area fills the inside of a path.
func (c *canvas) area(class string, opacity float64, path []point) {
	shade := ""
	if opacity < 1 {
		shade = " fill-opacity=\"" + short(opacity) + "\""
	}
	c.put(fmt.Sprintf("<path class=\"%s\"%s d=\"", class, shade), c.data(path)+"z", "\"/>\n")
}

// box returns the outline of a rectangle from its upper left corner on.
func box(at, size point) []point {
	return []point{at, {at.x + size.x, at.y}, {at.x + size.x, at.y + size.y}, {at.x, at.y + size.y}}
}

// bar draws a rectangle, and shows a text when a pointer rests on it.
func (c *canvas) bar(class string, at, size point, about string) {
	c.put(fmt.Sprintf("<path class=\"%s\" d=\"%sz\"><title>%s</title></path>\n", class, c.data(box(at, size)),
		escaped(about)), "", "")
}

// mark draws a mark.
func (c *canvas) mark(m mark, class string, at point) {
	var path []point
	turn := float64(1-m.corners%2) / 2 // with an even number of corners it stands on a side
	for i := range m.corners + 1 {
		sin, cos := math.Sincos(2*math.Pi*(float64(i)+turn)/float64(m.corners) - math.Pi/2)
		path = append(path, point{at.x + markSize*cos, at.y + markSize*sin})
	}
	if m.filled {
		c.area(class, 1, path)
	} else {
		c.line(pen{class: class, width: thinWidth}, path...)
	}
}

// The places of a text that a canvas knows by a point.
const (
	left   = "start"
	middle = "middle"
	right  = "end"
)

// shortText is the largest number of letters of a text that has the width which the font of a reader gives it. Longer
// ones keep the width for which they were placed.
const shortText = 5

// text writes a text of a size, whose left end, middle or right end is above the point.
func (c *canvas) text(class string, size float64, at point, anchor, text string) {
	if text == "" {
		return
	}
	style, width := "", ""
	if anchor != left {
		style = " text-anchor=\"" + anchor + "\""
	}
	if len(text) > shortText {
		width = fmt.Sprintf(" textLength=\"%.0f\" lengthAdjust=\"spacingAndGlyphs\"", textWidth(text, size)*c.unit)
	}
	c.put(fmt.Sprintf("<g class=\"%s\" font-size=\"%s\"%s>\n", class, short(size*c.unit), style),
		fmt.Sprintf("<text x=\"%.0f\" y=\"%.0f\"%s>%s</text>\n", at.x*c.unit, at.y*c.unit, width, escaped(text)),
		"</g>\n")
}

// data returns the commands of a path, from its second point on relative to the point before. Points that are equal
// when they are rounded are one, as are lines that go on horizontally in one direction.
func (c *canvas) data(path []point) string {
	place := func(p point) (x, y int) { return int(math.Round(p.x * c.unit)), int(math.Round(p.y * c.unit)) }
	x, y := place(path[0])
	d := "M" + pair(x, y)
	ahead := 0 // the horizontal way that is not written yet
	along := func() {
		if ahead != 0 {
			d += "h" + strconv.Itoa(ahead)
		}
		ahead = 0
	}
	var text strings.Builder
	for _, p := range path[1:] {
		toX, toY := place(p)
		right, down := toX-x, toY-y
		x, y = toX, toY
		if down != 0 || right*ahead < 0 {
			along()
		}
		switch {
		case down == 0:
			ahead += right
		case right == 0:
			d += "v" + strconv.Itoa(down)
		default:
			d += "l" + pair(right, down)
		}
		text.WriteString(d)
		d = ""
	}
	along()
	return text.String() + d
}

// pair writes two numbers. A minus parts the second from the first.
func pair(x, y int) string {
	if y < 0 {
		return fmt.Sprint(x) + fmt.Sprint(y)
	}
	return fmt.Sprint(x, ",", y)
}

// short writes a number with at most two digits after the point.
func short(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100+0, 'f', -1, 64)
}

// escaped returns a text as SVG has it.
func escaped(text string) string {
	var out strings.Builder
	xml.EscapeText(&out, []byte(text)) //nolint:errcheck // a Builder has no errors
	return out.String()
}
