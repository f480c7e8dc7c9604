package plot

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// groups finds the texts of the size of labels and what they are placed by, and words a text with its place.
var (
	groups = regexp.MustCompile(`font-size="100"(?: text-anchor="(.*)")?>\n((?:<text .*\n)*)`)
	words  = regexp.MustCompile(`<text x="(\d+)" y="(\d+)".*>(.*)</text>`)
)

// placed is a label in a picture.
type placed struct {
	x, y, width float64
	words       string
}

func labelsIn(svg string) (all []placed) {
	for _, group := range groups.FindAllStringSubmatch(svg, -1) {
		for _, m := range words.FindAllStringSubmatch(group[2], -1) {
			b := placed{words: m[3], width: textWidth(m[3], smallSize)}
			fmt.Sscan(m[1]+" "+m[2], &b.x, &b.y)
			b.x, b.y = b.x/fine.unit, b.y/fine.unit
			switch group[1] {
			case middle:
				b.x -= b.width / 2
			case right:
				b.x -= b.width
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
		_, texts := Figure{Panels: []Panel{p, p}}.SmallElements()
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
	if x := (Figure{Panels: []Panel{p}}).drawings()[0].x; x.low != 0 || x.high != 1 {
		t.Errorf("from %v to %v", x.low, x.high)
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
	texts := f.Elements()
	var both strings.Builder
	if err := f.picture(&both); err != nil {
		t.Fatal(err)
	}
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
	for _, c := range []struct{ heights, want []float64 }{
		{nil, nil},
		{[]float64{2 * r, 5 * r}, []float64{2 * r, 5 * r}},
		{[]float64{5 * r, 5 * r, 5 * r}, []float64{4 * r, 5 * r, 6 * r}},
		{[]float64{4 * r, 4 * r, 4.5 * r}, []float64{r * 19 / 6, r * 25 / 6, r * 31 / 6}},
		{[]float64{0, 0}, []float64{0, r}},
		{[]float64{10 * r, 10 * r}, []float64{9 * r, 10 * r}},
	} {
		got := spread(c.heights, least, most)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
			t.Errorf("%v: %v, want %v", c.heights, got, c.want)
		}
	}
}
