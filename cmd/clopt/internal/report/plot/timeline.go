package plot

import (
	"slices"
	"strings"
	"time"
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
	timelineWidth = 900
	timelineEdge  = 4 // left and right of the bars
	barHeight     = 8
	barGap        = 3
	devicesHeight = 18 // of the name of a set of devices
	clockHeight   = 20 // of the times below the bars
	methodHeight  = 14 // of the name of a method
	swatch        = 10 // of the colour of a method
)

// Timeline returns bars as an SVG element of a page that has the Style, in the order of their begins. The rows of each
// set of devices stand together; there are several where runs shared the devices. The colours of bars are those of
// their methods in the order of names.
func Timeline(bars []Bar) string {
	began := bars[0].Began
	ended := bars[0].Began
	labels := map[string]bool{}
	for _, b := range bars {
		labels[b.Method] = true
		if b.Began.Before(began) {
			began = b.Began
		}
		if end := b.Began.Add(b.Length); end.After(ended) {
			ended = end
		}
	}
	length := ended.Sub(began)
	at := func(when time.Time) float64 {
		return timelineEdge + (timelineWidth-2*timelineEdge)*when.Sub(began).Seconds()/max(length.Seconds(), 1e-3)
	}
	c := &canvas{size: point{x: timelineWidth}, resolution: resolution{unit: 1}}
	y := &c.size.y
	say := func(x, down float64, anchor, words string) {
		c.text("ink", labelSize, point{x, *y + down}, anchor, words)
	}
	methods := labelsOf(labels)
	devices, rows := lanes(bars)
	for _, d := range devices {
		say(timelineEdge, 12, left, d)
		*y += devicesHeight
		for _, l := range rows[d] {
			for _, b := range l {
				from, end := at(b.Began), at(b.Began.Add(b.Length))
				class := lineClass(slices.Index(methods, b.Method))
				c.bar(class, point{from, *y}, point{max(end-from, 1), barHeight}, b.About)
				for _, m := range b.Marks {
					x := at(b.Began.Add(m))
					c.line(pen{class: "ink", width: 2}, point{x, *y - 1}, point{x, *y + barHeight + 1})
				}
			}
			*y += barHeight + barGap
		}
	}
	say(timelineEdge, 14, left, began.UTC().Format(time.DateTime)+" UTC")
	say(timelineWidth-timelineEdge, 14, right, "after "+inWords(length))
	*y += clockHeight
	for i, name := range methods {
		c.area(lineClass(i), 1, box(point{timelineEdge, *y + 2}, point{swatch, swatch}))
		say(timelineEdge+1.5*swatch, 11, left, name)
		*y += methodHeight
	}
	return c.element()
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
