// Package meta reads and writes facts about a graph problem that its file format cannot hold, such as the names of the
// variables. They stand in comments that begin with "clopt:", in a field of a JSON file, or in a file of their own
// beside the problem.
package meta

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// Data is what a format has no place for. With it, the value of a problem is offset + factor·(the value that the file
// stands for). In comments it is written as
//
//	clopt: n=5 sense=max offset=12.5 factor=-0.5 root=last
//	clopt: name 3 temperature
//	clopt: fixed 1 pressure
//
// and in FILE.meta.json, or within another JSON, as an object with the same keys, "kind", "names" and "fixed". A name
// with blanks at its ends or with special characters is quoted.
type Data struct {
	Kind   string            `json:"kind,omitempty"`   // "maxcut": a matrix of the weights of a graph
	N      int               `json:"n,omitempty"`      // number of variables, where the file need not name them all
	Sense  string            `json:"sense,omitempty"`  // "min" or "max"
	Offset string            `json:"offset,omitempty"` // a decimal number
	Factor string            `json:"factor,omitempty"` // a decimal number
	Root   string            `json:"root,omitempty"`   // "last": the last vertex of a graph is no variable
	Names  map[string]string `json:"names,omitempty"`  // by the number of the variable, from 0
	Fixed  []input.Fixed     `json:"fixed,omitempty"`  // variables that have one value, and are none of the file
}

// marker begins each comment with a part of the Data.
const marker = "clopt:"

// Empty reports whether there is nothing that the format has no place for.
func (m *Data) Empty() bool {
	return m.Kind == "" && m.Sense == "" && m.Offset == "" && m.Factor == "" && m.Root == "" && len(m.Names) == 0 &&
		len(m.Fixed) == 0
}

// Comment reads a part of the meta from a comment. ok is false if the comment is none. The error is a sentence.
func (m *Data) Comment(text []byte) (ok bool, err error) {
	rest, ok := strings.CutPrefix(string(text), marker)
	if !ok {
		return false, nil
	}
	if number, name, ok := numbered(rest, "fixed"); ok {
		if _, err := input.Rational([]byte(number)); name == "" || err != nil {
			return true, fmt.Errorf("%s does not fix a variable. Write \"clopt: fixed 1 speed\"",
				input.Shown([]byte(rest)))
		}
		m.Fixed = append(m.Fixed, input.Fixed{Name: unquoted(name), Value: json.Number(number)})
		return true, nil
	}
	if i, name, ok := numbered(rest, "name"); ok {
		if _, err := strconv.ParseUint(i, 10, 31); err != nil || name == "" {
			return true, fmt.Errorf("%s is not the name of a variable. Write \"clopt: name 3 speed\"",
				input.Shown([]byte(rest)))
		}
		if m.Names == nil {
			m.Names = map[string]string{}
		}
		name = unquoted(name)
		if before, named := m.Names[i]; named {
			return true, fmt.Errorf("variable %s has the name %s already. Remove one", i, input.Shown([]byte(before)))
		}
		m.Names[i] = name
		return true, nil
	}
	for _, word := range strings.Fields(rest) {
		key, value, _ := strings.Cut(word, "=")
		into := map[string]*string{"sense": &m.Sense, "offset": &m.Offset, "factor": &m.Factor, "root": &m.Root}[key]
		switch {
		case into != nil:
			*into = value
		case key == "n":
			m.N, err = strconv.Atoi(value)
			if err != nil || m.N < 1 {
				return true, fmt.Errorf("%s is not a number of variables", input.Shown([]byte(word)))
			}
		default:
			return true, fmt.Errorf("%s is not known after \"clopt:\". Write n, sense, offset, factor or root",
				input.Shown([]byte(word)))
		}
	}
	return true, nil
}

// numbered splits a text "key number name".
func numbered(text, key string) (number, name string, ok bool) {
	text, ok = strings.CutPrefix(strings.TrimSpace(text), key+" ")
	number, name, _ = strings.Cut(strings.TrimSpace(text), " ")
	return number, strings.TrimSpace(name), ok
}

// quoted returns a name as it stands in a comment, and unquoted the name of such a text.
func quoted(name string) string {
	if q := strconv.Quote(name); strings.TrimSpace(name) != name || q[1:len(q)-1] != name || name == "" {
		return q
	}
	return name
}

func unquoted(text string) string {
	if name, err := strconv.Unquote(text); err == nil {
		return name
	}
	return text
}

