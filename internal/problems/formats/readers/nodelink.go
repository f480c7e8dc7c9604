package readers

import (
	"maps"
	"slices"
	"strconv"

	"github.com/clopt/clopt/internal/problems/formats/jsontext"
)

// NodeLink reads a graph in node-link JSON, as networkx and d3 write it: nodes with an id, and links, or edges, with a
// source, a target and perhaps a weight. Where nodes have no id, sources and targets are their numbers from 0 on.
// Errors of the JSON are an *input.Error without a file.
func NodeLink(text []byte, to Sink) (Facts, error) {
	t, top, err := jsontext.New("", text)
	if err != nil {
		return Facts{}, err
	}
	g, at, err := nodeLink(t, top)
	if err != nil {
		return Facts{}, err
	}
	return g.tell(to, at)
}

// nodeLink reads the graph of an object. at is the place of its vertices.
func nodeLink(t jsontext.Text, top jsontext.Object) (g *network, at int, err error) {
	g = new(network)
	if i, ok := top["directed"]; ok {
		g.directed = string(t.Value(i)) == "true"
	}
	links, ok := top["links"]
	if !ok {
		links, ok = top["edges"]
	}
	if !ok {
		return nil, 0, t.Fail(0, "there is neither the key \"links\" nor \"edges\". Add one.")
	}
	if at, err = t.Need(top, "nodes"); err != nil {
		return nil, 0, err
	}
	if err = t.Array(at, func(k, i int) error {
		id := strconv.Itoa(k)
		if t.Bytes[i] == '{' {
			node, err := t.Object(i)
			if err != nil {
				return err
			}
			if of, ok := node["id"]; ok {
				id = identity(t, of)
			}
		} else {
			id = identity(t, i)
		}
		return g.vertex(id, "", i)
	}); err != nil {
		return nil, 0, err
	}
	return g, at, t.Array(links, func(_, i int) error {
		o, err := t.Object(i)
		if err != nil {
			return err
		}
		e := link{at: i}
		for k, key := range []string{"source", "target"} {
			of, ok := o[key]
			if !ok {
				return t.Fail(i, "an edge without %q. Add it.", key)
			}
			*[]*string{&e.from, &e.to}[k] = identity(t, of)
		}
		if w, ok := o["weight"]; ok {
			e.weight = t.Value(w)
		} else {
			for _, name := range slices.Sorted(maps.Keys(o)) {
				g.others.see(name, t.Value(o[name]))
			}
		}
		g.links = append(g.links, e)
		return nil
	})
}

// identity returns a string, or another value as it stands in the text.
func identity(t jsontext.Text, i int) string {
	if s, err := t.Str(i); err == nil {
		return s
	}
	return string(t.Value(i))
}
