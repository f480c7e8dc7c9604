package problems

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
)

// Family is a family of problems: how its specs are read, and how it is listed and described. Package catalog holds
// those that are known by name; a program adds its own with catalog.Register.
type Family struct {
	Name string // in lower case, the first word of its specs
	// Short says that names may be written without "NAME/" before them.
	Short bool
	// Files says that specs are NAME:FILE or NAME:key=value.
	Files bool
	// Bare says that the name alone is a spec, too.
	Bare bool
	// Keys are the keys that its specs may have, in lower case. n, lo, hi, bounds, maximize and tile need not be
	// listed: every problem takes them, see Make.
	Keys []string
	// Owns reports whether a file that is given without the name of a family belongs to this one. nil: no file does.
	Owns func(path string) bool
	// Doubt returns an error for such a file if it may belong to several families, and nothing says to which one. nil:
	// that is never so.
	Doubt func(path string) error
	// Parse makes the problem of a spec, which has no other keys than Keys and n. data is the folder of official
	// instance data; "" asks for generated data. Bounds of NaN mean that the spec must give lo and hi.
	Parse func(s Spec, data string) (Problem, error)
	// List returns the problems that have a name; nil: there are none.
	List  func() []Entry
	Title string // one line about the family
	// Describe returns a few lines about a problem of List, or about the family if the entry is zero. If it is nil, the
	// description is Title.
	Describe func(e Entry) string
	// Examples are the beginnings of specs that a shell offers as completions, such as "torus=".
	Examples []string
}

// Entry describes one problem that is known by name.
type Entry struct {
	Name       string // with the family before it
	Title      string
	Dim        int      // the default n
	Modes      []string // values of mode; the first is the default
	Lo, Hi     float64  // the box
	References []string
}

func (f Family) list() []Entry {
	if f.List == nil {
		return nil
	}
	return f.List()
}

// short returns the short form of a full name, or the name itself where the family has no short forms.
func (f Family) short(name string) string {
	if !f.Short {
		return name
	}
	return strings.TrimPrefix(name, f.Name+"/")
}

// wrapKeys are the keys that every problem takes.
var wrapKeys = []string{"n", "lo", "hi", "bounds", "maximize", "tile"}

// keys returns all keys that a spec of f may have.
func (f Family) keys() []string {
	all := slices.Clone(f.Keys)
	for _, k := range wrapKeys {
		if !slices.Contains(all, k) {
			all = append(all, k)
		}
	}
	return all
}

// Options are keys of a problem that are not part of its spec but given separately, such as the flags of a command. The
// zero value gives none.
type Options struct {
	// Dim is the number of variables; 0 leaves it to the spec or the default.
	Dim int
	// Data is the directory of official instance data; empty means the
	// generated instance.
	Data string
	// Bounds, BoundsFile and Maximize are the keys lo and hi, bounds, and maximize.
	Bounds     *Bounds
	BoundsFile string
	// Lo and Hi are bounds of each variable, in place of Bounds; nil: not given.
	Lo, Hi   []float64
	Maximize bool
	// Minimize is the key maximize with the value false, for a QUBO or an Ising problem in a file of a maximization.
	Minimize bool
	// Fix has variables of a graph, a QUBO or an Ising problem in a file that have one value, as "NAME=0,NAME=1".
	Fix string
	// DropLoops, MergeEdges and Sign (1 or -1; 0: not given) say how the file of a graph, a QUBO or an Ising problem is
	// read.
	DropLoops, MergeEdges bool
	Sign                  int
	// Pairs is "once" or "twice": how often the term of a pair counts in a QUBO whose file does not say so; "": not
	// given.
	Pairs string
}

// keys returns the options as keys, without the bounds.
func (o Options) keys() (keys []Key) {
	add := func(on bool, name, value string) {
		if on {
			keys = append(keys, Key{name, value})
		}
	}
	add(o.Dim != 0, "n", strconv.Itoa(o.Dim))
	add(o.DropLoops, "drop-loops", "true")
	add(o.MergeEdges, "merge-edges", "true")
	add(o.Sign != 0, "sign", strconv.Itoa(o.Sign))
	add(o.Pairs != "", "pairs", o.Pairs)
	if fixed, err := input.ParseFix(o.Fix); err == nil {
		add(len(fixed) > 0, "fix", input.FixKey(fixed))
	}
	add(o.BoundsFile != "", "bounds", o.BoundsFile)
	add(o.Maximize, "maximize", "true")
	add(o.Minimize, "maximize", "false")
	return keys
}

// keyOwners names the families of the keys of Options that not every family has.
var keyOwners = map[string]string{"drop-loops": "maxcut", "merge-edges": "maxcut, qubo and ising",
	"sign": "qubo and ising", "pairs": "qubo",
	"fix": "maxcut, qubo and ising"}

