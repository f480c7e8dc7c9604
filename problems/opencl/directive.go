package opencl

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
)

// directive is one line "//@ word value".
type directive struct {
	file      string
	line, col int // of the "//"
	word      string
	value     string // without blanks around it
	valueCol  int
}

var directiveWords = []string{"name", "bounds", "sums", "reads", "components", "f", "best", "data", "n", "violation",
	"domain", "grid", "inner", "squares", "target", "label"}

// notYet are words that are reserved for later.
var notYet = []string{"violation", "domain"}

// knownWords returns the words that a file may have, for a message.
func knownWords() string {
	known := slices.DeleteFunc(slices.Clone(directiveWords), func(w string) bool { return slices.Contains(notYet, w) })
	return strings.Join(known, ", ")
}

var directiveUse = map[string]string{
	"name":       "//@ name ackley, a name without blanks",
	"bounds":     "//@ bounds LO HI, or //@ bounds FILE",
	"sums":       "//@ sums 2",
	"squares":    "//@ squares 2",
	"reads":      "//@ reads k..k+1; a list k, k+1, k+100; 2*k..2*k+1; whole; or lists FILE",
	"components": "//@ components n-1",
	"f":          "//@ f sqrt(s0/n)",
	"best":       "//@ best 0",
	"target":     "//@ target 1e-8",
	"label":      "//@ label s0 energy, eV",
	"data":       "//@ data NAME FILE, with real or uint after it if the file does not say it; FILE has no blanks",
	"n":          "//@ n 1000",
	"grid":       "//@ grid ROWS COLUMNS, or //@ grid PLANES ROWS COLUMNS; or //@ grid rows(A) cols(A)",
	"inner":      "//@ inner 2",
}

// parseDirectives reads the directives of s. Each word may occur once, data and label any number of
// times.
func parseDirectives(s *scanned) ([]directive, *input.Error) {
	var all []directive
	seen := map[string]int{}
	for _, c := range s.comments {
		word := strings.TrimLeft(c.text, " \t\v\f")
		col := c.col + 3 + len(c.text) - len(word)
		d := directive{file: s.file, line: c.line, col: c.col}
		end := strings.IndexAny(word, " \t\v\f\n")
		if end < 0 {
			end = len(word)
		}
		d.word = word[:end]
		d.value = strings.TrimLeft(word[end:], " \t\v\f")
		d.valueCol = col + len(word) - len(d.value)
		d.value = strings.TrimRight(d.value, " \t\v\f")
		switch {
		case !c.own:
			return nil, input.Errorf(s.file, c.line, c.col, "directive //@ %s after other text. Put it on a line of "+
				"its own.", d.word)
		case strings.Contains(c.text, "\n"):
			return nil, input.Errorf(s.file, c.line, c.col, "directive //@ %s over several lines. Remove the \\ at "+
				"the end.", d.word)
		case d.word == "":
			return nil, input.Errorf(s.file, c.line, c.col, "directive without a word. Known are %s.", knownWords())
		case !slices.Contains(directiveWords, d.word):
			return nil, input.Errorf(s.file, c.line, col, "%s", unknownWord(d.word))
		case slices.Contains(notYet, d.word):
			return nil, input.Errorf(s.file, c.line, col,
				"directive //@ %s is not yet supported. "+
					"Remove it: variables are real and have no constraints except the bounds.", d.word)
		case seen[d.word] > 0 && d.word != "data" && d.word != "label":
			return nil, input.Errorf(s.file, c.line, col, "directive //@ %s again, first in line %d. Remove one.",
				d.word, seen[d.word])
		case d.value == "":
			return nil, input.Errorf(s.file, c.line, col, "directive //@ %s without a value. Write %s", d.word,
				directiveUse[d.word])
		}
		if seen[d.word] == 0 {
			seen[d.word] = c.line
		}
		all = append(all, d)
	}
	return all, nil
}

// fail returns an error at offset i of the value.
func (d directive) fail(i int, format string, args ...any) *input.Error {
	return input.Errorf(d.file, d.line, d.valueCol+i, format, args...)
}

// end returns an error if anything but a comment follows offset i of the value. Two blanks, a tab or // begin a
// comment.
func (d directive) end(i int) *input.Error {
	rest := d.value[i:]
	word := strings.TrimLeft(rest, " \t\v\f")
	if word == "" || strings.HasPrefix(word, "//") || len(rest)-len(word) >= 2 || strings.HasPrefix(rest, "\t") {
		return nil
	}
	return d.fail(len(d.value)-len(word), "unexpected %.40q. Write %s (a comment is set off by two blanks or //).",
		word, directiveUse[d.word])
}

