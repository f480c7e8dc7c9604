package diff_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/diff"
	"github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
)

// around is what a tree finds around it in an objective.
func around(t *testing.T, o *opencl.Objective) host.Data {
	t.Helper()
	text, err := o.Text(problems.FP64, problems.Item)
	if err != nil {
		t.Fatal(err)
	}
	data := host.Data{Variables: o.Domain().N, Symbols: map[string]uint32{"DIM": uint32(o.Domain().N),
		"COMPS": uint32(o.Structure().Components())}, Tables: map[string]host.Table{}}
	for _, table := range text.Tables {
		data.Tables[table.Name] = host.Table{Real: table.Real, Uint: table.Uint}
	}
	for _, n := range text.Numbers {
		data.Symbols["d."+n.Name] = n.Value
	}
	for _, d := range text.Defines {
		if v, found := strings.CutPrefix(d.Name, "GRID_"); found {
			n := uint32(0)
			for _, c := range strings.TrimSuffix(d.Value, "u") {
				n = 10*n + uint32(c-'0')
			}
			data.Symbols["GRID_"+v] = n
		}
	}
	return data
}

// checkTree compares the adjoint of a tree with the tangent, and the tangent with central differences, at some points.
// It returns the most operations of a gradient, as a multiple of those of the value.
func checkTree(t *testing.T, tree *clc.Tree, data host.Data, o *opencl.Objective) float64 {
	t.Helper()
	adjoint, err := diff.Adjoint(tree, func(name string) (uint64, bool) {
		v, ok := data.Symbols[name]
		return uint64(v), ok
	})
	if err != nil {
		t.Skip(err)
	}
	tangent, err := diff.Tangent(tree)
	if err != nil {
		t.Fatal(err)
	}
	text := clc.Writer{}
	text.Tree(adjoint)
	if testing.Verbose() {
		t.Log("\n" + text.String())
	}
	c := check{t: t, value: frame(t, tree, data), back: frame(t, adjoint, data), along: frame(t, tangent, data),
		weights: make([]float64, tree.Out.Len)}
	rnd, d := rand.New(rand.NewPCG(1, 2)), o.Domain()
	lo, hi := d.Box()
	worst := 0.0
	for range 6 {
		x, dir := make([]float64, d.N), make([]float64, d.N)
		for i := range x {
			lo, hi := d.Interval(i)
			x[i] = lo + (hi-lo)*rnd.Float64()
			dir[i] = rnd.NormFloat64()
		}
		for j := range c.weights {
			c.weights[j] = rnd.Float64() + 0.5
		}
		worst = max(worst, c.at(rnd.IntN(o.Structure().Components()), x, dir, 1e-5*(hi-lo)))
	}
	if t.Failed() {
		t.Log("\n" + text.String())
	}
	return worst
}

func frame(t *testing.T, tree *clc.Tree, data host.Data) *host.Frame {
	t.Helper()
	f, err := host.Compile(tree, data)
	if err != nil {
		text := clc.Writer{}
		text.Tree(tree)
		t.Fatalf("%v\n%s", err, text.String())
	}
	return f.NewFrame()
}

// check has a function, its adjoint and its tangent.
type check struct {
	t                  *testing.T
	value, back, along *host.Frame
	weights            []float64
}

// many is more operations than a function takes.
const many = 1 << 40

// f returns the weighted sum of the results at x + h·dir, and how many operations it took.
func (c *check) f(k int, x, dir []float64, h float64) (sum float64, took int64) {
	y := make([]float64, len(x))
	for i := range y {
		y[i] = x[i] + h*dir[i]
	}
	clear(c.value.Out())
	took, err := c.value.Run(k, 0, y, many)
	if err != nil {
		c.t.Fatal(err)
	}
	for j, v := range c.value.Out() {
		sum += c.weights[j] * v
	}
	return sum, took
}

