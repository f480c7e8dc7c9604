package flags

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/solvers/runs/recipe"
)

// Value is the text of an option and where it comes from.
type Value struct {
	Vals   []string
	Origin string // "flag", "env CLOPT_X", "FILE:LINE", "default" or ""
	dir    string // folder of the run file, for a value from there
}

// Config holds every option of a command by its long name. A flag goes before
// the environment, that before the run file, that before the default.
type Config struct {
	opts   []Option
	Values map[string]Value
	bad    []error // complaints so far; settings are read on, so that all are shown
}

// New merges the sources; file may be nil.
func New(opts []Option, fs *pflag.FlagSet, getenv func(string) string, file *recipe.File) *Config {
	c := &Config{opts: opts, Values: map[string]Value{}}
	for i := range opts {
		o := &opts[i]
		v := Value{}
		if o.Def != "" {
			v = Value{Vals: []string{o.Def}, Origin: "default"}
		}
		if file != nil {
			if e, ok := file.Entries[o.Name]; ok {
				v = Value{e.Vals, fmt.Sprintf("%s:%d", file.Path, e.Line), filepath.Dir(file.Path)}
			}
		}
		if s := getenv(EnvName(o.Name)); s != "" && !o.NoEnv {
			vals := []string{s}
			if o.List {
				vals = strings.Split(s, ",")
			}
			v = Value{Vals: vals, Origin: "env " + EnvName(o.Name)}
		}
		if f := fs.Lookup(o.Name); f != nil && f.Changed {
			v = Value{Vals: f.Value.(*raw).vals, Origin: "flag"}
		}
		c.Values[o.Name] = v
	}
	return c
}

// EnvName is the environment variable of an option: CLOPT_FIRST_RUN.
func EnvName(name string) string {
	return "CLOPT_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// OnlyOf is getenv for the variables of some options; it hides all others.
func OnlyOf(names []string, getenv func(string) string) func(string) string {
	return func(variable string) string {
		if slices.ContainsFunc(names, func(name string) bool { return EnvName(name) == variable }) {
			return getenv(variable)
		}
		return ""
	}
}

// Complain notes a wrong value under the name its writer knows: the flag, the
// variable, or the line of the run file.
func (c *Config) Complain(name string, v Value, format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	switch {
	case v.Origin == "flag" || v.Origin == "default" || v.Origin == "":
		msg = fmt.Sprintf("--%s: %s", name, msg)
	case strings.HasPrefix(v.Origin, "env "):
		msg = fmt.Sprintf("%s: %s", strings.TrimPrefix(v.Origin, "env "), msg)
	default:
		msg = fmt.Sprintf("%s:1: error: %s: %s", v.Origin, name, msg)
	}
	c.bad = append(c.bad, exit.Usagef("%s", msg))
}

// Err joins the complaints.
func (c *Config) Err() error { return errors.Join(c.bad...) }

// Given says whether anybody gave the option a value.
func (c *Config) Given(name string) bool {
	o := c.Values[name].Origin
	return o != "" && o != "default"
}

// Text is the option's value, "" if it has none.
func (c *Config) Text(name string) string {
	if v := c.Values[name].Vals; len(v) > 0 {
		return v[len(v)-1]
	}
	return ""
}

// Read applies parse to the option's value, if it has one, and notes what is
// wrong with it.
func Read[T any](c *Config, name string, parse func(string) (T, error)) T {
	var zero T
	v := c.Values[name]
	if len(v.Vals) == 0 {
		return zero
	}
	s := v.Vals[len(v.Vals)-1]
	x, err := parse(s)
	if err != nil {
		c.Complain(name, v, "%v", err)
		return zero
	}
	return x
}

// Path is the option's value as a file name; one in a run file is relative
// to that file, so that a folder can be moved as a whole.
func (c *Config) Path(name string) string {
	s := c.Text(name)
	if dir := c.Values[name].dir; dir != "" && s != "" && !filepath.IsAbs(s) {
		return filepath.Join(dir, s)
	}
	return s
}

// Print writes the table of --print-config.
func (c *Config) Print(w io.Writer, problem, origin string) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "problem\t%s\t%s\n", problem, origin)
	for _, o := range c.opts {
		if o.Name == "print-config" {
			continue
		}
		v := c.Values[o.Name]
		text, from := strings.Join(v.Vals, ","), v.Origin
		if text == "" {
			text = "-"
		}
		if from == "" {
			from = "default"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", o.Name, text, from)
	}
	t.Flush()
}
