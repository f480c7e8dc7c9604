package cut

import (
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/formats"
	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/graph"
)

// page describes problems that are made from a file or by a generator.
type page struct {
	name  string
	title string
	forms []string // of the spec, with what each means after a tab
	keys  []string // of all forms, with their meaning after a tab
}

// MaxCut, QUBO and Ising are the families of problems on graphs, from files or generators.
var (
	MaxCut = pages[0].family()
	QUBO   = pages[1].family()
	Ising  = pages[2].family()
)

// family returns the family that the page describes.
func (f page) family() problems.Family {
	var examples, keys []string
	for _, form := range f.forms {
		if key, _, ok := strings.Cut(strings.TrimPrefix(form, f.name+":"), "="); ok && !strings.ContainsAny(key, "\t") {
			examples = append(examples, key+"=")
		}
	}
	keys = append(keys, fileKeys[f.name]...)
	switch f.name {
	case "qubo":
		keys = append(keys, palubeckisKeys...)
	case "maxcut":
		for kind, g := range generators {
			keys = append(keys, g.keys(kind)...)
		}
		slices.Sort(keys)
		keys = slices.Compact(keys)
	}
	return problems.Family{
		Name: f.name, Title: f.title, Files: true, Keys: keys, Examples: examples,
		Owns:     func(path string) bool { return kindOf(path) == f.name },
		Doubt:    doubt,
		Parse:    func(s problems.Spec, _ string) (problems.Problem, error) { return parse(s) },
		Describe: func(problems.Entry) string { return f.describe() },
	}
}

var pages = []page{
	{
		name: "maxcut", title: "maximum cut of a weighted graph",
		forms: []string{
			"maxcut:FILE\ta graph or a list of edges in any format of clopt help graphs, packed or not",
			"maxcut:tile=40x40,p=0.5,seed=1\tplanted tiles on a torus, optimum known " +
				"(Hamze et al. 2018, doi:10.1103/PhysRevE.97.043303)",
			"maxcut:torus=100x100,weights=pm1,seed=1\ttorus of 2 or 3 sides; weights=unit has a known optimum",
			"maxcut:gnp=1e4,p=0.01,weights=unit,seed=1\trandom graph of n vertices",
			"maxcut:complete=500,weights=1..5,seed=1\tcomplete graph",
			"maxcut:cliques=100x5,weights=1..5,seed=1\tchain of 100 cliques of 5 vertices, optimum known up to 20",
		},
		keys: []string{
			"fix=NAME=0;NAME=1\tvariables of FILE that have one value",
			"drop-loops=true\tskip edges from a vertex to itself in FILE; else refused",
			"merge-edges=true\tadd edges that FILE has twice; else refused",
			"weights\tunit, pm1 (-1 and 1) or LO..HI, uniform whole numbers",
			"seed\tof a generated graph, 0 to 4294967295, default 1",
		},
	},
	{
		name: "qubo", title: "quadratic function of bits, through a maximum cut",
		forms: []string{
			"qubo:FILE\ta QUBO, a formula or a matrix in any format of clopt help graphs, packed or not",
			"qubo:FILE#2\tthe second problem of a FILE of the OR-Library",
			"qubo:palubeckis=5000,density=50,seed=51000\tas the public generator makes it, maximised (Palubeckis " +
				"2004, " +
				"doi:10.1023/B:ANOR.0000039522.58036.68)",
		},
		keys: []string{
			"fix=NAME=0;NAME=1\tvariables of FILE that have one value",
			"sign=-1\tall coefficients are meant with the other sign",
			"maximize=true|false\tthe sum is maximized, or minimized; else as FILE says",
			"merge-edges=true\tadd terms that FILE has twice; else refused",
			"pairs=once|twice\tFILE has \"n m\", then lines \"i j q\": how often that of i and j counts",
		},
	},
	{
		name: "ising", title: "energy of spins, through a maximum cut",
		forms: []string{
			"ising:FILE\tlines \"i i h\" and \"i j J\"; spins from 0 (or 1, if there is no 0); " +
				"or from 1 after a header \"n m\"; BQM JSON, bqpjson",
		},
		keys: []string{
			"fix=NAME=0;NAME=1\tvariables of FILE that have one value",
			"sign=-1\tE = -sum h s - sum J s s; else E = sum h s + sum J s s",
			"maximize=true|false\tE is maximized, or minimized; else as FILE says",
			"merge-edges=true\tadd terms that FILE has twice; else refused",
		},
	},
}

