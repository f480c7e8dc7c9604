// Package opencl has objectives that a person writes in OpenCL C.
package opencl

import (
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/token"
	"github.com/clopt/clopt/internal/problems/curvature"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/problems/opencl/lint"
	"github.com/clopt/clopt/problems"
)

// maxAccumulators bounds //@ sums: every work-item holds that many.
const maxAccumulators = 16

// Objective is a user's objective in one OpenCL C text, most often a file: the function
//
//	static void component(uint k, point x, data d, real *acc)
//
// or, for a sum of squares (directive squares), the function
//
//	static void residuals(uint k, point x, data d, real *r)
//
// and directives, each on a line of its own, in any order:
//
//	//@ name ackley            default: the file's name; in memory none
//	//@ bounds LO HI           the interval of every variable; required here, while a spec may have
//	                           the keys lo and hi, or bounds, instead
//	//@ bounds FILE            a table with a row "LO HI" for each variable; equal numbers fix it
//	//@ n N                    the number of variables unless one is asked for; an integer or an
//	                           expression in rows(A), cols(A) and len(A) of tables A
//	//@ sums K                 accumulators, 1 to 16; default 1
//	//@ inner K                component k is a function of K sums of its own, 1 to 16, see below
//	//@ squares K             f is the sum of the squares of the K numbers, 1 to 16, that residuals
//	                           writes for each k; there is no function component then, nor the
//	                           directives sums and f
//	//@ components M           an integer or an expression in n and the sizes of tables, rounded
//	                           down; default n
//	//@ reads WHAT             the variables that component k reads through at(x, i):
//	                           k, k+1, k..k+W, S*k..S*k+W (also 2k..2k+1), several of these
//	                           separated by commas, whole (any; the default; runs on one
//	                           device), or lists FILE
//	//@ grid PLANES ROWS COLUMNS  variables and components are cells; a plane may be left out. Then reads
//	                           is a list of self, right, left, down, up, back and front
//	//@ f EXPR                 f from the accumulators s0, s1, …, and n, in float64; default s0
//	//@ best F                 the smallest value known
//	//@ target F               a value that is good enough
//	//@ label sJ TEXT          what sum J is, with its unit
//	//@ data NAME FILE         a constant array, d.NAME[i] in the text, rows one after the other: a text,
//	                           .npy or MatrixMarket. Integers of .npy are uint, and all else real, unless
//	                           the word real or uint follows. d.NAME_len, d.NAME_rows and d.NAME_cols are
//	                           its sizes. A sparse matrix is d.NAME_val, d.NAME_col and d.NAME_row_start
//
// Two blanks, a tab or // set a comment off from a directive's value. lists
// FILE is a text with one line of variables (from 0) for each component; the
// device text finds them as d.reads[j], d.reads_start[k] <= j < d.reads_start[k+1].
//
// With inner sums the text has no function component, but
//
//	static void component_inner(uint k, point x, data d, real *inner)
//	static real component_value(uint k, const real *inner, data d)
//
// The first adds the sums of component k to inner, and the second returns the component from them. It never falls where
// one of them rises. There is one accumulator.
//
// #include "FILE" is followed inside the objective's folder, or the file system that Parse was given. An Objective
// has no host reference.
type Objective struct {
	path   string
	memory bool // the text is in no file
	directives
	contents
	domain problems.Domain
}

// directives is what the directives say.
type directives struct {
	name   string
	n      int
	lo, hi []float64 // of all variables, or of each; nil: not given
	sums   int
	labels []string // of the sums; nil: none
	inner  int      // inner sums of a component
	// squares is the number of squares of a component; 0: the text defines the components itself.
	squares   int
	tiling    problems.Tiling
	structure problems.Structure // of reads
	inferred  bool               // it is that of the text
	notRead   string             // why the text does not say it; "": it does, or it is declared
	grid      [3]int             // planes, rows, columns; 0: no grid
	f         expr
	fLine     int             // of the directive; 0: there is none
	shape     curvature.Shape // of f
	best      *float64
	target    *float64
}

