package lint

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
	most      int // tokens
	file      string
	line, col int
	blank     bool
	tokens    []Token
	off       int // nested #if inside of one that is never true
}

// Tokens returns the tokens of the code of a file, which begins at a line of it. Comments and what stands in quotes
// must be blank, and spliced lines marked (\x01 and \x02). Of the lines of the preprocessor it keeps the texts of
// macros. What stands after #if 0 is left out, and what follows the first most tokens.
func Tokens(file string, line int, code string, most int) []Token {
	l := &lexer{code: code, file: file, line: line, col: 1, most: most}
	for first := true; l.at < len(l.code) && len(l.tokens) < most; {
		switch c := l.code[l.at]; {
		case c == '\n':
			l.next()
			first = true
		case blank(c):
			l.next()
			l.blank = true
		case first && c == '#':
			l.directive()
			first = true
		case l.off > 0:
			l.skipLine()
		default:
			l.token()
			first = false
		}
	}
	return l.tokens
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

func (l *lexer) skipLine() {
	for l.at < len(l.code) && l.code[l.at] != '\n' {
		l.next()
	}
}

// skipBlanks goes on to the next character of the line that is not blank.
func (l *lexer) skipBlanks() {
	for l.at < len(l.code) && blank(l.code[l.at]) {
		l.next()
		l.blank = true
	}
}

func letter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}
func digit(c byte) bool { return '0' <= c && c <= '9' }

// token adds the token that begins here.
func (l *lexer) token() {
	begin, t := l.at, Token{Kind: Sign, File: l.file, Line: l.line, Col: l.col, Blank: l.blank}
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
	l.tokens, l.blank = append(l.tokens, t), false
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

// directive reads a line of the preprocessor.
func (l *lexer) directive() {
	l.next()
	l.skipBlanks()
	begin := l.at
	for l.at < len(l.code) && letter(l.code[l.at]) {
		l.next()
	}
	word := l.code[begin:l.at]
	l.skipBlanks()
	switch {
	case l.off > 0 && strings.HasPrefix(word, "if"):
		l.off++
	case l.off > 0 && word == "endif", l.off == 1 && (word == "else" || word == "elif"):
		l.off--
	case l.off == 0 && word == "if" && strings.TrimRight(l.rest(), " \t\v\f") == "0":
		l.off = 1
	case l.off == 0 && word == "define" && l.at < len(l.code) && letter(l.code[l.at]):
		l.define()
		return
	}
	l.skipLine()
}

// rest returns the rest of the line.
func (l *lexer) rest() string {
	line, _, _ := strings.Cut(l.code[l.at:min(l.at+8, len(l.code))], "\n")
	return line
}

// define adds a macro and the tokens of its text.
func (l *lexer) define() {
	l.token()
	name := &l.tokens[len(l.tokens)-1]
	name.Kind = Macro
	name.Parens = l.at < len(l.code) && l.code[l.at] == '('
	if name.Parens {
		for l.at < len(l.code) && l.code[l.at] != ')' && l.code[l.at] != '\n' {
			l.next()
		}
		if l.at < len(l.code) && l.code[l.at] == ')' {
			l.next()
		}
	}
	for l.skipBlanks(); l.at < len(l.code) && l.code[l.at] != '\n' && len(l.tokens) < l.most; l.skipBlanks() {
		l.token()
	}
	l.tokens = append(l.tokens, Token{Kind: End, File: l.file, Line: l.line, Col: l.col})
}