// describe returns the page as a text.
func (f page) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", f.name, f.title)
	for _, part := range [][]string{f.forms, f.keys} {
		fmt.Fprintln(&b)
		for _, line := range part {
			form, text, _ := strings.Cut(line, "\t")
			fmt.Fprintf(&b, "  %-42s %s\n", form, text)
		}
	}
	fmt.Fprintf(&b, "\n  variables  0 and 1; an assignment FILE.sol has 0/1, -1/1 or 1/2 for each\n")
	fmt.Fprintf(&b, "  best       known if a cut has all positive edges and no negative one, from the generator, "+
		"from FILE.bkv beside FILE, or from the list of published values\n")
	return b.String()
}

// kindOf returns the family of a file by its content, or "" if it is not a graph.
func kindOf(path string) string {
	if strings.EqualFold(filepath.Ext(path), ".cl") {
		return ""
	}
	switch f, kinds := format.Sniff(path); {
	case doubtful(f, kinds), f == format.Foreign:
		return "maxcut" // doubt refuses a list of terms, and its reader files of other programs
	case f != format.Unknown:
		return families[kinds[0]]
	}
	if input.IsPacked(path) || !input.IsText(path) {
		return "maxcut" // its reader says what is wrong
	}
	return ""
}

// doubtful reports whether a file has terms of which nothing says what their variables are.
func doubtful(f format.Format, kinds []graph.Kind) bool {
	return (f == format.List || f == format.Python) && len(kinds) > 1
}

// doubt returns an error for a list of terms of which nothing says whether they are those of a QUBO, of an Ising
// problem or of a graph.
func doubt(path string) error {
	f, kinds := format.Sniff(path)
	if !doubtful(f, kinds) {
		return nil
	}
	what := "a list of terms \"i j q\""
	if f == format.Python {
		what = "a dictionary of Python without a term such as (0, 0)"
	}
	return input.Errorf(path, 1, 1, "is "+what+", and nothing in it says what its variables are. "+
		"Name it as qubo:%[1]s if they are 0 and 1, as ising:%[1]s if they are -1 and 1, and as maxcut:%[1]s if the "+
		"lines are edges.", path)
}

// fileKeys are the keys of the spec of a file, by family.
var fileKeys = map[string][]string{
	"maxcut": {"drop-loops", "merge-edges", "fix"}, "qubo": {"sign", "maximize", "merge-edges", "pairs", "fix"},
	"ising": {"sign", "maximize", "merge-edges", "fix"},
}

// parse makes the problem of a spec.
func parse(s problems.Spec) (problems.Problem, error) {
	var c *Cut
	var err error
	if s.File {
		if err = onlyKeys(s, s.Family+" of a file", fileKeys[s.Family]); err == nil {
			c, err = readCut(s)
		}
	} else if s.Keys[0].Name == palubeckisKeys[0] {
		if err = onlyKeys(s, "a generated QUBO", palubeckisKeys); err == nil {
			c, err = palubeckis(s)
		}
	} else {
		kind := s.Keys[0].Name
		g, known := generators[kind]
		if !known {
			return nil, input.Errorf("", 0, 0,
				"%s: begin with FILE, or with a kind of generated graph, as in maxcut:torus=100x100", s)
		}
		if err = onlyKeys(s, "a generated graph", g.keys(kind)); err == nil {
			c, err = generateCut(kind, s)
		}
	}
	if err != nil {
		return nil, input.AsError(err)
	}
	n, err := s.Dim()
	if err != nil {
		return nil, err
	}
	if n != 0 && n != c.n {
		return nil, input.Errorf("", 0, 0, "%s has %d variables, not %d; leave n out", c.Spec(), c.n, n)
	}
	return c, nil
}

// onlyKeys refuses keys of a spec that belong to another form.
func onlyKeys(s problems.Spec, what string, known []string) error {
	for _, k := range s.Keys {
		if k.Name != "n" && !slices.Contains(known, k.Name) {
			return input.Errorf("", 0, 0, "%s has no key %s; its keys are %s", what, k.Name, strings.Join(known, ", "))
		}
	}
	return nil
}

// value returns the value of a key, or "" if the spec does not have it.
func value(s problems.Spec, key string) string {
	v, _ := s.Get(key)
	return v
}

