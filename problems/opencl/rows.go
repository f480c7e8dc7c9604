package opencl

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/opencl/lint"
)

// unreadRows returns a warning for each table with more rows than components read, where there is a component for each
// variable only because the text does not say how many there are. Every use of the table is at a multiple of the number
// of the component, and no component has a variable of its own.
func (o *Objective) unreadRows(all []directive, tokens []lint.Token) (found []lint.Warning) {
	parts := numberedFunctions(tokens)
	if len(parts) == 0 || find(all, "components") != nil || find(all, "grid") != nil || len(tokens) >= maxTokens {
		return nil
	}
	r := indexReader{tokens: tokens, number: parts[0].number, known: map[string]float64{"DIM": float64(o.n),
		"COMPS": float64(o.tiling.M)}}
	for _, n := range o.numbers {
		r.known[n.Name] = float64(n.Value)
	}
	for i, t := range tokens[:len(tokens)-1] {
		if t.Text == "at" && tokens[i+1].Text == "(" {
			comma := i + 2
			for comma < len(tokens)-1 && tokens[comma].Text != "," {
				comma++
			}
			if index := r.index(comma+1, closing(tokens, i+1), 0); index == nil || index.c[0] != 0 {
				return nil
			}
		}
	}
	for _, d := range all {
		name := d.first()
		if d.word != "data" || !o.has(name) {
			continue
		}
		if stride, end := r.span(name); stride > 0 {
			found = append(found, o.unread(d, name, stride, end)...)
		}
	}
	return found
}

// unread returns a warning if components, each of which reads up to end numbers from a multiple of stride on, leave
// rows of a table out.
func (o *Objective) unread(d directive, name string, stride, end int) []lint.Warning {
	size := func(of string) int { return int(o.sizes[of+"("+name+")"]) }
	rows, wide, of, unit := size("rows"), size("cols"), "rows", "rows"
	if rows == 1 {
		rows, wide, of, unit = wide, 1, "len", "numbers"
	}
	if stride%wide != 0 {
		return nil
	}
	last := int64(stride)*int64(o.tiling.M-1) + int64(end)
	left := int64(rows) - (last+int64(wide)-1)/int64(wide)
	if left <= 0 {
		return nil
	}
	cure := fmt.Sprintf("%s(%s)", of, name)
	if each := stride / wide; each > 1 {
		cure += fmt.Sprintf("/%d", each)
	}
	if ahead := (end - 1) / stride; ahead > 0 {
		cure += fmt.Sprintf("-%d", ahead)
	}
	are := fmt.Sprintf("are %d components", o.tiling.M)
	if o.tiling.M == 1 {
		are = "is 1 component"
	}
	return []lint.Warning{d.warning("%s has %d %s, and there %s, one for each variable, so that the last %d %s are "+
		"not read. Write //@ components %s", name, rows, unit, are, left, unit, cure)}
}

// indexReader reads the indices of a text.
type indexReader struct {
	tokens []lint.Token
	number string             // the name of the number of the component
	known  map[string]float64 // sizes
}

// span returns how the components read a table: from a multiple of stride on, end numbers at most. The stride is 0
// where an index is another one.
func (r *indexReader) span(table string) (stride, end int) {
	for i, t := range r.tokens {
		if t.Text != table || i == 0 || r.tokens[i-1].Text != "." {
			continue
		}
		if i+1 >= len(r.tokens) || r.tokens[i+1].Text != "[" {
			return 0, 0
		}
		a := r.index(i+2, closing(r.tokens, i+1), 0)
		if a == nil || !(a.c[0] >= 1 && a.c[0] < maxWindow && math.Abs(a.at0) < maxWindow) ||
			a.c[0] != math.Trunc(a.c[0]) || stride > 0 && stride != int(a.c[0]) {
			return 0, 0
		}
		stride = int(a.c[0])
		switch {
		case a.c[1] == 0:
			end = max(end, int(a.at0)+1)
		case a.c[1] == 1 && stride > 1: // a column
			end = max(end, stride)
		default:
			return 0, 0
		}
	}
	return stride, max(end, 1)
}

// index returns an index, tokens from first to end - 1, as a linear form in the number of the component and the
// variables of the text, or nil if it is none.
func (r *indexReader) index(first, end, deep int) *affine {
	text := r.text(first, end, deep)
	e, err := compileExpr(text, []string{"s0", "s1"}, nil)
	if text == "" || err != nil {
		return nil
	}
	return e.linear
}

// text returns an index as the text of an expression in s0, the number of the component, and s1, any variable.
func (r *indexReader) text(first, end, deep int) string {
	var b strings.Builder
	for i := first; i < end && b.Len() < maxExpr; i++ {
		t := r.tokens[i]
		if i+2 < end && r.tokens[i+1].Text == "." {
			i += 2
			t = r.tokens[i]
		}
		v, known := r.known[t.Text]
		from, to := 0, 0
		if t.Kind == lint.Word && !known && t.Text != r.number && deep < 3 {
			from, to = r.meaning(t.Text)
		}
		switch {
		case t.Text == "(" && i+2 < end && r.tokens[i+2].Text == ")" &&
			slices.Contains([]string{"int", "uint", "long", "ulong", "size_t"}, r.tokens[i+1].Text):
			i += 2 // a cast
		case known:
			b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
		case t.Text == r.number:
			b.WriteString("s0")
		case to > from:
			b.WriteString("(" + r.text(from, to, deep+1) + ")")
		case t.Kind == lint.Word:
			b.WriteString("s1")
		case t.Kind == lint.Number:
			b.WriteString(strings.TrimRight(t.Text, "uUlL"))
		default:
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// meaning returns the tokens of what a name stands for: the text of a macro, or the only value of a variable.
func (r *indexReader) meaning(name string) (first, end int) {
	for i, t := range r.tokens[:len(r.tokens)-1] {
		if t.Text != name {
			continue
		}
		after := r.tokens[i+1].Text
		switch {
		case t.Kind == lint.Macro && !t.Parens:
			for first, end = i+1, i+1; end < len(r.tokens) && r.tokens[end].Kind != lint.End; end++ {
			}
			return first, end
		case after == "++", after == "--", i > 0 && (r.tokens[i-1].Text == "++" || r.tokens[i-1].Text == "--"),
			len(after) > 1 && strings.HasSuffix(after, "=") && !strings.ContainsAny(after[:1], "=!<>"),
			after == "=" && end > 0:
			return 0, 0
		case after == "=":
			for first, end = i+2, i+2; end < len(r.tokens) && r.tokens[end].Text != ";" &&
				r.tokens[end].Text != ","; end++ {
			}
		}
	}
	return first, end
}
