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

// The sizes of a timeline, in points.
const (
	timelineWidth = 900.0
	timelineEdge  = 4.0 // left and right of the bars
	barHeight     = 8.0
	barGap        = 3.0
	devicesHeight = 18.0 // of the name of a set of devices
	clockHeight   = 20.0 // of the times below the bars
	methodHeight  = 14.0 // of the name of a method
)

// timeline draws bars. y is where the next row begins.
type timeline struct {
	*svgCanvas
	began, ended time.Time
	methods      []string
	y            float64
}

// Timeline returns bars as an SVG element of a page that has the Style, in the order of their begins. The rows of each
// set of devices stand together; there are several where runs shared the devices. The colours of bars are those of
// their methods in the order of names.
func Timeline(bars []Bar) string {
	t := timeline{began: bars[0].Began, ended: bars[0].Began}
	methods := map[string]bool{}
	for _, b := range bars {
		methods[b.Method] = true
		if b.Began.Before(t.began) {
			t.began = b.Began
		}
		if end := b.Began.Add(b.Length); end.After(t.ended) {
			t.ended = end
		}
	}
	t.methods = labelsOf(methods)
	devices, rows := lanes(bars)
	count := 0
	for _, of := range rows {
		count += len(of)
	}
	height := float64(len(devices))*devicesHeight + float64(count)*(barHeight+barGap) + clockHeight +
		methodHeight*float64(len(t.methods))
	t.svgCanvas = newSVG(timelineWidth, vg.Length(height), resolution{unit: 1})
	for _, d := range devices {
		t.text(timelineEdge, t.y+12, "", d)
		t.y += devicesHeight
		for _, l := range rows[d] {
			for _, b := range l {
				t.bar(b)
			}
			t.y += barHeight + barGap
		}
	}
	t.text(timelineEdge, t.y+14, "", t.began.UTC().Format(time.DateTime)+" UTC")
	t.text(timelineWidth-timelineEdge, t.y+14, ` text-anchor="end"`,
		"after "+inWords(t.ended.Sub(t.began)))
	t.y += clockHeight
	for i, name := range t.methods {
		fmt.Fprintf(&t.body, "<path class=\"%s\" d=\"M%s,%sh10v10h-10z\"/>\n", lineClass(i), short(timelineEdge),
			short(t.y+2))
		t.text(timelineEdge+15, t.y+11, "", name)
		t.y += methodHeight
	}
	return t.element()
}

// inWords writes a duration as 20ms, 10s, 1m30s, 2m or 1h.
func inWords(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	words := d.Round(time.Second).String()
	if strings.HasSuffix(words, "m0s") {
		words = strings.TrimSuffix(words, "0s")
	}
	if strings.HasSuffix(words, "h0m") {
		words = strings.TrimSuffix(words, "0m")
	}
	return words
}

// at returns the x of a time.
func (t *timeline) at(when time.Time) float64 {
	whole := max(t.ended.Sub(t.began).Seconds(), 1e-3)
	return timelineEdge + (timelineWidth-2*timelineEdge)*when.Sub(t.began).Seconds()/whole
}

// text writes a text.
func (t *timeline) text(x, y float64, anchor, words string) {
	fmt.Fprintf(&t.body, "<text class=\"ink\" font-size=\"11\" x=\"%s\" y=\"%s\"%s>", short(x), short(y), anchor)
	escape(&t.body, words)
	t.body.WriteString("</text>\n")
}

// bar draws a bar and its marks.
func (t *timeline) bar(b Bar) {
	from, to := short(t.at(b.Began)), short(max(t.at(b.Began)+1, t.at(b.Began.Add(b.Length))))
	fmt.Fprintf(&t.body, "<path class=\"%s\" d=\"M%s,%sH%sv%sH%sz\"><title>",
		lineClass(slices.Index(t.methods, b.Method)), from, short(t.y), to, short(barHeight), from)
	escape(&t.body, b.About)
	t.body.WriteString("</title></path>\n")
	for _, m := range b.Marks {
		fmt.Fprintf(&t.body, "<path class=\"ink\" stroke-width=\"2\" d=\"M%s,%sv%s\"/>\n", short(t.at(b.Began.Add(m))),
			short(t.y-1), short(barHeight+2))
	}
}
