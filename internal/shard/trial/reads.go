package trial

import (
	"slices"

	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
)

// read returns the error of a read of a variable that is not declared, if there was one.
func (t *trial) read() error {
	found := t.found
	if found[3] > 0 {
		found = found[3:] // a read outside the vector is reported first
	}
	if found[0] == 0 {
		return nil
	}
	e := &ReadError{File: problems.SourceOf(t.p), Variable: found[1], Component: found[2], Count: found[0],
		Dim: t.p.Tiling().N, Points: t.points}
	if s := t.p.Structure(); !s.Whole() {
		_, _, e.Grid = s.Grid()
		e.Declared = s.Reads(int(e.Component), nil)
		slices.Sort(e.Declared)
	}
	return e
}

// trialTables returns the tables of kernels/lib/view_trial.cl.
func trialTables(p problems.Problem, prec problems.Precision) (tables []problems.Table) {
	if !p.Domain().OneBox() {
		d := p.Domain().In(prec)
		tables = []problems.Table{{Name: "trial_lo", Real: d.Lo}, {Name: "trial_hi", Real: d.Hi}}
	}
	s := p.Structure()
	reads, start, ok := s.GridTables()
	if !ok {
		reads, start, _, _, ok = s.ReadTables()
	}
	if ok {
		tables = append(tables, problems.Table{Name: "trial", Uint: reads},
			problems.Table{Name: "trial_start", Uint: start})
	}
	return tables
}

// trialDefines returns the defines of kernels/lib/view_trial.cl.
func trialDefines(s problems.Structure) []kernels.Define {
	if class, ok := s.GridClass("k"); ok {
		return []kernels.Define{kernels.Number("TRIAL_GRID", 1), {Name: "TRIAL_CLASS(k)", Value: class}}
	}
	if _, _, vars, comps, ok := s.ReadTables(); ok {
		return []kernels.Define{kernels.Number("TRIAL_LISTS", 1), kernels.Number("TRIAL_VARS", vars),
			kernels.Number("TRIAL_COMPS", comps)}
	}
	stride, from, to, _ := s.Window()
	return []kernels.Define{kernels.Number("TRIAL_WHOLE", problems.Flag(s.Whole())),
		kernels.Number("TRIAL_STRIDE", stride), kernels.Number("TRIAL_FROM", from), kernels.Number("TRIAL_TO", to)}
}
