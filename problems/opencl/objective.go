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

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/input"
)

// maxAccumulators bounds //@ sums: every work-item holds that many.
const maxAccumulators = 16

// Objective is a user's objective in one OpenCL C text, most often a file: the function
//
//	static void component(uint k, point x, data d, real *acc)
//
// and directives, each on a line of its own, in any order:
//
//	//@ name ackley            default: the file's name; in memory none
//	//@ bounds LO HI           the interval of every variable; required here, while a spec may have
//	                           the keys lo and hi instead
//	//@ n N                    the number of variables unless one is asked for
//	//@ sums K                 accumulators, 1 to 16; default 1
//	//@ components M           an integer or an expression in n, rounded down; default n
//	//@ reads WHAT             the variables that component k reads through at(x, i):
//	                           k, k+1, k..k+W, S*k..S*k+W (also 2k..2k+1), several of these
//	                           separated by commas, whole (any; the default; runs on one
//	                           device), or lists FILE
//	//@ grid PLANES ROWS COLUMNS  variables and components are cells; a plane may be left out. Then reads
//	                           is a list of self, right, left, down, up, back and front
//	//@ f EXPR                 f from the accumulators s0, s1, …, and n, in float64; default s0
//	//@ best F                 the smallest value known
//	//@ data NAME FILE.npy     a constant array, d.NAME[i] in the text: f4 and f8 are real,
//	                           integers uint; rows one after the other
//
// Two blanks, a tab or // set a comment off from a directive's value. lists
// FILE is a text with one line of variables (from 0) for each component; the
// device text finds them as d.reads[j], d.reads_start[k] <= j < d.reads_start[k+1].
//
// #include "FILE" is followed inside the objective's folder, or the file system that Parse was given. An Objective
// has no host reference.
type Objective struct {
	path   string
	memory bool // the text is in no file
	name   string
	n      int
	lo, hi float64
	sums   int
	tiling problems.Tiling
	grid   [3]int // planes, rows, columns; 0: no grid
	f      expr
	best   *float64

	domain    problems.Domain
	structure problems.Structure // of the directive reads
	sources   []problems.Source
	tables    []problems.Table
	hash      string
	files     []string // the main one first
}

var _ problems.Problem = (*Objective)(nil)

var componentFunc = regexp.MustCompile(`\bcomponent\s*\(`)

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
	if math.IsNaN(o.lo) {
		return nil, input.Errorf(path, 0, 0, "no bounds. Add a line %s", directiveUse["bounds"])
	}
	return o, nil
}

// parseOpen is ParseFile of a file that may lack the directive bounds: they are NaN then.
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

func (l *objectiveLoader) parse(raw []byte, dim int) (*Objective, *input.Error) {
	text, err := cleanText(l.path, raw)
	if err != nil {
		return nil, err
	}
	s, err := scan(l.path, text)
	if err != nil {
		return nil, err
	}
	all, err := parseDirectives(s)
	if err != nil {
		return nil, err
	}
	o := &Objective{path: l.path, memory: l.main == "", n: dim, sums: 1, lo: math.NaN(), hi: math.NaN()}
	o.name = strings.TrimSuffix(l.main, filepath.Ext(l.main))
	if err := o.setPlain(all); err != nil {
		return nil, err
	}
	if err := l.expand(s, l.main); err != nil {
		return nil, err
	}
	o.sources = l.sources
	if !componentFunc.Match(l.code) {
		return nil, input.Errorf(l.path, 0, 0,
			"no function component. Define static void component(uint k, point x, data d, real *acc).")
	}
	if o.n == 0 {
		return nil, input.Errorf(l.path, 0, 0, "the number of variables is not given. Use -n N, or add a line %s",
			directiveUse["n"])
	}
	if o.n < 0 || o.n > problems.MaxDim {
		return nil, input.Errorf(l.path, 0, 0, "%d variables. Use 1 to %d.", o.n, problems.MaxDim)
	}
	if err := o.setSized(all); err != nil {
		return nil, err
	}
	if err := o.readFiles(l, all); err != nil {
		return nil, err
	}
	for _, name := range l.names {
		o.files = append(o.files, l.shown(name))
	}
	o.hash, o.domain = l.contentHash(), problems.Cube(o.n, o.lo, o.hi)
	return o, nil
}

