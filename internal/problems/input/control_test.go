package input

import "testing"

// Control characters are found and escaped; all other bytes stay as they are, also those that are not UTF-8.
func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain, ünïcode": "plain, ünïcode", "\x1b[31mred\x07": `\x1b[31mred\x07`,
		"a\nb\tc\rd": "a\nb\tc" + `\x0d` + "d", "\x7f\u009b1m\u0085": `\x7f\x9b1m\x85`, "\xff\x80\x9b": "\xff\x80\x9b",
		"\x00": `\x00`,
	} {
		if got := Printable(text, "\n\t"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := Printable(text, ""); HasControl(got) {
			t.Errorf("%q: %q has control characters", text, got)
		}
	}
}
