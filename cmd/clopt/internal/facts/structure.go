package facts

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/internal/solvers/structure"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers/methods"
)

// Structure is what "clopt structure" shows. The field names are those of --json.
type Structure struct {
	Problem    string    `json:"problem"`
	Variables  int       `json:"variables"`
	Components int       `json:"components"`
	Reads      string    `json:"reads"`
	Sums       int       `json:"sums"`
	Linear     []float64 `json:"linear"`     // coefficients of the sums; null: f is not linear in them
	InnerSums  int       `json:"inner_sums"` // of which a component is a function; 0: none are declared
	Tiles      int       `json:"tiles"`
	TileVars   int       `json:"tile_variables"`
	Halo       int       `json:"halo"` // variables that a tile reads of the next one

	Parts   []PartClass `json:"parts"`              // null where there are none
	NoParts string      `json:"no_parts,omitempty"` // why
	// Colours of parts and of single variables; 0: none.
	PartColours     int    `json:"part_colours"`
	VariableColours int    `json:"variable_colours"`
	NoColours       string `json:"no_colours,omitempty"`

	Cost       int     `json:"cost"`        // of a whole evaluation
	ChangeCost float64 `json:"change_cost"` // of a change of one variable, on average

	Methods []MethodRow `json:"methods"`

	Verified *structure.Report `json:"verified,omitempty"`
}

// PartClass is the parts of one size.
type PartClass struct {
	Variables  int `json:"variables"`  // of a part
	Components int `json:"components"` // that read one of them
	Count      int `json:"count"`      // of such parts
}

// MethodRow says whether a method takes the problem.
type MethodRow struct {
	Method  string `json:"method"`
	Missing string `json:"missing"` // property that the problem lacks; "": the method takes it
}

// StructureOf derives the report from the problem.
func StructureOf(p problems.Problem) (*Structure, error) {
	s, t := p.Structure(), p.Tiling()
	r := &Structure{Problem: p.Spec().String(), Variables: s.Variables(), Components: s.Components(),
		Reads: ReadsInWords(s), Sums: p.Accumulators(), Linear: p.Linear(), InnerSums: s.Inner(),
		Tiles: t.Tiles(), TileVars: min(t.TileVars, t.N), Halo: t.Halo}
	if parts, err := problems.PartsOf(p, 1); err != nil {
		r.NoParts = err.Error()
	} else {
		r.Parts, r.PartColours = classesOf(parts, t), parts.Colours
	}
	if c, err := problems.ColoursOf(s); err != nil {
		r.NoColours = err.Error()
	} else {
		r.VariableColours = c.Count
	}
	for k := range s.Components() {
		r.Cost += s.Cost(k)
	}
	r.ChangeCost = changeCost(s, r.Cost)
	for _, name := range methods.Names() {
		sets := []map[string]string{nil}
		if name == "sa" {
			sets = []map[string]string{{"variant": "v2"}, {"variant": "sweeps"}}
		}
		for _, set := range sets {
			m, err := methods.New(name, set)
			if err != nil {
				return nil, err
			}
			row := MethodRow{Method: name, Missing: methods.Missing(m, p, problems.FP64)}
			if set != nil {
				row.Method = map[string]string{"v2": "sa, chains", "sweeps": "sa, sweeps"}[set["variant"]]
			}
			r.Methods = append(r.Methods, row)
		}
	}
	return r, nil
}

// classesOf counts the parts of each size in all tiles, in order of size.
func classesOf(parts *problems.Parts, t problems.Tiling) []PartClass {
	count := map[PartClass]int{}
	lo, hi := t.Vars(t.Tiles() - 1)
	for _, part := range parts.Parts {
		n := t.Tiles()
		if part.Vars[len(part.Vars)-1] >= hi-lo {
			n-- // the last tile is shorter
		}
		count[PartClass{Variables: len(part.Vars), Components: len(part.Comps)}] += n
	}
	all := slices.SortedFunc(maps.Keys(count), func(a, b PartClass) int {
		return cmp.Or(a.Variables-b.Variables, a.Components-b.Components)
	})
	for i, c := range all {
		all[i].Count = count[c]
	}
	return all
}

// changeCost returns the mean cost of a change of one variable. Of more than a hundred thousand variables it takes
// some at equal distances.
func changeCost(s problems.Structure, whole int) float64 {
	if s.Whole() {
		return float64(whole)
	}
	const most = 100000
	step := (s.Variables() + most - 1) / most
	count := 0
	total := 0
	var comps []int
	for i := 0; i < s.Variables(); i += step {
		comps = s.ComponentsOf(i, comps[:0])
		for _, k := range comps {
			total += s.Cost(k)
		}
		count++
	}
	return float64(total) / float64(count)
}

// Print writes the report for a person.
func (r *Structure) Print(w io.Writer) {
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "  %-12s%s\n", what, fmt.Sprintf(format, args...))
	}
	fmt.Fprintln(w, r.Problem)
	line("variables", "%d", r.Variables)
	line("components", "%d", r.Components)
	line("reads", "%s", r.Reads)
	linear := "f is not linear in them"
	if r.Linear != nil {
		linear = fmt.Sprintf("f is linear in them, with the factors %s", strings.Trim(fmt.Sprint(r.Linear), "[]"))
	}
	line("sums", "%d; %s", r.Sums, linear)
	if r.InnerSums > 0 {
		line("inner sums", "%d; each component is a function of so many sums of its own", r.InnerSums)
	}
	tiles := fmt.Sprintf("%d of %d variables", r.Tiles, r.TileVars)
	if r.Halo > 0 {
		tiles += fmt.Sprintf(", which read %d of the next", r.Halo)
	}
	line("tiles", "%s", tiles)
	if r.Parts == nil {
		line("parts", "none: %s", r.NoParts)
	}
	for _, c := range r.Parts {
		line("parts", "%d of %s and %s", c.Count, report.Counted(c.Variables, "variable"),
			report.Counted(c.Components, "component"))
	}
	if r.PartColours > 0 {
		line("colours", "%d of parts", r.PartColours)
	}
	if r.NoColours != "" {
		line("colours", "none: %s", r.NoColours)
	} else {
		line("colours", "%d of variables", r.VariableColours)
	}
	line("cost", "%d for an evaluation, %.4g for a change of one variable", r.Cost, r.ChangeCost)
	for _, m := range r.Methods {
		line("method", "%-12s %s", m.Method, cmp.Or(prefixed("needs: ", m.Missing), "yes"))
	}
	switch v := r.Verified; {
	case v == nil:
	case v.Found() != nil:
		line("verified", "no")
	case v.Tests == 0:
		line("verified", "components read nothing outside 0 to %d at %d points; nothing else is declared",
			r.Variables-1, v.Points)
	default:
		line("verified", "components read what is declared at %d points; no other variables interact in %d tests%s",
			v.Points, v.Tests, untested(v.Missed))
	}
}

// untested says which share of the pairs of variables no test has touched, unless it is below 0.01 %.
func untested(share float64) string {
	if share < 1e-4 {
		return ""
	}
	return fmt.Sprintf(" (%.2g %% of the pairs untested)", 100*share)
}

// prefixed returns text after prefix, or "" if text is "".
func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