// Make makes the problem of a spec of f and of options. A key may be in the spec or in o, or in both with the same
// value. Then it applies the keys lo, hi, maximize and tile that are not the family's own. Faults are *input.Error.
func (f Family) Make(s Spec, o Options) (Problem, error) {
	if o.Dim < 0 {
		return nil, input.Errorf("", 0, 0, "n is %d; use a positive number of variables", o.Dim)
	}
	n, err := s.Dim()
	if err != nil {
		return nil, err
	}
	if n != 0 && o.Dim != 0 && n != o.Dim {
		return nil, input.Errorf("", 0, 0, "n is %d in %q and also given as %d; give it once", n, s, o.Dim)
	}
	if _, err := input.ParseFix(o.Fix); err != nil {
		return nil, err
	}
	if o.Maximize && o.Minimize {
		return nil, input.Errorf("", 0, 0, "maximize and minimize are both given; give one")
	}
	for _, k := range o.keys() {
		if !slices.Contains(f.keys(), k.Name) {
			return nil, input.Errorf("", 0, 0, "%s belongs to %s, and not to %s", k.Name, keyOwners[k.Name], s)
		}
		was, ok := s.Get(k.Name)
		if k.Name == "sign" && ok && strings.TrimPrefix(was, "+") != k.Value {
			return nil, input.Errorf("", 0, 0, "sign is %s in %q and also given as %s; give it once", was, s, k.Value)
		}
		if (k.Name == "pairs" || k.Name == "maximize" || k.Name == "fix") && ok && was != k.Value {
			return nil, input.Errorf("", 0, 0, "%s is %s in %q and also given as %s; give it once", k.Name, was, s,
				k.Value)
		}
		s = s.With(k.Name, k.Value)
	}
	own := s
	for _, k := range wrapKeys[1:] {
		if !slices.Contains(f.Keys, k) {
			own = own.Without(k)
		}
	}
	p, err := f.Parse(own, o.Data)
	if err != nil {
		return nil, input.AsError(err)
	}
	if p, err = f.change(p, s, o); err != nil {
		return nil, err
	}
	if lo, hi := p.Domain().Box(); math.IsNaN(lo) || math.IsNaN(hi) {
		return nil, input.Errorf(s.Name, 0, 0,
			"no bounds. Add a line //@ bounds LO HI, or give --bounds LO,HI or --bounds FILE, or %s:lo=LO,hi=HI",
			s.Name)
	}
	return p, nil
}

// change applies lo, hi, bounds, maximize and tile of s to p, except for keys that the family has itself.
func (f Family) change(p Problem, s Spec, o Options) (Problem, error) {
	value := func(key string) (string, bool) {
		if slices.Contains(f.Keys, key) {
			return "", false
		}
		return s.Get(key)
	}
	b, err := bounds(p, value, o.Bounds, s)
	file, inFile := value("bounds")
	switch {
	case err != nil:
	case inFile && b != nil:
		err = input.Errorf("", 0, 0, "bounds are [%g, %g] and also given in %s; give them once", b.Lo, b.Hi, file)
	case inFile:
		p, err = withBoundsFile(p, file)
	case b != nil:
		p, err = WithBounds(p, *b)
	case o.Lo != nil || o.Hi != nil:
		p, err = WithBox(p, o.Lo, o.Hi)
	}
	if err != nil {
		return nil, err
	}
	if text, ok := value("maximize"); ok {
		yes, bad := strconv.ParseBool(text)
		if bad != nil {
			return nil, input.Errorf("", 0, 0, "maximize is %s; use true or false", input.Shown([]byte(text)))
		}
		if yes {
			if p, err = Maximized(p); err != nil {
				return nil, err
			}
		}
	}
	if text, ok := value("tile"); ok {
		vars, err := input.ParseCount(text)
		if err != nil || vars < 1 || vars > MaxDim {
			return nil, input.Errorf("", 0, 0, "tile is %s; use a number of variables from 1 to %d",
				input.Shown([]byte(text)), MaxDim)
		}
		return withTileSize(p, int(vars))
	}
	return p, nil
}

// bounds returns the bounds of the keys lo and hi, or those of the options if the spec has neither key. It returns nil
// if no bounds are given.
func bounds(p Problem, value func(string) (string, bool), beside *Bounds, s Spec) (*Bounds, error) {
	lo, hi := p.Domain().Box()
	given := false
	for _, end := range []struct {
		key string
		to  *float64
	}{{"lo", &lo}, {"hi", &hi}} {
		text, ok := value(end.key)
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, input.Errorf("", 0, 0, "%s is %s; use a finite number%s", end.key, input.Shown([]byte(text)),
				input.Instead(text))
		}
		*end.to, given = v, true
	}
	switch {
	case !given:
		return beside, nil
	case beside != nil && (beside.Lo != lo || beside.Hi != hi):
		return nil, input.Errorf("", 0, 0, "bounds are [%g, %g] in %q and also given as [%g, %g]; give them once", lo,
			hi, s, beside.Lo, beside.Hi)
	}
	return &Bounds{lo, hi}, nil
}
