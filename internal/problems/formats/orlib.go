package formats

import (
	"github.com/clopt/clopt/internal/problems/input"
)

// orLibrary reads one problem of a file of the OR-Library: the number of problems, and for each "n m" and m lines
// "i j q", counting from 1. The sum is that over all i and j, so that a pair counts twice.
func (p *parser) orLibrary() error {
	count := 0
	if _, err := p.oneLine(func(_ int, word []byte) error {
		v, ok, _ := input.Index(word)
		if !ok || v < 1 {
			return p.Fail(p.Col, "%s is not a number of problems.", input.Shown(word))
		}
		count = v
		return nil
	}); err != nil {
		return err
	}
	switch {
	case p.number > count:
		return p.Fail(p.Col, "holds %d problems, not %d. Name one as %s#1 to %s#%d.", count, p.number,
			p.Source.Name, p.Source.Name, count)
	case p.number == 0 && count > 1:
		return p.Fail(p.Col, "holds %d problems. Name one as %s#1 to %s#%d.", count, p.Source.Name, p.Source.Name,
			count)
	}
	p.base = 1
	for k := 1; ; k++ {
		var head [2]int
		var col [2]int
		fields, err := p.oneLine(func(k int, word []byte) error {
			v, ok, _ := input.Index(word)
			if !ok || k > 1 {
				return p.Fail(p.Col, "%s in the header of a problem. Write \"n m\".", input.Shown(word))
			}
			head[k], col[k] = v, p.Col
			return nil
		})
		switch {
		case err != nil:
			return err
		case fields < 2:
			return p.Fail(p.Col, "the header of problem %d is missing. Write \"n m\".", k)
		}
		if err := p.header(head[0], head[1], col[0], col[1], 6); err != nil {
			return err
		}
		wanted := k == max(p.number, 1)
		for range head[1] {
			kind, word, err := p.Next()
			for err == nil && kind == input.EndLine {
				kind, word, err = p.Next()
			}
			switch {
			case err != nil:
				return err
			case kind == input.EndText:
				return p.Fail(p.Col, "the file ends within problem %d of %d. Fetch the file again.", k, count)
			}
			if err := p.orElement(word, wanted); err != nil {
				return err
			}
		}
		if wanted {
			return p.rest(k, count)
		}
	}
}

// orElement reads the rest of a line "i j q" whose first field is word.
func (p *parser) orElement(word []byte, wanted bool) error {
	const short = "the line ends too early. Write an element as \"i j q\"."
	u, v, col, err := p.ends(word, 1, short)
	if err != nil {
		return err
	}
	c, digits, err := p.lastWeight(short, "an element is \"i j q\"")
	if err != nil || !wanted {
		return err
	}
	if u != v {
		c, digits = twice(c, digits)
	}
	return p.edge(u, v, c, digits, col, 1)
}

// twice returns a coefficient of a pair that counts twice.
func twice(c int64, digits int) (int64, int) {
	if c *= 2; digits > 0 && c%10 == 0 { // c is below 2^63, and refused beyond 2^62
		c, digits = c/10, digits-1
	}
	return c, digits
}

// rest returns an error if anything follows the last problem.
func (p *parser) rest(k, count int) error {
	if k < count {
		return nil
	}
	return p.lines(func(word []byte) error {
		return p.Fail(p.Col, "%s after the last of %d problems. Correct the header of the problem.", input.Shown(word),
			count)
	})
}
