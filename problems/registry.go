package problems

import (
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/problems/input"
)

// Options are the parts of a problem that may stand outside its spec.
type Options struct {
	// Dim is the number of variables; 0 leaves it to the spec or the default.
	Dim int
	// Data is the directory of official instance data; empty means the
	// generated instance.
	Data string
	// Bounds and Maximize change an objective in a file; nil means its own
	// bounds. Of problems known by name, qubo and ising take Maximize.
	Bounds   *Bounds
	Maximize bool
	// DropLoops, MergeEdges and Sign (1, -1; 0: not given) say how a graph, a
	// QUBO or an Ising problem is read.
	DropLoops, MergeEdges bool
	Sign                  int
}

// Entry describes one problem that Parse knows by name.
type Entry struct {
	Name       string
	Title      string
	Dim        int      // the default n
	Modes      []string // values of mode; the first is the default
	Lo, Hi     float64  // the box
	References []string
}

const cecReference = "X. Li, K. Tang, M. N. Omidvar, Z. Yang, K. Qin: Benchmark Functions for the CEC'2013 Special Session " +
	"and Competition on Large-Scale Global Optimization, RMIT University, 2013"

// List returns the problems that Parse knows by name.
func List() []Entry {
	var all []Entry
	for f := 1; f <= 15; f++ {
		kind := cecKinds[f]
		all = append(all, Entry{
			Name: fmt.Sprintf("cec2013/f%d", f), Title: kind.title, Dim: cecDefault(f), Modes: slices.Clone(cecModes),
			Lo: -kind.box, Hi: kind.box, References: []string{cecReference},
		})
	}
	return append(all, classicEntries()...)
}

