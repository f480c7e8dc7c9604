package flags

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
)

// distance is the number of single-letter edits between a and b, a swap of
// neighbours counting as one.
func distance(a, b string) int {
	s, t := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	d := make([][]int, len(s)+1)
	for i := range d {
		d[i] = make([]int, len(t)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			change := 1
			if s[i-1] == t[j-1] {
				change = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+change)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(s)][len(t)]
}

// Nearest is the name most like s, or "" when none is near enough to be meant.
func Nearest(s string, names []string) string {
	best, at := "", max(2, len(s)/3)+1
	for _, name := range names {
		d := distance(s, name)
		if len(s) >= 3 && strings.HasPrefix(name, strings.ToLower(s)) {
			d = min(d, 1)
		}
		if d < at {
			best, at = name, d
		}
	}
	return best
}

// Unknown is the error for a name that does not exist.
func Unknown(what, name string, names []string, hint string) error {
	if len(name) > 100 { // nobody meant that; keep the message one line
		name = name[:100] + "..."
	}
	msg := fmt.Sprintf("unknown %s %q.", what, name)
	if near := Nearest(name, names); near != "" {
		msg += fmt.Sprintf(" Did you mean %q?", near)
	} else if hint != "" {
		msg += " " + hint
	}
	return exit.Usagef("%s", msg)
}

var ShorthandIn = regexp.MustCompile(`^unknown shorthand flag: '(.)'`)

// Error turns the flag library's message into ours: the value seen, and
// the nearest flag.
func Error(cmd *cobra.Command, err error) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "unknown flag: "); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		return Unknown("flag", name, names, fmt.Sprintf("%s --help lists the flags.", cmd.CommandPath()))
	}
	if m := ShorthandIn.FindStringSubmatch(text); m != nil {
		return exit.Usagef("unknown flag \"-%s\". %s --help lists the flags.", m[1], cmd.CommandPath())
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: "); ok {
		return exit.Usagef("%s needs a value. %s --help shows its form.", name, cmd.CommandPath())
	}
	return exit.Usagef("%s", strings.ReplaceAll(text, "\n", " "))
}
