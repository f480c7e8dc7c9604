package plot

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// label finds the place, the width and the words of a text of the size of labels.
var label = regexp.MustCompile(`<text x="([0-9.]+)" y="([0-9.]+)" font-size="10" textLength="([0-9.]+)".*>(.*)</text>`)

// box is a label in a picture.
type box struct {
	x, y, width float64
	words       string
}

func labelsIn(svg string) (all []box) {
	for _, m := range label.FindAllStringSubmatch(svg, -1) {
		b := box{words: m[4]}
		fmt.Sscan(m[1]+" "+m[2]+" "+m[3], &b.x, &b.y, &b.width)
		all = append(all, b)
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
	texts, err := f.SVGs()
	if err != nil {
		t.Fatal(err)
	}
	all, err := f.drawings()
	if err != nil {
		t.Fatal(err)
	}
	var both strings.Builder
	if err := draws(&both, all, false); err != nil {
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
