package clc

import (
	"math"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/clc/token"
)

// constants are the macros of the language that are numbers.
var constants = map[string]struct {
	typ  Type
	text string
}{
	"INFINITY": {Float, "inf"}, "HUGE_VALF": {Float, "inf"}, "NAN": {Float, "nan"},
	"MAXFLOAT": {Float, "0x1.fffffep127"},
	"FLT_MAX":  {Float, "0x1.fffffep127"}, "FLT_MIN": {Float, "0x1.0p-126"}, "FLT_EPSILON": {Float, "0x1.0p-23"},
	"CHAR_BIT": {Int, "8"}, "INT_MAX": {Int, "2147483647"}, "INT_MIN": {Int, "-2147483648"},
	"UINT_MAX": {UInt, "4294967295"}, "LONG_MAX": {Long, "9223372036854775807"},
	"LONG_MIN": {Long, "-9223372036854775808"}, "ULONG_MAX": {ULong, "18446744073709551615"},
	"true": {Int, "1"}, "false": {Int, "0"},
	"PI": {Real, "3.14159265358979323846"}, "HUGE_VAL": {Real, "inf"}, "DBL_MAX": {Real, "0x1.fffffffffffffp1023"},
	"DBL_MIN": {Real, "0x1.0p-1022"}, "DBL_EPSILON": {Real, "0x1.0p-52"},
	"M_PI_F": {Float, doubles["M_PI"]}, "M_E_F": {Float, doubles["M_E"]}, "M_PI_2_F": {Float, doubles["M_PI_2"]},
	"M_PI_4_F": {Float, doubles["M_PI_4"]}, "M_1_PI_F": {Float, doubles["M_1_PI"]},
	"M_2_PI_F": {Float, doubles["M_2_PI"]}, "M_SQRT2_F": {Float, doubles["M_SQRT2"]},
	"M_SQRT1_2_F": {Float, doubles["M_SQRT1_2"]}, "M_LN2_F": {Float, doubles["M_LN2"]},
	"M_LN10_F": {Float, doubles["M_LN10"]}, "M_LOG2E_F": {Float, doubles["M_LOG2E"]},
	"M_LOG10E_F": {Float, doubles["M_LOG10E"]}, "M_2_SQRTPI_F": {Float, doubles["M_2_SQRTPI"]},
	"M_PI": {Real, doubles["M_PI"]}, "M_E": {Real, doubles["M_E"]}, "M_PI_2": {Real, doubles["M_PI_2"]},
	"M_PI_4": {Real, doubles["M_PI_4"]}, "M_1_PI": {Real, doubles["M_1_PI"]}, "M_2_PI": {Real, doubles["M_2_PI"]},
	"M_SQRT2": {Real, doubles["M_SQRT2"]}, "M_SQRT1_2": {Real, doubles["M_SQRT1_2"]},
	"M_LN2": {Real, doubles["M_LN2"]}, "M_LN10": {Real, doubles["M_LN10"]}, "M_LOG2E": {Real, doubles["M_LOG2E"]},
	"M_LOG10E": {Real, doubles["M_LOG10E"]}, "M_2_SQRTPI": {Real, doubles["M_2_SQRTPI"]},
}

// doubles are the constants that a device has only with float64. Like literals without a suffix they are single in a
// run in float32.
var doubles = map[string]string{"M_E": "2.718281828459045", "M_LOG2E": "1.4426950408889634",
	"M_LOG10E": "0.4342944819032518", "M_LN2": "0.6931471805599453", "M_LN10": "2.302585092994046",
	"M_PI": "3.141592653589793", "M_PI_2": "1.5707963267948966", "M_PI_4": "0.7853981633974483",
	"M_1_PI": "0.3183098861837907", "M_2_PI": "0.6366197723675814", "M_2_SQRTPI": "1.1283791670955126",
	"M_SQRT2": "1.4142135623730951", "M_SQRT1_2": "0.7071067811865476", "DBL_MAX": "", "DBL_MIN": "",
	"DBL_EPSILON": ""}

// integer returns an Int.
func (p *parser) integer(v int64, pos Pos) *Number {
	return &Number{Type: Int, Bits: uint64(v), Pos: pos}
}

