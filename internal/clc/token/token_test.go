package token

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// known says that DIM is 10, __X is not known, and nothing else is defined.
func known(name string) (value int64, defined, unsure bool) {
	return 10, name == "DIM", name == "__X"
}

// expanded returns the tokens of a text after the preprocessor, or what it does not do.
func expanded(text string) string {
	tokens, err := Expand(Scan("f.cl", 1, strings.ReplaceAll(text, "\\\n", "\x01\x02"), 1e4), known, 1e4)
	if e := (*Error)(nil); errors.As(err, &e) {
		return fmt.Sprintf("%d:%d %s", e.Token.Line, e.Token.Col, e.Text)
	}
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = t.Text
	}
	return strings.Join(words, " ")
}

func TestExpand(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"#define N 3\na[N] + NN", "a [ 3 ] + NN"},
		{"#define F(a, b) (a*b)\nF(1, (2, 3)) F", "( 1 * ( 2 , 3 ) ) F"},
		{"#define F(a) G(a) + F(a)\n#define G(a) a a\nF(F(1))", "1 1 + F ( 1 ) 1 1 + F ( 1 ) + F ( 1 1 + F ( 1 ) )"},
		{"#define A B\n#define B A\nA B", "A B"},
		{"#define F() 1\nF() F ()", "1 1"},
		{"#define N 1\nN\n#undef N\nN\n#define N 2\nN", "1 N 2"},
		{"#define LONG a \\\n b\nLONG", "a b"},
		{"#if DIM > 5 && !defined(B)\n1\n#elif 1\n2\n#else\n3\n#endif", "1"},
		{"#ifdef B\n1\n#elif DIM % 3 == 2 || -1 > 0\n2\n#else\n3\n#endif", "3"},
		{"#ifndef B\n#define B\n#endif\n#ifdef B\n#if 0\n#error no\n#endif\n4\n#endif", "4"},
		{"#ifdef __X\n#pragma OPENCL EXTENSION __X : enable\n#else\n#error no\n#endif\n5", "5"},
		{"#ifdef __X\n1\n#endif", "1:2 asks what is known only where it is compiled"},
		{"#define F(a) #a\nF(1)", "1:14 uses #"},
		{"#define F(a) a\nF(1, 2)", "2:1 gives F 2 arguments"},
		{"#define F(a) a\nF(1", "2:1 has F( without )"},
		{"#if 1 +\n1\n#endif", "1:2 has an #if that is not read"},
		{"#if 1/0\n#endif", "1:2 has an #if that divides by 0"},
		{"#if 1\n1", "1:2 has an #if without its #endif"},
		{"#endif", "1:2 has an #endif without its #if"},
		{"#error no", "1:2 uses #error"},
		{"a\\\nb", "2:1 has a word over two lines"},
		{"#define A B B\n#define B C C\n#define C D D\n#define D E E\n#define E F F\n#define F G G G G G G G G\n" +
			strings.Repeat("A ", 100), "5:11 has macros that stand for too much"},
	} {
		if got := expanded(c.text); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}
