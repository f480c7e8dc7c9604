package test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/cec2013"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/test/datatest"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/clopt/clopt/test/shorttest"
)

// cecGroup opens the devices that a run without a choice would take.
func cecGroup(t testing.TB) *shard.Devices {
	t.Helper()
	return problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
}

// cecForms returns c and, if its text is cooperative, its plain twin.
func cecForms(c *cec2013.CEC2013) map[string]problems.Problem {
	if text, err := c.Text(problems.FP64, problems.Tile); err == nil && !text.Cooperative {
		return map[string]problems.Problem{"item": c}
	}
	return map[string]problems.Problem{"cooperative": c, "item": problemtest.Items(c)}
}

type cecCase struct {
	Kind          string
	Seed          uint64
	E, Group      int
	F, Rtol, Atol float64
	Blocks        int
	x             []float64
}

type cecFunction struct {
	Dim        int
	LB, UB     float64
	Points     []cecCase
	Replicated struct {
		cecCase
		Values []float64 `json:"block_values"`
	}
}

// cecReference reads the reference values and makes their points.
func cecReference(t *testing.T) (dir string, all map[int]*cecFunction) {
	t.Helper()
	dir = datatest.CEC2013(t)
	raw, err := os.ReadFile(filepath.Join(dir, "reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Functions map[int]*cecFunction }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	for f, r := range file.Functions {
		data, err := cec2013.Load(dir, f)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Points {
			r.Points[i].x = r.point(&r.Points[i], r.Dim, data)
		}
		r.Replicated.Kind = "gen"
		r.Replicated.x = r.point(&r.Replicated.cecCase, 1000*r.Replicated.Blocks, data)
	}
	return dir, file.Functions
}

// point follows the rules that the reference file states.
func (r *cecFunction) point(c *cecCase, n int, data *cec2013.Data) []float64 {
	k := make([]float64, n)
	for i := range k {
		c.Seed += 0x9E3779B97F4A7C15 // SplitMix64
		z := c.Seed
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		k[i] = float64((z ^ z>>31) >> 44)
	}
	shared := 0
	if r.Dim == 905 {
		shared = 5
	}
	group := make([][]int, len(data.Sizes)+1) // variables; the rest last
	at := 0
	for g, s := range data.Sizes {
		group[g] = data.Perm[at : at+s]
		at += s - shared
	}
	if data.Perm != nil && shared == 0 {
		group[len(data.Sizes)] = data.Perm[at:]
	}
	opt := make([]float64, max(n, len(data.Shift)))
	copy(opt, data.Shift)
	if data.F == 14 { // shifts by position; the first group wins
		last := len(data.Shift)
		for g := len(data.Sizes) - 1; g >= 0; g-- {
			last -= data.Sizes[g]
			for j, v := range group[g] {
				opt[v] = data.Shift[last+j]
			}
		}
	}
	x := make([]float64, n)
	gen := func(j int) float64 { return r.LB + (r.UB-r.LB)*k[j]/(1<<20) }
	for j := range x {
		switch c.Kind {
		case "gen":
			x[j] = gen(j)
		case "near":
			x[j] = opt[j] + (2*k[j]-(1<<20))*math.Ldexp(1, -20-c.E)
		case "lower":
			x[j] = r.LB
		case "upper":
			x[j] = r.UB
		case "xopt", "part":
			x[j] = opt[j]
		case "xopt_plus_1":
			x[j] = opt[j] + 1
		}
	}
	if c.Kind == "part" {
		for _, v := range group[c.Group] {
			x[v] = gen(v)
		}
	}
	return x
}

// The host has the reference values, of points, and of blocks that repeat a function.
func TestCEC2013HostReference(t *testing.T) {
	dir, all := cecReference(t)
	for f := 1; f <= 15; f++ {
		data, err := cec2013.Load(dir, f)
		if err != nil {
			t.Fatal(err)
		}
		r := all[f]
		c, err := cec2013.New(f, r.Dim, "", data)
		if err != nil {
			t.Fatal(err)
		}
		if lo, hi := c.Domain().Box(); lo != r.LB || hi != r.UB || len(r.Points) == 0 {
			t.Fatalf("f%d: box %v..%v, want %v..%v; %d points", f, lo, hi, r.LB, r.UB, len(r.Points))
		}
		worst := 0.0
		for _, p := range r.Points {
			got, err := problems.Eval(c, p.x)
			if err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(got-p.F) <= p.Rtol*math.Abs(p.F)+p.Atol) {
				t.Errorf("f%d at %s seed %d group %d: %v, want %v", f, p.Kind, p.Seed, p.Group, got, p.F)
			}
			if p.Kind == "gen" {
				worst = max(worst, math.Abs(got/p.F-1))
			}
		}
		t.Logf("f%d: largest relative difference at random points %.1e", f, worst)
		many := r.Replicated
		if c, err = cec2013.New(f, len(many.x), "", data); err != nil {
			t.Fatal(err)
		}
		for b, want := range many.Values {
			acc := []float64{0}
			c.HostTile(b, many.x[1000*b:1000*b+1000], acc)
			if !(math.Abs(acc[0]/want-1) <= many.Rtol) {
				t.Errorf("f%d block %d: got %v, want %v", f, b, acc[0], want)
			}
		}
		if got, err := problems.Eval(c, many.x); err != nil || !(math.Abs(got/many.F-1) <= many.Rtol) {
			t.Errorf("f%d of %d blocks: got %v, %v, want %v", f, many.Blocks, got, err, many.F)
		}
	}
}