// find returns the first directive of a word, or nil.
func find(all []directive, word string) *directive {
	i := slices.IndexFunc(all, func(d directive) bool { return d.word == word })
	if i < 0 {
		return nil
	}
	return &all[i]
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}$`)

// setPlain reads n and the directives that do not depend on it.
func (o *Objective) setPlain(all []directive) *input.Error {
	for _, d := range all {
		var err *input.Error
		switch d.word {
		case "name":
			var words []string
			if words, _, err = d.fields(1); err == nil && !plainName.MatchString(words[0]) {
				err = d.fail(0, "name %.80q. Use up to 64 letters, digits and _ . + -, a letter or digit first.",
					words[0])
			} else if err == nil {
				o.name = words[0]
			}
		case "bounds":
			err = o.setBounds(d)
		case "sums":
			o.sums, err = d.count(maxAccumulators)
		case "best":
			var words []string
			var v float64
			if words, _, err = d.fields(1); err == nil {
				v, err = d.number(words[0], 0)
				o.best = &v
			}
		case "grid":
			o.grid, err = d.grid()
		case "n":
			var n int
			if n, err = d.count(problems.MaxDim); o.n == 0 {
				o.n = n
			}
		}
		if err != nil {
			return err
		}
	}
	if o.n == 0 {
		o.n = o.cells()
	}
	return nil
}

// cells returns the number of cells of the grid, 0 if there is none.
func (o *Objective) cells() int { return o.grid[0] * o.grid[1] * o.grid[2] }

func (o *Objective) setBounds(d directive) *input.Error {
	words, at, err := d.fields(2)
	if err != nil {
		return err
	}
	if o.lo, err = d.number(words[0], at[0]); err != nil {
		return err
	}
	if o.hi, err = d.number(words[1], at[1]); err != nil {
		return err
	}
	if err := (problems.Bounds{Lo: o.lo, Hi: o.hi}).Validate(); err != nil {
		return d.fail(at[0], "%v. Write %s", err, directiveUse[d.word])
	}
	return nil
}

// setSized reads components, reads and f, which depend on n and sums.
func (o *Objective) setSized(all []directive) *input.Error {
	consts := map[string]float64{"n": float64(o.n)}
	t := problems.Tiling{N: o.n, M: o.n, TileVars: problems.TargetTile, TileComps: problems.TargetTile, Whole: true}
	components, reads := find(all, "components"), find(all, "reads")
	stride, offsets, steps := 0, []int(nil), [][3]int(nil)
	if d := components; d != nil {
		e, err := compileExpr(d.value, nil, consts)
		if err != nil {
			return d.fail(err.Col-1, "%s", err.Msg)
		}
		m := math.Floor(e.value(nil))
		if !(m >= 1 && m <= problems.MaxDim) {
			return d.fail(0, "%v components for n = %d. Use 1 to %d.", m, o.n, problems.MaxDim)
		}
		t.M = int(m)
	}
	if d := reads; d != nil {
		switch word := d.first(); word {
		case "whole", `"whole"`:
			if err := d.end(len(word)); err != nil {
				return err
			}
		case "lists": // read with the other files
		default:
			var err *input.Error
			if o.grid[0] > 0 {
				if steps, err = d.readsSteps(); err != nil {
					return err
				}
				break
			}
			if _, step := gridSteps[gridStep.FindString(word)]; step {
				return d.fail(0, "%q is a neighbour on a grid. Add a line %s", word, directiveUse["grid"])
			}
			if stride, offsets, err = d.readsOffsets(); err != nil {
				return err
			}
			if err := checkWindows(t, stride, offsets, d, components); err != nil {
				return err
			}
			t.Whole = false
			t.Halo = max(0, offsets[len(offsets)-1]-stride+1)
			t.TileComps = max(1, problems.TargetTile/stride)
			if offsets[len(offsets)-1]-offsets[0] >= len(offsets) { // a component reads at most two tiles
				t.TileComps = max(t.TileComps, (t.Halo+stride-1)/stride)
			}
			t.TileVars = stride * t.TileComps
		}
	}
	if o.grid[0] > 0 && (t.N != o.cells() || t.M != o.cells()) {
		return find(all, "grid").fail(0, "a grid of %d cells for %d variables and %d components. Leave -n and "+
			"//@ components out.", o.cells(), t.N, t.M)
	}
	o.tiling = t
	switch o.structure = problems.Everything(t.N, t.M); {
	case steps != nil:
		o.structure = problems.Grid(o.grid, steps...)
	case !t.Whole:
		o.structure = problems.Offsets(t.N, t.M, stride, offsets)
	}

	vars := make([]string, o.sums)
	for j := range vars {
		vars[j] = "s" + strconv.Itoa(j)
	}
	f := find(all, "f")
	if f == nil {
		f = &directive{value: "s0"}
	}
	e, err := compileExpr(f.value, vars, consts)
	if err != nil {
		return f.fail(err.Col-1, "%s", err.Msg)
	}
	o.f = e
	return nil
}

// checkWindows returns an error unless every component reads a variable.
func checkWindows(t problems.Tiling, stride int, offsets []int, reads, components *directive) *input.Error {
	from := offsets[0]
	last := stride*(t.M-1) + from
	if last < t.N {
		return nil
	}
	d := reads
	if components != nil {
		d = components
	}
	if t.N <= from {
		return d.fail(0, "component 0 reads variable %d, outside 0...%d. Use -n %d or more.", from, t.N-1, from+1)
	}
	most := "n"
	switch over := from + 1 - stride; {
	case over > 0:
		most = fmt.Sprintf("n-%d", over)
	case over < 0:
		most = fmt.Sprintf("n+%d", -over)
	}
	if stride > 1 && most != "n" {
		most = "(" + most + ")"
	}
	if stride > 1 {
		most += "/" + strconv.Itoa(stride)
	}
	return d.fail(0, "component %d, the last of %d, reads variable %d, outside 0...%d. Write //@ components %s", t.M-1,
		t.M, last, t.N-1, most)
}

// Spec returns "PATH:n=N", or "opencl:sha256=HASH,n=N" for a text in memory.
func (o *Objective) Spec() problems.Spec {
	s := problems.Spec{Family: problems.OpenCL, Name: o.path, File: true}
	if o.memory {
		s = problems.Spec{Family: problems.OpenCL}.With(hashKey, o.hash)
	}
	return s.With("n", strconv.Itoa(o.n))
}

// Info returns the directives name and best, and the paths of all files.
func (o *Objective) Info() problems.Info {
	i := problems.Info{Title: o.name, Best: o.best}
	if !o.memory {
		i.Files = slices.Clone(o.files)
	}
	return i
}

// Domain returns the directive bounds.
func (o *Objective) Domain() problems.Domain { return o.domain }

// Linear follows the directive f.
func (o *Objective) Linear() []float64 { return o.f.linear.coefficients() }

// Tiling follows the directives reads and components.
func (o *Objective) Tiling() problems.Tiling { return o.tiling }

// Accumulators returns the directive sums.
func (o *Objective) Accumulators() int { return o.sums }

// Objective returns the value of the directive f.
func (o *Objective) Objective(acc []float64) float64 { return o.f.value(acc) }

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

// Structure follows the directive reads.
func (o *Objective) Structure() problems.Structure { return o.structure }

// Text returns the user's text, with one component an item. The form problems.Partial adds the directive f in OpenCL C.
// In fp32, literals such as 0.1 are single.
func (o *Objective) Text(p problems.Precision, form problems.Form) (problems.Text, error) {
	t := problems.Text{Sources: slices.Clone(o.sources), Tables: slices.Clone(o.tables)}
	if o.grid[0] > 0 {
		for a, name := range []string{"GRID_Z", "GRID_Y", "GRID_X"} {
			t.Defines = append(t.Defines, problems.Define{Name: name, Value: fmt.Sprintf("%du", o.grid[a])})
		}
	}
	if p == problems.FP32 {
		t.Options = "-cl-single-precision-constant"
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
