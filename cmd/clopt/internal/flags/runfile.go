package flags

import (
	"errors"
	"fmt"
	"slices"

	"github.com/clopt/clopt/solvers/runs"
)

// ReadRunFile reads and checks a run file.
func ReadRunFile(path string) (*runs.Recipe, error) { return runs.ReadRecipe(path, knownKey) }

// knownKey says whether a key of a run file takes a list, or why there is no such key.
func knownKey(key string) (list bool, err error) {
	known := optionNames(RunOptions)
	at := slices.IndexFunc(RunOptions, func(o Option) bool { return o.Name == key })
	if slices.Contains(known, key) {
		return at >= 0 && RunOptions[at].List, nil
	}
	msg := fmt.Sprintf("unknown key %q.", key)
	switch near := Nearest(key, known); {
	case at >= 0 && RunOptions[at].noFile:
		msg += " It works only as a flag."
	case at >= 0:
		msg += " It is not yet in this version."
	case near != "":
		msg += fmt.Sprintf(" Did you mean %q?", near)
	}
	return false, errors.New(msg)
}

// Recipe is the keys of a run file that repeats a run: what was given, with
// what was drawn or chosen filled in: fixed goes before what was given, and an
// empty text leaves the key out.
func (c *Config) Recipe(fixed map[string]string) (keys []runs.Key) {
	for _, o := range c.opts {
		v := c.Values[o.Name]
		if s, ok := fixed[o.Name]; ok && s == "" {
			continue
		} else if ok {
			v = Value{Vals: []string{s}, Origin: "fixed"}
		}
		if o.noFile || o.NotYet || len(v.Vals) == 0 || v.Origin == "default" || slices.Contains(presentation, o.Name) {
			continue
		}
		keys = append(keys, runs.Key{Name: o.Name, Vals: v.Vals, List: o.List})
	}
	return keys
}

// presentation are the options that say how a run is shown or stored, not
// what it computes; whoever repeats it chooses anew.
var presentation = []string{"out", "name", "quiet", "verbose", "status", "json"}
