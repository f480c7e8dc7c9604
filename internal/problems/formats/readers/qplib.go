package readers

import (
	"bytes"
	"math/big"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/formats/rows"
	"github.com/clopt/clopt/internal/problems/input"
)

// qplib reads the lines of a file of QPLIB, of which the first words count: what follows them is a comment.
type qplib struct {
	text []byte
	at   int // of the next line
}

// QPLIB reads a problem of QPLIB with binary variables, and linear constraints at most: its type is one like QBN, QBB
// or QBL. The objective is x'Qx/2 + b'x + q, with one triangle of the symmetric matrix Q in the file.
func QPLIB(text []byte, to Sink) (f Facts, err error) {
	s := &qplib{text: text}
	if _, err := s.words(1, "the name of the problem"); err != nil {
		return f, err
	}
	kind, err := s.words(1, "its type, such as QBN")
	if err != nil {
		return f, err
	}
	switch k := strings.ToUpper(string(kind[0].text)); {
	case len(k) != 3 || !strings.Contains("LDCQ", k[:1]):
		return f, fault(kind[0].at, "the type %s. Write three letters, such as QBN.", input.Shown(kind[0].text))
	case k[1] != 'B':
		return f, fault(kind[0].at, "the type %s: not all variables are binary, as those of a graph problem are.", k)
	case !strings.Contains("NBL", k[2:]):
		return f, fault(kind[0].at, "the type %s has constraints that are not linear, which are not read.", k)
	}
	sense, err := s.words(1, "minimize or maximize")
	if err != nil {
		return f, err
	}
	switch strings.ToLower(string(sense[0].text)) {
	case "minimize", "minimise":
	case "maximize", "maximise":
		f.Maximize = true
	default:
		return f, fault(sense[0].at, "%s where the direction should be. Write minimize or maximize.",
			input.Shown(sense[0].text))
	}
	n, at, err := s.count("the number of variables")
	if err != nil {
		return f, err
	}
	if err := to.Size(n, 1, nil, at); err != nil {
		return f, err
	}
	linear := kind[0].text[2]|0x20 == 'l'
	m := 0
	if linear {
		if m, at, err = s.count("the number of constraints"); err != nil {
			return f, err
		}
		if m > len(text) {
			return f, fault(at, "%d constraints in a file of %d bytes. Correct the number.", m, len(text))
		}
	}
	if kind[0].text[0]|0x20 != 'l' {
		if err := s.quadratic(n, to); err != nil {
			return f, err
		}
	}
	if err := s.linear(n, to); err != nil {
		return f, err
	}
	w, err := s.words(1, "the constant of the objective")
	if err != nil {
		return f, err
	}
	if f.Offset, err = rational(w[0]); err != nil {
		return f, err
	}
	if linear {
		f.Rows, err = s.rows(n, m)
		return f, err
	}
	_, err = s.words(1, "the number that stands for infinity")
	return f, err
}

// rows reads the m constraints: their coefficients, what is infinite, and their bounds.
func (s *qplib) rows(n, m int) ([]rows.Row, error) {
	all := make([]rows.Row, m)
	for i := range all {
		all[i] = rows.Row{Name: "c" + strconv.Itoa(i+1), At: s.at}
	}
	count, _, err := s.count("the number of coefficients of constraints")
	if err != nil {
		return nil, err
	}
	for range count {
		w, err := s.words(3, "a coefficient of a constraint, \"i j b\"")
		if err != nil {
			return nil, err
		}
		i, err := index(w[0], m)
		if err != nil {
			return nil, err
		}
		j, err := index(w[1], n)
		if err != nil {
			return nil, err
		}
		c, err := rational(w[2])
		if err != nil {
			return nil, err
		}
		all[i].Terms = append(all[i].Terms, rows.Term{Var: j, C: c})
	}
	w, err := s.words(1, "the number that stands for infinity")
	if err != nil {
		return nil, err
	}
	infinite, err := rational(w[0])
	if err != nil {
		return nil, err
	}
	bound := func(what string, set func(r *rows.Row, v *big.Rat)) error {
		return s.values(m, what, func(i int, v *big.Rat) {
			if new(big.Rat).Abs(v).Cmp(infinite) >= 0 {
				v = nil
			}
			set(&all[i], v)
		})
	}
	if err := bound("lower bound of a constraint", func(r *rows.Row, v *big.Rat) { r.Lower = v }); err != nil {
		return nil, err
	}
	return all, bound("upper bound of a constraint", func(r *rows.Row, v *big.Rat) { r.Upper = v })
}