// Apply gives the model what the meta holds. The error is a sentence.
func (m *Data) Apply(to *graph.Model) error {
	offset, err := rational("offset", m.Offset, "0")
	if err != nil {
		return err
	}
	factor, err := rational("factor", m.Factor, "1")
	switch {
	case err != nil:
		return err
	case factor.Sign() == 0:
		return fmt.Errorf("the factor after \"clopt:\" is 0. Write another number")
	case m.Root != "" && (m.Root != "last" || to.Kind != graph.Sides || to.Pairs.N() < 2):
		return fmt.Errorf("root=%s after \"clopt:\". Only a graph has a root, root=last", m.Root)
	}
	to.Rooted = m.Root != ""
	to.Scale.Mul(to.Scale, factor)
	to.Rest.Times(factor)
	to.Offset.Add(to.Offset.Mul(to.Offset, factor), offset)
	switch m.Sense {
	case "":
	case "min", "max":
		to.Maximize = m.Sense == "max"
	default:
		return fmt.Errorf("the sense after \"clopt:\" is %s. Write min or max", input.Shown([]byte(m.Sense)))
	}
	if m.N != 0 && m.N != to.N() {
		return fmt.Errorf("the file has %d variables, and \"clopt:\" says %d. Correct it", to.N(), m.N)
	}
	if len(m.Names)+len(m.Fixed) == 0 {
		return nil
	}
	to.Fixed = append(to.Fixed, m.Fixed...)
	if to.Names == nil {
		to.Names = defaultNames(to.N())
	}
	for i, name := range m.Names {
		v, err := strconv.Atoi(i)
		if err != nil || v < 0 || v >= to.N() {
			return fmt.Errorf("the name of variable %.20s, but there are only %d. Remove it", i, to.N())
		}
		to.Names[v] = name
	}
	of := map[string]int{}
	for v, name := range to.Names {
		if u, twice := of[name]; twice {
			return fmt.Errorf("the name %s of variable %d is that of variable %d, too. Rename one",
				input.Shown([]byte(name)), v, u)
		}
		of[name] = v
	}
	for _, f := range to.Fixed {
		if v, twice := of[f.Name]; twice && v < 0 {
			return fmt.Errorf("%s is fixed twice. Remove one", input.Shown([]byte(f.Name)))
		} else if twice {
			return fmt.Errorf("the fixed variable %s has the name of variable %d. Rename one",
				input.Shown([]byte(f.Name)), v)
		}
		if _, err := rational("value of "+f.Name, f.Value.String(), "?"); err != nil {
			return err
		}
		of[f.Name] = -1
	}
	return nil
}

// rational reads a decimal number of the meta.
func rational(key, text, standard string) (*big.Rat, error) {
	if text == "" {
		text = standard
	}
	v, err := input.Rational([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("the %s after \"clopt:\", %s, %w. Write a number like -0.5", key,
			input.Shown([]byte(text)), err)
	}
	return v, nil
}

// Values returns what changes the values of the problem or its direction, as words such as "offset=12.5", or "".
func (m *Data) Values() string {
	words := []string{}
	for _, w := range []struct{ key, value string }{{"sense", m.Sense}, {"offset", m.Offset}, {"factor", m.Factor},
		{"root", m.Root}} {
		if w.value != "" {
			words = append(words, w.key+"="+w.value)
		}
	}
	return strings.Join(words, " ")
}

// Lines returns the meta as comments, without what begins a comment.
func (m *Data) Lines() (lines []string) {
	words := m.Values()
	if m.N != 0 {
		words = strings.TrimRight("n="+strconv.Itoa(m.N)+" "+words, " ")
	}
	if words != "" {
		lines = append(lines, marker+" "+words)
	}
	byNumber := func(a, b string) int { // all are numbers without a leading 0
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	}
	for _, i := range slices.SortedFunc(maps.Keys(m.Names), byNumber) {
		lines = append(lines, fmt.Sprintf("%s name %s %s", marker, i, quoted(m.Names[i])))
	}
	for _, f := range m.Fixed {
		lines = append(lines, fmt.Sprintf("%s fixed %s %s", marker, f.Value, quoted(f.Name)))
	}
	return lines
}

// JSON returns the meta as JSON.
func (m *Data) JSON() []byte {
	text, err := json.Marshal(m)
	if err != nil {
		panic("meta: " + err.Error()) // strings and integers only
	}
	return append(text, '\n')
}

// Path returns the path of the file beside path that holds what the format of path has no place for.
func Path(path string) string { return path + ".meta.json" }

// maxMeta is the largest number of bytes of a FILE.meta.json.
const maxMeta = 256 << 20

// Read reads the meta of a file whose format has no comments. There need not be one.
func Read(path string) (*Data, error) {
	m := new(Data)
	path = Path(path)
	if !input.IsRegular(path) {
		return m, nil
	}
	src, err := input.FileSource(path)
	if err != nil {
		return nil, err
	}
	if src.Size > maxMeta {
		return nil, input.Errorf(path, 0, 0, "has %d bytes; up to %d are read. Remove the file.", src.Size, maxMeta)
	}
	t, err := src.Text()
	if err != nil {
		return nil, err
	}
	defer t.Close()
	text, err := input.NewScanner(t, path).All()
	if err != nil {
		return nil, err
	}
	return m, m.Decode(path, text)
}

// Decode reads the meta from JSON.
func (m *Data) Decode(path string, text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			err = fmt.Errorf("%q has a value of JSON that is not read there (%s)", wrong.Field, wrong.Value)
		}
		line, col := input.Place(text, int(d.InputOffset()))
		return input.Errorf(path, line, col, "%v. Correct it, or remove the file.", err)
	}
	return nil
}

// defaultNames are the names of variables that have none.
func defaultNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = "x" + strconv.Itoa(i)
	}
	return names
}

// Names returns names, or nil if they are those of variables that have none or whole numbers from 0 on.
func Names(names []string) []string {
	plain, counted := true, true
	for i, name := range names {
		number := strconv.Itoa(i)
		counted = counted && name == number
		plain = plain && name == "x"+number
	}
	if plain || counted {
		return nil
	}
	return names
}
