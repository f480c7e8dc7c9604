package facts

import (
	"fmt"
	"strings"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/smooth"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
)

// Objective describes what an objective file says.
func Objective(p problems.Problem) (d Description, err error) {
	text, err := p.Text(problems.FP64, problems.Item)
	if err != nil {
		return d, err
	}
	i, s := p.Info(), p.Structure()
	d = Description{kind: "objective", name: p.Spec().String()}
	add := func(label, text, key string, value any) { d.facts = append(d.facts, fact{label, text, key, value}) }
	lo, hi := p.Domain().Box()
	add("name", i.Title, "title", i.Title)
	add("variables", boxInWords(p.Domain()), "variables", p.Domain().N)
	add("", "", "bounds", []float64{lo, hi})
	add("components", fmt.Sprint(s.Components()), "components", s.Components())
	from, words := readsFrom(p)
	add("reads", words, "reads", ReadsInWords(s))
	add("", "", "reads_from", from)
	add("sums", fmt.Sprint(p.Accumulators()), "sums", p.Accumulators())
	for j, label := range i.Sums {
		if label != "" {
			add("", fmt.Sprintf("s%d is %s", j, label), fmt.Sprintf("s%d", j), label)
		}
	}
	if n := s.Inner(); n > 0 {
		add("inner sums", fmt.Sprintf("%d of each component", n), "inner_sums", n)
	}
	d.facts = append(d.facts, squaresOf(p)...)
	sense := record.Minimize
	if i.Maximize {
		sense = record.Maximize
	}
	add("sense", string(sense), "sense", sense)
	if i.Data != "" {
		add("data", problems.DataInWords(i.Data), "data", i.Data)
	}
	d.facts = append(d.facts, bestKnown(p))
	if i.Target != nil {
		add("target", fmt.Sprint(i.Sign()**i.Target), "target", i.Sign()**i.Target)
	}
	for _, t := range text.Tables {
		kind := "real"
		if t.Uint != nil {
			kind = "uint"
		}
		n := max(len(t.Real), len(t.Uint))
		add("table", fmt.Sprintf("d.%s, %d numbers, %s", t.Name, n, kind), "d."+t.Name, n)
	}
	var sizes []string
	for _, n := range text.Numbers {
		if !strings.HasSuffix(n.Name, "_len") {
			sizes = append(sizes, fmt.Sprintf("d.%s = %d", n.Name, n.Value))
		}
	}
	add("sizes", strings.Join(sizes, ", "), "", nil)
	add("files", strings.Join(i.Files, " "), "files", i.Files)
	d.facts = append(d.facts, understood(p)...)
	if text.Fixed != "" {
		add("constant n", "another n is compiled anew, since "+text.Fixed, "constant_n", text.Fixed)
	}
	method, reason := methods.Auto(p, problems.FP64, solvers.Budget{})
	add("method", fmt.Sprintf("%s, because %s", method.Traits().Name, reason), "method", method.Traits().Name)
	add("", "", "reason", reason)
	return d, nil
}

// squaresOf says whether p is a sum of squares, and how that is known.
func squaresOf(p problems.Problem) []fact {
	s, found := p.Structure(), problems.SquaresOf(p, problems.FP64)
	most := s.Squares(0)
	for k := range s.Components() {
		most = max(most, s.Squares(k))
	}
	line := func(pos clc.Pos) string { return lineIn(pos, p.Info().Files) }
	switch {
	case most > 0 && found.At == (clc.Pos{}):
		return []fact{{"squares", fmt.Sprintf("%d of each component: declared", most), "squares", most},
			{key: "squares_from", value: "declared"}}
	case most > 0:
		text := fmt.Sprintf("%d of each component", most)
		if len(found.Counts) > 1 {
			text = fmt.Sprintf("up to %d of a component", most)
		}
		return []fact{{"squares", fmt.Sprintf("%s: inferred (%s)", text, line(found.At)), "squares", most},
			{key: "squares_from", value: "inferred"}}
	case found.Why != nil:
		why := found.Why.Text
		if found.Why.Pos.Line > 0 {
			why = line(found.Why.Pos) + " " + why
		}
		return []fact{{"squares", "no, since " + why, "squares", 0}, {key: "no_squares", value: why}}
	}
	return nil
}

// lineIn says which line a place is, with its file if that is not the first one.
func lineIn(pos clc.Pos, files []string) string {
	text := fmt.Sprintf("line %d", pos.Line)
	if len(files) > 0 && pos.File != files[0] {
		text += " of " + pos.File
	}
	return text
}

