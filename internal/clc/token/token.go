// Package token cuts OpenCL C into tokens with their places, and expands macros as the preprocessor does.
package token

import "strings"

// Kind is the kind of a Token.
type Kind uint8

// The kinds of tokens.
const (
	Word   Kind = iota + 1 // an identifier or a keyword
	Number                 // a literal
	Quote                  // a literal in quotes
	Sign                   // an operator or other punctuation
	Macro                  // the name of a macro, whose text follows up to End
	End                    // the end of the text of a macro
)

// Token is a word of a text with its place.
type Token struct {
	Kind      Kind
	Text      string
	File      string
	Line, Col int  // from 1, in bytes
	Blank     bool // something that is no token precedes it
	First     bool // of its line; the parts of a spliced line are one
	Joined    bool // nothing but the end of a spliced line stands between it and the token before
	Parens    bool // of a Macro: it takes arguments
}

// Marks of a scanned text: a character of a line that is spliced with the next one, and a newline inside of such a
// line, or of a comment.
const (
	splice    = 1
	spliceEnd = 2
)

// signs are the operators of more than one character, longer ones first.
var signs = []string{"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=",
	"*=", "/=", "%=", "&=", "|=", "^=", "##"}

// lexer cuts a text into tokens.
type lexer struct {
	code      string
	at        int
	file      string
	line, col int
	blank     bool
	first     bool
	joined    bool
	tokens    []Token
}

// Scan returns the tokens of the code of a file, which begins at a line of it, those of the preprocessor among them.
// Comments and what stands in quotes must be blank, and spliced lines marked (\x01 and \x02). What follows the first
// most tokens is left out.
func Scan(file string, line int, code string, most int) []Token {
	l := &lexer{code: code, file: file, line: line, col: 1, first: true}
	for l.at < len(l.code) && len(l.tokens) < most {
		switch c := l.code[l.at]; {
		case c == '\n':
			l.next()
			l.first = true
		case blank(c):
			l.joined = (c == splice || c == spliceEnd) && (l.joined || !l.blank)
			l.next()
			l.blank = true
		default:
			l.token()
		}
	}
	return l.tokens
}

// Texts returns tokens without the lines of the preprocessor, of which it keeps the texts of macros, each between a
// Macro and an End. What stands after #if 0 is left out.
func Texts(tokens []Token) (kept []Token) {
	off := 0 // nested #if inside of one that is never true
	for at := 0; at < len(tokens); {
		end := lineEnd(tokens, at)
		line := tokens[at:end]
		at = end
		switch {
		case line[0].Text != "#" && off == 0:
			kept = append(kept, line...)
		case line[0].Text != "#":
		case len(line) < 2:
		case off > 0 && strings.HasPrefix(line[1].Text, "if"):
			off++
		case off > 0 && line[1].Text == "endif", off == 1 && (line[1].Text == "else" || line[1].Text == "elif"):
			off--
		case off == 0 && line[1].Text == "if" && len(line) == 3 && line[2].Text == "0":
			off = 1
		case off == 0 && line[1].Text == "define" && len(line) > 2 && line[2].Kind == Word:
			kept = append(kept, macroText(line[2:])...)
		}
	}
	return kept
}

// lineEnd returns the end of the line that a token begins.
func lineEnd(tokens []Token, at int) int {
	for at++; at < len(tokens) && !tokens[at].First; at++ {
	}
	return at
}

// macroText returns a Macro, the tokens of its text and an End.
func macroText(line []Token) []Token {
	name, last := line[0], line[len(line)-1]
	name.Kind = Macro
	text := line[1:]
	name.Parens = len(text) > 0 && text[0].Text == "(" && !text[0].Blank
	if name.Parens {
		for len(text) > 0 && text[0].Text != ")" {
			text = text[1:]
		}
		text = text[min(1, len(text)):]
	}
	end := Token{Kind: End, File: last.File, Line: last.Line, Col: last.Col + len(last.Text)}
	return append(append([]Token{name}, text...), end)
}

func blank(c byte) bool { return strings.IndexByte(" \t\v\f\x01\x02", c) >= 0 }

// next goes on by one character.
func (l *lexer) next() {
	if c := l.code[l.at]; c == '\n' || c == spliceEnd {
		l.line, l.col = l.line+1, 0
	}
	l.at++
	l.col++
}

func letter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}
func digit(c byte) bool { return '0' <= c && c <= '9' }

// token adds the token that begins here.
func (l *lexer) token() {
	begin, t := l.at, Token{Kind: Sign, File: l.file, Line: l.line, Col: l.col, Blank: l.blank, First: l.first,
		Joined: l.joined}
	c := l.code[l.at]
	switch {
	case letter(c):
		t.Kind = Word
		for l.at < len(l.code) && (letter(l.code[l.at]) || digit(l.code[l.at])) {
			l.next()
		}
	case digit(c) || c == '.' && l.at+1 < len(l.code) && digit(l.code[l.at+1]):
		t.Kind = Number
		l.number()
	case c == '"' || c == '\'':
		t.Kind = Quote
		for l.next(); l.at < len(l.code) && l.code[l.at] != c && l.code[l.at] != '\n'; {
			l.next()
		}
		if l.at < len(l.code) && l.code[l.at] == c {
			l.next()
		}
	default:
		size := 1
		for _, s := range signs {
			if strings.HasPrefix(l.code[l.at:], s) {
				size = len(s)
				break
			}
		}
		for range size {
			l.next()
		}
	}
	t.Text = l.code[begin:l.at]
	l.tokens = append(l.tokens, t)
	l.blank, l.first, l.joined = false, false, false
}

// number goes on after a literal.
func (l *lexer) number() {
	hex := l.code[l.at] == '0' && l.at+1 < len(l.code) && l.code[l.at+1]|0x20 == 'x'
	for l.at < len(l.code) {
		c := l.code[l.at]
		signed := (c == '+' || c == '-') && (l.code[l.at-1]|0x20 == 'e' && !hex || l.code[l.at-1]|0x20 == 'p' && hex)
		if !letter(c) && !digit(c) && c != '.' && !signed {
			return
		}
		l.next()
	}
}
