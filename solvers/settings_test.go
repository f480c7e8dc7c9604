package solvers

import "testing"

// A setting accepts the same values as text and in Go, and prints a value in the form that it accepts.
func TestSettings(t *testing.T) {
	var n int
	var x *float64
	var word string
	half := 0.5
	count := Int("count", "a number", &n, 2, 9, 4)
	share := Real("share", "a share", &x, 0, 1, &half)
	kind := Word("kind", "a word", &word, "plain", "fancy")
	for _, c := range []struct {
		s    Setting
		text string
		ok   bool
	}{
		{count, "2", true}, {count, "9", true}, {count, "1", false}, {count, "10", false}, {count, "x", false},
		{share, "0", true}, {share, "1", true}, {share, "-1e-9", false}, {share, "1.001", false}, {share, "NaN", false},
		{kind, "fancy", true}, {kind, "", false}, {kind, "ugly", false},
	} {
		if err := c.s.Set(c.text); (err == nil) != c.ok {
			t.Errorf("%s=%q: %v", c.s.Key, c.text, err)
		}
		if err := c.s.Check(); err != nil {
			t.Errorf("%s=%q stores a value that Check refuses: %v", c.s.Key, c.text, err)
		}
		if c.ok && c.s.Get() != c.text {
			t.Errorf("%s=%q is printed as %q", c.s.Key, c.text, c.s.Get())
		}
	}
	for _, wrong := range []func(){func() { n = 10 }, func() { n = 1 }, func() { *x = 2 }, func() { word = "ugly" }} {
		n, word = 0, ""
		*x = 0.25
		if count.Check() != nil || share.Check() != nil || kind.Check() != nil || count.Get() != "4" ||
			kind.Get() != "plain" {
			t.Errorf("zero values are refused, or printed as %s and %s", count.Get(), kind.Get())
		}
		wrong()
		if count.Check() == nil && share.Check() == nil && kind.Check() == nil {
			t.Errorf("one of the wrong values %d, %g and %q is accepted", n, *x, word)
		}
	}
}
