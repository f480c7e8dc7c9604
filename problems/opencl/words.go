package opencl

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/problems/opencl/lint"
)

// otherWords are words that people write after //@ and that are no directives, several in a key, and what to do
// instead.
var otherWords = func() map[string]string {
	all := map[string]string{}
	for words, cure := range map[string]string{
		"maximize maximise max maximum sense goal direction": "clopt minimizes. Give --maximize, or negate the " +
			"components",
		"minimize minimise minimum": "clopt minimizes anyway. Remove the line",
		"integer integers int ints discrete binary bool boolean rounded": "Integers are not yet supported: variables " +
			"are real. Round in the text, as in rint(at(x, k))",
		"constraint constraints subject equality inequality constr such where": "There are no constraints but the " +
			"bounds. Add a penalty to a component, as in R(1e3)*sq(fmax(R(0.0), at(x, k) - 1))",
		"variables vars dim dims dimension dimensions nvars size": "Write " + directiveUse["n"],
		"lower upper lo hi lb ub range box limits limit interval": "Write " + directiveUse["bounds"],
		"start x0 init initial guess":                             "Give start points with --x0 FILE",
		"param params parameter parameters const constant define": "Write #define NAME VALUE, or " +
			directiveUse["data"],
		"table file load csv import include":                   "Write " + directiveUse["data"],
		"terms term count":                                     "Write " + directiveUse["components"],
		"residuals residual leastsquares":                      "Write " + directiveUse["squares"],
		"evals time stall seed precision devices weights runs": "It is a flag: clopt run FILE.cl --WORD VALUE",
		"method solver algorithm":                              "It is a flag: clopt run FILE.cl -s METHOD",
	} {
		for _, word := range strings.Fields(words) {
			all[word] = strings.Replace(cure, "WORD", word, 1)
		}
	}
	return all
}()

// unknownWord says what to do about a word that is no directive.
func unknownWord(word string) string {
	lower := strings.ToLower(word)
	if cure, ok := otherWords[lower]; ok {
		return fmt.Sprintf("unknown directive %.40q. %s.", word, cure)
	}
	near := input.Nearest(lower, directiveWords)
	if input.Distance(lower[:min(len(lower), 64)], near) > min(3, len(word)/2) {
		return fmt.Sprintf("unknown directive %.40q. Known are %s.", word, knownWords())
	}
	return fmt.Sprintf("unknown directive %.40q. Did you mean //@ %s? Known are %s.", word, near, knownWords())
}

// hidden matches a comment that looks like a directive.
var hidden = regexp.MustCompile(`^//+[ \t]*@[ \t]*([a-z]+)[ \t]+[^ \t]`)

// hiddenDirectives returns a warning for each comment that looks like a directive.
func hiddenDirectives(s *scanned) (found []lint.Warning) {
	for _, c := range s.hidden {
		if slices.Contains(directiveWords, c.text) && !slices.Contains(notYet, c.text) {
			found = append(found, lint.Warning{File: s.file, Line: c.line, Col: c.col, Text: fmt.Sprintf("a comment "+
				"that looks like a directive has no effect. Write //@ %s, with nothing between // and @", c.text)})
		}
	}
	return found
}