func TestCEC2013DeviceReference(t *testing.T) {
	dir, all := cecReference(t)
	g := cecGroup(t)
	for _, f := range shorttest.Rows(4, cecFunctions) {
		data, err := cec2013.Load(dir, f)
		if err != nil {
			t.Fatal(err)
		}
		r := all[f]
		one, err := cec2013.New(f, r.Dim, "", data)
		if err != nil {
			t.Fatal(err)
		}
		many, err := cec2013.New(f, len(r.Replicated.x), "", data)
		if err != nil {
			t.Fatal(err)
		}
		var points [][]float64
		for _, p := range r.Points {
			points = append(points, p.x)
		}
		for form, c := range cecForms(one) {
			got, err := shard.Evaluate(context.Background(), g, c, problems.FP64, points)
			if err != nil {
				t.Fatal(err)
			}
			worst := 0.0
			for i, p := range r.Points {
				if !(math.Abs(got[i]-p.F) <= p.Rtol*math.Abs(p.F)+p.Atol) {
					t.Errorf("f%d %s at %s seed %d group %d: %v, want %v", f, form, p.Kind, p.Seed, p.Group, got[i],
						p.F)
				}
				if p.Kind == "gen" {
					worst = max(worst, math.Abs(got[i]/p.F-1))
				}
			}
			t.Logf("f%d %s: largest relative difference at random points %.1e", f, form, worst)
		}
		if testing.Short() {
			continue // TestCEC2013HostReference and TestCEC2013DeviceHost have blocks that repeat a function
		}
		for form, c := range cecForms(many) {
			got, err := shard.Evaluate(context.Background(), g, c, problems.FP64, [][]float64{r.Replicated.x})
			if err != nil {
				t.Fatal(err)
			}
			if want := r.Replicated.F; !(math.Abs(got[0]/want-1) <= r.Replicated.Rtol) {
				t.Errorf("f%d %s of %d blocks: %v, want %v", f, form, r.Replicated.Blocks, got[0], want)
			}
		}
	}
}

