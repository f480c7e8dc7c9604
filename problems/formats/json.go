package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strconv"

	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/input"
)

// jsonText is a text of valid JSON. A value is named by the offset of its first byte.
type jsonText struct{ whole }

// object is the offset of the value of each key.
type object map[string]int

// json reads the rest of the text as one object.
func (p *parser) json() (t jsonText, top object, err error) {
	if t.whole, err = p.whole(); err != nil {
		return t, nil, err
	}
	if !json.Valid(t.text) {
		var any json.RawMessage
		fault, _ := errors.AsType[*json.SyntaxError](json.Unmarshal(t.text, &any))
		if fault == nil {
			return t, nil, t.fail(0, "is not JSON. Correct it.")
		}
		return t, nil, t.fail(int(fault.Offset)-1, "is not JSON: %v. Correct it.", fault)
	}
	top, err = t.object(t.blanks(0))
	return t, top, err
}

// blanks returns the offset of the first byte from i on that is no blank.
func (t jsonText) blanks(i int) int {
	for i < len(t.text) && (t.text[i] == ' ' || t.text[i] == '\t' || t.text[i] == '\r' || t.text[i] == '\n') {
		i++
	}
	return i
}

// ends are the bytes that end a number or a word.
var ends = [256]bool{',': true, ']': true, '}': true, ':': true, ' ': true, '\t': true, '\r': true, '\n': true}

