package problems

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
)

// Spec is the name of a problem. Four forms are written and read:
//
//	cec2013/f4:mode=paper,n=1000000    a name of a family
//	maxcut:torus=100x100,seed=1        a family that generates problems from keys
//	maxcut:G1.txt,drop-loops=true      a file of a family
//	./ackley.cl:n=100                  a file; its content decides the family
//
// Objectives in OpenCL C have the last form only. The spec opencl:sha256=HASH,n=N names an objective that was in
// memory; it cannot be parsed.
type Spec struct {
	Family string // "cec2013", "classic", "maxcut", "opencl", …
	Name   string // in the family, or the path of a file; "" if there are only keys
	File   bool   // Name is a path
	Keys   []Key  // in the order in which they are written
}

// Key is one key=value of a Spec.
type Key struct{ Name, Value string }

// OpenCL is the family of objectives in files of OpenCL C. Its specs begin with
// the path.
const OpenCL = "opencl"

// String returns the text that ParseSpec reads back.
func (s Spec) String() string {
	head, sep := s.Family, ":"
	switch {
	case s.File && s.Family == OpenCL:
		head = s.Name
	case s.File:
		head, sep = s.Family+":"+s.Name, ","
	case s.Name != "":
		head = s.Family + "/" + s.Name
	}
	for _, k := range s.Keys {
		head += sep + k.Name + "=" + k.Value
		sep = ","
	}
	return head
}

// Get returns the value of a key, and whether s has the key.
func (s Spec) Get(key string) (value string, ok bool) {
	i := slices.IndexFunc(s.Keys, func(k Key) bool { return k.Name == key })
	if i < 0 {
		return "", false
	}
	return s.Keys[i].Value, true
}

// With returns s with the key set to value, in its place or as the last key. s does not change.
func (s Spec) With(key, value string) Spec {
	s.Keys = slices.Clone(s.Keys)
	if i := slices.IndexFunc(s.Keys, func(k Key) bool { return k.Name == key }); i >= 0 {
		s.Keys[i].Value = value
	} else {
		s.Keys = append(s.Keys, Key{key, value})
	}
	return s
}

// Without returns s without the keys. s does not change.
func (s Spec) Without(keys ...string) Spec {
	s.Keys = slices.DeleteFunc(slices.Clone(s.Keys), func(k Key) bool { return slices.Contains(keys, k.Name) })
	return s
}

// ParseSpec reads a text as a problem of one of the families, and returns that family as well. Case does not matter in
// names and keys. A known name takes precedence over a file of that name in the current folder; ./NAME is the file.
// It does not check values; the family does. The error is an *input.Error.
func ParseSpec(text string, families []Family) (Spec, Family, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Spec{}, Family{}, input.Errorf("", 0, 0, "no problem given; name one, such as cec2013/f1, or a "+
			"file FILE.cl")
	}
	head, rest, given := strings.Cut(text, ":")
	name := strings.ToLower(strings.TrimSpace(head))
	for _, f := range families {
		if strings.EqualFold(f.Name, name) && f.Files {
			s, err := f.parseFile(rest)
			return s, f, err
		}
		for _, e := range f.list() {
			if full, short := strings.ToLower(e.Name), strings.ToLower(f.short(e.Name)); name != full && name != short {
				continue
			}
			s := Spec{Family: f.Name, Name: strings.TrimPrefix(e.Name, f.Name+"/")}
			if !given {
				return s, f, nil
			}
			var err error
			s.Keys, err = parseKeys(e.Name, rest, f.keys())
			return s, f, err
		}
	}
	if path, keys, ok := splitPath(text); ok {
		for _, f := range families {
			if f.Owns == nil || !f.Owns(path) {
				continue
			}
			s := Spec{Family: f.Name, Name: path, File: true}
			if f.Doubt != nil {
				if err := f.Doubt(path); err != nil {
					return s, f, err
				}
			}
			if path == text {
				return s, f, nil
			}
			var err error
			s.Keys, err = parseKeys(path, keys, f.keys())
			return s, f, err
		}
	}
	if info, err := os.Stat(text); err == nil && info.IsDir() {
		return Spec{}, Family{}, input.Errorf(text, 0, 0,
			"is a folder. Give the name of a problem, an objective FILE.cl, or a run folder, which holds run.toml.")
	}
	return Spec{}, Family{}, Unknown(head, families)
}

