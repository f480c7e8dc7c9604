package flags

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/solvers/runs/recipe"
)

// Value is the text of an option and its origin.
type Value struct {
	Vals   []string
	Origin string // "flag", "env CLOPT_X", "FILE:LINE", "default" or ""
	dir    string // the folder of the run file; "" if the value is not from one
}

// Config holds the values of all options of a command, by their long names. A flag wins over the environment, that over
// the run file, and that over the default.
type Config struct {
	opts   []Option
	Values map[string]Value
	bad    []error // complaints so far; reading continues, so that the user sees all of them
}

// New reads the values of opts. file may be nil.
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

// EnvName returns the environment variable of an option: CLOPT_FIRST_RUN.
func EnvName(name string) string {
	return "CLOPT_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// OnlyOf returns a getenv that knows the variables of the named options only.
func OnlyOf(names []string, getenv func(string) string) func(string) string {
	return func(variable string) string {
		if slices.ContainsFunc(names, func(name string) bool { return EnvName(name) == variable }) {
			return getenv(variable)
		}
		return ""
	}
}

// Complain adds a complaint about a value, which names the flag, the variable or the line of the run file where the
// value was given.
func (c *Config) Complain(name string, v Value, format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	switch {
	case v.Origin == "flag" || v.Origin == "default" || v.Origin == "":
		o := Option{Name: name}
		if i := slices.IndexFunc(c.opts, func(o Option) bool { return o.Name == name }); i >= 0 {
			o = c.opts[i]
		}
		msg = fmt.Sprintf("%s: %s", o.Typed(), msg)
	case strings.HasPrefix(v.Origin, "env "):
		msg = fmt.Sprintf("%s: %s", strings.TrimPrefix(v.Origin, "env "), msg)
	default:
		msg = fmt.Sprintf("%s:1: error: %s: %s", v.Origin, name, msg)
	}
	c.bad = append(c.bad, exit.Usagef("%s", msg))
}

// Err returns all complaints, joined; nil if there are none.
func (c *Config) Err() error { return errors.Join(c.bad...) }

// given reports whether the option has a value that is not its default.
func (c *Config) given(name string) bool {
	o := c.Values[name].Origin
	return o != "" && o != "default"
}

// Text returns the value of an option, "" if it has none.
func (c *Config) Text(name string) string {
	if v := c.Values[name].Vals; len(v) > 0 {
		return v[len(v)-1]
	}
	return ""
}

// Read parses the value of an option. Without a value, or after a complaint about it, it returns the zero value.
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

// Path returns the value of an option as a file name. A name in a run file is relative to that file, so that the folder
// can be moved.
func (c *Config) Path(name string) string {
	s := c.Text(name)
	if dir := c.Values[name].dir; dir != "" && s != "" && !filepath.IsAbs(s) {
		return filepath.Join(dir, s)
	}
	return s
}

// Rows returns the rows of --print-config: a name, its value, and where the value comes from.
func (c *Config) Rows(problem, origin string) [][]string {
	rows := [][]string{{"problem", problem, origin}}
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
		rows = append(rows, []string{o.Name, text, from})
	}
	return rows
}
