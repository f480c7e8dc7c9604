package shard

import (
	"errors"
	"regexp"

	"github.com/clopt/clopt/cl"
)

// A hint says what the text of an objective has in place of what it tried.
type hint struct {
	message, source *regexp.Regexp
	say             string // with $1 for what the message has in parentheses
}

// hints are for mistakes of those who know C, Python, Fortran or MATLAB, but not the names of an objective file. The
// words are those of clang, of which the compilers of drivers are made; PoCL calls the built-in functions _cl_NAME.
var hints = func() (all []hint) {
	const name, power = `(?:undeclared identifier|implicit declaration of function) `, "a power is sq(v), or pow(v, e)"
	for _, h := range [][3]string{
		{name + `'(?:n|N|dim|len|length|size)'`, ``, "the number of variables is DIM"},
		{name + `'(?:pi|Pi)'`, ``, "pi is PI"},
		{name + `'e'`, ``, "e is exp(R(1.0))"},
		{name + `'(?:rand|random|srand|drand48|rand_r|randn|uniform)'`, ``, "there are no random numbers, since f " +
			"has one value at a point; numbers from a file are //@ data NAME FILE"},
		{name + `'(?:np|numpy|math|Math|torch|jnp|scipy)'`, ``, "functions have no module: sqrt, exp, sin"},
		{name + `'ln'`, ``, "the natural logarithm is log"},
		{name + `'(?:mod|MOD)'`, ``, "the remainder of reals is fmod(a, b)"},
		{name + `'(?:power|square|sqr)'`, ``, power},
		{name + `'(?:arcsin|arccos|arctan|arctan2)'`, ``, "they are asin, acos, atan and atan2"},
		{name + `'(?:maximum|amax|dmax1)'`, ``, "the larger of two reals is fmax(a, b)"},
		{name + `'(?:minimum|amin|dmin1)'`, ``, "the smaller of two reals is fmin(a, b)"},
		{name + `'(?:sgn|signum)'`, ``, "the sign of a real is sign(v)"},
		{name + `'(?:sum|range|zeros|ones|array|linspace|enumerate)'`, ``, "write a loop: for (uint i = 0; i < DIM; " +
			"i++)"},
		{name + `'(?:True|False|None)'`, ``, "they are true, false and 0"},
		{name + `'(?:and|or|not)'`, ``, "they are &&, || and !"},
		{name + `'(?:malloc|calloc|free|new)'`, ``, "there is no memory to ask for; an array has a fixed length, as " +
			"in real v[16]"},
		{name + `'\w+f'`, `\bR\(`, "R is for literals; write (real)v"},
		{`'(?:_cl_)?abs' is ambiguous`, ``, "the absolute value of a real is fabs"},
		{`'(?:_cl_)?(?:max|min)' is ambiguous`, ``, "of reals they are fmax and fmin"},
		{`'(?:_cl_)?(\w+)' is ambiguous`, ``, "give it reals, as in $1(R(2.0)), or $1((real)k) for an integer k"},
		{`no matching function for call to '(?:_cl_)?log'`, ``, "the logarithm to base b is log(v) / log(b)"},
		{`no matching function for call to`, ``, "look at the number and the types of its arguments"},
		{`too (?:few|many) arguments to function call`, `\bat\(`, "variable i is at(x, i)"},
		{`.`, `\w::`, "the text must be OpenCL C, not C++: clopt help objective-file"},
		{`invalid operands to binary expression`, `\bacc\s*[-+*/]?=`, "acc is an array: acc[0] += VALUE"},
		{`subscripted value`, `\bx\s*\[`, "variable i is at(x, i)"},
		{`called object type 'point'`, ``, "variable i is at(x, i)"},
		{`incompatible type 'point'`, ``, "variable i is at(x, i)"},
		{`indirection requires pointer`, `\*\s?\*`, power},
		{`invalid operands to binary expression`, `\^`, power},
		{`invalid operands to binary expression`, `%`, "the remainder of reals is fmod(a, b)"},
		{`invalid (?:suffix|digit)`, `\bR\(`, "R needs a literal with a point, as in R(2.0)"},
		{`invalid (?:suffix|digit)`, ``, "a product needs *, as in 2*v"},
		{`should not return a value`, ``, "components add to sums: acc[0] += VALUE"},
		{`program scope variable|function scope cannot be declared static`, ``, "write constant real w[3] = " +
			"{1, 2, 3}; variables that change belong into a function, since components are computed at the same time"},
		{name + `'(?:def|import|from|lambda|elif|function|end|let|var|std)'`, ``,
			"the text must be OpenCL C: clopt help objective-file"},
		{`unknown type name '(?:def|import|from|lambda|function|subroutine|program|let|var|use|using|namespace)'`, ``,
			"the text must be OpenCL C: clopt help objective-file"},
		{`expected '\(' after`, ``, "C writes if (CONDITION) STATEMENT"},
		{`redefinition of`, ``, "if it is not yours, the text around the objective has it: use another name"},
		{`too many arguments provided to function-like macro`, ``, "a decimal number has a point, as in R(0.5)"},
	} {
		all = append(all, hint{regexp.MustCompile(h[0]), regexp.MustCompile(h[1]), h[2]})
	}
	return all
}()

// explained adds hints to the messages of a compiler that err has.
func explained(err error) error {
	build, ok := errors.AsType[*cl.BuildError](err)
	if !ok {
		return err
	}
	for i := range build.Messages {
		m := &build.Messages[i]
		for _, h := range hints {
			if at := h.message.FindStringSubmatchIndex(m.Text); at != nil && h.source.MatchString(m.Source) {
				m.Text += "; " + string(h.message.ExpandString(nil, h.say, m.Text, at))
				break
			}
		}
	}
	return err
}
