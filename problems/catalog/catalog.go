// Package catalog knows every problem by its spec.
package catalog

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/cec2013"
	"github.com/clopt/clopt/problems/classic"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/input"
	"github.com/clopt/clopt/problems/opencl"
)

const cecReference = "X. Li, K. Tang, M. N. Omidvar, Z. Yang, K. Qin: Benchmark Functions for the CEC'2013 Special Session " +
	"and Competition on Large-Scale Global Optimization, RMIT University, 2013"

// List returns the problems that Parse knows by name.
func List() []problems.Entry {
	var all []problems.Entry
	for f := 1; f <= 15; f++ {
		kind := cec2013.CecKinds[f]
		all = append(all, problems.Entry{
			Name: fmt.Sprintf("cec2013/f%d", f), Title: kind.Title, Dim: cec2013.CecDefault(f), Modes: slices.Clone(cec2013.CecModes),
			Lo: -kind.Box, Hi: kind.Box, References: []string{cecReference},
		})
	}
	return append(all, classic.Entries()...)
}

// Describe returns a few lines about the problem of a name.
func Describe(name string) (string, error) {
	for _, f := range cut.Families {
		if strings.EqualFold(f.Name, name) {
			return f.Describe(), nil
		}
	}
	e, err := lookup(name)
	if err != nil {
		return "", err
	}
	if name, ok := strings.CutPrefix(e.Name, classic.Prefix); ok {
		return classic.Describe(e, name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", e.Name, e.Title)
	fmt.Fprintf(&b, "  n      default %d; a multiple of 1000", e.Dim)
	if e.Dim == cec2013.CecOverlap {
		fmt.Fprintf(&b, ", or %d", cec2013.CecOverlap)
	}
	fmt.Fprintf(&b, "\n  box    [%g, %g]\n", e.Lo, e.Hi)
	fmt.Fprintf(&b, "  mode   %s (default): sum over blocks of 1000 variables, all alike\n", cec2013.ModeBlocks)
	fmt.Fprintf(&b, "         %s: no shift; f1, f2, f3 and f12 over all variables, any n from 2 on\n", cec2013.ModePaper)
	fmt.Fprintf(&b, "         %s: blocks, each with a shift of its own\n", cec2013.ModeDistinct)
	for _, r := range e.References {
		fmt.Fprintf(&b, "  from   %s\n", r)
	}
	return b.String(), nil
}

func lookup(name string) (problems.Entry, error) {
	var names []string
	for _, e := range List() {
		if strings.EqualFold(e.Name, name) || strings.EqualFold(e.Name, classic.Prefix+name) {
			return e, nil
		}
		names = append(names, e.Name)
	}
	for _, f := range cut.Families {
		names = append(names, f.Name)
	}
	return problems.Entry{}, input.Errorf("", 0, 0, "%q is no known problem and no file; the nearest known name is %s", name, input.Nearest(strings.ToLower(name), names))
}

// Parse reads the spec of a problem, "name[:key=value,...]" in any case, or
// "path[:key=value,...]" of an objective in OpenCL C or of a graph, which the
// content tells. The keys of cec2013/f1 … f15 are n and mode, that of classic/… is
// n, those of an objective n, lo, hi and maximize; Families lists those of graphs. A
// key may stand in the spec or in opt, not differently in both. What cannot be read is
// an *input.Error.
func Parse(spec string, opt problems.Options) (problems.Problem, error) {
	if strings.TrimSpace(spec) == "" {
		return nil, input.Errorf("", 0, 0, "no problem given; name one, such as cec2013/f1, or a file FILE.cl")
	}
	if opt.Dim < 0 {
		return nil, input.Errorf("", 0, 0, "n is %d; use a positive number of variables", opt.Dim)
	}
	if kind, rest, ok := cut.FamilyOf(spec); ok {
		return cut.ParseCut(kind, rest, opt)
	}
	if isFile(spec) {
		if kind := cut.GraphFile(spec); kind != "" {
			return cut.ParseCut(kind, spec, opt)
		}
		return parseFile(spec, spec, nil, opt)
	}
	// A path may hold colons, keys do not.
	if i := strings.LastIndexByte(spec, ':'); i > 0 && isFile(spec[:i]) {
		if kind := cut.GraphFile(spec[:i]); kind != "" {
			return cut.ParseCut(kind, spec, opt)
		}
		keys, err := input.ParseKeys(spec[:i], spec[i+1:], fileKeys)
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
	function, isClassic := strings.CutPrefix(e.Name, classic.Prefix)
	n, mode := 0, ""
	if given {
		known := []string{"n", "mode"}
		if isClassic {
			known = known[:1]
		}
		keys, err := input.ParseKeys(e.Name, rest, known)
		if err != nil {
			return nil, err
		}
		mode = strings.ToLower(keys["mode"])
		if text, ok := keys["n"]; ok {
			if n, err = input.ParseDim(text); err != nil {
				return nil, err
			}
		}
	}
	if n, err = input.OneDim(spec, n, opt.Dim); err != nil {
		return nil, err
	}
	if isClassic {
		c, err := classic.New(function, n)
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
	p, err := cec2013.New(f, n, mode, data)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// fileKeys are the keys of an objective in a file.
var fileKeys = []string{"n", "lo", "hi", "maximize"}

// parseFile reads the objective in the file path, spec being the path with keys.
func parseFile(spec, path string, keys map[string]string, opt problems.Options) (problems.Problem, error) {
	if opt.DropLoops || opt.MergeEdges || opt.Sign != 0 {
		return nil, input.Errorf("", 0, 0, "--drop-loops, --merge-edges and --sign belong to graphs; %s is an objective", path)
	}
	file := opencl.File{Path: path, Bounds: opt.Bounds, Maximize: opt.Maximize}
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
			n, err = input.ParseDim(value)
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
	n, err := input.OneDim(spec, n, opt.Dim)
	if err != nil {
		return nil, err
	}
	o, err := opencl.ParseObjective(path, n)
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
		file.Bounds = &problems.Bounds{Lo: lo, Hi: hi}
	}
	return opencl.Reshape(o, file)
}

func parseBound(key, text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, input.Errorf("", 0, 0, "%s is %s; use a finite number", key, input.Shown([]byte(text)))
	}
	return v, nil
}

func openCEC2013(dir string, f int) (*cec2013.Data, error) {
	if dir == "" {
		return cec2013.Generate(f), nil
	}
	return cec2013.Load(dir, f)
}

// isFile tells a path from a name: it ends in .cl, or is a regular file.
func isFile(spec string) bool {
	if strings.EqualFold(filepath.Ext(spec), ".cl") {
		return true
	}
	info, err := os.Stat(spec)
	return err == nil && info.Mode().IsRegular()
}
