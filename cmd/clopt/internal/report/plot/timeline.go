package plot

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot/vg"
)

// Bar is a run in a timeline.
type Bar struct {
	Method string
	Began  time.Time
	Length time.Duration
	Marks  []time.Duration // of events, since the run began
	About  string          // shown when a pointer rests on the bar
}

// Timeline returns bars, one below the other, as an SVG element. Their colours are those of their methods in the order
// of names.
func Timeline(bars []Bar) string {
	const width, height, gap, left, foot = 900.0, 8.0, 3.0, 4.0, 34.0
	first, last := bars[0].Began, bars[0].Began
	methods := map[string]bool{}
	for _, b := range bars {
		methods[b.Method] = true
		if b.Began.Before(first) {
			first = b.Began
		}
		if end := b.Began.Add(b.Length); end.After(last) {
			last = end
		}
	}
	names := labelsOf(methods)
	span := max(last.Sub(first).Seconds(), 1e-3)
	at := func(t time.Duration) float64 { return left + (width-2*left)*t.Seconds()/span }
	c := newSVG(vg.Length(width), vg.Length(float64(len(bars))*(height+gap)+foot+14*float64(len(names))))
	w := &c.body
	y := 0.0
	for _, b := range bars {
		from := at(b.Began.Sub(first))
		fmt.Fprintf(w, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" class=\"%s\" fill=\"currentColor\"><title>",
			short(from), short(y), short(max(1, at(b.Began.Sub(first)+b.Length)-from)), short(height),
			lineClass(slices.Index(names, b.Method)))
		escape(w, b.About)
		fmt.Fprint(w, "</title></rect>\n")
		for _, m := range b.Marks {
			fmt.Fprintf(w, "<path class=\"ink\" stroke=\"currentColor\" stroke-width=\"2\" d=\"M%s,%sv%s\"/>\n",
				short(at(b.Began.Sub(first)+m)), short(y-1), short(height+2))
		}
		y += height + gap
	}
	text := func(x, y float64, anchor, s string) {
		fmt.Fprintf(w,
			"<text class=\"ink\" fill=\"currentColor\" font-size=\"11\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">",
			short(x), short(y), anchor)
		escape(w, s)
		fmt.Fprint(w, "</text>\n")
	}
	text(left, y+14, "start", first.UTC().Format(time.DateTime)+" UTC")
	text(width-left, y+14, "end", "after "+strings.TrimSuffix(last.Sub(first).Round(time.Second).String(), "0s"))
	for i, name := range names {
		fmt.Fprintf(w, "<rect x=\"%s\" y=\"%s\" width=\"10\" height=\"10\" class=\"%s\" fill=\"currentColor\"/>\n",
			short(left), short(y+22+14*float64(i)), lineClass(i))
		text(left+15, y+31+14*float64(i), "start", name)
	}
	var b strings.Builder
	c.WriteTo(&b) //nolint:errcheck // writes to memory
	return b.String()
}
