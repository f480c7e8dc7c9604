package plot

import (
	"encoding/xml"
	"image/color"
	"io"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The style of all pictures: sizes, fonts, colours, dashes and marks.

// The sizes of a panel, alone and among others in a picture. Two panels side by side are so narrow that a telephone
// hardly shrinks their texts.
var (
	onePanel   = vg.Point{X: 13 * vg.Centimeter, Y: 9 * vg.Centimeter}
	somePanels = vg.Point{X: 7 * vg.Centimeter, Y: 6 * vg.Centimeter}
)

const (
	margin        = vg.Centimeter / 3
	resolutionPNG = 280 // dots per inch of a png
)

const (
	titleSize = vg.Length(12)
	labelSize = vg.Length(11)
	smallSize = vg.Length(10) // ticks, names of lines

	lineWidth = vg.Length(1.8)
	thinWidth = vg.Length(0.8) // of single runs
	bandAlpha = 45
)

// mostLabels is the largest number of lines with names at their ends, and widestLabel the largest width of such a name,
// as a share of the panel.
const (
	mostLabels  = 4
	widestLabel = 0.25
)

// rowHeight is the height of a row of names.
const rowHeight = 1.3 * smallSize

// mostMarks is the largest number of points that have marks.
const mostMarks = 12

// fewestQuartiles is the smallest number of runs that are drawn as a median and a band between the quartiles.
const fewestQuartiles = 5

// fontFamily is the font of an SVG, with what takes its place where it is missing.
const fontFamily = "'Liberation Sans', Arial, Helvetica, sans-serif"

var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}

func init() { plot.DefaultFont = sans }

// The greys and the black of a picture. An SVG turns them into classes, which are other colours on a dark page.
var (
	ink       = color.Gray{0x22}
	gridInk   = color.Gray{0xe6}
	reference = color.Gray{0x78}
)

// inkClass returns the class of a colour in an SVG, which has no others.
func inkClass(c color.Color) string {
	switch c {
	case ink, color.Black, nil:
		return "ink"
	case gridInk:
		return "grid"
	case reference:
		return "reference"
	}
	of := color.NRGBAModel.Convert(c).(color.NRGBA)
	of.A = 255 // bands are the same colours, seen through
	return lineClass(slices.Index(palette, of))
}

// lineClass returns the class of the colour of line i in an SVG.
func lineClass(i int) string { return "line" + strconv.Itoa(i%len(palette)) }

// palette holds the colours of Okabe and Ito (2008), which readers with any colour vision tell apart, without the
// yellow, which is hard to see on white.
var palette = []color.NRGBA{
	{0x00, 0x72, 0xb2, 255}, {0xd5, 0x5e, 0x00, 255}, {0x00, 0x9e, 0x73, 255}, {0xcc, 0x79, 0xa7, 255},
	{0x56, 0xb4, 0xe9, 255}, {0xe6, 0x9f, 0x00, 255},
}

// darkPalette holds the same hues for a dark page, so light that names in these colours can be read on it.
var darkPalette = []color.NRGBA{
	{0x3f, 0x9b, 0xdc, 255}, {0xee, 0x7f, 0x36, 255}, {0x20, 0xb5, 0x8a, 255}, {0xd9, 0x8f, 0xb8, 255},
	{0x9f, 0xd3, 0xf2, 255}, {0xf2, 0xbd, 0x42, 255},
}

// dashes differ from line to line, for prints without colours.
var dashes = [][]vg.Length{nil, {7, 3}, {2, 2}, {7, 2, 2, 2}, {10, 3, 3, 3}}

// marks differ from line to line.
var marks = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PyramidGlyph{},
	draw.RingGlyph{}, draw.BoxGlyph{}}

// lineStyle returns the style of line i.
func lineStyle(i int) draw.LineStyle {
	return draw.LineStyle{Color: palette[i%len(palette)], Width: lineWidth, Dashes: dashes[i%len(dashes)]}
}

// referenceStyle returns the style of line i of those that are not results.
func referenceStyle(i int) draw.LineStyle {
	dashes := [][]vg.Length{{4, 3}, {1, 2}, {9, 3}, {9, 3, 1, 3}}
	return draw.LineStyle{Color: reference, Width: 1.2, Dashes: dashes[i%len(dashes)]}
}

// markStyle returns the style of the marks of line i.
func markStyle(i int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: palette[i%len(palette)], Radius: 3, Shape: marks[i%len(marks)]}
}

// bandColor returns the colour of the band of line i.
func bandColor(i int) color.Color {
	c := palette[i%len(palette)]
	c.A = bandAlpha
	return c
}

// escape writes a text for SVG.
func escape(w io.Writer, text string) {
	xml.EscapeText(w, []byte(text)) //nolint:errcheck // w is a buffer
}