// constant returns the value of a macro of the language, nil if it is none.
func (p *parser) constant(name string, pos Pos) *Number {
	c, ok := constants[name]
	if !ok {
		v, ok := p.text.counts()[name]
		if !ok {
			return nil
		}
		return p.integer(int64(v), pos)
	}
	n := &Number{Type: c.typ, Text: name, Pos: pos}
	if c.typ.Floating() {
		n.Value, _ = strconv.ParseFloat(c.text, 64)
		if c.typ == Float {
			n.Value = float64(float32(n.Value))
		}
		return n
	}
	if v, err := strconv.ParseInt(c.text, 10, 64); err == nil {
		n.Bits = uint64(v)
		return n
	}
	n.Bits, _ = strconv.ParseUint(c.text, 10, 64)
	return n
}

// literal reads a number as it stands in the text.
func (p *parser) literal() *Number {
	pos, text := p.pos(), p.peek(0)
	p.step()
	n := &Number{Text: text, Pos: pos}
	lower := strings.ToLower(text)
	hex := strings.HasPrefix(lower, "0x")
	var err error
	switch {
	case !hex && strings.ContainsAny(lower, ".ef") || hex && strings.ContainsAny(lower, ".p"):
		n.Type = Real // in a run in float32 literals are single
		digits := lower
		if (!hex || strings.Contains(lower, "p")) && strings.HasSuffix(lower, "f") {
			n.Type = Float
			digits = strings.TrimSuffix(lower, "f")
			n.Text = text[:len(text)-1]
		}
		n.Value, err = strconv.ParseFloat(digits, 64)
		if n.Type == Float {
			v, err32 := strconv.ParseFloat(digits, 32)
			n.Value, err = v, err32
		}
		if math.IsInf(n.Value, 0) {
			err = nil // beyond the range
		}
		if strings.Contains(digits, "_") {
			p.failAt(pos, "uses the number %s", text)
		}
	default:
		n.Type, err = integerLiteral(lower, hex, &n.Bits)
	}
	if err != nil {
		p.failAt(pos, "uses the number %s", text)
	}
	return n
}

// integerLiteral reads an integer.
func integerLiteral(lower string, hex bool, bits *uint64) (Type, error) {
	digits := strings.TrimRight(lower, "ul")
	suffix := lower[len(digits):]
	if strings.Contains(digits, "_") || strings.HasPrefix(digits, "0o") || strings.HasPrefix(digits, "0b") {
		return 0, strconv.ErrSyntax
	}
	v, err := strconv.ParseUint(digits, 0, 64)
	*bits = v
	octal := len(digits) > 1 && digits[0] == '0'
	decimal := !hex && !octal
	var t Type
	switch suffix {
	case "":
		switch {
		case v <= math.MaxInt32:
			t = Int
		case v <= math.MaxUint32 && !decimal:
			t = UInt
		case v <= math.MaxInt64:
			t = Long
		default:
			t = ULong
		}
	case "u":
		if t = UInt; v > math.MaxUint32 {
			t = ULong
		}
	case "l":
		if t = Long; v > math.MaxInt64 {
			t = ULong
		}
	case "ul", "lu":
		t = ULong
	default:
		err = strconv.ErrSyntax
	}
	return t, err
}

// widths are the bits of integers.
var widths = map[Type]int{Bool: 1, Char: 8, UChar: 8, Short: 16, UShort: 16, Int: 32, UInt: 32, Long: 64, ULong: 64}

// wrapped returns the bits of an integer as those of a type.
func wrapped(bits uint64, to Type) uint64 {
	switch to {
	case Bool:
		return uint64(min(bits, 1))
	case Char:
		return uint64(int64(int8(bits)))
	case UChar:
		return uint64(uint8(bits))
	case Short:
		return uint64(int64(int16(bits)))
	case UShort:
		return uint64(uint16(bits))
	case Int:
		return uint64(int64(int32(bits)))
	case UInt:
		return uint64(uint32(bits))
	}
	return bits
}

