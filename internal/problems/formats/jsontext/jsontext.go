// Package jsontext reads values of a JSON text that stay where they are, so that errors have their place. A value is
// named by the offset of its first byte.
package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/clopt/clopt/internal/problems/input"
)

// Text is a text of valid JSON, which New returns.
type Text struct {
	File  string // for errors
	Bytes []byte
}

// Object is the offset of the value of each key.
type Object map[string]int

// New returns a text and the object that it is. An error is an *input.Error, as those of all methods are.
func New(file string, text []byte) (t Text, top Object, err error) {
	t = Text{file, text}
	if !json.Valid(text) {
		var any json.RawMessage
		fault, _ := errors.AsType[*json.SyntaxError](json.Unmarshal(text, &any))
		if fault == nil {
			return t, nil, t.Fail(0, "is not JSON. Correct it.")
		}
		return t, nil, t.Fail(int(fault.Offset)-1, "is not JSON: %v. Correct it.", fault)
	}
	top, err = t.Object(t.blanks(0))
	return t, top, err
}

// Fail returns an error at an offset.
func (t Text) Fail(offset int, format string, args ...any) error {
	line, col := input.Place(t.Bytes, offset)
	return input.Errorf(t.File, line, col, format, args...)
}

// Value returns the text of the value at i.
func (t Text) Value(i int) []byte { return t.Bytes[i:t.End(i)] }

// blanks returns the offset of the first byte from i on that is no blank.
func (t Text) blanks(i int) int {
	for i < len(t.Bytes) && (t.Bytes[i] == ' ' || t.Bytes[i] == '\t' || t.Bytes[i] == '\r' || t.Bytes[i] == '\n') {
		i++
	}
	return i
}

// ends are the bytes that end a number or a word.
var ends = [256]bool{',': true, ']': true, '}': true, ':': true, ' ': true, '\t': true, '\r': true, '\n': true}

// End returns the offset after the value at i.
func (t Text) End(i int) int {
	depth := 0
	for {
		switch c := t.Bytes[i]; c {
		case '"':
			for i++; t.Bytes[i] != '"'; i++ {
				if t.Bytes[i] == '\\' {
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
			for i++; !ends[c] && i < len(t.Bytes) && !ends[t.Bytes[i]]; {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}

// Shown returns the beginning of the value at i, for an error. A string has its quotes already.
func (t Text) Shown(i int) string {
	const most = 32
	value := t.Value(i)
	if value[0] != '"' || len(value) > most {
		return input.Shown(value)
	}
	return string(value)
}

// Object returns the keys of the object at i.
func (t Text) Object(i int) (Object, error) {
	if t.Bytes[i] != '{' {
		return nil, t.Fail(i, "%s is not an object. Write {…} with keys.", t.Shown(i))
	}
	keys := Object{}
	for i = t.blanks(i + 1); t.Bytes[i] != '}'; {
		end := t.End(i)
		key, err := t.Str(i)
		if err != nil {
			return nil, err
		}
		if _, twice := keys[key]; twice {
			return nil, t.Fail(i, "the key %s is there twice. Remove one.", input.Shown([]byte(key)))
		}
		i = t.blanks(t.blanks(end) + 1) // after the colon
		keys[key] = i
		if i = t.blanks(t.End(i)); t.Bytes[i] == ',' {
			i = t.blanks(i + 1)
		}
	}
	return keys, nil
}

// Array calls f with the offset of each element of the array at i.
func (t Text) Array(i int, f func(k, i int) error) error {
	if t.Bytes[i] != '[' {
		return t.Fail(i, "%s is not an array. Write [ … ].", t.Shown(i))
	}
	k := 0
	for i = t.blanks(i + 1); t.Bytes[i] != ']'; k++ {
		if err := f(k, i); err != nil {
			return err
		}
		if i = t.blanks(t.End(i)); t.Bytes[i] == ',' {
			i = t.blanks(i + 1)
		}
	}
	return nil
}

// Str returns the string at i.
func (t Text) Str(i int) (s string, err error) {
	if t.Bytes[i] != '"' || json.Unmarshal(t.Value(i), &s) != nil {
		return "", t.Fail(i, "%s is not a string.", t.Shown(i))
	}
	return s, nil
}

// Index returns the whole number at i, which must be below n.
func (t Text) Index(i, n int) (int, error) {
	v, ok, _ := input.Index(t.Value(i))
	if !ok || v >= n {
		return 0, t.Fail(i, "%s is not the index of a variable. Write whole numbers from 0 to %d.", t.Shown(i), n-1)
	}
	return v, nil
}

// Need returns the offset of the value of a key that must be there.
func (t Text) Need(o Object, key string) (int, error) {
	i, ok := o[key]
	if !ok {
		return 0, t.Fail(t.blanks(0), "there is no key %q. Add it.", key)
	}
	return i, nil
}

// Offsets returns the offsets of the elements of the array of a key.
func (t Text) Offsets(o Object, key string) (at []int, err error) {
	i, err := t.Need(o, key)
	if err != nil {
		return nil, err
	}
	at = make([]int, 0, bytes.Count(t.Value(i), []byte(","))+1)
	err = t.Array(i, func(_, i int) error {
		at = append(at, i)
		return nil
	})
	return at, err
}
