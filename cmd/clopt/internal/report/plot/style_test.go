package plot

import (
	"image/color"
	"math"
	"testing"
)

// luminance is that of WCAG 2: 0 is black, 1 is white.
func luminance(c color.NRGBA) float64 {
	channel := func(v uint8) float64 {
		if s := float64(v) / 255; s > 0.04045 {
			return math.Pow((s+0.055)/1.055, 2.4)
		}
		return float64(v) / 255 / 12.92
	}
	return 0.2126*channel(c.R) + 0.7152*channel(c.G) + 0.0722*channel(c.B)
}

// TestDarkPalette compares the colours of lines on a dark page with what WCAG 2 asks of texts, since names at the ends
// of lines have these colours.
func TestDarkPalette(t *testing.T) {
	if len(darkPalette) != len(palette) {
		t.Fatalf("%d colours on dark pages, %d on light ones", len(darkPalette), len(palette))
	}
	paper := luminance(color.NRGBA{0x16, 0x18, 0x1c, 255})
	for i, c := range darkPalette {
		if ratio := (luminance(c) + 0.05) / (paper + 0.05); ratio < 4.5 {
			t.Errorf("colour %d has a contrast of %.2g, texts need 4.5", i, ratio)
		}
	}
}