// readCut reads the problem of a file.
func readCut(s problems.Spec) (*Cut, error) {
	path := s.Name
	flag := func(key string) (bool, error) {
		text, ok := s.Get(key)
		if !ok {
			return false, nil
		}
		v, err := strconv.ParseBool(text)
		if err != nil {
			return false, input.Errorf("", 0, 0, "%s is %s; use true or false", key, input.Shown([]byte(text)))
		}
		return v, nil
	}
	var read formats.Options
	var maximize bool
	var errs [3]error
	read.DropLoops, errs[0] = flag("drop-loops")
	read.MergeEdges, errs[1] = flag("merge-edges")
	maximize, errs[2] = flag("maximize")
	_, directed := s.Get("maximize")
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	sign := value(s, "sign")
	if !slices.Contains([]string{"", "1", "+1", "-1"}, sign) {
		return nil, input.Errorf("", 0, 0, "sign is %s; use 1 or -1", input.Shown([]byte(sign)))
	}
	read.Pairs = value(s, "pairs")
	if !slices.Contains([]string{"", "once", "twice"}, read.Pairs) {
		return nil, input.Errorf("", 0, 0, "pairs is %s; use once or twice", input.Shown([]byte(read.Pairs)))
	}
	m, notes, err := formats.Read(path, graph.Kind(slices.Index(families[:], s.Family)), read)
	if err != nil {
		return nil, err
	}
	if sign == "-1" {
		m.Offset.Neg(m.Offset)
		m.Scale.Neg(m.Scale)
		m.Rest.Times(big.NewRat(-1, 1))
	}
	if directed {
		m.Maximize = maximize
	}
	fixing, fixes := s.Get("fix")
	if fixes {
		fixed, err := input.ReadFixKey(fixing)
		if err != nil {
			return nil, err
		}
		if m, err = fix(m, fixed, notes.First); err != nil {
			return nil, err
		}
	}
	c, err := New(m)
	if err != nil {
		return nil, input.Errorf(path, 1, 1, "%v.", err)
	}
	c.notes = notes
	c.spec.Family = s.Family
	c.spec.Name = path
	c.spec.File = true
	for _, k := range []struct {
		on         bool
		key, value string
	}{{read.DropLoops, "drop-loops", "true"}, {read.MergeEdges, "merge-edges", "true"}, {sign == "-1", "sign",
		"-1"}, {directed, "maximize", strconv.FormatBool(maximize)}, {read.Pairs != "", "pairs", read.Pairs},
		{fixes, "fix", fixing}} {
		if k.on {
			c.spec = c.spec.With(k.key, k.value)
		}
	}
	return c, c.readBest(path)
}

// readBest reads FILE.bkv, or the file whose name has .bkv in place of the extension of FILE. A .gz does not count.
func (c *Cut) readBest(path string) error {
	path = input.Unpacked(path)
	names := []string{path + ".bkv"}
	if _, number := formats.SplitNumber(path); number == 0 {
		names = append(names, strings.TrimSuffix(path, filepath.Ext(path))+".bkv")
	}
	for _, name := range names {
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		f, err := input.ReadBest(name)
		if err != nil {
			return err
		}
		if least, most := c.limits(); !c.attains(c.sign * f) {
			return input.Errorf(name, 1, 1, "%v cannot be the best value of %s: values are from %v to %v in steps "+
				"of %v. "+
				"Correct it, or remove the file.", f, path, least, most, c.worth.step)
		}
		f *= c.sign
		if r, ok := known(c.g); ok && r.proven && f < c.Value(r.cut) {
			return input.Errorf(name, 1, 1, "%v cannot be the best value of %s: %v is proven. Correct it, or remove "+
				"the file.",
				c.sign*f, path, c.sign*c.Value(r.cut))
		}
		c.best = &f
		return nil
	}
	return nil
}

// limits returns bounds of the values of all points, from the sums of the negative and of the positive weights.
func (c *Cut) limits() (least, most float64) {
	var low, high int64
	for _, w := range c.g.Weights { // each edge is there twice
		low, high = low+min(w, 0), high+max(w, 0)
	}
	a, b := c.sign*c.Value(low/2), c.sign*c.Value(high/2)
	return min(a, b) + 0, max(a, b) + 0 // not -0
}

// attains reports whether a value that is minimized can be that of a point: whether it is within the limits, and
// that of a whole number of units where float64 holds those.
func (c *Cut) attains(f float64) bool {
	least, most := c.limits()
	if f *= c.sign; !(f >= least && f <= most) {
		return false
	}
	return c.worth.has(c.sign * f)
}
