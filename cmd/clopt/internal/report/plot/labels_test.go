package plot

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
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
