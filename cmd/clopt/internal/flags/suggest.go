package flags

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/problems/input"
)

// Nearest returns the name that is most like s, or "" if none is near.
func Nearest(s string, names []string) string {
	best, at := "", max(2, len(s)/3)+1
	for _, name := range names {
		d := input.Distance(strings.ToLower(s), strings.ToLower(name))
		if len(s) >= 3 && strings.HasPrefix(name, strings.ToLower(s)) {
			d = min(d, 1)
		}
		if d < at {
			best, at = name, d
		}
	}
	return best
}

// Unknown returns the error for a name that is not one of names. It suggests the nearest one; if none is near, it adds
// hint, or the list of names where hint is empty.
func Unknown(what, name string, names []string, hint string) error {
	if len(name) > 100 { // keeps the message on one line
		name = name[:100] + "..."
	}
	if hint == "" {
		hint = "There are " + strings.Join(names, ", ") + "."
	}
	if near := Nearest(name, names); near != "" {
		hint = fmt.Sprintf("Did you mean %q?", near)
	}
	return exit.Usagef("unknown %s %q. %s", what, name, hint)
}

// ShorthandIn finds the letter in the flag library's error for an unknown short flag.
var ShorthandIn = regexp.MustCompile(`^unknown shorthand flag: '(.)'`)

// Error rewrites an error of the flag library: it names the wrong flag and suggests the nearest one.
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