// at compares the derivatives of component k along a direction.
func (c *check) at(k int, x, dir []float64, h float64) float64 {
	t := c.t
	size, by, other := 0.0, 0.0, 0.0
	c.back.Derive(func(i int64, v float64) {
		other += v * dir[i]
		size += math.Abs(v * dir[i])
	}, nil)
	copy(c.back.In(), c.weights)
	took, err := c.back.Run(k, 0, x, many)
	if err != nil {
		t.Fatal(err)
	}
	c.along.Derive(nil, func(i int64) float64 { return dir[i] })
	clear(c.along.Out())
	if _, err := c.along.Run(k, 0, x, many); err != nil {
		t.Fatal(err)
	}
	for j, v := range c.along.Out() {
		by += c.weights[j] * v
		size += math.Abs(c.weights[j] * v)
	}
	f, cost := c.f(k, x, dir, 0)
	if math.IsNaN(size+f) || math.IsInf(size+f, 0) {
		return 0
	}
	if !(math.Abs(by-other) <= 1e-12*size) {
		t.Errorf("component %d: adjoint %v, tangent %v", k, other, by)
	}
	central := func(h float64) float64 {
		up, _ := c.f(k, x, dir, h)
		down, _ := c.f(k, x, dir, -h)
		return (up - down) / (2 * h)
	}
	wide, narrow := central(h), central(h/2)
	fine := (4*narrow - wide) / 3
	least := 1e-6*size + 1e-13*math.Abs(f)/h
	if math.Abs(wide-narrow) > 1e-5*size+least { // a jump or a kink
		return float64(took) / float64(cost)
	}
	if math.Abs(fine-by) > 2e-6*size+least {
		t.Errorf("component %d: tangent %v, differences %v", k, by, fine)
	}
	return float64(took) / float64(cost)
}

// checkText checks the trees of an objective.
func checkText(t *testing.T, o *opencl.Objective) {
	t.Helper()
	trees, opaque := o.Trees(problems.FP64)
	if trees == nil {
		t.Skip(opaque.String())
	}
	all := []*clc.Tree{diff.Component(trees)}
	if trees.Residuals != nil {
		all = append(all, trees.Residuals)
	}
	for _, tree := range all {
		if worst := checkTree(t, tree, around(t, o), o); worst > 5 {
			t.Errorf("a gradient takes %.2f times the operations of the value", worst)
		}
	}
}

// The derivatives of the texts that people have written.
func TestTexts(t *testing.T) {
	for _, pattern := range []string{"gallery/*", "testdata", "testdata/auto", "strangers/*"} {
		folder := "../../../test/"
		if strings.HasPrefix(pattern, "gallery") {
			folder = "../../../docs/"
		}
		files, err := filepath.Glob(folder + pattern + "/*.cl")
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				o, err := opencl.ParseFile(file, 0)
				if err != nil {
					o, err = opencl.ParseFile(file, 20)
				}
				if err != nil {
					t.Skip(err)
				}
				checkText(t, o)
			})
		}
	}
}

// The kinds of functions that most depend on how loops are undone.
func TestKinds(t *testing.T) {
	table := func(rows int, f func(i int) float64) *fstest.MapFile {
		var b strings.Builder
		for i := range rows {
			fmt.Fprintf(&b, "%g\n", f(i))
		}
		return &fstest.MapFile{Data: []byte(b.String())}
	}
	files := fstest.MapFS{
		"X.txt": table(160, func(i int) float64 { return math.Sin(float64(7 * i)) }),
		"t.txt": table(20, func(i int) float64 { return math.Cos(float64(3 * i)) }),
		"J.txt": table(100, func(i int) float64 { return float64(i * i % 30) }),
	}
	paths, err := filepath.Glob("testdata/*.cl")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			o, err := opencl.Parse(strings.NewReader(string(text)), files, 0)
			if err != nil {
				t.Fatal(err)
			}
			checkText(t, o)
		})
	}
}
