package plot

import (
	"strings"
	"testing"
	"time"
)

// TestTimeline checks that runs one after the other share a row, that runs at the same time do not, and that each set
// of devices has rows of its own.
func TestTimeline(t *testing.T) {
	begin := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	bar := func(devices string, from, to int) Bar {
		return Bar{Method: "masw", Devices: devices, Began: begin.Add(time.Duration(from) * time.Second),
			Length: time.Duration(to-from) * time.Second}
	}
	bars := []Bar{bar("device 0", 0, 10), bar("device 0", 0, 12), bar("device 1", 3, 5), bar("device 0", 10, 20),
		bar("device 1", 7, 8), bar("device 0", 13, 14), bar("device 0", 15, 16)}
	devices, rows := lanes(bars)
	if len(devices) != 2 || len(rows["device 0"]) != 2 || len(rows["device 1"]) != 1 {
		t.Fatalf("%v %v", devices, rows)
	}
	if n := len(rows["device 0"][0]); n != 2 {
		t.Errorf("%d runs in the first row", n)
	}
	svg := Timeline(bars)
	if n := strings.Count(svg, "<title>"); n != len(bars) {
		t.Errorf("%d bars", n)
	}
	if texts, _ := svgOf(t, svg); texts[0] != "device 0" || texts[1] != "device 1" {
		t.Errorf("%q", texts)
	}
}

func TestInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0s", 20 * time.Millisecond: "20ms", time.Second: "1s",
		10 * time.Second: "10s", 59600 * time.Millisecond: "1m", 90 * time.Second: "1m30s", 10 * time.Minute: "10m",
		time.Hour: "1h", time.Hour + time.Second: "1h0m1s", 100 * time.Minute: "1h40m"} {
		if got := inWords(d); got != want {
			t.Errorf("%v is written as %q, want %q", d, got, want)
		}
	}
}