// contents is what was read from files.
type contents struct {
	sources  []problems.Source
	tokens   []token.Token // of the sources
	trees    [2]understood // in fp64 and in fp32
	hosts    [2]onHost     // likewise
	warnings []string      // of lint
	notes    []string      // of tables
	class    class
	found    [2]foundSquares // in fp64 and in fp32
	fixed    string          // where the text needs the number of variables as a constant; "": nowhere
	tables   []problems.Table
	numbers  []problems.Number
	sizes    map[string]float64 // of tables: rows(A), cols(A), len(A)
	hash     string
	files    []string // the main one first
}

var _ problems.Shaped = (*Objective)(nil)

var (
	componentFunc = regexp.MustCompile(`\bcomponent\s*\(`)
	innerFunc     = regexp.MustCompile(`\bcomponent_inner\s*\(`)
	valueFunc     = regexp.MustCompile(`\bcomponent_value\s*\(`)
	residualsFunc = regexp.MustCompile(`\bresiduals\s*\(`)
)

// ParseFile reads the objective in the file at path for dim variables; 0 means the number that the directive n gives.
// It reads files in the folder of path and below it only, runs nothing, and takes texts of up to 4 MiB. A fault in a
// file is an *input.Error that names file, line and column.
func ParseFile(path string, dim int) (*Objective, error) {
	o, err := parseOpen(path, dim)
	if err != nil {
		return nil, err
	}
	return o.bounded(path)
}

// bounded returns o, or an *input.Error where it has no bounds.
func (o *Objective) bounded(path string) (*Objective, error) {
	if o.lo == nil {
		return nil, input.Errorf(path, 0, 0, "no bounds. Add a line %s", directiveUse["bounds"])
	}
	return o, nil
}

// parseOpen is ParseFile of a file that may lack the directive bounds. Those of the Domain are NaN then.
func parseOpen(path string, dim int) (*Objective, error) {
	f, e := openMain(path)
	if e != nil {
		return nil, e
	}
	defer f.Close()
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, input.FileError(path, err)
	}
	defer root.Close()
	l := newLoader(path, filepath.Base(path))
	l.files = root.FS()
	return l.load(f, dim)
}

// Parse reads an objective from r as ParseFile does from a file. The files that the text includes or takes data from
// are those of files, which may be nil for a text that names none; r and files are not used after the call. The Spec
// is opencl:sha256=HASH,n=N with the ContentHash. It identifies the text, but the text cannot be found by it. An
// *input.Error calls the text "text".
func Parse(r io.Reader, files fs.FS, dim int) (*Objective, error) {
	l := newLoader(inMemory, "")
	l.files = files
	o, err := l.load(r, dim)
	if err != nil {
		return nil, err
	}
	return o.bounded(inMemory)
}

// load reads the main text from r and all that it names.
func (l *objectiveLoader) load(r io.Reader, dim int) (*Objective, error) {
	raw, e := l.readText(r, l.main)
	if e != nil {
		return nil, e
	}
	o, e := l.parse(raw, dim)
	if e != nil {
		return nil, e
	}
	return o, nil
}

// parse reads the objective of a main text.
func (l *objectiveLoader) parse(raw []byte, dim int) (*Objective, *input.Error) {
	o, all, err := l.declare(raw, dim)
	if err != nil {
		return nil, err
	}
	bounds, file, err := l.boundsTable(all)
	if err != nil {
		return nil, err
	}
	rows := 0
	if bounds != nil {
		rows = bounds.Rows
	}
	if err := o.setN(l, all, rows); err != nil {
		return nil, err
	}
	if err := o.setSized(all); err != nil {
		return nil, err
	}
	if bounds != nil {
		o.lo, o.hi, err = problems.BoundsOf(bounds, o.n, file)
		if err != nil {
			return nil, err
		}
	}
	if err := o.readNamedLists(l, all); err != nil {
		return nil, err
	}
	if err := o.inferReads(all); err != nil {
		return nil, err
	}
	if o.tiling.M > 1 && find(all, "components") == nil && find(all, "grid") == nil {
		o.warn(sameForAll(l.tokens))
	}
	o.warn(o.unreadRows(all, l.tokens))
	for _, name := range l.names {
		o.files = append(o.files, l.shown(name))
	}
	o.notes = l.notes
	o.hash, o.domain = l.contentHash(), problems.Cube(o.n, math.NaN(), math.NaN())
	if o.lo != nil {
		o.domain.Lo, o.domain.Hi = o.lo, o.hi
	}
	return o, nil
}

