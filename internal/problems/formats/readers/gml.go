package readers

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
)

// gml reads keys and values of GML: key number, key "text", or key [ keys and values ].
type gml struct {
	text []byte
	at   int
}

// GML reads a graph in GML. The label of a vertex is its name if each vertex has one of its own, and the weight of an
// edge is its weight or its value.
func GML(text []byte, to Sink) (Facts, error) {
	s := &gml{text: text}
	var g network
	found := -1
	for {
		key, at, err := s.word()
		switch {
		case err != nil:
			return Facts{}, err
		case key == "" && found < 0:
			return Facts{}, fault(at, "no graph. Write graph [ node [ id 0 ] … edge [ source 0 target 1 ] ].")
		case key == "":
			return g.tell(to, found)
		case !strings.EqualFold(key, "graph"):
			if err := s.skip(); err != nil {
				return Facts{}, err
			}
			continue
		case found >= 0:
			return Facts{}, fault(at, "a second graph. Leave one in the file.")
		}
		found = at
		if err := s.block(func(key, value string, at int) error { return s.element(&g, key, value, at) }); err != nil {
			return Facts{}, err
		}
	}
}

// element reads a node, an edge or something else of the graph.
func (s *gml) element(g *network, key, value string, at int) error {
	open := value == "["
	switch strings.ToLower(key) {
	case "directed":
		g.directed = value == "1"
	case "node":
		if !open {
			return fault(at, "a node without brackets. Write node [ id 0 ].")
		}
		fields, err := s.fields()
		if err != nil {
			return err
		}
		if fields["id"] == "" {
			return fault(at, "a node without an id. Write node [ id 0 ].")
		}
		return g.vertex(fields["id"], fields["label"], at)
	case "edge":
		if !open {
			return fault(at, "an edge without brackets. Write edge [ source 0 target 1 ].")
		}
		fields, err := s.fields()
		if err != nil {
			return err
		}
		if fields["source"] == "" || fields["target"] == "" {
			return fault(at, "an edge without source and target. Write edge [ source 0 target 1 ].")
		}
		e := link{from: fields["source"], to: fields["target"], at: at}
		for _, key := range []string{"value", "weight"} {
			if fields[key] != "" {
				e.weight = []byte(fields[key])
			}
		}
		for _, key := range slices.Sorted(maps.Keys(fields)) {
			g.others.see(key, []byte(fields[key]))
		}
		g.links = append(g.links, e)
	default:
		if open {
			return s.rest()
		}
	}
	return nil
}

// fields returns the values of the keys of a block that has just been opened, except for blocks.
func (s *gml) fields() (map[string]string, error) {
	fields := map[string]string{}
	err := s.inside(func(key, value string, _ int) error {
		if value == "[" {
			return s.rest()
		}
		fields[strings.ToLower(key)] = value
		return nil
	})
	return fields, err
}

// block reads "[ keys and values ]".
func (s *gml) block(f func(key, value string, at int) error) error {
	open, at, err := s.word()
	if err == nil && open != "[" {
		err = fault(at, "%s where a [ should be.", input.Shown([]byte(open)))
	}
	if err != nil {
		return err
	}
	return s.inside(f)
}

// inside calls f with each key and its value, which is "[" where a block begins, up to the closing bracket.
func (s *gml) inside(f func(key, value string, at int) error) error {
	for {
		key, at, err := s.word()
		switch {
		case err != nil:
			return err
		case key == "]":
			return nil
		case key == "" || key == "[":
			return fault(at, "%s where a key or a ] should be. Close all brackets.", input.Shown([]byte(key)))
		}
		value, valueAt, err := s.word()
		if err == nil && (value == "" || value == "]") {
			err = fault(valueAt, "the key %s has no value. Write one, or remove it.", input.Shown([]byte(key)))
		}
		if err != nil {
			return err
		}
		if err := f(key, strings.Trim(value, `"`), at); err != nil {
			return err
		}
	}
}

// rest reads up to the end of a block that has just been opened. Blocks may be within each other, to any depth.
func (s *gml) rest() error {
	for depth := 1; depth > 0; {
		w, at, err := s.word()
		switch {
		case err != nil:
			return err
		case w == "":
			return fault(at, "the file ends before its brackets are closed. Fetch the file again.")
		case w == "[":
			depth++
		case w == "]":
			depth--
		}
	}
	return nil
}

// skip reads a value.
func (s *gml) skip() error {
	w, _, err := s.word()
	if err == nil && w == "[" {
		return s.rest()
	}
	return err
}

// word returns the next word, a bracket or a text with its quotes, and its place. It is "" at the end.
func (s *gml) word() (w string, at int, err error) {
	for {
		rest := bytes.TrimLeft(s.text[s.at:], " \t\r\n")
		s.at = len(s.text) - len(rest)
		if len(rest) == 0 || rest[0] != '#' {
			break
		}
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		s.at += len(line)
	}
	at = s.at
	if at == len(s.text) {
		return "", at, nil
	}
	switch c := s.text[at]; c {
	case '[', ']':
		s.at++
	case '"':
		i := bytes.IndexByte(s.text[at+1:], '"')
		if i < 0 {
			return "", at, fault(at, "a text without its end. Write a \" there.")
		}
		s.at += i + 2
	default:
		for s.at < len(s.text) && bytes.IndexByte([]byte(" \t\r\n[]\""), s.text[s.at]) < 0 {
			s.at++
		}
	}
	return string(s.text[at:s.at]), at, nil
}
