package plot

import (
	"slices"
	"strconv"
	"strings"
)

// The sizes of all pictures are in points.

// The sizes of a panel, alone and among others in a picture. Two panels side by side are so narrow that a telephone
// hardly shrinks their texts.
var (
	onePanel   = point{370, 255}
	somePanels = point{198, 170}
)

const (
	margin = 10 // around a picture
	offset = 4  // of an axis from the lines
	tick   = 5  // the length of a mark with a label

	titleSize = 12
	labelSize = 11
	smallSize = 10 // numbers at axes, names of lines

	rowHeight = 1.3 * smallSize // of a name

	lineWidth = 1.8
	thinWidth = 0.8 // of single runs
	axisWidth = 0.5
	bandShade = 0.18 // the opacity of a band
)

// mostLabels is the largest number of lines with names at their ends, and widestLabel the largest width of such a name,
// as a share of the panel.
const (
	mostLabels  = 4
	widestLabel = 0.25
)

// mostMarks is the largest number of points that have marks.
const mostMarks = 12

// fewestQuartiles is the smallest number of runs that are drawn as a median and a band between the quartiles.
const fewestQuartiles = 5

// palette holds the colours of Okabe and Ito (2008), which readers with any colour vision tell apart, without the
// yellow, which is hard to see on white.
var palette = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"}

// darkPaper is the colour of a dark page, and darkPalette holds the same hues for it, so light that names in these
// colours can be read there.
var (
	darkPaper   = "#16181c"
	darkPalette = []string{"#3f9bdc", "#ee7f36", "#20b58a", "#d98fb8", "#9fd3f2", "#f2bd42"}
)

// dashes differ from line to line, for prints without colours, and references of lines that are not results.
var (
	dashes     = [][]float64{nil, {7, 3}, {2, 2}, {7, 2, 2, 2}, {10, 3, 3, 3}}
	references = [][]float64{{4, 3}, {1, 2}, {9, 3}, {9, 3, 1, 3}}
)

// mark is a regular polygon. With many corners it is a circle.
type mark struct {
	corners int
	filled  bool
}

const (
	markSize   = 3 // from the middle to a corner
	markCircle = 16
)

// marks differ from line to line.
var marks = []mark{{markCircle, true}, {4, false}, {3, false}, {3, true}, {markCircle, false}, {4, true}}

// Style is the style sheet of pictures: the font, and the colours of their classes on a light and on a dark page. Paths
// with a width are lines, and all else is filled.
var Style = `svg{font-family:'Liberation Sans', Arial, Helvetica, sans-serif;fill:currentColor}` +
	`path[stroke-width]{fill:none;stroke:currentColor}` + colours("#fff", "#222", "#e6e6e6", "#6b6b6b", palette) +
	`@media (prefers-color-scheme:dark){` + colours(darkPaper, "#ddd", "#33363c", "#a0a0a0", darkPalette) + `}`

// colours returns the style of the classes of a picture.
func colours(paper, ink, grid, reference string, lines []string) string {
	style := ".paper{fill:" + paper + "}.ink{color:" + ink + "}.grid{color:" + grid + "}" +
		".reference{color:" + reference + "}"
	for i, colour := range lines {
		style += "." + lineClass(i) + "{color:" + colour + "}"
	}
	return style
}

// number returns the number of a line among those of the results of all panels, or among the references of this one. It
// chooses the colour, the dashes and the mark.
func (p Panel) number(s series) int {
	if !s.Reference {
		return slices.Index(p.methods, s.Name)
	}
	var references []string
	for _, o := range p.Series {
		if o.Reference && !slices.Contains(references, o.Name) {
			references = append(references, o.Name)
		}
	}
	return slices.Index(references, s.Name)
}

// penOf returns the pen of a series.
func (p Panel) penOf(s series) pen {
	n := p.number(s)
	switch {
	case s.Reference:
		return pen{"reference", 1.2, references[n%len(references)]}
	case s.Single:
		return pen{lineClass(n), thinWidth, dashes[n%len(dashes)]}
	}
	return pen{lineClass(n), lineWidth, dashes[n%len(dashes)]}
}

// lineClass returns the class of the colour of line i in the Style.
func lineClass(i int) string { return "line" + strconv.Itoa(i%len(palette)) }

// marked reports whether a series has marks: at its Marks, or at all of few points.
func (p Panel) marked(s series) bool {
	return s.Marks != nil || !s.Reference && len(s.X) <= mostMarks && (len(s.X) == 1 || !s.Single && !p.Steps)
}

// drawMark draws a mark of a line.
func (p Panel) drawMark(c *canvas, s series, at point) {
	n := p.number(s)
	c.mark(marks[n%len(marks)], lineClass(n), at)
}

// one returns the first series of a label.
func (p Panel) one(label string) series {
	return p.Series[slices.IndexFunc(p.Series, func(s series) bool { return s.label() == label })]
}

// letters are the widths of the letters of the font, which are those of Helvetica, for a size of 1. Letters that are
// not listed have the width of a digit.
var letters = map[float64]string{
	0.19: "'", 0.22: "ijl", 0.26: "|", 0.28: " !,./:;I[]\\ft", 0.33: "()-`r{}", 0.36: "\"", 0.39: "*", 0.47: "^",
	0.5: "Jcksvxyz", 0.58: "+<=>~×", 0.61: "FTZ", 0.67: "&ABEKPSVXY", 0.72: "CDHNRUw", 0.78: "GOQ", 0.83: "Mm",
	0.89: "%", 0.94: "W", 1: "@…",
}

const digitWidth = 0.556

// textWidth returns the width of a text of a size.
func textWidth(text string, size float64) (width float64) {
	for _, letter := range text {
		of := digitWidth
		for w, group := range letters {
			if strings.ContainsRune(group, letter) {
				of = w
			}
		}
		width += of
	}
	return width * size
}
