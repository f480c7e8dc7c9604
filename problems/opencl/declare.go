package opencl

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/curvature"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/problems/opencl/lint"
	"github.com/clopt/clopt/problems"
)

// checkFunctions returns an error unless the text has the functions that it must have, as far as their names show it.
func (o *Objective) checkFunctions(l *objectiveLoader) *input.Error {
	switch {
	case o.squares > 0 && !residualsFunc.Match(l.code):
		return input.Errorf(l.path, 0, 0,
			"no function residuals. Define static void residuals(uint k, point x, data d, real *r), which "+
				"reads variable i as at(x, i).")
	case o.squares > 0:
		return nil
	case o.inner == 0 && !componentFunc.Match(l.code):
		hint := ""
		if !strings.EqualFold(filepath.Ext(l.path), ".cl") {
			hint = " If the file is a graph, a QUBO or an Ising problem: clopt help graphs lists the formats."
		}
		file, line, col := l.other()
		return input.Errorf(file, line, col,
			"no function component. Define static void component(uint k, point x, data d, real *acc), which "+
				"reads variable i as at(x, i).%s", hint)
	case o.inner == 0:
		return nil
	case o.sums > 1:
		return input.Errorf(l.path, 0, 0, "%d sums and inner sums. Remove //@ sums: component_value is added to the "+
			"only sum.", o.sums)
	case !innerFunc.Match(l.code):
		return input.Errorf(l.path, 0, 0, "no function component_inner for //@ inner %d. Define "+
			"static void component_inner(uint k, point x, data d, real *inner).", o.inner)
	case !valueFunc.Match(l.code):
		return input.Errorf(l.path, 0, 0, "no function component_value for //@ inner %d. Define "+
			"static real component_value(uint k, const real *inner, data d).", o.inner)
	}
	return nil
}

// other returns the place of the first function of the text, or of the file if there is none.
func (l *objectiveLoader) other() (file string, line, col int) {
	depth := 0
	for i, t := range l.tokens {
		switch t.Text {
		case "{", "(":
			depth++
		case "}", ")":
			depth--
		}
		if depth == 0 && i > 0 && i+1 < len(l.tokens) && t.Kind == lint.Word && l.tokens[i+1].Text == "(" &&
			l.tokens[i-1].Kind == lint.Word {
			return t.File, t.Line, t.Col
		}
	}
	return l.path, 0, 0
}

