package cut

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/input"
)

// Family describes problems that are made from a file or by a generator.
type Family struct {
	Name  string
	Title string
	Forms []string // of the spec, with what each means behind a tab
	Keys  []string // of all forms, with their meaning behind a tab
}

// Families are the problems that are made from a file or by a generator; the caller does not change them.
var Families = []Family{
	{
		Name: "maxcut", Title: "maximum cut of a weighted graph",
		Forms: []string{
			"maxcut:FILE\trudy/G-set or MatrixMarket, gzip or not; the content says which",
			"maxcut:tile=40x40,p=0.5,seed=1\tplanted tiles on a torus, optimum known (Hamze et al. 2018, doi:10.1103/PhysRevE.97.043303)",
			"maxcut:torus=100x100,weights=pm1,seed=1\ttorus of 2 or 3 sides; weights=unit has a known optimum",
			"maxcut:gnp=1e4,p=0.01,weights=unit,seed=1\trandom graph of n vertices",
			"maxcut:complete=500,weights=1..5,seed=1\tcomplete graph",
			"maxcut:cliques=100x5,weights=1..5,seed=1\tchain of 100 cliques of 5 vertices, optimum known up to 20",
		},
		Keys: []string{
			"drop-loops=true\tskip edges from a vertex to itself in FILE; else refused",
			"merge-edges=true\tadd edges that FILE has twice; else refused",
			"weights\tunit, pm1 (-1 and 1) or LO..HI, uniform whole numbers",
			"seed\tof a generated graph, 0 to 4294967295, default 1",
		},
	},
	{
		Name: "qubo", Title: "quadratic function of bits, through a maximum cut",
		Forms: []string{"qubo:FILE\tlines \"p qubo 0 N nodes couplers\", \"i i a\", \"i j q\", from 0 on"},
		Keys: []string{
			"sign=-1\tall coefficients are meant with the other sign",
			"maximize=true\tthe sum is maximised; else minimised",
			"merge-edges=true\tadd terms that FILE has twice; else refused",
		},
	},
	{
		Name: "ising", Title: "energy of spins, through a maximum cut",
		Forms: []string{"ising:FILE\tlines \"i i h\" and \"i j J\"; spins from 0 (or 1, if there is no 0); or from 1 behind a header \"n m\""},
		Keys: []string{
			"sign=-1\tE = -sum h s - sum J s s; else E = sum h s + sum J s s",
			"maximize=true\tE is maximised; else minimised",
			"merge-edges=true\tadd terms that FILE has twice; else refused",
		},
	},
}

// Describe is the page of a family.
func (f Family) Describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", f.Name, f.Title)
	for _, part := range [][]string{f.Forms, f.Keys} {
		fmt.Fprintln(&b)
		for _, line := range part {
			form, text, _ := strings.Cut(line, "\t")
			fmt.Fprintf(&b, "  %-42s %s\n", form, text)
		}
	}
	fmt.Fprintf(&b, "\n  variables  0 and 1; an assignment FILE.sol has 0/1, -1/1 or 1/2 for each\n")
	fmt.Fprintf(&b, "  best       known where the graph is without conflict, by the generator, or from FILE.bkv beside FILE\n")
	return b.String()
}

// GraphFile tells what a file without the name of a family is by its content:
// "maxcut" or "qubo", and "" where it is no graph.
func GraphFile(path string) string {
	if strings.EqualFold(filepath.Ext(path), ".cl") {
		return ""
	}
	switch graph.Sniff(path) {
	case graph.Rudy, graph.Matrix, graph.List:
		return "maxcut" // which refuses a list, and says what it may be
	case graph.QUBO:
		return "qubo"
	}
	if strings.EqualFold(filepath.Ext(path), ".gz") {
		return "maxcut"
	}
	return ""
}

// FamilyOf splits "maxcut:rest"; ok is false for other names.
func FamilyOf(spec string) (kind, rest string, ok bool) {
	kind, rest, _ = strings.Cut(spec, ":")
	kind = strings.ToLower(strings.TrimSpace(kind))
	ok = slices.ContainsFunc(Families, func(f Family) bool { return f.Name == kind })
	return kind, rest, ok
}

// IsGraph says whether Parse would read a graph, a QUBO or an Ising problem:
// such a problem knows its number of variables. It may open the file.
func IsGraph(spec string) bool {
	if _, _, ok := FamilyOf(spec); ok {
		return true
	}
	path := spec
	if i := strings.LastIndexByte(spec, ':'); i > 0 && !input.IsRegular(spec) {
		path = spec[:i]
	}
	return input.IsRegular(path) && GraphFile(path) != ""
}

// generators are the keys that begin the spec of a generated graph, and what
// else each takes.
var generators = map[string][]string{
	"tile": {"p", "seed", "n"}, "torus": {"weights", "seed", "n"}, "gnp": {"p", "weights", "seed", "n"},
	"complete": {"weights", "seed", "n"}, "cliques": {"weights", "seed", "n"},
}

var cutKeys = map[string][]string{
	"maxcut": {"drop-loops", "merge-edges", "n"}, "qubo": {"sign", "maximize", "merge-edges", "n"}, "ising": {"sign", "maximize", "merge-edges", "n"},
}

