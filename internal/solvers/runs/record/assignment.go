package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/clopt/clopt/problems"
)

// Assignment is the values of variables by their names, as a JSON object in their order. It is empty for variables
// without names.
type Assignment []Assigned

// Assigned is the value of a variable.
type Assigned struct {
	Name  string
	Value json.Number
}

// MostNamed is the largest number of variables of an Assignment.
const MostNamed = 1000

// AssignmentOf returns the values of a point of binary variables, and those that the problem fixes.
func AssignmentOf(d problems.Domain, x []float64) (a Assignment) {
	if d.Names == nil || len(x) != d.N || d.N+len(d.Fixed) > MostNamed {
		return nil
	}
	for i, v := range x {
		a = append(a, Assigned{d.Names[i], json.Number(fmt.Sprint(v))})
	}
	for _, f := range d.Fixed {
		a = append(a, Assigned{f.Name, f.Value})
	}
	return a
}

// String returns "ann=0 bob=1".
func (a Assignment) String() string {
	words := make([]string, len(a))
	for i, v := range a {
		words[i] = v.Name + "=" + v.Value.String()
	}
	return strings.Join(words, " ")
}

// MarshalJSON writes the object.
func (a Assignment) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, v := range a {
		name, err := json.Marshal(v.Name)
		if err != nil {
			return nil, err
		}
		b.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
		b.Write(name)
		b.WriteString(":" + v.Value.String())
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Assignment) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var v json.Number
		if err := d.Decode(&v); err != nil {
			return err
		}
		*a = append(*a, Assigned{fmt.Sprint(name), v})
	}
	return nil
}
