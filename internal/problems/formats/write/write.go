package write

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// rudy writes "n m" and lines "i j w" with i < j.
func (s *sheet) rudy() {
	s.put(s.n, " ", s.Pairs.M(), "\n")
	s.terms(nil, func(i, j int, c coef) { s.put(i+1, " ", j+1, " ", c, "\n") })
}

// dimacs writes "p edge n m" and lines "e i j" with i < j, which end with the weight unless all are 1.
func (s *sheet) dimacs() {
	s.put("p edge ", s.n, " ", s.Pairs.M(), "\n")
	one := input.Pow10[s.digits]
	unit := s.shift == 0 && s.rest == nil &&
		!slices.ContainsFunc(s.Pairs.Weights, func(w int64) bool { return s.scale*w != one })
	s.terms(nil, func(i, j int, c coef) {
		s.put("e ", i+1, " ", j+1)
		if !unit {
			s.put(" ", c)
		}
		s.put("\n")
	})
}

// matrix writes the lower triangle of a symmetric matrix.
func (s *sheet) matrix() {
	field := "integer"
	if s.digits > 0 || s.rest != nil {
		field = "real"
	}
	s.put("%%MatrixMarket matrix coordinate ", field, " symmetric\n")
	s.comments("%")
	s.put(s.n, " ", s.n, " ", s.Pairs.M(), "\n")
	s.terms(nil, func(i, j int, c coef) { s.put(j+1, " ", i+1, " ", c, "\n") })
}

// qubo writes "p qubo", the linear terms and the pairs.
func (s *sheet) qubo() {
	linear, pairs := s.count()
	s.put("p qubo 0 ", s.n, " ", linear, " ", pairs, "\n")
	s.terms(func(i int, c coef) { s.put(i, " ", i, " ", c, "\n") }, nil)
	s.terms(nil, func(i, j int, c coef) { s.put(i, " ", j, " ", c, "\n") })
}

// list writes lines "i i h" and "i j J" after the kind of the variables.
func (s *sheet) list() {
	s.put("# vartype=", s.vartype(), "\n")
	s.terms(func(i int, c coef) { s.put(i, " ", i, " ", c, "\n") },
		func(i, j int, c coef) { s.put(i, " ", j, " ", c, "\n") })
}

func (s *sheet) vartype() string {
	if s.kind == graph.Spins {
		return "SPIN"
	}
	return "BINARY"
}

// orLibrary writes one problem, whose pairs count twice.
func (s *sheet) orLibrary() {
	linear, pairs := s.count()
	s.put("1\n", s.n, " ", linear+pairs, "\n")
	s.terms(func(i int, c coef) { s.put(i+1, " ", i+1, " ", c, "\n") },
		func(i, j int, c coef) { s.put(i+1, " ", j+1, " ", s.half(c), "\n") })
}

// half returns the half of c as text, or with a decimal more if c is odd.
func (s *sheet) half(c coef) string {
	switch {
	case c.full != nil:
		return string(appendFull(nil, new(big.Rat).Mul(c.full, big.NewRat(1, 2))))
	case c.units%2 == 0:
		return string(input.AppendExact(nil, c.units/2, s.digits))
	}
	return string(input.AppendExact(nil, 5*c.units, s.digits+1))
}

// rows calls element for each element of the matrix, row by row, and end after each row. Graphs have the weight of an
// edge in both places; bits have the coefficient of a pair in the upper one.
func (s *sheet) rows(element func(j int, c coef), end func()) {
	row := make([]coef, s.n)
	for i := range s.n {
		clear(row)
		row[i] = s.linear(i)
		for e := s.Pairs.Offsets[i]; e < s.Pairs.Offsets[i+1]; e++ {
			if j := int(s.Pairs.Neighbors[e]); j > i || s.kind == graph.Sides {
				row[j] = s.pair(i, e)
			}
		}
		for j, c := range row {
			element(j, c)
		}
		end()
	}
}

func (s *sheet) csv() {
	s.rows(func(j int, c coef) {
		if j > 0 {
			s.put(",")
		}
		if c.sign() == 0 {
			s.put("0")
		} else {
			s.put(c)
		}
	}, func() { s.put("\n") })
}

func (s *sheet) npy() {
	out := input.NewNpyWriter(s.out, s.n, s.n)
	s.rows(func(_ int, c coef) {
		exact, _ := input.Rational(s.append(nil, c))
		v, _ := exact.Float64()
		out.Write(v)
	}, func() {})
}

// bqm writes the JSON of dimod.
func (s *sheet) bqm() {
	labels := make([]json.RawMessage, s.n)
	for i := range labels {
		labels[i] = json.RawMessage(strconv.Itoa(i))
		if s.names != nil {
			labels[i] = label(s.names[i])
		}
	}
	_, pairs := s.count()
	s.put(`{"type": "BinaryQuadraticModel", "version": {"bqm_schema": "3.0.0"}, "use_bytes": false, `,
		`"index_type": "int32", "bias_type": "float64", "num_variables": `, s.n, `, "num_interactions": `, pairs,
		`, "variable_labels": `, marshal(labels), `, "variable_type": "`, s.vartype(), `", "offset": `,
		input.Decimal(s.offset), `, "info": `, s.inside(), `,`)
	s.put("\n", `"linear_biases": [`)
	for i := range s.n {
		s.put(comma(i), s.linear(i))
	}
	for _, part := range []struct {
		key   string
		write func(i, j int, c coef)
	}{{"quadratic_head", func(i, _ int, _ coef) { s.put(i) }}, {"quadratic_tail", func(_, j int,
		_ coef) {
		s.put(j)
	}},
		{"quadratic_biases", func(_, _ int, c coef) { s.put(c) }}} {
		s.put("],\n\"", part.key, `": [`)
		k := 0
		s.terms(nil, func(i, j int, c coef) {
			s.put(comma(k))
			part.write(i, j, c)
			k++
		})
	}
	s.put("]}\n")
}

