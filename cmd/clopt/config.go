package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"
)

// value is the text of an option and where it comes from.
type value struct {
	vals   []string
	origin string // "flag", "env CLOPT_X", "FILE:LINE", "default" or ""
	dir    string // folder of the run file, for a value from there
}

// config holds every option of a command by its long name. A flag goes before
// the environment, that before the run file, that before the default.
type config struct {
	opts   []option
	values map[string]value
	bad    []error // complaints so far; settings are read on, so that all are shown
}

// newConfig merges the sources; file may be nil.
func newConfig(opts []option, fs *pflag.FlagSet, getenv func(string) string, file *runFile) *config {
	c := &config{opts: opts, values: map[string]value{}}
	for i := range opts {
		o := &opts[i]
		v := value{}
		if o.def != "" {
			v = value{vals: []string{o.def}, origin: "default"}
		}
		if file != nil {
			if e, ok := file.entries[o.name]; ok {
				v = value{e.vals, fmt.Sprintf("%s:%d", file.path, e.line), filepath.Dir(file.path)}
			}
		}
		if s := getenv(envName(o.name)); s != "" && !o.noEnv {
			vals := []string{s}
			if o.list {
				vals = strings.Split(s, ",")
			}
			v = value{vals: vals, origin: "env " + envName(o.name)}
		}
		if f := fs.Lookup(o.name); f != nil && f.Changed {
			v = value{vals: f.Value.(*raw).vals, origin: "flag"}
		}
		if o.notYet && v.origin != "" && v.origin != "default" {
			c.complain(o.name, v, "not yet in this version")
		}
		c.values[o.name] = v
	}
	return c
}

// envName is the environment variable of an option: CLOPT_FIRST_RUN.
func envName(name string) string {
	return "CLOPT_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// complain notes a wrong value under the name its writer knows: the flag, the
// variable, or the line of the run file.
func (c *config) complain(name string, v value, format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	switch {
	case v.origin == "flag" || v.origin == "default" || v.origin == "":
		msg = fmt.Sprintf("--%s: %s", name, msg)
	case strings.HasPrefix(v.origin, "env "):
		msg = fmt.Sprintf("%s: %s", strings.TrimPrefix(v.origin, "env "), msg)
	default:
		msg = fmt.Sprintf("%s:1: error: %s: %s", v.origin, name, msg)
	}
	c.bad = append(c.bad, usagef("%s", msg))
}

// err joins the complaints.
func (c *config) err() error { return errors.Join(c.bad...) }

// given says whether anybody gave the option a value.
func (c *config) given(name string) bool {
	o := c.values[name].origin
	return o != "" && o != "default"
}

// text is the option's value, "" if it has none.
func (c *config) text(name string) string {
	if v := c.values[name].vals; len(v) > 0 {
		return v[len(v)-1]
	}
	return ""
}

// read applies parse to the option's value, if it has one, and notes what is
// wrong with it.
func read[T any](c *config, name string, parse func(string) (T, error)) T {
	var zero T
	v := c.values[name]
	if len(v.vals) == 0 {
		return zero
	}
	s := v.vals[len(v.vals)-1]
	x, err := parse(s)
	if err != nil {
		c.complain(name, v, "%v", err)
		return zero
	}
	return x
}

// path is the option's value as a file name; one in a run file is relative
// to that file, so that a folder can be moved as a whole.
func (c *config) path(name string) string {
	s := c.text(name)
	if dir := c.values[name].dir; dir != "" && s != "" && !filepath.IsAbs(s) {
		return filepath.Join(dir, s)
	}
	return s
}

// print writes the table of --print-config.
func (c *config) print(w io.Writer, problem, origin string) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "problem\t%s\t%s\n", problem, origin)
	for _, o := range c.opts {
		if o.notYet || o.name == "print-config" {
			continue
		}
		v := c.values[o.name]
		text, from := strings.Join(v.vals, ","), v.origin
		if text == "" {
			text = "-"
		}
		if from == "" {
			from = "default"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", o.name, text, from)
	}
	t.Flush()
}