// warn adds warnings.
func (o *Objective) warn(found ...[]lint.Warning) {
	for _, w := range slices.Concat(found...) {
		o.warnings = append(o.warnings, w.String())
	}
}

// declare reads the text and the directives, as far as they do not depend on the number of variables.
func (l *objectiveLoader) declare(raw []byte, dim int) (*Objective, []directive, *input.Error) {
	text, err := cleanText(l.path, raw)
	if err != nil {
		return nil, nil, err
	}
	s, err := scan(l.path, text)
	if err != nil {
		return nil, nil, err
	}
	all, err := parseDirectives(s)
	if err != nil {
		return nil, nil, err
	}
	o := &Objective{path: l.path, memory: l.main == "",
		directives: directives{name: strings.TrimSuffix(l.main, filepath.Ext(l.main)), n: dim, sums: 1},
		contents:   contents{sizes: map[string]float64{}}}
	if err := o.setPlain(all); err != nil {
		return nil, nil, err
	}
	if err := l.expand(s, l.main); err != nil {
		return nil, nil, err
	}
	o.sources = l.sources
	l.tokens = token.Texts(l.raw)
	o.tokens = l.raw
	o.fixed = fixed(l.raw)
	found := lint.Check(l.tokens, lint.Sizes{Sums: o.sums, Inner: o.inner, Squares: o.squares})
	o.warn(found, hiddenDirectives(s), o.unusedSums(all), unusedTables(all, l.tokens), unknownTables(all, l.tokens))
	for _, check := range []func() *input.Error{
		func() *input.Error { return o.checkFunctions(l) }, func() *input.Error { return checkSignatures(l.tokens) },
		func() *input.Error { return checkAlone(l.tokens) },
	} {
		if err := check(); err != nil {
			return nil, nil, err
		}
	}
	if err := o.readTables(l, all); err != nil {
		return nil, nil, err
	}
	return o, all, nil
}

// Spec returns "PATH:n=N", or "opencl:sha256=HASH,n=N" for a text in memory.
func (o *Objective) Spec() problems.Spec {
	s := problems.Spec{Family: problems.OpenCL, Name: o.path, File: true}
	if o.memory {
		s = problems.Spec{Family: problems.OpenCL}.With(hashKey, o.hash)
	}
	return s.With("n", strconv.Itoa(o.n))
}

// Info returns the directives name, best, target and label, the paths of all files, and the warnings of package lint.
func (o *Objective) Info() problems.Info {
	i := problems.Info{Title: o.name, Best: o.best, Target: o.target, Sums: o.labels,
		Warnings: slices.Clone(o.warnings), Notes: slices.Clone(o.notes), Inferred: o.inferred, NotInferred: o.notRead,
		TextReads: o.textReads}
	if !o.memory {
		i.Files = slices.Clone(o.files)
	}
	return i
}

// Domain returns the directive bounds.
func (o *Objective) Domain() problems.Domain { return o.domain }

// Linear follows the directive f.
func (o *Objective) Linear() []float64 { return o.f.linear.coefficients() }

// Shape follows the directive f.
func (o *Objective) Shape() curvature.Shape { return o.shape }

// Tiling follows the directives reads and components.
func (o *Objective) Tiling() problems.Tiling { return o.tiling }

// Accumulators returns the directive sums.
func (o *Objective) Accumulators() int { return o.sums }

// Objective returns the value of the directive f.
func (o *Objective) Objective(acc []float64) float64 { return o.f.value(acc) }

// Lost returns the first part of the directive f whose value at accumulators float64 does not hold, or "".
func (o *Objective) Lost(acc []float64) string {
	return realNumber.ReplaceAllStringFunc(o.f.lost(acc), func(text string) string {
		v, _ := strconv.ParseFloat(text[len("R("):len(text)-1], 64)
		return strconv.FormatFloat(v, 'g', -1, 64)
	})
}