// bqpjson writes the JSON of bqpjson.
func (s *sheet) bqpjson() {
	ids := make([]string, s.n)
	for i := range ids {
		ids[i] = strconv.Itoa(i)
	}
	if s.names != nil {
		ids = s.names
	}
	domain := map[graph.Kind]string{graph.Spins: "spin", graph.Bits: "boolean"}[s.kind]
	s.put(`{"version": "1.0.0", "id": 0, "metadata": `, s.inside(), `, "variable_ids": [`, strings.Join(ids, ", "),
		`], "variable_domain": "`, domain, `", "scale": 1, "offset": `, input.Decimal(s.offset), `,`, "\n",
		`"linear_terms": [`)
	k := 0
	s.terms(func(i int, c coef) {
		s.put(comma(k), "\n", `{"id": `, ids[i], `, "coeff": `, c, "}")
		k++
	}, nil)
	s.put("],\n", `"quadratic_terms": [`)
	k = 0
	s.terms(nil, func(i, j int, c coef) {
		s.put(comma(k), "\n", `{"id_head": `, ids[j], `, "id_tail": `, ids[i], `, "coeff": `, c, "}")
		k++
	})
	s.put("]}\n")
}

func comma(k int) string {
	if k == 0 {
		return ""
	}
	return ", "
}

// inside returns the object for notes of programs, with the meta if there is anything in it.
func (s *sheet) inside() string {
	if s.meta.Empty() {
		return "{}"
	}
	return `{"clopt": ` + strings.TrimSpace(string(s.meta.JSON())) + "}"
}

// label returns a name as JSON: as it is where it was no string.
func label(name string) json.RawMessage {
	var v any
	if json.Unmarshal([]byte(name), &v) == nil {
		if _, quoted := v.(string); !quoted && v != nil {
			return json.RawMessage(name)
		}
	}
	return json.RawMessage(marshal(name))
}

func marshal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("formats: " + err.Error()) // only strings and valid JSON
	}
	return string(text)
}

// perLine is the number of terms in a line of an LP file.
const perLine = 8

// lp writes an LP file.
func (s *sheet) lp() {
	s.put(map[bool]string{true: "Maximize\n", false: "Minimize\n"}[s.maximize], " obj:")
	k := 0
	sign := func(c coef) string {
		if c.sign() < 0 {
			return " - "
		}
		return " + "
	}
	wrap := func() {
		if k++; k%perLine == 0 {
			s.put("\n  ")
		}
	}
	s.terms(func(i int, c coef) {
		s.put(sign(c), c.abs(), " ", s.nameOf(i))
		wrap()
	}, nil)
	if s.Pairs.M() > 0 {
		s.put(" + [")
		s.terms(nil, func(i, j int, c coef) {
			s.put(sign(c), c.abs().twice(), " ", s.nameOf(i), " * ", s.nameOf(j))
			wrap()
		})
		s.put(" ] / 2")
	}
	switch s.offset.Sign() {
	case 1:
		s.put(" + ", input.Decimal(s.offset))
	case -1:
		s.put(" - ", input.Decimal(new(big.Rat).Neg(s.offset)))
	}
	s.put("\nSubject To\n")
	if len(s.fixed) > 0 {
		s.put("Bounds\n")
	}
	for _, v := range s.fixed {
		s.put(" ", v.Name, " = ", v.Value.String(), "\n")
	}
	s.put("Binaries\n")
	for i := range s.n {
		s.put(" ", s.nameOf(i))
		if i%perLine == perLine-1 || i == s.n-1 {
			s.put("\n")
		}
	}
	s.put("End\n")
}

// mps writes a free MPS file.
func (s *sheet) mps() {
	s.put("NAME clopt\n")
	if s.maximize {
		s.put("OBJSENSE\n    MAX\n")
	}
	s.put("ROWS\n N  obj\nCOLUMNS\n")
	for i := range s.n {
		s.put("    ", s.nameOf(i), " obj ", s.linear(i), "\n")
	}
	for _, v := range s.fixed {
		s.put("    ", v.Name, " obj 0\n")
	}
	if s.offset.Sign() != 0 {
		s.put("RHS\n    rhs obj ", input.Decimal(new(big.Rat).Neg(s.offset)), "\n")
	}
	s.put("BOUNDS\n")
	for i := range s.n {
		s.put(" BV bnd ", s.nameOf(i), "\n")
	}
	for _, v := range s.fixed {
		s.put(" FX bnd ", v.Name, " ", v.Value.String(), "\n")
	}
	if s.Pairs.M() > 0 {
		s.put("QUADOBJ\n")
		s.terms(nil, func(i, j int, c coef) { s.put("    ", s.nameOf(i), " ", s.nameOf(j), " ", c, "\n") })
	}
	s.put("ENDATA\n")
}
