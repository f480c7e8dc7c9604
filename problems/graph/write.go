package graph

import (
	"bufio"
	"io"
	"math"
	"strconv"
)

// digits returns the number of decimals of the unit.
func (g *Graph) digits() int { return int(math.Round(-math.Log10(g.Unit))) }

// PerOne returns 1/Unit exactly, a power of ten. A number of units divided by it is
// a value.
func (g *Graph) PerOne() float64 { return float64(pow10[g.digits()]) }

// Scale returns the value of a number of units, of a cut or a sum of weights. It is
// the nearest float64 if |units| is below 2^53.
func (g *Graph) Scale(units int64) float64 { return float64(units) / g.PerOne() }

// WriteRudy writes a graph in rudy form: "n m" and lines "i j w", counting from 1,
// with i < j, in increasing order. Read reads it back.
func (g *Graph) WriteRudy(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	digits := g.digits()
	line := make([]byte, 0, 64)
	line = strconv.AppendInt(line, int64(g.N()), 10)
	line = append(line, ' ')
	line = strconv.AppendInt(line, int64(g.M()), 10)
	out.Write(append(line, '\n')) // bufio keeps the first error for Flush
	for u := range g.N() {
		for e := g.Offsets[u]; e < g.Offsets[u+1]; e++ {
			v := int(g.Neighbors[e])
			if v < u {
				continue
			}
			line = strconv.AppendInt(line[:0], int64(u+1), 10)
			line = append(line, ' ')
			line = strconv.AppendInt(line, int64(v+1), 10)
			line = append(line, ' ')
			line = appendDecimal(line, g.Weights[e], digits)
			if _, err := out.Write(append(line, '\n')); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// appendDecimal appends v·10^-digits.
func appendDecimal(b []byte, v int64, digits int) []byte {
	if digits == 0 {
		return strconv.AppendInt(b, v, 10)
	}
	if v < 0 {
		b, v = append(b, '-'), -v
	}
	b = strconv.AppendInt(b, v/pow10[digits], 10)
	b = append(b, '.')
	tail := strconv.FormatInt(v%pow10[digits]+pow10[digits], 10)
	return append(b, tail[1:]...)
}