// Describe returns a few lines about the problem of a name.
func Describe(name string) (string, error) {
	for _, f := range Families {
		if strings.EqualFold(f.Name, name) {
			return f.describe(), nil
		}
	}
	e, err := lookup(name)
	if err != nil {
		return "", err
	}
	if name, ok := strings.CutPrefix(e.Name, classicPrefix); ok {
		return describeClassic(e, name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", e.Name, e.Title)
	fmt.Fprintf(&b, "  n      default %d; a multiple of 1000", e.Dim)
	if e.Dim == cecOverlap {
		fmt.Fprintf(&b, ", or %d", cecOverlap)
	}
	fmt.Fprintf(&b, "\n  box    [%g, %g]\n", e.Lo, e.Hi)
	fmt.Fprintf(&b, "  mode   %s (default): sum over blocks of 1000 variables, all alike\n", ModeBlocks)
	fmt.Fprintf(&b, "         %s: no shift; f1, f2, f3 and f12 over all variables, any n from 2 on\n", ModePaper)
	fmt.Fprintf(&b, "         %s: blocks, each with a shift of its own\n", ModeDistinct)
	for _, r := range e.References {
		fmt.Fprintf(&b, "  from   %s\n", r)
	}
	return b.String(), nil
}

func lookup(name string) (Entry, error) {
	var names []string
	for _, e := range List() {
		if strings.EqualFold(e.Name, name) || strings.EqualFold(e.Name, classicPrefix+name) {
			return e, nil
		}
		names = append(names, e.Name)
	}
	for _, f := range Families {
		names = append(names, f.Name)
	}
	return Entry{}, input.Errorf("", 0, 0, "%q is no known problem and no file; the nearest known name is %s", name, nearest(strings.ToLower(name), names))
}

// Parse reads the spec of a problem, "name[:key=value,...]" in any case, or
// "path[:key=value,...]" of an objective in OpenCL C or of a graph, which the
// content tells. The keys of cec2013/f1 … f15 are n and mode, that of classic/… is
// n, those of an objective n, lo, hi and maximize; Families lists those of graphs. A
// key may stand in the spec or in opt, not differently in both. What cannot be read is
// an *input.Error.
func Parse(spec string, opt Options) (Problem, error) {
	if strings.TrimSpace(spec) == "" {
		return nil, input.Errorf("", 0, 0, "no problem given; name one, such as cec2013/f1, or a file FILE.cl")
	}
	if opt.Dim < 0 {
		return nil, input.Errorf("", 0, 0, "n is %d; use a positive number of variables", opt.Dim)
	}
	if kind, rest, ok := familyOf(spec); ok {
		return parseCut(kind, rest, opt)
	}
	if isFile(spec) {
		if kind := graphFile(spec); kind != "" {
			return parseCut(kind, spec, opt)
		}
		return parseFile(spec, spec, nil, opt)
	}
	// A path may hold colons, keys do not.
	if i := strings.LastIndexByte(spec, ':'); i > 0 && isFile(spec[:i]) {
		if kind := graphFile(spec[:i]); kind != "" {
			return parseCut(kind, spec, opt)
		}
		keys, err := parseKeys(spec[:i], spec[i+1:], fileKeys)
		if err != nil {
			return nil, err
		}
		return parseFile(spec, spec[:i], keys, opt)
	}
	name, rest, given := strings.Cut(spec, ":")
	e, err := lookup(name)
	if err != nil {
		if info, bad := os.Stat(spec); bad == nil && info.IsDir() {
			return nil, input.Errorf(spec, 0, 0, "is a folder. Give the name of a problem, an objective FILE.cl, or a run folder, which holds run.toml.")
		}
		return nil, err
	}
	switch {
	case opt.DropLoops || opt.MergeEdges || opt.Sign != 0:
		return nil, input.Errorf("", 0, 0, "--drop-loops, --merge-edges and --sign belong to graphs; %s is none", e.Name)
	case opt.Bounds != nil:
		return nil, input.Errorf("", 0, 0, "%s takes no other bounds than its own; only an objective in a file does", e.Name)
	case opt.Maximize:
		return nil, input.Errorf("", 0, 0, "%s is a minimization; only an objective in a file can be maximised", e.Name)
	}
	classic, isClassic := strings.CutPrefix(e.Name, classicPrefix)
	n, mode := 0, ""
	if given {
		known := []string{"n", "mode"}
		if isClassic {
			known = known[:1]
		}
		keys, err := parseKeys(e.Name, rest, known)
		if err != nil {
			return nil, err
		}
		mode = strings.ToLower(keys["mode"])
		if text, ok := keys["n"]; ok {
			if n, err = parseDim(text); err != nil {
				return nil, err
			}
		}
	}
	if n, err = oneDim(spec, n, opt.Dim); err != nil {
		return nil, err
	}
	if isClassic {
		c, err := NewClassic(classic, n)
		if err != nil {
			return nil, err
		}
		return c, nil
	}
	f, err := strconv.Atoi(strings.TrimPrefix(e.Name, "cec2013/f"))
	if err != nil {
		panic("problems: a listed name without a number")
	}
	data, err := openCEC2013(opt.Data, f)
	if err != nil {
		return nil, err
	}
	p, err := NewCEC2013(f, n, mode, data)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// oneDim is the number of variables from a spec and from beside it; 0 means
// not given.
func oneDim(spec string, n, beside int) (int, error) {
	if n != 0 && beside != 0 && n != beside {
		return 0, input.Errorf("", 0, 0, "n is %d in %q and %d beside it; give it once", n, spec, beside)
	}
	return max(n, beside), nil
}

// fileKeys are the keys of an objective in a file.
var fileKeys = []string{"n", "lo", "hi", "maximize"}

// parseFile reads the objective in the file path, spec being the path with keys.
func parseFile(spec, path string, keys map[string]string, opt Options) (Problem, error) {
	if opt.DropLoops || opt.MergeEdges || opt.Sign != 0 {
		return nil, input.Errorf("", 0, 0, "--drop-loops, --merge-edges and --sign belong to graphs; %s is an objective", path)
	}
	file := File{Path: path, Bounds: opt.Bounds, Maximize: opt.Maximize}
	n, given := 0, false
	bound := [2]float64{math.NaN(), math.NaN()}
	for _, key := range fileKeys {
		value, ok := keys[key]
		if !ok {
			continue
		}
		var err error
		switch key {
		case "n":
			n, err = parseDim(value)
		case "lo":
			bound[0], err = parseBound(key, value)
			given = true
		case "hi":
			bound[1], err = parseBound(key, value)
			given = true
		case "maximize":
			yes, bad := strconv.ParseBool(value)
			if bad != nil {
				err = input.Errorf("", 0, 0, "maximize is %s; use true or false", input.Shown([]byte(value)))
			}
			file.Maximize = file.Maximize || yes
		}
		if err != nil {
			return nil, err
		}
	}
	n, err := oneDim(spec, n, opt.Dim)
	if err != nil {
		return nil, err
	}
	o, err := ParseObjective(path, n)
	if err != nil {
		return nil, err
	}
	if given {
		lo, hi := o.Box()
		if !math.IsNaN(bound[0]) {
			lo = bound[0]
		}
		if !math.IsNaN(bound[1]) {
			hi = bound[1]
		}
		if b := opt.Bounds; b != nil && (b.Lo != lo || b.Hi != hi) {
			return nil, input.Errorf("", 0, 0, "bounds are [%g, %g] in %q and [%g, %g] beside it; give them once", lo, hi, spec, b.Lo, b.Hi)
		}
		file.Bounds = &Bounds{lo, hi}
	}
	return reshape(o, file)
}

func parseBound(key, text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, input.Errorf("", 0, 0, "%s is %s; use a finite number", key, input.Shown([]byte(text)))
	}
	return v, nil
}

func openCEC2013(dir string, f int) (*CEC2013Data, error) {
	if dir == "" {
		return GenerateCEC2013(f), nil
	}
	return LoadCEC2013(dir, f)
}

// isFile tells a path from a name: it ends in .cl, or is a regular file.
func isFile(spec string) bool {
	if strings.EqualFold(filepath.Ext(spec), ".cl") {
		return true
	}
	info, err := os.Stat(spec)
	return err == nil && info.Mode().IsRegular()
}

// parseKeys reads "key=value,..." with keys from known.
func parseKeys(name, text string, known []string) (map[string]string, error) {
	keys := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(part, "=")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		if !ok || value == "" {
			return nil, input.Errorf("", 0, 0, "%s: %q is not key=value; use for example %s:n=1000", name, part, name)
		}
		if !slices.Contains(known, key) {
			return nil, input.Errorf("", 0, 0, "%s: unknown key %q; the nearest known key is %s", name, key, nearest(key, known))
		}
		if _, twice := keys[key]; twice {
			return nil, input.Errorf("", 0, 0, "%s: key %s is given twice; give it once", name, key)
		}
		keys[key] = value
	}
	return keys, nil
}

func parseDim(text string) (int, error) {
	v, err := ParseCount(text)
	if err != nil {
		return 0, input.Errorf("", 0, 0, "n: %v", err)
	}
	if v < 1 || v > math.MaxUint32 {
		return 0, input.Errorf("", 0, 0, "n is %d; use 1 to %d", v, uint32(math.MaxUint32))
	}
	return int(v), nil
}

// countUnits are the suffixes of ParseCount.
var countUnits = []struct {
	suffix string
	factor int64
}{
	{"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30},
	{"k", 1e3}, {"M", 1e6}, {"G", 1e9},
}

// ParseCount reads a whole number that is not negative, such as 1000, 1e8,
// 2.5e6, 100k or 64Ki. The suffixes are k, M, G, Ki, Mi and Gi. Anything that
// is not exactly a whole number below 2^63 is an *input.Error.
func ParseCount(s string) (int64, error) {
	fail := func() (int64, error) {
		return 0, input.Errorf("", 0, 0, "%s is not a whole number; use for example 1000, 1e8, 100k or 64Ki", input.Shown([]byte(s)))
	}
	digits, factor := s, int64(1)
	for _, u := range countUnits {
		if rest, ok := strings.CutSuffix(s, u.suffix); ok {
			digits, factor = rest, u.factor
			break
		}
	}
	whole, exponent, scaled := strings.Cut(strings.ToLower(digits), "e")
	tens := 0
	if scaled {
		exponent = strings.TrimPrefix(exponent, "+")
		if len(exponent) > 2 || !isDecimal(exponent) {
			return fail()
		}
		tens, _ = strconv.Atoi(exponent)
	}
	whole, fraction, dotted := strings.Cut(whole, ".")
	if !isDecimal(whole) || dotted && !isDecimal(fraction) || len(s) > 64 {
		return fail()
	}
	v, _ := new(big.Rat).SetString(whole + "." + fraction + "0")
	v.Mul(v, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(tens)), nil)))
	v.Mul(v, new(big.Rat).SetInt64(factor))
	if !v.IsInt() {
		return fail()
	}
	if !v.Num().IsInt64() {
		return 0, input.Errorf("", 0, 0, "%s is too large; use a number below 2^63", input.Shown([]byte(s)))
	}
	return v.Num().Int64(), nil
}

// isDecimal: one or more digits and nothing else.
func isDecimal(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}
