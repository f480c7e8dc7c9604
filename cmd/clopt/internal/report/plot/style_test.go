package plot

import (
	"fmt"
	"math"
	"testing"
)

// luminance is that of WCAG 2: 0 is black, 1 is white.
func luminance(t *testing.T, colour string) (l float64) {
	t.Helper()
	var rgb [3]uint8
	if n, err := fmt.Sscanf(colour, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); n != 3 {
		t.Fatalf("%s: %v", colour, err)
	}
	for i, share := range []float64{0.2126, 0.7152, 0.0722} {
		s := float64(rgb[i]) / 255
		if s > 0.04045 {
			s = math.Pow((s+0.055)/1.055, 2.4)
		} else {
			s /= 12.92
		}
		l += share * s
	}
	return l
}

// TestDarkPalette compares the colours of lines on a dark page with what WCAG 2 asks of texts, since names at the ends
// of lines have these colours.
func TestDarkPalette(t *testing.T) {
	if len(darkPalette) != len(palette) {
		t.Fatalf("%d colours on dark pages, %d on light ones", len(darkPalette), len(palette))
	}
	paper := luminance(t, darkPaper)
	for i, c := range darkPalette {
		if ratio := (luminance(t, c) + 0.05) / (paper + 0.05); ratio < 4.5 {
			t.Errorf("colour %d has a contrast of %.2g, texts need 4.5", i, ratio)
		}
	}
}
