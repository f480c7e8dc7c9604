package status

import (
	"slices"
	"strings"
	"testing"
)

// TestTable checks the lines of tables in several widths.
func TestTable(t *testing.T) {
	list := Table{Names: 1, Rows: [][]string{{"sa", "n=1", "chains side by side on all devices"},
		{"cgrasp", "n=20", "many starts"}}}
	grouped := Table{Names: 1, Right: true, Groups: []string{"", "masw", "masw", "a long name", "a long name"},
		Rows: [][]string{{"", "mean", "std", "mean", "std"}, {"f1", "1", "0.5", "12345", "2"}}}
	for _, c := range []struct {
		name  string
		table Table
		width int
		want  string
	}{
		{"of any width", list, 0, `
sa      n=1   chains side by side on all devices
cgrasp  n=20  many starts`},
		{"broken words", list, 40, `
sa      n=1   chains side by side on all
              devices
cgrasp  n=20  many starts`},
		{"too narrow for prose", list, 28, `
sa      n=1
cgrasp  n=20

sa      chains side by side
        on all devices
cgrasp  many starts`},
		{"a path", Table{Names: 1, Rows: [][]string{{"maxcut:/data/graphs/G1.txt", "two words"}}}, 27, `
maxcut:/data/     two words
graphs/G1.txt`},
		{"groups", grouped, 0, `
    masw       a long name
    mean  std   mean   std
f1     1  0.5  12345     2`},
		{"groups below each other", grouped, 25, `
    masw
    mean  std
f1     1  0.5

    a long name
     mean   std
f1  12345     2`},
		{"a group that does not fit", grouped, 12, `
    masw
    mean
f1     1

    masw
     std
f1   0.5

    a long name
        mean
f1     12345

    a long name
         std
f1         2`},
	} {
		lines := c.table.lines(c.width)
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		if want := strings.Split(c.want[1:], "\n"); !slices.Equal(lines, want) {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, strings.Join(lines, "\n"), c.want[1:])
		}
	}
}

// TestTableOfALocale checks which letters tables have where the output is no terminal. Where no locale is named, they
// are those of the text.
func TestTableOfALocale(t *testing.T) {
	const ascii, all = "Garcia...  1\nb          2\n", "García…  1\nb        2\n"
	for locale, want := range map[string]string{"C": ascii, "POSIX": ascii, "C.UTF-8": all, "": all} {
		var b strings.Builder
		out := NewOutput(&b, func(name string) string {
			if name == "LC_ALL" {
				return locale
			}
			return ""
		})
		Table{Names: 1, Rows: [][]string{{"García…", "1"}, {"b", "2"}}}.Print(out)
		if b.String() != want {
			t.Errorf("LC_ALL=%s: %q, want %q", locale, b.String(), want)
		}
	}
}
