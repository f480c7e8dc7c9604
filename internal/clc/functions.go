package clc

import "strings"

// Kind says which types a function takes and returns.
type Kind uint8

// The kinds of functions. T is one of Float, Real and Double, the same for all arguments and the result.
const (
	Reals    Kind = iota + 1 // T f(T, …)
	Tests                    // Int f(T, …), such as isnan
	Integers                 // I f(I, …) of one integer type, such as min, or abs, which is unsigned
	Powers                   // T f(T, Int): pown, rootn, ldexp
	Choices                  // T f(T, T, I) or I f(I, I, I): select(a, b, c) is c ? b : a
)

// Function is a function that a tree may call.
type Function struct {
	Kind Kind
	Args int
}

// Functions are those that a tree may call: those of OpenCL C without side effects that have exact mathematical
// definitions, and those of the prelude. Names that take integers and reals, such as min, are Reals, and have a second
// entry with an i before their name for integers (imin). A function with results at pointers is two calls: sincos is
// sin and cos, fract(v, p) is fract and floor, modf(v, p) is "modf" and trunc.
var Functions = functionTable()

func functionTable() map[string]Function {
	all := map[string]Function{}
	add := func(kind Kind, args int, names string) {
		for _, name := range strings.Fields(names) {
			all[name] = Function{kind, args}
		}
	}
	add(Reals, 1, `acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi degrees erf erfc exp
		exp10 exp2 expm1 fabs floor lgamma log log10 log1p log2 logb radians rint round rsqrt sign sin sinh sinpi sqrt
		tan tanh tanpi tgamma trunc fract modf
		sq cos_2pi sin_2pi root`)
	add(Reals, 2, `atan2 atan2pi copysign fdim fmax fmin fmod hypot max maxmag min minmag nextafter pow powr remainder
		step bound_above bound_below`)
	add(Reals, 3, "clamp fma mad mix smoothstep")
	add(Tests, 1, "isfinite isinf isnan isnormal signbit")
	add(Tests, 2, "isequal isgreater isgreaterequal isless islessequal islessgreater isnotequal isordered isunordered")
	add(Integers, 1, "iabs iclz ipopcount")
	add(Integers, 2, "iabs_diff imax imin iadd_sat isub_sat imul_hi imul24 ihadd irhadd irotate")
	add(Integers, 3, "iclamp imad24 imad_hi")
	add(Powers, 2, "pown rootn ldexp")
	add(Choices, 3, "select iselect")
	return all
}
