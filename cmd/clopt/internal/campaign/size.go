package campaign

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/cgrasp"
	"github.com/clopt/clopt/solvers/methods"
)

// size holds the keys of a table that may be different on a small machine.
type size struct {
	Problems  []string `toml:"problems"`
	Dims      []plain  `toml:"dims"`
	Runs      plain    `toml:"runs"`
	Evals     plain    `toml:"evals"`
	Moves     plain    `toml:"moves"`
	Time      plain    `toml:"time"`
	Target    plain    `toml:"target"`
	Stall     plain    `toml:"stall"`
	Precision plain    `toml:"precision"`
	Devices   []plain  `toml:"devices"`
}

// scaled returns the size of a table, with the changes for laptops if laptop is set.
func (t *Table) scaled(laptop bool) size {
	s := t.size
	if !laptop || t.Laptop == nil {
		return s
	}
	l := t.Laptop
	for _, f := range []struct{ to, from *plain }{
		{&s.Runs, &l.Runs}, {&s.Evals, &l.Evals}, {&s.Moves, &l.Moves}, {&s.Time, &l.Time},
		{&s.Target, &l.Target}, {&s.Stall, &l.Stall}, {&s.Precision, &l.Precision},
	} {
		if *f.from != "" {
			*f.to = *f.from
		}
	}
	if l.Problems != nil {
		s.Problems = l.Problems
	}
	if l.Dims != nil {
		s.Dims = l.Dims
	}
	if l.Devices != nil {
		s.Devices = l.Devices
	}
	return s
}

// Entry is a method in a table.
type Entry struct {
	Label     string `toml:"label"`
	Solver    string `toml:"solver"`
	Preset    string `toml:"preset"` // published settings, see published
	Set       values `toml:"set"`
	Laptop    values `toml:"laptop"` // settings on a small machine, in place of those in Set
	Runs      plain  `toml:"runs"`   // in place of that of the table, as are the next three
	Evals     plain  `toml:"evals"`
	Moves     plain  `toml:"moves"`
	Precision plain  `toml:"precision"`
}

// values are settings by name. Package toml takes a number for an empty map.
type values map[string]plain

func (s *values) UnmarshalTOML(v any) error {
	given, ok := v.(map[string]any)
	if !ok {
		return errors.New("settings are a table, as in { population = 50 }")
	}
	*s = values{}
	for key, v := range given {
		var p plain
		if err := p.UnmarshalTOML(v); err != nil {
			return err
		}
		(*s)[key] = p
	}
	return nil
}

// settings returns the values of --set for a problem, sorted.
func (e *Entry) settings(spec string, laptop bool) (out []string, err error) {
	set := map[string]plain{}
	if e.Preset != "" {
		published, ok := e.published(spec)
		if !ok {
			return nil, fmt.Errorf("no settings of %s %s are published for %s", e.Solver, e.Preset, spec)
		}
		for k, v := range published {
			set[k] = plain(v)
		}
	}
	maps.Copy(set, e.Set)
	if laptop {
		maps.Copy(set, e.Laptop)
	}
	for _, k := range slices.Sorted(maps.Keys(set)) {
		out = append(out, k+"="+string(set[k]))
	}
	return out, nil
}

// published returns the settings of the preset for a problem: a variant of anneal.PublishedAnnealing, or for cgrasp
// those of the papers.
func (e *Entry) published(spec string) (set map[string]string, ok bool) {
	name, _, _ := strings.Cut(spec, ":")
	switch method := strings.ToLower(e.Solver); {
	case method == "sa":
		return anneal.PublishedAnnealing(name, e.Preset)
	case method == "cgrasp" && e.Preset == "papers":
		return cgrasp.PublishedGRASP(name)
	}
	return nil, false
}

// scheduled reports whether a method ends by itself.
func scheduled(name string) bool {
	m, err := methods.New(name, nil)
	return err == nil && m.Traits().Schedule != nil
}
