package page

import (
	"fmt"
	"html/template"
	"slices"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/cmd/clopt/internal/report/plot"
)

// gallery is pictures in a grid: those of each problem, or of what else the panels are of. Small ones stand in two or
// four columns.
type gallery struct {
	Heading  string // what the titles of small pictures have in common
	Problems [][]template.HTML
	Small    bool
}

// mostLarge is the largest number of panels of a kind that are drawn large.
const mostLarge = 12

// draw draws each panel, small if there are many. A method has one colour on the whole page.
func (r *Report) draw(panels []plot.Panel) (g gallery) {
	var methods []string
	for _, f := range r.Results {
		methods = append(methods, f.Label)
	}
	slices.SortFunc(methods, report.Natural)
	f := plot.Figure{Panels: panels, Methods: slices.Compact(methods)}
	var texts []string
	g.Small = len(panels) > mostLarge
	if g.Small {
		g.Heading, texts = f.SmallElements()
	} else {
		texts = f.Elements()
	}
	for _, svg := range texts {
		g.Problems = append(g.Problems, []template.HTML{template.HTML(svg)}) //nolint:gosec // every text is escaped
	}
	return g
}

// overBoth draws panels over evaluations, each beside that over seconds.
func (r *Report) overBoth(c plot.Choice) (both gallery, err error) {
	for _, by := range []string{"evaluations", "time"} {
		c.By = by
		p, err := plot.Panels(r.Results, c)
		if err != nil {
			return both, err
		}
		g := r.draw(p)
		for i := range both.Problems {
			g.Problems[i] = append(both.Problems[i], g.Problems[i]...)
		}
		both = g
	}
	return both, nil
}

// galleries returns the galleries that have pictures.
func galleries(all ...gallery) []gallery {
	return slices.DeleteFunc(all, func(g gallery) bool { return g.Problems == nil })
}

// mostBytes is the size of a page above which pictures are left out.
const mostBytes = 1_000_000

// leaveOut removes the last of the small pictures until they have as many bytes as a page is too large. A note says how
// many problems are left.
func leaveOut(all []section, bytes int) {
	for i := range all {
		for k := range all[i].Galleries {
			g := &all[i].Galleries[k]
			n := len(g.Problems)
			for g.Small && bytes > 0 && len(g.Problems) > 1 {
				last := len(g.Problems) - 1
				for _, svg := range g.Problems[last] {
					bytes -= len(svg)
				}
				g.Problems = g.Problems[:last]
			}
			if left := len(g.Problems); left < n {
				all[i].Notes = append(all[i].Notes, fmt.Sprintf("The first %d of %d problems are drawn, so that the "+
					"page stays below a megabyte. clopt plot draws them all.", left, n))
				bytes += len(all[i].Notes[len(all[i].Notes)-1]) + len(`<p class="note"></p>`)
			}
		}
	}
}
