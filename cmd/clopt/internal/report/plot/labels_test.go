package plot

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// labels finds the texts of the size of labels, and label the place, the width and the words of one. Short ones have
// their middle for their place and no width.
var (
	labels = regexp.MustCompile(`font-size="100".*>\n(<text .*\n)*`)
	label  = regexp.MustCompile(`<text x="(\d+)" y="(\d+)"(?: textLength="(\d+)".*)?>(.*)</text>`)
)

// digitWidth is the width of a digit of the size of labels. Letters of numbers are not wider, and a minus is.
const digitWidth = 5.6

// box is a label in a picture.
type box struct {
	x, y, width float64
	words       string
}

func labelsIn(svg string) (all []box) {
	for _, group := range labels.FindAllString(svg, -1) {
		for _, m := range label.FindAllStringSubmatch(group, -1) {
			b := box{words: m[4], width: digitWidth * float64(len(m[4]))}
			fmt.Sscan(m[1]+" "+m[2], &b.x, &b.y)
			b.x, b.y = b.x/fine.unit, b.y/fine.unit
			if m[3] == "" {
				b.x -= b.width / 2
			} else {
				fmt.Sscan(m[3], &b.width)
				b.width /= fine.unit
			}
			all = append(all, b)
		}
	}
	return all
}

// TestLongNames: a name that is wider than the panel has several lines, and the axes keep their height.
func TestLongNames(t *testing.T) {
	names := []string{"masw", "a label of eighty characters that goes on and on until nobody reads it to the very end"}
	heights := map[int]string{}
	for n := 1; n <= 2; n++ {
		p := Panel{Title: "t", X: "x", Y: "y"}
		for _, name := range names[:n] {
			p.Series = append(p.Series, series{Name: name, X: []float64{1, 2}, Y: []float64{2, 1}})
		}
		_, texts, err := Figure{Panels: []Panel{p, p}}.SmallElements()
		if err != nil {
			t.Fatal(err)
		}
		words, _ := svgOf(t, texts[0])
		if !strings.Contains(strings.Join(words, " "), names[n-1]) {
			t.Errorf("%q is not in %q", names[n-1], words)
		}
		for _, w := range words {
			if len(w) > 40 {
				t.Errorf("%q is wider than the panel", w)
			}
		}
		heights[n] = regexp.MustCompile(`height="[^"]*"`).FindString(texts[0])
	}
	if heights[1] == heights[2] {
		t.Error("several lines have no height")
	}
}

// TestNoSeconds: an axis of zeros does not begin below 0.
func TestNoSeconds(t *testing.T) {
	p := Panel{Title: "t", X: "seconds", Y: "y", Series: []series{{Name: "a", X: []float64{0, 0}, Y: []float64{2, 1}}}}
	all, err := Figure{Panels: []Panel{p}}.drawings()
	if err != nil || all[0].plot.X.Min != 0 || all[0].plot.X.Max != 1 {
		t.Errorf("from %v to %v, %v", all[0].plot.X.Min, all[0].plot.X.Max, err)
	}
}

// TestLabelsApart: the labels of an axis do not touch each other in narrow panels, and the axes keep their height below
// a long list of names.
func TestLabelsApart(t *testing.T) {
	p := Panel{Title: "t", X: "distance", Y: "evaluations", LogX: true, LogY: true, OwnX: true, FallingX: true}
	for i := range 14 {
		p.Series = append(p.Series, series{Name: fmt.Sprintf("method %d", i), X: []float64{1e-25, 1e5},
			Y: []float64{1e30, 1}})
	}
	other := p // of other names, so that each panel has its own list
	other.Title, other.Series = "u", p.Series[:13]
	f := Figure{Panels: []Panel{p, other}}
	texts, err := f.Elements()
	if err != nil {
		t.Fatal(err)
	}
	all, err := f.drawings()
	if err != nil {
		t.Fatal(err)
	}
	var both strings.Builder
	s := arrange(all, onePanel)
	canvas := newSVG(s.width, s.height, fine)
	s.draw(canvas)
	canvas.WriteTo(&both)
	for name, svg := range map[string]string{"alone": texts[0], "side by side": both.String()} {
		of, across, up := labelsIn(svg), map[float64]bool{}, map[float64]bool{}
		for i, a := range of {
			if strings.HasPrefix(a.words, "1e-") {
				across[a.x] = true
			} else if strings.HasPrefix(a.words, "1e") {
				up[a.y] = true
			}
			for _, b := range of[:i] {
				if x := a.x < b.x+b.width+1 && b.x < a.x+a.width+1; x && max(a.y-b.y, b.y-a.y) < 9.9 {
					t.Errorf("%s: %q at %g,%g touches %q at %g,%g", name, a.words, a.x, a.y, b.words, b.x, b.y)
				}
			}
		}
		if len(across) < 2 || len(up) < 5 {
			t.Errorf("%s: %d and %d labels remain", name, len(across), len(up))
		}
	}
}

// TestSpread: names move as little as possible until none overlap, up and down alike, and stay beside the axis.
func TestSpread(t *testing.T) {
	const r, least, most = rowHeight, 0, 10 * rowHeight
	for _, c := range []struct{ heights, want []vg.Length }{
		{nil, nil},
		{[]vg.Length{2 * r, 5 * r}, []vg.Length{2 * r, 5 * r}},
		{[]vg.Length{5 * r, 5 * r, 5 * r}, []vg.Length{4 * r, 5 * r, 6 * r}},
		{[]vg.Length{4 * r, 4 * r, 4.5 * r}, []vg.Length{r * 19 / 6, r * 25 / 6, r * 31 / 6}},
		{[]vg.Length{0, 0}, []vg.Length{0, r}},
		{[]vg.Length{10 * r, 10 * r}, []vg.Length{9 * r, 10 * r}},
	} {
		got := spread(c.heights, least, most)
		if !slices.EqualFunc(got, c.want, func(a, b vg.Length) bool { return math.Abs(float64(a-b)) < 1e-9 }) {
			t.Errorf("%v: %v, want %v", c.heights, got, c.want)
		}
	}
}