// end returns the offset after the value at i.
func (t jsonText) end(i int) int {
	depth := 0
	for {
		switch c := t.text[i]; c {
		case '"':
			for i++; t.text[i] != '"'; i++ {
				if t.text[i] == '\\' {
					i++
				}
			}
			i++
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		default:
			for i++; !ends[c] && i < len(t.text) && !ends[t.text[i]]; {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}

// shown returns the beginning of the value at i, for an error. A string has its quotes already.
func (t jsonText) shown(i int) string {
	const most = 32
	value := t.text[i:t.end(i)]
	if value[0] != '"' || len(value) > most {
		return input.Shown(value)
	}
	return string(value)
}

// object returns the keys of the object at i.
func (t jsonText) object(i int) (object, error) {
	if t.text[i] != '{' {
		return nil, t.fail(i, "%s is not an object. Write {…} with keys.", t.shown(i))
	}
	keys := object{}
	for i = t.blanks(i + 1); t.text[i] != '}'; {
		end := t.end(i)
		key, err := t.str(i)
		if err != nil {
			return nil, err
		}
		if _, twice := keys[key]; twice {
			return nil, t.fail(i, "the key %s is there twice. Remove one.", input.Shown([]byte(key)))
		}
		i = t.blanks(t.blanks(end) + 1) // after the colon
		keys[key] = i
		if i = t.blanks(t.end(i)); t.text[i] == ',' {
			i = t.blanks(i + 1)
		}
	}
	return keys, nil
}

// array calls f with the offset of each element of the array at i.
func (t jsonText) array(i int, f func(k, i int) error) error {
	if t.text[i] != '[' {
		return t.fail(i, "%s is not an array. Write [ … ].", t.shown(i))
	}
	k := 0
	for i = t.blanks(i + 1); t.text[i] != ']'; k++ {
		if err := f(k, i); err != nil {
			return err
		}
		if i = t.blanks(t.end(i)); t.text[i] == ',' {
			i = t.blanks(i + 1)
		}
	}
	return nil
}

// str returns the string at i.
func (t jsonText) str(i int) (s string, err error) {
	if t.text[i] != '"' || json.Unmarshal(t.text[i:t.end(i)], &s) != nil {
		return "", t.fail(i, "%s is not a string.", t.shown(i))
	}
	return s, nil
}

// exact returns the decimal number at i.
func (t jsonText) exact(i int) (v int64, digits int, err error) {
	return t.number(t.text[i:t.end(i)], i)
}

// rational returns the decimal number of a key, or standard if the key is missing.
func (t jsonText) rational(o object, key string, standard int64) (*big.Rat, error) {
	i, ok := o[key]
	if !ok {
		return big.NewRat(standard, 1), nil
	}
	v, digits, err := t.exact(i)
	if err != nil {
		return nil, err
	}
	return big.NewRat(v, input.Pow10[digits]), nil
}

// index returns the whole number at i, which must be below n.
func (t jsonText) index(i, n int) (int, error) {
	v, ok, _ := input.Index(t.text[i:t.end(i)])
	if !ok || v >= n {
		return 0, t.fail(i, "%s is not the index of a variable. Write whole numbers from 0 to %d.", t.shown(i), n-1)
	}
	return v, nil
}

// need returns the offset of the value of a key that must be there.
func (t jsonText) need(o object, key string) (int, error) {
	i, ok := o[key]
	if !ok {
		return 0, t.fail(t.blanks(0), "there is no key %q. Add it.", key)
	}
	return i, nil
}

// offsets returns the offsets of the elements of the array of a key.
func (t jsonText) offsets(o object, key string) (at []int, err error) {
	i, err := t.need(o, key)
	if err != nil {
		return nil, err
	}
	at = make([]int, 0, bytes.Count(t.text[i:t.end(i)], []byte(","))+1)
	err = t.array(i, func(_, i int) error {
		at = append(at, i)
		return nil
	})
	return at, err
}

// kindIs refuses a file whose key says that it holds another kind of variables. words has the word for each kind.
func (t jsonText) kindIs(o object, key string, words map[string]graph.Kind) error {
	i, err := t.need(o, key)
	if err != nil {
		return err
	}
	word, err := t.str(i)
	if err != nil {
		return err
	}
	kind, ok := words[word]
	if !ok {
		return t.fail(i, "%s is not a kind of variables that can be read. Write one of %v.", t.shown(i),
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
func (t jsonText) readMeta(o object, key string) error {
	i, ok := o[key]
	if !ok || t.text[i] != '{' {
		return nil
	}
	inner, err := t.object(i)
	if err != nil {
		return err
	}
	if i, ok = inner["clopt"]; !ok {
		return nil
	}
	if err := t.meta.Decode(t.File, t.text[i:t.end(i)]); err != nil {
		return t.fail(i, "%s", err.(*input.Error).Msg)
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
		return t.fail(i, "use_bytes is true: the numbers are packed. Write it with to_serializable(use_bytes=False).")
	}
	if err := t.kindIs(top, "variable_type", map[string]graph.Kind{"SPIN": graph.Spins,
		"BINARY": graph.Bits}); err != nil {
		return err
	}
	if i, old := top["linear_terms"]; old {
		return t.fail(i, "a model of the schema 1 of dimod 0.7 and before, which dimod no longer reads either. "+
			"Write it with to_serializable() of dimod 0.8 or later.")
	}
	linear, err := t.offsets(top, "linear_biases")
	if err != nil {
		return err
	}
	if err := t.size(len(linear), top["linear_biases"]); err != nil {
		return err
	}
	if i, ok := top["num_variables"]; ok && string(t.text[i:t.end(i)]) != strconv.Itoa(len(linear)) {
		return t.fail(i, "num_variables is %s, and there are %d linear_biases. Correct one of them.", t.shown(i),
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
		if pairs[k], err = t.offsets(top, key); err != nil {
			return err
		}
		if len(pairs[k]) != len(pairs[0]) {
			return t.fail(top[key], "%d elements, but quadratic_head has %d. Correct them.", len(pairs[k]),
				len(pairs[0]))
		}
	}
	for k := range pairs[0] {
		u, err := t.index(pairs[0][k], p.n)
		if err != nil {
			return err
		}
		v, err := t.index(pairs[1][k], p.n)
		if err != nil {
			return err
		}
		if err := t.pair(u, v, pairs[2][k], pairs[0][k]); err != nil {
			return err
		}
	}
	if p.model.Offset, err = t.rational(top, "offset", 0); err != nil {
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
		return t.fail(offset, "a pair of variable %d with itself. Add its coefficient to the linear terms or the "+
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
	if err := t.array(i, func(_, i int) error {
		name, err := string(t.text[i:t.end(i)]), error(nil)
		if t.text[i] == '"' {
			name, err = t.str(i)
		}
		if seen[name] {
			return t.fail(i, "the variable %s is there twice. Rename one.", t.shown(i))
		}
		seen[name] = true
		names = append(names, name)
		return err
	}); err != nil {
		return err
	}
	if len(names) != t.n {
		return t.fail(i, "%d labels for %d variables. Correct them.", len(names), t.n)
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
	if err := t.kindIs(top, "variable_domain", map[string]graph.Kind{"spin": graph.Spins,
		"boolean": graph.Bits}); err != nil {
		return err
	}
	ids, err := t.offsets(top, "variable_ids")
	if err != nil {
		return err
	}
	if err := t.size(len(ids), top["variable_ids"]); err != nil {
		return err
	}
	variable := map[string]int{}
	for k, i := range ids {
		id := string(t.text[i:t.end(i)])
		if _, err := strconv.ParseUint(id, 10, 63); err != nil {
			return t.fail(i, "%s is not the number of a variable. Write whole numbers from 0 on.", t.shown(i))
		}
		if _, twice := variable[id]; twice {
			return t.fail(i, "the variable %s is there twice. Remove one.", id)
		}
		variable[id] = k
		p.model.Names = append(p.model.Names, id)
	}
	for _, part := range []struct {
		key  string
		ends [2]string
	}{{"linear_terms", [2]string{"id", "id"}}, {"quadratic_terms", [2]string{"id_head", "id_tail"}}} {
		i, err := t.need(top, part.key)
		if err != nil {
			return err
		}
		if err := t.array(i, func(_, i int) error { return t.bqpTerm(i, part.ends, variable) }); err != nil {
			return err
		}
	}
	scale, err := t.rational(top, "scale", 1)
	if err != nil {
		return err
	}
	if scale.Sign() <= 0 {
		return t.fail(top["scale"], "the scale %s is not positive. Change the signs of the terms instead.",
			t.shown(top["scale"]))
	}
	if p.model.Offset, err = t.rational(top, "offset", 0); err != nil {
		return err
	}
	p.model.Offset.Mul(p.model.Offset, scale)
	p.model.Scale.Set(scale)
	return t.readMeta(top, "metadata")
}

// bqpTerm reads the term at i.
func (t jsonText) bqpTerm(i int, ends [2]string, variable map[string]int) error {
	o, err := t.object(i)
	if err != nil {
		return err
	}
	var of [2]int
	for k, key := range ends {
		at, ok := o[key]
		if !ok {
			return t.fail(i, "the term has no key %q. Add it.", key)
		}
		if of[k], ok = variable[string(t.text[at:t.end(at)])]; !ok {
			return t.fail(at, "variable %s is not in variable_ids. Add it there.", t.shown(at))
		}
	}
	at, ok := o["coeff"]
	if !ok {
		return t.fail(i, "the term has no key \"coeff\". Add it.")
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
