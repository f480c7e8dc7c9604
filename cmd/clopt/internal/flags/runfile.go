package flags

import (
	"errors"
	"fmt"
	"slices"

	"github.com/clopt/clopt/internal/solvers/runs/recipe"
)

// ReadRunFile reads and checks a run file.
func ReadRunFile(path string) (*recipe.File, error) { return recipe.Read(path, knownKey) }

// knownKey reports whether a key of a run file takes a list. An unknown key is an error.
func knownKey(key string) (list bool, err error) {
	known := runFileKeys()
	at := slices.IndexFunc(RunOptions, func(o Option) bool { return o.Name == key })
	if slices.Contains(known, key) {
		return at >= 0 && RunOptions[at].List, nil
	}
	msg := fmt.Sprintf("unknown key %q.", key)
	if at >= 0 {
		msg += " It works only as a flag."
	} else if near := Nearest(key, known); near != "" {
		msg += fmt.Sprintf(" Did you mean %q?", near)
	}
	return false, errors.New(msg)
}

// Recipe returns the keys of a run file that repeats a run: the values that were given, with those in fixed in their
// place or added. An empty text in fixed leaves the key out.
func (c *Config) Recipe(fixed map[string]string) (keys []recipe.Key) {
	for _, o := range c.opts {
		v := c.Values[o.Name]
		if s, ok := fixed[o.Name]; ok && s == "" {
			continue
		} else if ok {
			v = Value{Vals: []string{s}, Origin: "fixed"}
		}
		if o.noFile || len(v.Vals) == 0 || v.Origin == "default" || slices.Contains(presentation, o.Name) {
			continue
		}
		keys = append(keys, recipe.Key{Name: o.Name, Vals: v.Vals, List: o.List})
	}
	return keys
}

// presentation are the options that say where a run is stored and how it is shown. A repeated run does not inherit
// them.
var presentation = []string{"out", "name", "quiet", "verbose", "status", "json"}
