package lint

import "slices"

// reportWraps warns of the unsigned differences of a function that become real numbers and that nothing keeps from
// falling below 0.
func (p *parser) reportWraps() {
	for _, w := range p.within.wraps {
		if p.safe(w) {
			continue
		}
		what, cure := p.source(w.first(), w.right.last), ""
		switch {
		case w.minus:
			cure = "-" + p.asReal(w.right)
		case w.left.known:
			cure = p.source(w.left.first, w.left.last) + " - " + p.asReal(w.right)
		default:
			cure = p.asReal(w.left) + " - " + p.source(w.right.first, w.right.last)
		}
		p.warn(w.first(), "%s is unsigned: instead of a number below 0 it is one of 4e9. Write %s", what, cure)
	}
	p.within.wraps = nil
}

// asReal returns the text that makes a value real.
func (p *parser) asReal(v value) string {
	if v.first == v.last {
		return "(real)" + p.word(v.first)
	}
	return "(real)(" + p.bare(v) + ")"
}

// safe reports whether a comparison may keep a difference from falling below 0.
func (p *parser) safe(w *wrap) bool {
	return slices.ContainsFunc(p.within.guards, func(g guard) bool {
		left, right := intersect(g.lower, w.left.names), intersect(g.upper, w.right.names)
		both := intersect(g.all, w.left.names) && intersect(g.all, w.right.names)
		return left || right && (w.left.known || w.minus) || both
	})
}

func intersect(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}