// All modes on generated instances, both precisions, against the host: random
// points, the bounds, the middle, and beside the optimum. Points are float32
// numbers, so that both precisions evaluate the same ones.
func TestCEC2013DeviceHost(t *testing.T) {
	g := cecGroup(t)
	for f := 1; f <= 15; f++ {
		for _, mode := range shorttest.Rows(1, []string{cec2013.ModeBlocks, cec2013.ModePaper, cec2013.ModeDistinct}) {
			sizes := []int{3000}
			if f == 13 || f == 14 {
				sizes = append(sizes, 905)
			}
			if mode == cec2013.ModePaper && (f <= 3 || f == 12) {
				sizes = append(sizes, 2, 1001, 2345)
			}
			for _, n := range sizes {
				c, err := cec2013.New(f, n, mode, cec2013.Generate(f))
				if err != nil {
					t.Fatal(err)
				}
				cecCompare(t, g, c)
			}
		}
	}
}

func cecCompare(t *testing.T, g *shard.Devices, c *cec2013.CEC2013) {
	t.Helper()
	lo, hi := c.Domain().Box()
	var points [][]float64
	add := func(at func(i int) float64) {
		x := make([]float64, c.Domain().N)
		for i := range x {
			x[i] = float64(float32(at(i)))
		}
		points = append(points, x)
	}
	uniform := func(i int, who uint32) float64 {
		return lo + (hi-lo)*rng.Uniform(rng.Key{Seed: 3}.Word(uint32(i), who, 0, rng.Check))
	}
	for who := range uint32(3) {
		add(func(i int) float64 { return uniform(i, who) })
	}
	add(func(int) float64 { return lo })
	add(func(int) float64 { return hi })
	add(func(int) float64 { return 0 })
	if opt, ok := c.Info().Optimum(); ok {
		add(func(i int) float64 { return opt[i] + uniform(i, 9)*1e-3 })
		if c.Mode() != cec2013.ModePaper {
			// At this distance float32 needs both numbers of the pair of a shift.
			add(func(i int) float64 { return opt[i] + uniform(i, 9)*1e-5 })
		}
	}
	want := make([]float64, len(points))
	for i, x := range points {
		var err error
		if want[i], err = problems.Eval(c, x); err != nil {
			t.Fatal(err)
		}
	}
	for form, c := range cecForms(c) {
		for _, prec := range []problems.Precision{problems.FP64, problems.FP32} {
			if text, err := c.Text(prec, problems.Tile); err != nil {
				continue // overflows
			} else if prec == problems.FP32 && !text.Cooperative && len(text.Tables) > 0 {
				continue // the twin differs only in its loops
			}
			got, err := shard.Evaluate(context.Background(), g, c, prec, points)
			if err != nil {
				t.Fatal(err)
			}
			worst := 0.0
			for i, w := range want {
				diff := math.Abs(got[i] - w)
				if !(diff <= c.Tolerance(prec)*w) {
					t.Errorf("%s %s %v: point %d: %v, host %v, relative %.1e", c.Spec(), form, prec, i, got[i], w,
						diff/w)
				}
				if w > 0 {
					worst = max(worst, diff/w)
				}
			}
			t.Logf("%s %s %v: largest relative difference %.1e", c.Spec(), form, prec, worst)
		}
	}
}

// Host and device draw the same bits of shifts, so f on the device is exactly 0 at the shifts of the host.
func TestCEC2013DeviceDistinct(t *testing.T) {
	g := cecGroup(t)
	for _, f := range shorttest.Rows(4, cecFunctions) {
		c, err := cec2013.New(f, 3000, cec2013.ModeDistinct, cec2013.Generate(f))
		if err != nil {
			t.Fatal(err)
		}
		x, ok := c.Info().Optimum()
		if !ok {
			continue
		}
		for form, c := range cecForms(c) {
			got, err := shard.Evaluate(context.Background(), g, c, problems.FP64, [][]float64{x})
			if err != nil {
				t.Fatal(err)
			}
			if got[0] != 0 && !(f == 12 && got[0] < 1e-20) {
				t.Errorf("%s %s: f = %v at the drawn shifts", c.Spec(), form, got[0])
			}
		}
	}
}