// values calls set with the usual value for each of n things, and then with those of the others.
func (s *qplib) values(n int, what string, set func(i int, v *big.Rat)) error {
	w, err := s.words(1, "the usual "+what)
	if err != nil {
		return err
	}
	usual, err := rational(w[0])
	if err != nil {
		return err
	}
	for i := range n {
		set(i, usual)
	}
	count, _, err := s.count("the number of others: " + what)
	if err != nil {
		return err
	}
	for range count {
		w, err := s.words(2, "a "+what+", \"i c\"")
		if err != nil {
			return err
		}
		i, err := index(w[0], n)
		if err != nil {
			return err
		}
		v, err := rational(w[1])
		if err != nil {
			return err
		}
		set(i, v)
	}
	return nil
}

// rational reads a number in full.
func rational(w word) (*big.Rat, error) {
	if _, _, err := number(w.text, w.at); err != nil {
		return nil, err
	}
	return input.Rational(w.text)
}

// quadratic reads the elements of one triangle of Q.
func (s *qplib) quadratic(n int, to Sink) error {
	m, _, err := s.count("the number of elements of Q")
	if err != nil {
		return err
	}
	for range m {
		w, err := s.words(3, "an element of Q, \"i j q\"")
		if err != nil {
			return err
		}
		i, err := index(w[0], n)
		if err != nil {
			return err
		}
		j, err := index(w[1], n)
		if err != nil {
			return err
		}
		c, digits, err := number(w[2].text, w[2].at)
		if err == nil && i == j { // x² is x
			c, digits, err = half(c, digits, w[2].at)
		}
		if err != nil {
			return err
		}
		if err := to.Term(i, j, c, digits, w[0].at); err != nil {
			return err
		}
	}
	return nil
}

// linear reads the linear terms: what most of them are, and the others.
func (s *qplib) linear(n int, to Sink) error {
	w, err := s.words(1, "the usual linear term")
	if err != nil {
		return err
	}
	usual := w[0]
	m, _, err := s.count("the number of other linear terms")
	if err != nil {
		return err
	}
	others := map[int]word{}
	for range m {
		w, err := s.words(2, "a linear term, \"i b\"")
		if err != nil {
			return err
		}
		i, err := index(w[0], n)
		if err != nil {
			return err
		}
		if _, twice := others[i]; twice {
			return fault(w[0].at, "the linear term of variable %d is there twice. Remove one.", i+1)
		}
		others[i] = w[1]
	}
	for i := range n {
		w, ok := others[i]
		if !ok {
			w = usual
		}
		c, digits, err := number(w.text, w.at)
		if err != nil {
			return err
		}
		if c == 0 {
			continue
		}
		if err := to.Term(i, i, c, digits, w.at); err != nil {
			return err
		}
	}
	return nil
}

// count reads a number of things.
func (s *qplib) count(what string) (n, at int, err error) {
	w, err := s.words(1, what)
	if err != nil {
		return 0, 0, err
	}
	n, ok, _ := input.Index(w[0].text)
	if !ok {
		return 0, 0, fault(w[0].at, "%s where %s should be. Write a whole number.", input.Shown(w[0].text), what)
	}
	return n, w[0].at, nil
}

// index returns the variable of a word, which counts from 1.
func index(w word, n int) (int, error) {
	i, ok, _ := input.Index(w.text)
	if !ok || i < 1 || i > n {
		return 0, fault(w.at, "%s is no variable. They have the numbers 1 to %d.", input.Shown(w.text), n)
	}
	return i - 1, nil
}

// words returns the first words of the next line that is no comment.
func (s *qplib) words(n int, what string) ([]word, error) {
	for s.at < len(s.text) {
		start := s.at
		line, _, _ := bytes.Cut(s.text[start:], []byte("\n"))
		s.at += len(line) + 1
		w := fieldsAt(line, start)
		if len(w) == 0 || bytes.IndexByte([]byte("!#%"), w[0].text[0]) >= 0 {
			continue
		}
		if len(w) < n {
			return nil, fault(start+len(line), "the line ends after %d words, and it should be %s.", len(w), what)
		}
		return w[:n], nil
	}
	return nil, fault(len(s.text), "the file ends where %s should be. Fetch the file again.", what)
}