// first returns the first word of the value.
func (d directive) first() string {
	if i := strings.IndexAny(d.value, " \t\v\f"); i >= 0 {
		return d.value[:i]
	}
	return d.value
}

// fields returns the first count words of the value and their offsets.
func (d directive) fields(count int) (words []string, at []int, err *input.Error) {
	i := 0
	for range count {
		for i < len(d.value) && strings.IndexByte(" \t\v\f", d.value[i]) >= 0 {
			i++
		}
		start := i
		for i < len(d.value) && strings.IndexByte(" \t\v\f", d.value[i]) < 0 {
			i++
		}
		if start == i {
			return nil, nil, d.fail(i, "%d of %d values. Write %s", len(words), count, directiveUse[d.word])
		}
		words, at = append(words, d.value[start:i]), append(at, start)
	}
	return words, at, d.end(i)
}

// number reads a finite decimal number at offset at of the value.
func (d directive) number(word string, at int) (float64, *input.Error) {
	v, err := input.ParseDecimal(word)
	if err != nil {
		if strings.Contains(word, ",") {
			return 0, d.fail(at, "%v. Write a point in place of the comma: %s", err, strings.ReplaceAll(word, ",", "."))
		}
		instead := ""
		if d.word == "bounds" {
			instead = input.Instead(word)
		}
		return 0, d.fail(at, "%v. Write %s%s", err, directiveUse[d.word], instead)
	}
	return v, nil
}

// rest returns the value from offset i on, without a comment after it.
func (d directive) rest(i int) string {
	text := strings.TrimLeft(d.value[i:], " \t\v\f")
	for _, comment := range []string{"  ", "\t", "//"} {
		text, _, _ = strings.Cut(text, comment)
	}
	return strings.TrimRight(text, " ")
}

// count reads the value as one integer from 1 to most; 1e6 is an integer.
func (d directive) count(most int) (int, *input.Error) {
	words, at, err := d.fields(1)
	if err != nil {
		return 0, err
	}
	v, err := d.number(words[0], at[0])
	if err != nil {
		return 0, err
	}
	if v != math.Trunc(v) || v < 1 || v > float64(most) {
		return 0, d.fail(at[0], "%s is %s. Use an integer from 1 to %d.", d.word, words[0], most)
	}
	return int(v), nil
}

// maxWindow is the largest stride and reach of a window. It bounds the variables that a tile reads.
const maxWindow = 1 << 16

// maxOffsets is the largest number of variables of a component that are not neighbours.
const maxOffsets = 64

var (
	windowEnd = regexp.MustCompile(`^(?:(\d+)[ \t]*\*?[ \t]*)?k\b(?:[ \t]*([+-])[ \t]*(\d+)\b)?`)
	windowDot = regexp.MustCompile(`^[ \t]*\.\.[ \t]*`)
	windowAnd = regexp.MustCompile(`^[ \t]?,[ \t]*`)
)

// readsOffsets reads a list of windows, such as "k", "k, k+1, k+100", "k..k+3" or "2*k..2*k+1, 2k+7". Component k reads
// the variables stride*k + o for each offset o; they are in increasing order.
func (d directive) readsOffsets() (stride int, offsets []int, err *input.Error) {
	for i := 0; ; {
		from, again, j, err := d.windowEnd(i)
		if err != nil {
			return 0, nil, err
		}
		to, end := from, j
		if m := windowDot.FindString(d.value[j:]); m != "" {
			second := j + len(m)
			same := 0
			if to, same, j, err = d.windowEnd(second); err != nil {
				return 0, nil, err
			}
			if same != again || to < from {
				return 0, nil, d.fail(second, "window from %q to %q. Write %s", d.value[i:end],
					d.value[second:j], directiveUse["reads"])
			}
		}
		if stride > 0 && again != stride {
			return 0, nil, d.fail(i, "windows that move by %d and by %d with k. Use //@ reads lists FILE.", stride,
				again)
		}
		stride = again
		for o := from; o <= to; o++ {
			offsets = append(offsets, o)
		}
		m := windowAnd.FindString(d.value[j:])
		if m == "" {
			slices.Sort(offsets)
			offsets = slices.Compact(offsets)
			if n := len(offsets); n > maxOffsets && offsets[n-1]-offsets[0] >= n {
				return 0, nil, d.fail(0, "%d variables that are not neighbours. Use at most %d, or "+
					"//@ reads lists FILE.", n, maxOffsets)
			}
			return stride, offsets, d.end(j)
		}
		i = j + len(m)
	}
}

