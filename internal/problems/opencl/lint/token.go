package lint

import "github.com/clopt/clopt/internal/clc/token"

// Token is a word of a text with its place.
type Token = token.Token

// Kind is the kind of a Token.
type Kind = token.Kind

// The kinds of tokens.
const (
	Word   = token.Word
	Number = token.Number
	Quote  = token.Quote
	Sign   = token.Sign
	Macro  = token.Macro
	End    = token.End
)

// Tokens returns the tokens of the code of a file that have a meaning for Check, see token.Scan and token.Texts.
func Tokens(file string, line int, code string, most int) []Token {
	return token.Texts(token.Scan(file, line, code, most))
}
