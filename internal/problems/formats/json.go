package formats

import (
	"math/big"
	"slices"
	"strconv"

	"github.com/clopt/clopt/internal/problems/formats/jsontext"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// jsonText is a text of valid JSON with the parser that reads it.
type jsonText struct {
	whole
	jsontext.Text
}

// json reads the rest of the text as one object.
func (p *parser) json() (t jsonText, top jsontext.Object, err error) {
	t.whole, err = p.whole()
	if err != nil {
		return t, nil, err
	}
	t.Text, top, err = jsontext.New(p.File, t.text)
	return t, top, err
}

// exact returns the decimal number at i.
func (t jsonText) exact(i int) (v int64, digits int, err error) {
	return t.number(t.Value(i), i)
}

// rational returns the decimal number of a key, or standard if the key is missing.
func (t jsonText) rational(o jsontext.Object, key string, standard int64) (*big.Rat, error) {
	i, ok := o[key]
	if !ok {
		return big.NewRat(standard, 1), nil
	}
	v, err := input.Rational(t.Value(i))
	if err != nil {
		return nil, t.Fail(i, "%s %v. Write a number like -0.5.", t.Shown(i), err)
	}
	return v, nil
}

// kindIs refuses a file whose key says that it holds another kind of variables. words has the word for each kind.
func (t jsonText) kindIs(o jsontext.Object, key string, words map[string]graph.Kind) error {
	i, err := t.Need(o, key)
	if err != nil {
		return err
	}
	word, err := t.Str(i)
	if err != nil {
		return err
	}
	kind, ok := words[word]
	if !ok {
		return t.Fail(i, "%s is not a kind of variables that can be read. Write one of %v.", t.Shown(i),
			sortedKeys(words))
	}
	if kind != t.kind {
		return t.holds(kind.String(), kind)
	}
	return nil
}

func sortedKeys(words map[string]graph.Kind) (keys []string) {
	for k := range words {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// readMeta reads the meta in the object of a key, where it has the key "clopt".
func (t jsonText) readMeta(o jsontext.Object, key string) error {
	i, ok := o[key]
	if !ok || t.text[i] != '{' {
		return nil
	}
	inner, err := t.Object(i)
	if err != nil {
		return err
	}
	if i, ok = inner["clopt"]; !ok {
		return nil
	}
	if err := t.meta.Decode(t.File, t.Value(i)); err != nil {
		return t.Fail(i, "%s", err.(*input.Error).Msg)
	}
	return nil
}

// bqm reads a binary quadratic model as dimod writes it: arrays of linear biases and of quadratic ones with their two
// variables.
func (p *parser) bqm() error {
	t, top, err := p.json()
	if err != nil {
		return err
	}
	if i, ok := top["use_bytes"]; ok && t.text[i] == 't' {
		return t.Fail(i, "use_bytes is true: the numbers are packed. Write it with to_serializable(use_bytes=False).")
	}
	if err := t.kindIs(top, "variable_type", map[string]graph.Kind{"SPIN": graph.Spins,
		"BINARY": graph.Bits}); err != nil {
		return err
	}
	if i, old := top["linear_terms"]; old {
		return t.Fail(i, "a model of the schema 1 of dimod 0.7 and before, which dimod no longer reads either. "+
			"Write it with to_serializable() of dimod 0.8 or later.")
	}
	linear, err := t.Offsets(top, "linear_biases")
	if err != nil {
		return err
	}
	if err := t.size(len(linear), top["linear_biases"]); err != nil {
		return err
	}
	if i, ok := top["num_variables"]; ok && string(t.Value(i)) != strconv.Itoa(len(linear)) {
		return t.Fail(i, "num_variables is %s, and there are %d linear_biases. Correct one of them.", t.Shown(i),
			len(linear))
	}
	for u, i := range linear {
		c, digits, err := t.exact(i)
		if err != nil {
			return err
		}
		if c == 0 {
			continue
		}
		if err := t.add(u, u, c, digits, i); err != nil {
			return err
		}
	}
	var pairs [3][]int
	for k, key := range []string{"quadratic_head", "quadratic_tail", "quadratic_biases"} {
		pairs[k], err = t.Offsets(top, key)
		if err != nil {
			return err
		}
		if len(pairs[k]) != len(pairs[0]) {
			return t.Fail(top[key], "%d elements, but quadratic_head has %d. Correct them.", len(pairs[k]),
				len(pairs[0]))
		}
	}
	for k := range pairs[0] {
		u, err := t.Index(pairs[0][k], p.n)
		if err != nil {
			return err
		}
		v, err := t.Index(pairs[1][k], p.n)
		if err != nil {
			return err
		}
		if err := t.pair(u, v, pairs[2][k], pairs[0][k]); err != nil {
			return err
		}
	}
	p.model.Offset, err = t.rational(top, "offset", 0)
	if err != nil {
		return err
	}
	if i, ok := top["variable_labels"]; ok {
		if err := t.readNames(i); err != nil {
			return err
		}
	}
	return t.readMeta(top, "info")
}

// pair adds the coefficient at an offset to the pair of two variables, which is at another.
func (t jsonText) pair(u, v, coefficient, offset int) error {
	if u == v {
		return t.Fail(offset, "a pair of variable %d with itself. Add its coefficient to the linear terms or the "+
			"offset.", u)
	}
	c, digits, err := t.exact(coefficient)
	if err != nil {
		return err
	}
	return t.add(u, v, c, digits, offset)
}

// readNames reads the names of all variables. Labels that are not strings are kept as JSON.
func (t jsonText) readNames(i int) error {
	var names []string
	seen := map[string]bool{}
	if err := t.Array(i, func(_, i int) error {
		name, err := string(t.Value(i)), error(nil)
		if t.text[i] == '"' {
			name, err = t.Str(i)
		}
		if seen[name] {
			return t.Fail(i, "the variable %s is there twice. Rename one.", t.Shown(i))
		}
		seen[name] = true
		names = append(names, name)
		return err
	}); err != nil {
		return err
	}
	if len(names) != t.n {
		return t.Fail(i, "%d labels for %d variables. Correct them.", len(names), t.n)
	}
	t.model.Names = names
	return nil
}

// bqpjson reads a binary quadratic program: scale·(offset + Σ linear terms + Σ quadratic terms), with variables that
// have numbers.
func (p *parser) bqpjson() error {
	t, top, err := p.json()
	if err != nil {
		return err
	}
	if _, ok := top["variable_domain"]; !ok {
		return p.Fail(1, "there is neither the key \"bqm_schema\" nor \"variable_domain\". What is read of JSON is "+
			"the models that to_serializable() of dimod returns, and bqpjson. Write terms of another form as lines "+
			"\"i j q\".")
	}
	if err := t.kindIs(top, "variable_domain", map[string]graph.Kind{"spin": graph.Spins,
		"boolean": graph.Bits}); err != nil {
		return err
	}
	ids, err := t.Offsets(top, "variable_ids")
	if err != nil {
		return err
	}
	if err := t.size(len(ids), top["variable_ids"]); err != nil {
		return err
	}
	variable := map[string]int{}
	for k, i := range ids {
		id := string(t.Value(i))
		if _, err := strconv.ParseUint(id, 10, 63); err != nil {
			return t.Fail(i, "%s is not the number of a variable. Write whole numbers from 0 on.", t.Shown(i))
		}
		if _, twice := variable[id]; twice {
			return t.Fail(i, "the variable %s is there twice. Remove one.", id)
		}
		variable[id] = k
		p.model.Names = append(p.model.Names, id)
	}
	for _, part := range []struct {
		key  string
		ends [2]string
	}{{"linear_terms", [2]string{"id", "id"}}, {"quadratic_terms", [2]string{"id_head", "id_tail"}}} {
		i, err := t.Need(top, part.key)
		if err != nil {
			return err
		}
		if err := t.Array(i, func(_, i int) error { return t.bqpTerm(i, part.ends, variable) }); err != nil {
			return err
		}
	}
	scale, err := t.rational(top, "scale", 1)
	if err != nil {
		return err
	}
	if scale.Sign() <= 0 {
		return t.Fail(top["scale"], "the scale %s is not positive. Change the signs of the terms instead.",
			t.Shown(top["scale"]))
	}
	p.model.Offset, err = t.rational(top, "offset", 0)
	if err != nil {
		return err
	}
	p.model.Offset.Mul(p.model.Offset, scale)
	p.model.Scale.Set(scale)
	return t.readMeta(top, "metadata")
}

// bqpTerm reads the term at i.
func (t jsonText) bqpTerm(i int, ends [2]string, variable map[string]int) error {
	o, err := t.Object(i)
	if err != nil {
		return err
	}
	var of [2]int
	for k, key := range ends {
		at, ok := o[key]
		if !ok {
			return t.Fail(i, "the term has no key %q. Add it.", key)
		}
		of[k], ok = variable[string(t.Value(at))]
		if !ok {
			return t.Fail(at, "variable %s is not in variable_ids. Add it there.", t.Shown(at))
		}
	}
	at, ok := o["coeff"]
	if !ok {
		return t.Fail(i, "the term has no key \"coeff\". Add it.")
	}
	if ends[0] != ends[1] {
		return t.pair(of[0], of[1], at, i)
	}
	c, digits, err := t.exact(at)
	if err != nil {
		return err
	}
	return t.add(of[0], of[0], c, digits, i)
}
