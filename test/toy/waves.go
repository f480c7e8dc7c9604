package toy

import (
	"cmp"
	_ "embed"
	"math"
	"strconv"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

func init() { catalog.Register(Waves) }

// Waves is the family of f(x) = Σ ((x_i - c)² + 1 - cos(3 x_i)) over [-4, 4]. Its specs are waves/even:n=N with c = 0,
// whose only global minimum is 0 at 0, and waves/tilted:n=N with c = 1.
var Waves = problems.Family{
	Name:  "waves",
	Title: "squares plus waves: the sum of (x_i - c)^2 + 1 - cos(3 x_i), with c = 0 (even) or 1 (tilted)",
	Parse: newWaves,
	List: func() []problems.Entry {
		return []problems.Entry{{Name: "waves/even", Title: "squares plus waves", Dim: 100, Lo: -4, Hi: 4},
			{Name: "waves/tilted", Title: "squares around 1 plus waves", Dim: 100, Lo: -4, Hi: 4}}
	},
}

//go:embed waves.cl
var wavesText string

func newWaves(s problems.Spec, _ string) (problems.Problem, error) {
	n, err := s.Dim()
	if err != nil {
		return nil, err
	}
	n = cmp.Or(n, 100)
	about, centre := problems.Info{Title: "squares plus waves"}, 1.0
	if s.Name == "even" {
		centre = 0
		about.Best = new(0.0)
		about.Complete = true
		about.Optima = func() [][]float64 { return [][]float64{make([]float64, n)} }
	}
	return &problems.Sum{
		Name:  problems.Spec{Family: "waves", Name: s.Name}.With("n", strconv.Itoa(n)),
		About: about,
		Box:   problems.Cube(n, -4, 4),
		Reads: problems.Windows(n, n, 1, 0, 0), // component k reads variable k
		Code: problems.Text{Sources: []problems.Source{{File: "waves.cl", Text: wavesText}},
			Defines: []problems.Define{{Name: "CENTRE", Value: problems.Literal(centre)}}},
		FP64: 1.5e-14, FP32: 6e-7, // ten times the largest observed error, that of sin on POCL
		Component: func(k, first int, x []float64) float64 {
			v := x[k-first]
			return (v-centre)*(v-centre) + 2*math.Pow(math.Sin(1.5*v), 2) // 1 - cos(3 v), which would cancel near 0
		},
	}, nil
}