// understood says whether the text of p is read as trees, and what that shows.
func understood(p problems.Problem) (all []fact) {
	trees, opaque := problems.TreesOf(p, problems.FP64)
	if opaque != nil {
		text := fmt.Sprintf("no, since %s", opaque)
		return []fact{{"understood", text, "understood", false}, {key: "opaque", value: opaque.String()}}
	}
	if trees == nil {
		return nil
	}
	all = append(all, fact{"understood", "yes", "understood", true})
	c, known := problems.ClassOf(p)
	if !known {
		return all
	}
	text := c.Kind().String()
	if c.Degree < smooth.Other {
		text += ", " + degrees[c.Degree]
		all = append(all, fact{key: "degree", value: c.Degree})
	}
	if words := separable(p); words != "" {
		text += ", " + words
		all = append(all, fact{key: "separable", value: words})
	}
	all = append(all, fact{"kind", text, "class", c.Kind().String()})
	for _, group := range []struct {
		word   string
		causes []smooth.Cause
	}{{"kinks", c.Kinks}, {"steps", c.Steps}} {
		if words := smooth.InWords(group.causes, p.Info().Files); len(words) > 0 {
			shown := strings.Join(words[:min(len(words), mostCauses)], ", ")
			if more := len(words) - mostCauses; more > 0 {
				shown += fmt.Sprintf(" and %d more", more)
			}
			all = append(all, fact{group.word, shown, group.word, words})
		}
	}
	return all
}

// separable says of how many variables the functions are of which p is a sum; "" if each may be of all.
func separable(p problems.Problem) string {
	parts := problems.SeparateParts(p)
	switch {
	case p.Structure().Whole():
		return ""
	case p.Linear() == nil || parts < 2:
		return "partly separable"
	case parts >= p.Domain().N:
		return "separable"
	}
	return fmt.Sprintf("separable into %d parts", parts)
}

// degrees are the degrees of polynomials in words.
var degrees = [...]string{smooth.Constant: "constant", smooth.Linear: "linear", smooth.Quadratic: "quadratic"}

// mostCauses is the number of kinks and steps that a reader is shown.
const mostCauses = 4

// readsFrom says where the structure of an objective is from, in one word, and what it is.
func readsFrom(p problems.Problem) (from, words string) {
	i, s := p.Info(), p.Structure()
	words = ReadsInWords(s)
	switch {
	case i.Inferred:
		return "inferred", words + ": inferred"
	case s.Whole() && i.NotInferred != "":
		return "unknown", fmt.Sprintf("%s: not known, since %s", words, i.NotInferred)
	case i.TextReads == nil:
		return "declared", words
	}
	if own, ok := i.TextReads(); ok && own.DifferencesWork() < s.DifferencesWork() {
		return "declared", fmt.Sprintf("%s: declared; the text reads less: %s", words, ReadsInWords(own))
	}
	return "declared", words + ": declared"
}

// unsized describes an objective file that gives no number of variables, if there is no other source of one.
func unsized(s problems.Spec, opt problems.Options) (d Description, ok bool) {
	if _, given := s.Get("n"); given || opt.Dim != 0 || s.Family != problems.OpenCL {
		return d, false
	}
	all, sized, err := opencl.Declared(s.Name)
	if err != nil || sized {
		return d, false
	}
	d = Description{kind: "objective", name: s.Name}
	values := map[string][]string{}
	for _, it := range all {
		d.facts = append(d.facts, fact{label: it.Word, text: it.Value})
		values[it.Word] = append(values[it.Word], it.Value)
	}
	d.facts = append(d.facts, fact{"variables", "not declared. Use -n N, which also shows components, bounds, files " +
		"and the method", "variables", nil}, fact{key: "declared", value: values})
	return d, true
}

// boxInWords says how many variables there are and where.
func boxInWords(d problems.Domain) string {
	lo, hi := d.Box()
	if d.OneBox() {
		return fmt.Sprintf("%d in [%g, %g]", d.N, lo, hi)
	}
	fixed := 0
	for i := range d.N {
		if lo, hi := d.Interval(i); lo == hi {
			fixed++
		}
	}
	return fmt.Sprintf("%d, each with bounds of its own within [%g, %g]; fixed are %d", d.N, lo, hi, fixed)
}

// ReadsInWords says what component k reads.
func ReadsInWords(s problems.Structure) string {
	at := func(stride, o int) string {
		text := "k"
		if stride > 1 {
			text = fmt.Sprintf("%d*k", stride)
		}
		if o > 0 {
			text += fmt.Sprintf("+%d", o)
		}
		return text
	}
	if s.Whole() {
		return "whole"
	}
	if size, steps, ok := s.Grid(); ok {
		var words []string
		for _, step := range steps {
			words = append(words, opencl.StepName(step))
		}
		return fmt.Sprintf("%s, on a grid of %d x %d x %d", strings.Join(words, ", "), size[0], size[1], size[2])
	}
	reads, start, vars, _, lists := s.ReadTables()
	if stride, from, to, ok := s.Window(); ok {
		if !lists && from == to {
			return at(stride, from)
		} else if !lists {
			return at(stride, from) + ".." + at(stride, to)
		}
		var words []string
		for _, o := range reads {
			words = append(words, at(stride, int(o)))
		}
		return strings.Join(words, ", ")
	}
	least, most := len(reads), 0
	for k := range len(start) - 1 {
		n := int(start[k+1] - start[k])
		least, most = min(least, n), max(most, n)
	}
	text := fmt.Sprintf("lists of %d to %d variables", least, most)
	if least == most {
		text = fmt.Sprintf("lists of %d variables", most)
	}
	if vars < s.Variables() {
		text += fmt.Sprintf(", the same in each %d variables", vars)
	}
	return text
}