// ParseCut reads what stands behind "maxcut:", "qubo:" or "ising:".
func ParseCut(kind, rest string, opt problems.Options) (problems.Problem, error) {
	if strings.TrimSpace(rest) == "" {
		return nil, input.Errorf("", 0, 0, "%s needs a file, as in %s:FILE; clopt describe %s lists the forms", kind, kind, kind)
	}
	if opt.Bounds != nil {
		return nil, input.Errorf("", 0, 0, "%s takes no other bounds than its own, 0 and 1; only an objective in a file does", kind)
	}
	first, _, ok := strings.Cut(rest, "=")
	first = strings.ToLower(strings.TrimSpace(first))
	var c *Cut
	var keys map[string]string
	var err error
	if known, is := generators[first]; kind == "maxcut" && ok && is && !input.IsRegular(rest) {
		if keys, err = input.ParseKeys(kind, rest, append([]string{first}, known...)); err != nil {
			return nil, err
		}
		if opt.DropLoops || opt.MergeEdges || opt.Sign != 0 || opt.Maximize {
			return nil, input.Errorf("", 0, 0, "a generated graph has no loops, repeated edges or signs to change; leave --drop-loops, --merge-edges, --sign and --maximize out")
		}
		c, err = generateCut(first, keys)
	} else {
		path, text := splitFile(rest, cutKeys[kind])
		if text != "" {
			if keys, err = input.ParseKeys(kind, text, cutKeys[kind]); err != nil {
				return nil, err
			}
		}
		c, err = readCut(kind, path, keys, opt)
	}
	if err != nil {
		return nil, input.AsError(err)
	}
	n := 0
	if text, ok := keys["n"]; ok {
		if n, err = input.ParseDim(text); err != nil {
			return nil, err
		}
	}
	if n, err = input.OneDim(kind+":"+rest, n, opt.Dim); err != nil {
		return nil, err
	}
	if n != 0 && n != c.n {
		return nil, input.Errorf("", 0, 0, "%s has %d variables, not %d; leave n out", c.Spec(), c.n, n)
	}
	return c, nil
}

// splitFile divides "FILE", "FILE,key=value" or "FILE:key=value". Names of
// files may hold commas and colons.
func splitFile(rest string, known []string) (path, keys string) {
	if _, err := os.Lstat(rest); err == nil {
		return rest, ""
	}
	cut := len(rest)
	for i := len(rest) - 1; i > 0; i-- {
		if rest[i] != ',' && rest[i] != ':' {
			continue
		}
		if input.IsRegular(rest[:i]) {
			return rest[:i], rest[i+1:]
		}
		key, _, ok := strings.Cut(rest[i+1:], "=")
		if ok && slices.Contains(known, strings.ToLower(strings.TrimSpace(key))) {
			cut = i
		}
	}
	if cut < len(rest) {
		return rest[:cut], rest[cut+1:]
	}
	return rest, ""
}

// readCut reads the problem of a file.
func readCut(kind, path string, keys map[string]string, opt problems.Options) (*Cut, error) {
	flag := func(key string, beside bool) (bool, error) {
		text, ok := keys[key]
		if !ok {
			return beside, nil
		}
		v, err := strconv.ParseBool(text)
		if err != nil {
			return false, input.Errorf("", 0, 0, "%s is %s; use true or false", key, input.Shown([]byte(text)))
		}
		return v || beside, nil
	}
	var read graph.Options
	var maximize bool
	var errs [3]error
	read.DropLoops, errs[0] = flag("drop-loops", opt.DropLoops)
	read.MergeEdges, errs[1] = flag("merge-edges", opt.MergeEdges)
	maximize, errs[2] = flag("maximize", opt.Maximize)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	sign, err := parseSign(keys["sign"], opt.Sign)
	switch {
	case err != nil:
		return nil, err
	case kind == "maxcut" && opt.Maximize:
		return nil, input.Errorf("", 0, 0, "maxcut is a maximization already; leave --maximize out")
	case kind == "maxcut" && sign != 0:
		return nil, input.Errorf("", 0, 0, "--sign belongs to qubo and ising; leave it out, or change the weights of the graph")
	case kind != "maxcut" && read.DropLoops:
		return nil, input.Errorf("", 0, 0, "--drop-loops belongs to maxcut; in %s a loop is a linear term", kind)
	}
	var c *Cut
	var notes graph.Notes
	if kind == "maxcut" {
		g, n, err := graph.Read(path, read)
		if err != nil {
			return nil, err
		}
		c, notes = NewMaxCut(g), n
	} else {
		load, make := graph.ReadQUBO, NewQUBO
		if kind == "ising" {
			load, make = graph.ReadIsing, NewIsing
		}
		q, n, err := load(path, read)
		if err != nil {
			return nil, err
		}
		if sign < 0 {
			q = q.Negated()
		}
		c, notes = make(q, maximize), n
	}
	c.notes, c.from.path = notes, path
	var spec []string
	for _, k := range []struct {
		on   bool
		text string
	}{{read.DropLoops, "drop-loops=true"}, {read.MergeEdges, "merge-edges=true"}, {sign < 0, "sign=-1"}, {maximize, "maximize=true"}} {
		if k.on {
			spec = append(spec, k.text)
		}
	}
	c.from.keys = strings.Join(spec, ",")
	return c, c.readBest(path)
}

func parseSign(text string, beside int) (int, error) {
	sign := 0
	switch text {
	case "":
		return beside, nil
	case "1", "+1":
		sign = 1
	case "-1":
		sign = -1
	default:
		return 0, input.Errorf("", 0, 0, "sign is %s; use 1 or -1", input.Shown([]byte(text)))
	}
	if beside != 0 && beside != sign {
		return 0, input.Errorf("", 0, 0, "sign is %d in the problem and %d beside it; give it once", sign, beside)
	}
	return sign, nil
}

// readBest reads FILE.bkv beside FILE, in place of its extension and .gz.
func (c *Cut) readBest(path string) error {
	if strings.EqualFold(filepath.Ext(path), ".gz") {
		path = path[:len(path)-3]
	}
	path = strings.TrimSuffix(path, filepath.Ext(path)) + ".bkv"
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	f, err := graph.ReadBest(path)
	if err == nil {
		f *= c.sign
		c.best = &f
	}
	return err
}
