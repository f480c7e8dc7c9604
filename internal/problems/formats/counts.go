package formats

import (
	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/problems/graph"
)

// counts says what the terms of the file count in the value. It is "" for a graph, in which an edge counts once.
func (p *parser) counts() string {
	const once, twice = "pairs count once", "pairs count twice"
	switch {
	case p.kind == graph.Sides:
		return ""
	case p.format == format.Rudy && p.double && p.opt.Pairs == "":
		return twice + " (" + p.convention.Name + ")"
	case p.format == format.Rudy && p.convention.Name != "" && p.opt.Pairs == "":
		return once + " (" + p.convention.Name + ")"
	case p.format == format.ORLibrary, p.double:
		return twice
	case p.general && p.format != format.MPS:
		return "x'Qx"
	}
	switch p.format {
	case format.LP:
		return "terms in brackets count half"
	case format.MPS, format.QPLIB:
		return "x'Qx/2 and linear terms"
	case format.Formula:
		return "the weight of clauses that do not hold"
	}
	return once
}