// realNumber matches a number as problems.Literal writes it.
var realNumber = regexp.MustCompile(`R\([-+.0-9e]+\)`)

// Tolerance returns 1e-9 in fp64 and 1e-3 in fp32, since nothing is known of the text.
func (o *Objective) Tolerance(p problems.Precision) float64 {
	if p == problems.FP32 {
		return 1e-3
	}
	return 1e-9
}

// ContentHash returns the SHA-256, in hexadecimal, of the text and of all files that it includes or reads. Objectives
// of equal hashes are the same.
func (o *Objective) ContentHash() string { return o.hash }

// Structure follows the directives reads, inner and squares. Reads and squares that are not declared are those of the
// text.
func (o *Objective) Structure() problems.Structure {
	s := o.structure.WithInner(o.inner)
	if o.squares > 0 {
		return s.Squared(o.squares)
	}
	if found := o.Squares(problems.FP64); found.Residuals != nil {
		return s.Squared(found.Counts...)
	}
	return s
}

// Text returns the user's text, with one component an item. The form problems.Partial adds the directive f in OpenCL C,
// and the directive squares adds the components. In fp32, literals such as 0.1 are single.
func (o *Objective) Text(p problems.Precision, form problems.Form) (problems.Text, error) {
	if err := problems.CheckText(p, form); err != nil {
		return problems.Text{}, err
	}
	if form == problems.Residuals && o.Structure().Squares(0) == 0 {
		return problems.Text{}, problems.ErrNoForm
	}
	t := problems.Text{Sources: slices.Clone(o.sources), Tables: slices.Clone(o.tables),
		Numbers: o.numbers, Fixed: o.fixed}
	for _, word := range []string{"asm", "__asm", "__asm__"} { // an assembler could read files
		t.Defines = append(t.Defines, problems.Define{Name: word, Value: "no_assembler"})
	}
	if o.grid[0] > 0 {
		for a, name := range []string{"GRID_Z", "GRID_Y", "GRID_X"} {
			t.Defines = append(t.Defines, problems.Define{Name: name, Value: fmt.Sprintf("%du", o.grid[a])})
		}
	}
	if p == problems.FP32 {
		t.Options = "-cl-single-precision-constant"
	}
	if o.squares > 0 {
		t.Defines = append(t.Defines, problems.Define{Name: "RESIDUALS", Value: strconv.Itoa(o.squares)})
		text := squaresText
		if form == problems.Residuals {
			text += residualsText
		}
		t.Sources = append(t.Sources, problems.Source{File: o.path + " (directive squares)",
			Text: strings.ReplaceAll(text, "SQUARES", strconv.Itoa(o.squares))})
	}
	if found := o.Squares(p); form == problems.Residuals && found.Residuals != nil {
		w := clc.Writer{Global: true}
		for _, name := range o.macros() {
			w.Line("#undef %s", name)
		}
		w.Line("%s", clc.Helpers)
		if o.squares == 0 {
			w.Undefine(found.Residuals)
			w.Tree(found.Residuals)
		}
		t.Sources = append(t.Sources, problems.Source{File: o.path + " (squares)", Text: w.String()})
	}
	if form == problems.Partial {
		var b strings.Builder
		b.WriteString("static real objective(const sum *acc, data d)\n{\n")
		for j := range o.sums {
			fmt.Fprintf(&b, "    const real s%d = sum_real(acc[%d]);\n", j, j)
		}
		fmt.Fprintf(&b, "    return %s;\n}\n", o.f.text)
		t.Sources = append(t.Sources, problems.Source{File: o.path + " (directive f)", Text: b.String()})
	}
	return t, nil
}

// squaresText is the function component of an objective with the directive squares, and residualsText the function of
// the form problems.Residuals.
const (
	squaresText = `static void component(uint k, point x, data d, real *acc)
{
    real r[SQUARES] = {0};
    residuals(k, x, d, r);
    for (int j = 0; j < SQUARES; j++) acc[0] += r[j] * r[j];
}
`
	residualsText = `static void component_residuals(uint k, point x, data d, global real *r)
{
    real own[SQUARES] = {0};
    residuals(k, x, d, own);
    for (int j = 0; j < SQUARES; j++) r[j] = own[j];
}
`
)