// without returns an error if one of the directives has one of the words.
func (d directive) without(all []directive, words ...string) *input.Error {
	for _, w := range words {
		if find(all, w) != nil {
			return d.fail(0, "//@ %s and //@ %s exclude each other. Leave one of them out.", d.word, w)
		}
	}
	return nil
}

// gridSizes finds two or three sizes, which are numbers or expressions such as rows(A).
var gridSizes = func() *regexp.Regexp {
	const size, blanks = `(\d\S*|(?:rows|cols|len)\(\S*)`, `[ \t]+`
	return regexp.MustCompile(`^(?:` + size + blanks + `)?` + size + blanks + size)
}()

// grid reads the numbers of planes, rows and columns. Two numbers have one plane. consts are the sizes of tables.
func (d directive) grid(consts map[string]float64) (grid [3]int, err *input.Error) {
	at := gridSizes.FindStringSubmatchIndex(d.value)
	if at == nil {
		return grid, d.fail(0, "%.40q are not two or three sizes. Write %s", d.value, directiveUse["grid"])
	}
	cells := 1
	for a := range grid {
		grid[a] = 1
		if from, to := at[2*a+2], at[2*a+3]; from >= 0 {
			e, err := compileExpr(d.value[from:to], nil, consts)
			if err != nil {
				return grid, d.fail(from+err.Col-1, "%s", err.Msg)
			}
			v := e.value(nil)
			if v != math.Trunc(v) || !(v >= 1 && v <= float64(problems.MaxDim/cells)) {
				return grid, d.fail(0, "a grid of %s. Use 1 to %d cells, and integers.", d.value[:at[1]],
					problems.MaxDim)
			}
			grid[a] = int(v)
		}
		cells *= grid[a]
	}
	return grid, d.end(at[1])
}

// gridSteps are the words of the directive reads for a grid.
var gridSteps = map[string][3]int{"self": {}, "right": {0, 0, 1}, "left": {0, 0, -1}, "down": {0, 1, 0},
	"up": {0, -1, 0}, "back": {1, 0, 0}, "front": {-1, 0, 0}}

// StepName returns the word of the directive reads for a step of a grid, or its numbers if there is none.
func StepName(step [3]int) string {
	for word, s := range gridSteps {
		if s == step {
			return word
		}
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(step), " ", "/"), "[]")
}

var gridStep = regexp.MustCompile(`^[a-z]+`)

// readsSteps reads a list of words such as "self, right, down".
func (d directive) readsSteps() (steps [][3]int, err *input.Error) {
	for i := 0; ; {
		word := gridStep.FindString(d.value[i:])
		step, ok := gridSteps[word]
		if !ok {
			return nil, d.fail(i, "%.40q is not a neighbour on a grid. Use self, right, left, down, up, back and "+
				"front, or leave //@ grid out.", d.value[i:])
		}
		steps = append(steps, step)
		i += len(word)
		m := windowAnd.FindString(d.value[i:])
		if m == "" {
			if err := d.end(i); err != nil {
				return nil, d.fail(i, "no comma before %.40q. Write a list such as //@ reads self, right, down",
					strings.TrimSpace(d.value[i:]))
			}
			return steps, nil
		}
		i += len(m)
	}
}

// windowEnd reads one "S*k+C" at offset i and returns the offset after it.
func (d directive) windowEnd(i int) (add, stride, end int, err *input.Error) {
	m := windowEnd.FindStringSubmatch(d.value[i:])
	if m == nil {
		return 0, 0, 0, d.fail(i, "%.40q is not a window. Write %s", d.value[i:], directiveUse["reads"])
	}
	stride = 1
	for _, part := range []struct {
		text string
		to   *int
	}{{m[1], &stride}, {m[3], &add}} {
		if part.text == "" {
			continue
		}
		v, bad := strconv.Atoi(part.text)
		if bad != nil || v > maxWindow {
			return 0, 0, 0, d.fail(i, "window with %s, more than %d. Use //@ reads whole.", part.text, maxWindow)
		}
		*part.to = v
	}
	if stride == 0 {
		return 0, 0, 0, d.fail(i, "window %q that does not move with k. Use //@ reads whole.", m[0])
	}
	if m[2] == "-" && add > 0 {
		return 0, 0, 0, d.fail(i, "window starts %d before k. Shift it: k..k+%d with //@ components n-%d.", add, 2*add,
			2*add)
	}
	return add, stride, i + len(m[0]), nil
}
