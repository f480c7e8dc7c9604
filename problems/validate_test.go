package problems_test

import (
	"math"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
)

// made is a problem that a program has made. The zero value lacks everything.
type made struct {
	domain    problems.Domain
	structure problems.Structure
	tiling    problems.Tiling
	sums      int
	linear    []float64
	info      problems.Info
	text      problems.Text
	tolerance float64
}

func (m *made) Spec() problems.Spec           { return problems.Spec{Family: "made"} }
func (m *made) Info() problems.Info           { return m.info }
func (m *made) Domain() problems.Domain       { return m.domain }
func (m *made) Structure() problems.Structure { return m.structure }
func (m *made) Linear() []float64             { return m.linear }
func (m *made) Tiling() problems.Tiling       { return m.tiling }
func (m *made) Accumulators() int             { return m.sums }
func (m *made) Objective(a []float64) float64 { return a[0] }
func (m *made) Text(prec problems.Precision, form problems.Form) (problems.Text, error) {
	if form != problems.Item {
		return problems.Text{}, problems.ErrNoForm
	}
	return m.text, nil
}
func (m *made) Tolerance(problems.Precision) float64 { return m.tolerance }

// TestValidate makes one mistake after the other. The error names the field and the value.
func TestValidate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		want   string // "": there is no mistake
		change func(m *made)
	}{
		{"", func(m *made) {}},
		{"Domain.N is 0", func(m *made) { *m = made{} }},
		{"Domain.N is 0", func(m *made) { m.domain = problems.Domain{} }},
		{"Domain.N is -5", func(m *made) { m.domain.N = -5 }},
		{"Domain.N is 1099511627776", func(m *made) { m.domain.N = 1 << 40 }},
		{"Domain.Lo has 0 numbers", func(m *made) { m.domain.Lo = nil }},
		{"Domain.Lo has 3 numbers and Domain.Hi has 3; use one for all variables, or 10", func(m *made) {
			m.domain.Lo, m.domain.Hi = make([]float64, 3), make([]float64, 3)
		}},
		{"Domain.Lo[0] is NaN", func(m *made) { m.domain = problems.Cube(10, nan, 1) }},
		{"Domain.Hi[0] is +Inf", func(m *made) { m.domain = problems.Cube(10, 0, inf) }},
		{"Domain.Lo[0] is 2 and Domain.Hi[0] is 1", func(m *made) { m.domain = problems.Cube(10, 2, 1) }},
		{"difference below 1.8e308", func(m *made) { m.domain = problems.Cube(10, -1e308, 1e308) }},
		{"are equal for all variables", func(m *made) { m.domain = problems.Cube(10, 1, 1) }},
		{"a binary domain", func(m *made) { m.domain.Binary = true }},
		{"Domain.Names has 1 names for 10", func(m *made) { m.domain.Names = []string{"a"} }},
		{"Structure is empty", func(m *made) { m.structure = problems.Structure{} }},
		{"Structure has 9 variables and 10 components, and Tiling has 10 and 10", func(m *made) {
			m.structure = problems.Everything(9, 10)
		}},
		{"Structure.Cost is 0", func(m *made) { m.structure = m.structure.Costing(1, 0) }},
		{"Structure.Squares is -1", func(m *made) { m.structure = m.structure.Squared(-1) }},
		{"Structure.Inner is -1", func(m *made) { m.structure = m.structure.WithInner(-1) }},
		{"Tiling.N is 0", func(m *made) { m.tiling = problems.Tiling{} }},
		{"Tiling.N is 11, and Domain.N is 10", func(m *made) { m.tiling.N = 11 }},
		{"Tiling.TileVars is 0", func(m *made) { m.tiling.TileVars = 0 }},
		{"Tiling.Halo is -1", func(m *made) { m.tiling.Halo = -1 }},
		{"component 4 reads variable 5, and Tiling lets its tile 0 read 0 to 4", func(m *made) { m.tiling.Halo = 0 }},
		{"component 0 reads variable 9", func(m *made) { m.structure = problems.Everything(10, 10) }},
		{"Accumulators is 0", func(m *made) { m.sums = 0 }},
		{"Accumulators is 2; components of inner sums have 1", func(m *made) {
			m.sums, m.linear, m.structure = 2, nil, m.structure.WithInner(3)
		}},
		{"Linear has 2 numbers for 1", func(m *made) { m.linear = []float64{1, 2} }},
		{"Linear is [NaN]", func(m *made) { m.linear = []float64{nan} }},
		{"Info.Best is NaN", func(m *made) { m.info.Best = &nan }},
		{"Info.Target is NaN", func(m *made) { m.info.Target = &nan }},
		{"Info.Best is nil", func(m *made) { m.info.Proven = true }},
		{"Tolerance(fp64) is NaN", func(m *made) { m.tolerance = nan }},
		{"Tolerance(fp64) is -1", func(m *made) { m.tolerance = -1 }},
		{"Parts and Sources are empty", func(m *made) { m.text = problems.Text{} }},
		{`Tables[0] has the name ""`, func(m *made) { m.text.Tables = []problems.Table{{Real: []float64{1}}} }},
		{"Tables[0], a, has 0 Real and 0 Uint", func(m *made) { m.text.Tables = []problems.Table{{Name: "a"}} }},
		{`Numbers[0] has the name "a", which another one has`, func(m *made) {
			m.text.Tables = []problems.Table{{Name: "a", Uint: []uint32{1}}}
			m.text.Numbers = []problems.Number{{Name: "a"}}
		}},
		{"Panel.Points is 3", func(m *made) { m.text.Panel.Points = 3 }},
		{"Scratch is -1", func(m *made) { m.text.Scratch = -1 }},
	} {
		m := &made{problems.Cube(10, -1, 1), problems.Windows(10, 10, 1, 0, 1),
			problems.Tiling{N: 10, M: 10, TileVars: 5, TileComps: 5, Halo: 1}, 1, []float64{1}, problems.Info{},
			problems.Text{Sources: []problems.Source{{File: "made", Text: "static void component() {}"}}}, 1e-9}
		c.change(m)
		err := problems.Validate(m)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want an error with %q", err, c.want)
		}
	}
	for _, p := range []problems.Problem{nil, (*made)(nil)} {
		if err := problems.Validate(p); err == nil || !strings.Contains(err.Error(), "the problem is nil") {
			t.Errorf("%#v: %v", p, err)
		}
	}
}

// TestStructurePanics checks that lists which are none are refused with a sentence.
func TestStructurePanics(t *testing.T) {
	for name, make := range map[string]func(){
		"a variable that is not there": func() { problems.Lists(3, []uint32{0, 1}, []uint32{3}) },
		"no components":                func() { problems.Lists(3, []uint32{0}, nil) },
		"no starts":                    func() { problems.Lists(3, nil, nil) },
		"starts that fall":             func() { problems.Lists(3, []uint32{0, 2, 1, 2}, []uint32{0, 1}) },
		"a list that is too long":      func() { problems.Lists(3, []uint32{0, 1}, []uint32{0, 1}) },
		"no offsets":                   func() { problems.Offsets(3, 3, 1, nil) },
		"no steps":                     func() { problems.Grid([3]int{1, 1, 3}) },
		"a window that is backwards":   func() { problems.Windows(3, 3, 1, 2, 1) },
	} {
		func() {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "problems: ") {
					t.Errorf("%s: no panic with a sentence, but %q", name, text)
				}
			}()
			make()
		}()
	}
}