// find returns the first directive of a word, or nil.
func find(all []directive, word string) *directive {
	i := slices.IndexFunc(all, func(d directive) bool { return d.word == word })
	if i < 0 {
		return nil
	}
	return &all[i]
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}$`)

// setPlain reads the directives that depend on nothing else.
func (o *Objective) setPlain(all []directive) *input.Error {
	for _, d := range all {
		var err *input.Error
		switch d.word {
		case "name":
			var words []string
			if words, _, err = d.fields(1); err == nil && !plainName.MatchString(words[0]) {
				err = d.fail(0, "name %.80q. Use up to 64 letters, digits and _ . + -, a letter or digit first.",
					words[0])
			} else if err == nil {
				o.name = words[0]
			}
		case "bounds":
			if !d.namesFile() {
				err = o.setBounds(d)
			}
		case "sums":
			o.sums, err = d.count(maxAccumulators)
		case "inner":
			o.inner, err = d.count(maxAccumulators)
		case "squares":
			o.squares, err = d.count(maxAccumulators)
			if err == nil {
				err = d.without(all, "sums", "f", "inner")
			}
		case "best":
			o.best, err = d.one()
		case "target":
			o.target, err = d.one()
		}
		if err != nil {
			return err
		}
	}
	return o.setLabels(all)
}

// one reads the value as one number.
func (d directive) one() (*float64, *input.Error) {
	words, _, err := d.fields(1)
	if err != nil {
		return nil, err
	}
	v, err := d.number(words[0], 0)
	return &v, err
}

// setLabels reads what the sums are, in words.
func (o *Objective) setLabels(all []directive) *input.Error {
	for _, d := range all {
		if d.word != "label" {
			continue
		}
		word := d.first()
		j, err := strconv.Atoi(strings.TrimPrefix(word, "s"))
		text := d.rest(len(word))
		switch {
		case err != nil || word[0] != 's' || j < 0 || j >= o.sums:
			return d.fail(0, "%.40q is not a sum. Use s0 to s%d, as in %s", word, o.sums-1, directiveUse["label"])
		case text == "":
			return d.fail(len(word), "no words. Write %s", directiveUse["label"])
		case o.labels == nil:
			o.labels = make([]string, o.sums)
		}
		if o.labels[j] != "" {
			return d.fail(0, "a second label of s%d. Remove one.", j)
		}
		o.labels[j] = text
	}
	return nil
}

// setN reads the grid, and n unless it is given already. Without either, n is the number of rows of the file of bounds,
// 0 if there is none.
func (o *Objective) setN(l *objectiveLoader, all []directive, rows int) *input.Error {
	if d := find(all, "grid"); d != nil {
		var err *input.Error
		o.grid, err = d.grid(o.sizes)
		if err != nil {
			return err
		}
	}
	if d := find(all, "n"); d != nil {
		e, err := compileExpr(d.value, nil, o.sizes)
		if err != nil {
			return d.fail(err.Col-1, "%s", err.Msg)
		}
		n := e.value(nil)
		if n != math.Trunc(n) || !(n >= 1 && n <= problems.MaxDim) {
			return d.fail(0, "n is %s. Use an integer from 1 to %d.", d.rest(0), problems.MaxDim)
		}
		if o.n == 0 {
			o.n = int(n)
		}
	}
	if o.n == 0 {
		o.n = cmp.Or(o.cells(), rows)
	}
	switch {
	case o.n == 0:
		how := "-n N"
		if l.main == "" {
			how = "N(n)"
		}
		return input.Errorf(l.path, 0, 0, "the number of variables is not given. Use %s, or add a line %s", how,
			directiveUse["n"])
	case o.n < 0 || o.n > problems.MaxDim:
		return input.Errorf(l.path, 0, 0, "%d variables. Use 1 to %d.", o.n, problems.MaxDim)
	}
	return nil
}

// cells returns the number of cells of the grid, 0 if there is none.
func (o *Objective) cells() int { return o.grid[0] * o.grid[1] * o.grid[2] }

func (o *Objective) setBounds(d directive) *input.Error {
	if strings.ContainsAny(d.rest(0), "[](){}") {
		return d.fail(0, "bounds in brackets. Write //@ bounds LO HI, one interval for all variables, or //@ bounds "+
			"FILE, a file with a row LO HI for each variable")
	}
	words, at, err := d.fields(2)
	if err != nil {
		return err
	}
	var b problems.Bounds
	b.Lo, err = d.number(words[0], at[0])
	if err != nil {
		return err
	}
	b.Hi, err = d.number(words[1], at[1])
	if err != nil {
		return err
	}
	if err := b.Validate(); err != nil {
		return d.fail(at[0], "%v. Write %s", err, directiveUse[d.word])
	}
	o.lo, o.hi = []float64{b.Lo}, []float64{b.Hi}
	return nil
}

// namesFile reports whether bounds are in a file: the value is one word with other characters than a number.
func (d directive) namesFile() bool {
	word := d.first()
	return d.end(len(word)) == nil && strings.IndexAny(word, "[({") != 0 && strings.Trim(word, "0123456789+-.,eE") != ""
}

// setSized reads components, reads and f, which depend on n and sums.
func (o *Objective) setSized(all []directive) *input.Error {
	consts := maps.Clone(o.sizes)
	consts["n"] = float64(o.n)
	m := o.n
	components, reads := find(all, "components"), find(all, "reads")
	stride := 0
	offsets := []int(nil)
	steps := [][3]int(nil)
	if d := components; d != nil {
		e, err := compileExpr(d.value, nil, consts)
		if err != nil {
			return d.fail(err.Col-1, "%s", err.Msg)
		}
		v := math.Floor(e.value(nil))
		if !(v >= 1 && v <= problems.MaxDim) {
			return d.fail(0, "%v components for n = %d. Use 1 to %d.", v, o.n, problems.MaxDim)
		}
		m = int(v)
	}
	if d := reads; d != nil {
		switch word := d.first(); word {
		case "whole", `"whole"`:
			if err := d.end(len(word)); err != nil {
				return err
			}
		case "lists": // read with the other files
		default:
			var err *input.Error
			if o.grid[0] > 0 {
				if steps, err = d.readsSteps(); err != nil {
					return err
				}
				break
			}
			if _, step := gridSteps[gridStep.FindString(word)]; step {
				return d.fail(0, "%q is a neighbour on a grid. Add a line %s", word, directiveUse["grid"])
			}
			if stride, offsets, err = d.readsOffsets(); err != nil {
				return err
			}
			if err := checkWindows(o.n, m, stride, offsets, d, components); err != nil {
				return err
			}
		}
	}
	if o.grid[0] > 0 && (o.n != o.cells() || m != o.cells()) {
		return find(all, "grid").fail(0, "a grid of %d cells for %d variables and %d components. Leave -n and "+
			"//@ components out.", o.cells(), o.n, m)
	}
	switch o.structure = problems.Everything(o.n, m); {
	case steps != nil:
		o.structure = problems.Grid(o.grid, steps...)
	case stride > 0:
		o.structure = problems.Offsets(o.n, m, stride, offsets)
	}
	o.tiling = o.structure.Tiling()

	vars := make([]string, o.sums)
	for j := range vars {
		vars[j] = "s" + strconv.Itoa(j)
	}
	f := find(all, "f")
	if f == nil {
		f = &directive{value: "s0"}
	}
	e, err := compileExpr(f.value, vars, consts)
	if err != nil {
		return f.fail(err.Col-1, "%s", err.Msg)
	}
	o.f, o.fLine, o.shape = e, f.line, curvature.Of(len(vars), e.form)
	return nil
}

// checkWindows returns an error unless every component reads a variable.
func checkWindows(n, m, stride int, offsets []int, reads, components *directive) *input.Error {
	from := offsets[0]
	last := stride*(m-1) + from
	if last < n {
		return nil
	}
	d := reads
	if components != nil {
		d = components
	}
	if n <= from {
		return d.fail(0, "component 0 reads variable %d, outside 0...%d. Use -n %d or more.", from, n-1, from+1)
	}
	most := "n"
	switch over := from + 1 - stride; {
	case over > 0:
		most = fmt.Sprintf("n-%d", over)
	case over < 0:
		most = fmt.Sprintf("n+%d", -over)
	}
	if stride > 1 && most != "n" {
		most = "(" + most + ")"
	}
	if stride > 1 {
		most += "/" + strconv.Itoa(stride)
	}
	return d.fail(0, "component %d, the last of %d, reads variable %d, outside 0...%d. Write //@ components %s", m-1,
		m, last, n-1, most)
}
