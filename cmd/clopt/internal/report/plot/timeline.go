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
	Method  string
	Devices string // that worked in the run
	Began   time.Time
	Length  time.Duration
	Marks   []time.Duration // of events, since the run began
	About   string          // shown when a pointer rests on the bar
}

// lane is a row of a timeline: bars of one set of devices, of which none begins before the one before it has ended.
type lane []Bar

func (l lane) end() time.Time {
	last := l[len(l)-1]
	return last.Began.Add(last.Length)
}

// lanes deals bars to as few rows as show all of them, and returns the rows of each set of devices. Bars are in the
// order of their begins, sets in that of their first bars.
func lanes(bars []Bar) (devices []string, rows map[string][]lane) {
	rows = map[string][]lane{}
	for _, b := range bars {
		if rows[b.Devices] == nil {
			devices = append(devices, b.Devices)
		}
		free := slices.IndexFunc(rows[b.Devices], func(l lane) bool { return !l.end().After(b.Began) })
		if free < 0 {
			free = len(rows[b.Devices])
			rows[b.Devices] = append(rows[b.Devices], nil)
		}
		rows[b.Devices][free] = append(rows[b.Devices][free], b)
	}
	return devices, rows
}

// Timeline returns bars as an SVG element, in the order of their begins. The rows of each set of devices stand
// together; there are several where runs shared the devices. The colours of bars are those of their methods in the
// order of names.
func Timeline(bars []Bar) string {
	const width, height, gap, left, foot, line = 900.0, 8.0, 3.0, 4.0, 34.0, 18.0
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
	devices, rows := lanes(bars)
	count := 0
	for _, of := range rows {
		count += len(of)
	}
	span := max(last.Sub(first).Seconds(), 1e-3)
	at := func(t time.Duration) float64 { return left + (width-2*left)*t.Seconds()/span }
	c := newSVG(vg.Length(width), vg.Length(float64(len(devices))*line+float64(count)*(height+gap)+foot+
		14*float64(len(names))))
	w := &c.body
	text := func(x, y float64, anchor, s string) {
		fmt.Fprintf(w,
			"<text class=\"ink\" fill=\"currentColor\" font-size=\"11\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">",
			short(x), short(y), anchor)
		escape(w, s)
		fmt.Fprint(w, "</text>\n")
	}
	y := 0.0
	for _, d := range devices {
		text(left, y+line-6, "start", d)
		y += line
		for _, l := range rows[d] {
			for _, b := range l {
				from := at(b.Began.Sub(first))
				fmt.Fprintf(w,
					"<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" class=\"%s\" fill=\"currentColor\"><title>",
					short(from), short(y), short(max(1, at(b.Began.Sub(first)+b.Length)-from)), short(height),
					lineClass(slices.Index(names, b.Method)))
				escape(w, b.About)
				fmt.Fprint(w, "</title></rect>\n")
				for _, m := range b.Marks {
					fmt.Fprintf(w, "<path class=\"ink\" stroke=\"currentColor\" stroke-width=\"2\" d=\"M%s,%sv%s\"/>\n",
						short(at(b.Began.Sub(first)+m)), short(y-1), short(height+2))
				}
			}
			y += height + gap
		}
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