// as returns a number in another type, as a cast converts it; nil where the language does not say it.
func (n *Number) as(to Type) *Number {
	c := *n
	c.Type = to
	switch {
	case n.Type.Floating() && to.Floating():
		switch {
		case to == Float:
			c.Value = float64(float32(n.Value))
		case n.Type == Float && constants[n.Text].text == "":
			c.Text = "" // it is not what these digits are in the other type
		}
		return &c
	case to.Floating():
		c.Text = ""
		c.Value = float64(int64(n.Bits))
		if n.Type.Unsigned() {
			c.Value = float64(n.Bits)
		}
		if to == Float {
			c.Value = float64(float32(c.Value))
		}
		return &c
	case n.Type.Floating():
		if to == Bool || !(math.Abs(n.Value) < 1<<31) || to.Unsigned() && n.Value < 0 {
			return nil
		}
		c.Text, c.Bits = "", wrapped(uint64(int64(n.Value)), to)
		return &c
	}
	c.Text, c.Bits = "", wrapped(n.Bits, to)
	return &c
}

// known returns the value of an expression of integers that is known before a run.
func (p *parser) known(e Expr) (bits uint64, ok bool) {
	switch e := e.(type) {
	case *Number:
		return e.Bits, !e.Type.Floating()
	case *Symbol:
		v, ok := p.text.Symbols[e.Name]
		return uint64(v), ok
	case *Use:
		if c := p.consts[e.Var]; c != nil && e.Element == nil {
			return p.known(c)
		}
	case *Cast:
		if n, ok := e.X.(*Number); ok && !e.To.Floating() {
			if n = n.as(e.To); n != nil {
				return n.Bits, true
			}
			return 0, false
		}
		if v, ok := p.known(e.X); ok && !e.To.Floating() && !e.X.Of().Floating() {
			return wrapped(v, e.To), true
		}
	case *Unary:
		if v, ok := p.known(e.X); ok {
			switch e.Op {
			case '-':
				return wrapped(-v, e.Of()), true
			case '~':
				return wrapped(^v, e.Of()), true
			}
			return truth(v == 0), true
		}
	case *Choice:
		if v, ok := p.known(e.Cond); ok {
			if v != 0 {
				return p.known(e.Then)
			}
			return p.known(e.Else)
		}
	case *Binary:
		a, first := p.known(e.X)
		b, second := p.known(e.Y)
		if first && second && !e.X.Of().Floating() {
			return operate(e.Op, a, b, e.X.Of())
		}
	}
	return 0, false
}

func truth(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

// operate returns a op b of two integers of a type.
func operate(op string, a, b uint64, t Type) (bits uint64, ok bool) {
	less := int64(a) < int64(b)
	if t.Unsigned() {
		less = a < b
	}
	var v uint64
	switch op {
	case "+":
		v = a + b
	case "-":
		v = a - b
	case "*":
		v = a * b
	case "/", "%":
		quotient, rest := uint64(0), uint64(0)
		switch {
		case b == 0:
			return 0, false
		case t.Unsigned():
			quotient, rest = a/b, a%b
		default:
			quotient, rest = uint64(int64(a)/int64(b)), uint64(int64(a)%int64(b))
		}
		if v = quotient; op == "%" {
			v = rest
		}
	case "&":
		v = a & b
	case "|":
		v = a | b
	case "^":
		v = a ^ b
	case "<<":
		v = a << (b & uint64(widths[t]-1))
	case ">>":
		if v = uint64(int64(a) >> (b & uint64(widths[t]-1))); t.Unsigned() {
			v = a >> (b & uint64(widths[t]-1))
		}
	case "==":
		return truth(a == b), true
	case "!=":
		return truth(a != b), true
	case "<":
		return truth(less), true
	case ">=":
		return truth(!less), true
	case ">":
		return truth(!less && a != b), true
	case "<=":
		return truth(less || a == b), true
	case "&&":
		return truth(a != 0 && b != 0), true
	case "||":
		return truth(a != 0 || b != 0), true
	}
	return wrapped(v, t), true
}

// number reports whether the next token is a number.
func (p *parser) number() bool { return p.kind(0) == token.Number }
