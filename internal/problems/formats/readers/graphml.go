package readers

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
)

// graphML reads the elements of a text in GraphML.
type graphML struct {
	network
	d       *xml.Decoder
	weights map[string]bool   // the keys that are weights of edges
	names   map[string]string // of the keys of edges
	weight  []byte            // of edges that have none of their own; nil: 1
	graphs  int
	edge    *link // the one that is open
	into    *[]byte
	key     string // of the element <key> that is open
	other   string // the name of the element <data> of an edge that is open and no weight, or ""
	value   []byte // its text
}

// GraphML reads a graph in GraphML. The names of vertices are their ids, and weights are the data of a key with the
// name weight.
func GraphML(text []byte, to Sink) (Facts, error) {
	g := &graphML{d: xml.NewDecoder(bytes.NewReader(text)), weights: map[string]bool{},
		names: map[string]string{}}
	g.d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // names may be in any
	for {
		at := int(g.d.InputOffset())
		t, err := g.d.Token()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = g.token(t, at)
		} else {
			err = fault(int(g.d.InputOffset()), "is not XML: %v. Correct it, or write the file again.", err)
		}
		if err != nil {
			return Facts{}, err
		}
	}
	if g.graphs == 0 {
		return Facts{}, fault(0, "no <graph> in the file. Fetch the file again.")
	}
	for i := range g.links {
		if g.links[i].weight == nil {
			g.links[i].weight = g.weight
		}
	}
	return g.tell(to, 0)
}

// token reads a part of the text.
func (g *graphML) token(t xml.Token, at int) error {
	switch t := t.(type) {
	case xml.StartElement:
		return g.start(t, at)
	case xml.CharData:
		if g.into != nil {
			*g.into = append(*g.into, bytes.TrimSpace(t)...)
		}
	case xml.EndElement:
		switch t.Name.Local {
		case "edge":
			if g.edge != nil {
				g.links = append(g.links, *g.edge)
			}
			g.edge = nil
		case "key":
			g.key = ""
		case "data":
			g.others.see(g.other, g.value)
			g.other = ""
		}
		g.into = nil
	}
	return nil
}

// start reads the beginning of an element.
func (g *graphML) start(t xml.StartElement, at int) error {
	get := func(name string) string {
		for _, a := range t.Attr {
			if a.Name.Local == name {
				return a.Value
			}
		}
		return ""
	}
	switch t.Name.Local {
	case "graph":
		if g.graphs++; g.graphs > 1 {
			return fault(at, "a second graph. Leave one in the file.")
		}
		g.directed = get("edgedefault") == "directed"
	case "hyperedge":
		return fault(at, "a hyperedge, which no cut has. Write edges of two vertices.")
	case "key":
		name := strings.ToLower(get("attr.name"))
		if scope := get("for"); scope == "edge" || scope == "all" {
			g.names[get("id")] = get("attr.name")
			if name == "weight" {
				g.weights[get("id")] = true
				g.key = get("id")
			}
		}
	case "default":
		if g.weights[g.key] && g.key != "" {
			g.into = &g.weight
		}
	case "node":
		return g.vertex(get("id"), "", at)
	case "edge":
		g.edge = &link{from: get("source"), to: get("target"), at: at}
		if g.edge.from == "" || g.edge.to == "" {
			return fault(at, "an edge without source and target. Write <edge source=\"n0\" target=\"n1\"/>.")
		}
	case "data":
		if g.edge != nil && g.weights[get("key")] {
			if g.edge.weight != nil {
				return fault(at, "a second weight of the edge between %s and %s. Remove one.",
					input.Shown([]byte(g.edge.from)), input.Shown([]byte(g.edge.to)))
			}
			g.edge.weight = []byte{}
			g.into = &g.edge.weight
		} else if g.edge != nil {
			g.other, g.value = g.names[get("key")], nil
			g.into = &g.value
		}
	}
	return nil
}