// Unknown returns the error for a name that no family has. It names the nearest file or problem, if one is
// near.
func Unknown(name string, families []Family) error {
	var names []string
	lower := strings.ToLower(name)
	for _, f := range families {
		for _, e := range f.list() {
			names = append(names, f.short(e.Name), e.Name)
			if strings.HasSuffix(strings.ToLower(e.Name), "/"+lower) { // without its family
				return unknown(name, e.Name)
			}
		}
		if f.Files {
			names = append(names, f.Name)
		}
	}
	if near := input.NearFile(name); near != "" {
		return input.Errorf("", 0, 0, "%q is neither a known problem nor a file; the nearest file is %s", name, near)
	}
	near := input.Nearest(lower, names)
	if input.Distance(lower, near) > len(name)/2 {
		return input.Errorf("", 0, 0, "%q is neither a known problem nor a file; clopt list problems lists the names",
			name)
	}
	return unknown(name, near)
}

// unknown returns the error for a name that no family has, with a name that is near.
func unknown(name, near string) error {
	return input.Errorf("", 0, 0, "%q is neither a known problem nor a file; the nearest known name is %s", name, near)
}

// splitPath splits PATH or PATH:keys. A path may contain colons; keys do not.
func splitPath(text string) (path, keys string, ok bool) {
	if isPath(text) {
		return text, "", true
	}
	if i := strings.LastIndexByte(text, ':'); i > 0 && isPath(text[:i]) {
		return text[:i], text[i+1:], true
	}
	return "", "", false
}

// isPath reports whether a text that is not a known name is a file: it ends in .cl, or such a file exists.
func isPath(text string) bool {
	return strings.EqualFold(filepath.Ext(text), ".cl") || input.IsRegular(text)
}

// parseFile reads what follows the name of a family with files: KEYS, FILE, FILE,KEYS or FILE:KEYS.
// Names of files may hold commas and colons.
func (f Family) parseFile(rest string) (s Spec, err error) {
	s.Family = f.Name
	if strings.TrimSpace(rest) == "" && f.Bare {
		return s, nil
	} else if strings.TrimSpace(rest) == "" {
		return s, input.Errorf("", 0, 0, "%s needs a file, as in %s:FILE; clopt describe %s lists the forms", f.Name,
			f.Name, f.Name)
	}
	known := f.keys()
	isKey := func(text string) bool {
		key, _, ok := strings.Cut(text, "=")
		return ok && slices.Contains(known, strings.ToLower(strings.TrimSpace(key)))
	}
	if _, err := os.Lstat(rest); err == nil {
		s.Name, s.File = rest, true
		return s, nil
	}
	if isKey(rest) {
		s.Keys, err = parseKeys(f.Name, rest, known)
		return s, err
	}
	end := len(rest)
	for i := len(rest) - 1; i > 0; i-- {
		if rest[i] != ',' && rest[i] != ':' {
			continue
		}
		if input.IsRegular(rest[:i]) {
			end = i
			break
		}
		if isKey(rest[i+1:]) {
			end = i
		}
	}
	s.Name, s.File = rest[:end], true
	if end < len(rest) {
		s.Keys, err = parseKeys(f.Name, rest[end+1:], known)
	}
	return s, err
}

// parseKeys reads "key=value,..." with keys from known.
func parseKeys(name, text string, known []string) (keys []Key, err error) {
	for part := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(part, "=")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		if !ok || value == "" {
			return nil, input.Errorf("", 0, 0, "%s: %q is not key=value; use for example %s:n=1000", name, part, name)
		}
		if !slices.Contains(known, key) {
			return nil, input.Errorf("", 0, 0, "%s: unknown key %q; the nearest known key is %s", name, key,
				input.Nearest(key, known))
		}
		if slices.ContainsFunc(keys, func(k Key) bool { return k.Name == key }) {
			return nil, input.Errorf("", 0, 0, "%s: key %s is given twice; give it once", name, key)
		}
		keys = append(keys, Key{key, value})
	}
	return keys, nil
}

// Dim returns the value of the key n, or 0 if s does not have it. The error is an *input.Error.
func (s Spec) Dim() (int, error) {
	text, ok := s.Get("n")
	if !ok {
		return 0, nil
	}
	v, err := input.ParseCount(text)
	if err != nil {
		return 0, input.Errorf("", 0, 0, "n: %v", err)
	}
	if v < 1 || v > MaxDim {
		return 0, input.Errorf("", 0, 0, "n is %d; use 1 to %d", v, MaxDim)
	}
	return int(v), nil
}
