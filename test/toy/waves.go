package toy

import (
	_ "embed"
	"fmt"
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

func init() { catalog.Register(Waves) }

// Waves is the family of f(x) = Σ ((x_i - c)² + 1 - cos(3 x_i)) over [-4, 4]. Its specs are waves/even:n=N with c = 0,
// whose only global minimum is 0 at 0, and waves/tilted:n=N with c = 1.
var Waves = problems.Family{
	Name:  "waves",
	Title: "squares plus waves",
	Parse: func(s problems.Spec, _ string) (problems.Problem, error) {
		w := &waves{name: s.Name, n: 100}
		n, err := s.Dim()
		if err != nil {
			return nil, err
		}
		if n > 0 {
			w.n = n
		}
		if w.name == "tilted" {
			w.centre = 1
		}
		return w, nil
	},
	List: func() []problems.Entry {
		return []problems.Entry{
			{Name: "waves/even", Title: "squares plus waves, minimum at 0", Dim: 100, Lo: -4, Hi: 4},
			{Name: "waves/tilted", Title: "squares around 1 plus waves", Dim: 100, Lo: -4, Hi: 4},
		}
	},
	Describe: func(problems.Entry) string {
		return "waves  the sum of (x_i - c)^2 + 1 - cos(3 x_i) in [-4, 4]; c is 0 for waves/even, 1 for waves/tilted\n"
	},
}

//go:embed waves.cl
var wavesText string

type waves struct {
	name   string
	n      int
	centre float64
}

var _ problems.Referenced = (*waves)(nil)

func (w *waves) Spec() problems.Spec {
	return problems.Spec{Family: "waves", Name: w.name}.With("n", fmt.Sprint(w.n))
}

func (w *waves) Info() problems.Info {
	info := problems.Info{Title: "squares plus waves"}
	if w.centre == 0 {
		info.Best, info.Complete = new(float64), true
		info.Optima = func() [][]float64 { return [][]float64{make([]float64, w.n)} }
	}
	return info
}

func (w *waves) Domain() problems.Domain { return problems.Cube(w.n, -4, 4) }

// Component k reads variable k.
func (w *waves) Structure() problems.Structure { return problems.Windows(w.n, w.n, 1, 0, 0) }

// f is the only accumulator.
func (w *waves) Linear() []float64               { return []float64{1} }
func (w *waves) Accumulators() int               { return 1 }
func (w *waves) Objective(acc []float64) float64 { return acc[0] }

func (w *waves) Tiling() problems.Tiling {
	return problems.Tiling{N: w.n, M: w.n, TileVars: problems.TargetTile, TileComps: problems.TargetTile}
}

// Text returns the same text for all forms, since waves.cl has both component and objective.
func (w *waves) Text(problems.Precision, problems.Form) (problems.Text, error) {
	return problems.Text{
		Sources: []problems.Source{{File: "waves.cl", Text: wavesText}},
		Defines: []problems.Define{{Name: "CENTRE", Value: problems.Literal(w.centre)}},
	}, nil
}

// Tolerance is ten times the largest observed error, that of sin on POCL.
func (w *waves) Tolerance(p problems.Precision) float64 {
	if p == problems.FP32 {
		return 6e-7
	}
	return 1.5e-14
}

func (w *waves) HostTile(t int, x, acc []float64) {
	lo, hi := w.Tiling().Comps(t)
	for k := lo; k < hi; k++ {
		w.HostComponent(k, lo, x, acc)
	}
}

func (w *waves) HostComponent(k, first int, x, acc []float64) {
	v := x[k-first]
	acc[0] += (v-w.centre)*(v-w.centre) + 2*math.Pow(math.Sin(1.5*v), 2)
}

// ErrorScale adds nothing, because no terms cancel: 1 - cos(3x) is written as 2 sin(1.5x)^2.
func (w *waves) ErrorScale(_, _, _ int, _, _ []float64) {}
