package trial_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/test/problemtest"
	"github.com/stretchr/testify/require"
)

// In onGrid, a component reads its cell and the neighbours to the left, below and after it.
const onGrid = "static void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k); " +
	"if (k % GRID_X > 0) acc[0] += at(x, k - 1); if (k / GRID_X % GRID_Y < GRID_Y - 1) acc[0] += at(x, k + GRID_X); " +
	"if (k + GRID_X * GRID_Y < DIM) acc[0] += at(x, k + GRID_X * GRID_Y); }\n"

// notUnderstood returns a text with as_uint, so that what it declares is not compared with it before the trial.
func notUnderstood(text string) []byte {
	return []byte(strings.Replace(text, "acc[0] += ", "acc[0] += as_uint(0) + ", 1))
}

func TestTrialFindsUndeclaredReads(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	for _, c := range []struct {
		name, text string
		n          int
		want       uint32 // 0: honest
	}{
		{"neighbour", "//@ bounds -1 1\n//@ reads k\nstatic void component(uint k, point x, data d, real *acc) { " +
			"acc[0] += at(x, k == 499 ? 500 : k); }\n", 700, 500},
		{"stride", "//@ bounds -1 1\n//@ reads 2k..2k+1\n//@ components n/2\nstatic void component(uint k, point " +
			"x, data d, real *acc) { acc[0] += at(x, 2 * k) * at(x, 2 * k + 1); }\n", 5000, 0},
		{"beyond the point", "//@ bounds -1 1\n//@ reads whole\nstatic void component(uint k, point x, data d, " +
			"real *acc) { acc[0] += at(x, k + (k + 1 == DIM)); }\n", 700, 700},
		{"window", "//@ bounds -1 1\n//@ reads k..k+1\n//@ components n-1\nstatic void component(uint k, point x, " +
			"data d, real *acc) { acc[0] += at(x, k) * at(x, k + 1); }\n", 5000, 0},
		{"cut window", "//@ bounds -1 1\n//@ reads k..k+1\nstatic void component(uint k, point x, data d, " +
			"real *acc) { if (k + 1 < DIM) acc[0] += at(x, k) * at(x, k + 1); }\n", 5000, 0},
		{"unguarded window", "//@ bounds -1 1\n//@ reads k..k+1\nstatic void component(uint k, point x, data d, " +
			"real *acc) { acc[0] += at(x, k) * at(x, k + 1); }\n", 5000, 5000},
		{"offsets", "//@ bounds -1 1\n//@ reads k, k+1, k+50\nstatic void component(uint k, point x, data d, " +
			"real *acc) { if (k + 50 < DIM) acc[0] += at(x, k) * at(x, k + 1) * at(x, k + 50); }\n", 2500, 0},
		{"between offsets", "//@ bounds -1 1\n//@ reads 2k, 2k+1, 2k+50\n//@ components 1000\nstatic void " +
			"component(uint k, point x, data d, real *acc) { acc[0] += at(x, 2*k + (k == 700 ? 2 : 1)); }\n", 2500,
			1402},
		{"grid", "//@ bounds -1 1\n//@ grid 3 40 10\n//@ reads self, left, down, back\n" + onGrid, 1200, 0},
		{"end of a row", "//@ bounds -1 1\n//@ grid 3 40 10\n//@ reads self, left, down, back\n" +
			strings.Replace(onGrid, "k % GRID_X > 0", "k > 0 && (k == 770 || k % GRID_X > 0)", 1), 1200, 769},
		{"whole", "//@ bounds -1 1\n//@ reads whole\nstatic void component(uint k, point x, data d, real *acc) { " +
			"acc[0] += at(x, DIM - 1 - k); }\n", 2000, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f.cl")
			require.NoError(t, os.WriteFile(path, notUnderstood(c.text), 0o600))
			p, err := opencl.ParseFile(path, c.n)
			require.NoError(t, err)
			err = trial.Run(context.Background(), g, p, problems.FP32)
			if c.want == 0 {
				require.NoError(t, err)
				return
			}
			var read *trial.ReadError
			require.ErrorAs(t, err, &read)
			require.Equal(t, c.want, read.Variable)
		})
	}
}

// A component adds to the sums, and does nothing else with them.
func TestTrialOfSums(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	for statement, honest := range map[string]bool{
		"acc[0] += at(x, k); acc[1] -= sq(at(x, k));":              true,
		"acc[0] += R(1e9); acc[0] += at(x, k); acc[0] -= R(1e9);":  true,
		"acc[0] += sqrt(at(x, k));":                                true,
		"acc[0] += 1e308; acc[1] -= 1.7e308;":                      true,
		"acc[0] += 1e305 * at(x, k); acc[1] = 1e305;":              false,
		"acc[0] = sq(at(x, k));":                                   false,
		"acc[0] += at(x, k); acc[1] = fmax(acc[1], 2 + at(x, k));": false,
		"if (k == 700) acc[1] *= 1 + sq(at(x, k));":                false,
	} {
		path := filepath.Join(t.TempDir(), "f.cl")
		require.NoError(t, os.WriteFile(path, []byte("//@ bounds -1 1\n//@ reads k\n//@ sums 2\nstatic void component("+
			"uint k, point x, data d, real *acc) { "+statement+" }\n"), 0o600))
		p, err := opencl.ParseFile(path, 2000)
		require.NoError(t, err)
		err = trial.Run(context.Background(), g, p, problems.FP64)
		require.Equal(t, honest, err == nil, "%s: %v", statement, err)
		if set := (*trial.SetError)(nil); !honest {
			require.ErrorAs(t, err, &set)
		}
	}
}

// A trial of another size builds nothing, unless the text needs its size as a constant.
func TestTrialOfSizes(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	d := g.All()[g.First()]
	for text, want := range map[string]int{
		"acc[0] += at(x, k + 1 < DIM ? k + 1 : k);":                1,
		"real v[DIM]; v[k] = at(x, k); acc[0] += v[k] + at(x, k);": 2,
	} {
		path := filepath.Join(t.TempDir(), "f.cl")
		require.NoError(t, os.WriteFile(path, []byte("//@ bounds -1 1\n//@ reads k..k+1\nstatic void component("+
			"uint k, point x, data d, real *acc) { "+text+" }\n"), 0o600))
		d.Builds()
		for _, n := range []int{20, 33} {
			p, err := opencl.ParseFile(path, n)
			require.NoError(t, err)
			require.NoError(t, trial.Run(context.Background(), g, p, problems.FP64))
		}
		programs := map[string]bool{}
		for _, b := range d.Builds() {
			programs[b.Sum] = true
		}
		require.Len(t, programs, want, text)
	}
}

// Lists are compared with what components read, too.
func TestTrialOfLists(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "l.txt"), []byte("5 0\n1 3 2\n4\n"), 0o600))
	for read, want := range map[string]string{
		"d.reads[d.reads_start[k]]":              "",
		"d.reads[d.reads_start[k + 1] - 1]":      "",
		"k == 1 ? 0 : d.reads[d.reads_start[k]]": "component 1 reads variable 0, outside the declared 1 to 3",
		"k == 0 ? 3 : d.reads[d.reads_start[k]]": "component 0 reads variable 3, outside the declared 0, 5",
	} {
		path := filepath.Join(dir, "f.cl")
		require.NoError(t, os.WriteFile(path, notUnderstood("//@ bounds -1 1\n//@ components 3\n"+
			"//@ reads lists l.txt\nstatic void component(uint k, point x, data d, real *acc) { acc[0] += at(x, "+
			read+"); }\n"), 0o600))
		p, err := opencl.ParseFile(path, 6)
		require.NoError(t, err)
		err = trial.Run(context.Background(), g, p, problems.FP64)
		if want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want)
		}
	}
}

// A stored point is watched as a whole, though a device has a part of it at a time. Every variable has its own value
// here, and a component that sees another one reads what it does not declare.
func TestAtWatchesAllOfAPoint(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	const n = 1_200_000
	path := filepath.Join(t.TempDir(), "f.cl")
	require.NoError(t, os.WriteFile(path, notUnderstood("//@ bounds 0 1\n//@ reads k..k+1\n//@ components n-1\n"+
		"static void component(uint k, point x, data d, real *acc) { real v = at(x, k) * 4194304, "+
		"w = at(x, k + 1) * 4194304; acc[0] += v != k || w != k + 1 ? at(x, 7) : v; }\n"), 0o600))
	p, err := opencl.ParseFile(path, n)
	require.NoError(t, err)
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i) / 4194304
	}
	terms, err := trial.At(context.Background(), g, p, problems.FP64, x)
	require.NoError(t, err)
	require.Equal(t, trial.Terms{Sums: terms.Sizes, Sizes: []float64{(n - 1) * (n - 2) / 2}, All: n - 1}, terms)
	x[1_100_000] = 0.5
	var read *trial.ReadError
	_, err = trial.At(context.Background(), g, p, problems.FP64, x)
	require.ErrorAs(t, err, &read)
	require.Equal(t, uint32(7), read.Variable)
	require.Contains(t, []uint32{1_099_999, 1_100_000}, read.Component)
	require.Equal(t, uint32(2), read.Count)
}

// listed is a problem whose type cannot be the key of a map.
type listed struct {
	problems.Problem
	names []string
}

// A problem may be any value.
func TestTryTakesValues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.cl")
	text := "//@ bounds -1 1\n//@ reads k\nstatic void component(uint k, point x, data d, real *acc) { acc[0] " +
		"+= at(x, k); }\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	p, err := opencl.ParseFile(path, 700)
	require.NoError(t, err)
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	for range 2 {
		require.NoError(t, trial.Try(context.Background(), g, listed{p, []string{"x"}}, problems.FP32))
		require.NoError(t, trial.Try(context.Background(), g, p, problems.FP32))
	}
	require.NoError(t, g.Once(p, func() error { return errors.New("p was tried") }))
	again := errors.New("again")
	require.ErrorIs(t, g.Once(listed{p, []string{"x"}}, func() error { return again }), again)
}

// tried returns the error of the trial of a text, which may read a table b of three reals and a table start of five
// integers.
func tried(t *testing.T, g *shard.Devices, n int, text string) error {
	t.Helper()
	return trial.Run(context.Background(), g, withTables(t, n, text), problems.FP64)
}

// withTables returns the problem of a text, which may read the tables of tried.
func withTables(t *testing.T, n int, text string) problems.Problem {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "w.cl")
	for name, data := range map[string]string{"w.cl": text,
		"b.npy":     npyText("<f8", "(3,)", math.Float64bits(2), math.Float64bits(-1), math.Float64bits(5)),
		"start.npy": npyText("<u8", "(5,)", 0, 1, 2, 2, 3)} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666))
	}
	p, err := opencl.ParseFile(path, n)
	require.NoError(t, err)
	return p
}

// npyText returns a .npy file of words of eight bytes.
func npyText(dtype, shape string, words ...uint64) string {
	header := "{'descr': '" + dtype + "', 'fortran_order': False, 'shape': " + shape + "}\n"
	data := []byte(input.NpyMagic + "\x01\x00" + string(rune(len(header))) + "\x00" + header)
	for _, w := range words {
		data = binary.LittleEndian.AppendUint64(data, w)
	}
	return string(data)
}

// A read or write near acc, but not in its sums, is an error with the index and the component.
func TestTrialFindsIndicesOfSums(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	for _, c := range []struct {
		sums, body string
		want       string // "": honest
	}{
		{"1", "acc[0] += v;", ""}, {"3", "acc[2] += v;", ""},
		{"1", "acc[3] += v;", "component 0 writes acc[3], and the number of sums is 1. Write //@ sums 4"},
		{"2", "acc[k == 77 ? 2 : 1] += v;", "component 77 writes acc[2], and the number of sums is 2"},
		{"1", "acc[-1] += v;", "writes acc[-1]"}, {"2", "acc[4000] += v;", "writes acc[4000]"},
		{"1", "acc[-4000] += v;", "acc[-4000]"},
		{"2", "acc[0] += v + acc[2];", "component 0 reads acc[2], and the number of sums is 2. Write //@ sums 3, or"},
		{"1", "acc[0] += k == 78 ? acc[-3] : v;", "component 78 reads acc[-3]"},
	} {
		err := tried(t, g, 200, "//@ bounds 1 2\n//@ reads k\n//@ sums "+c.sums+"\nstatic void component(uint k, "+
			"point x, data d, real *acc) { real v = at(x, k); "+c.body+" }\n")
		if c.want == "" {
			require.NoError(t, err, c.body)
		} else {
			require.ErrorContains(t, err, c.want)
		}
	}
}

// The arrays of inner sums and of squares have guards, too.
func TestTrialFindsIndicesOfInnerSumsAndSquares(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	for _, c := range []struct{ text, want string }{
		{"//@ inner 2\nstatic void component_inner(uint k, point x, data d, real *inner) { inner[2] += at(x, k); }\n" +
			"static real component_value(uint k, const real *inner, data d) { return inner[0]; }\n",
			"component 0 writes inner[2], and the number of inner sums is 2. Write //@ inner 3"},
		{"//@ inner 1\nstatic void component_inner(uint k, point x, data d, real *inner) { inner[0] += at(x, k); }\n" +
			"static real component_value(uint k, const real *inner, data d) { return inner[0] + inner[1]; }\n",
			"component 0 reads inner[1]"},
		{"//@ squares 2\nstatic void residuals(uint k, point x, data d, real *r) { r[0] = at(x, k); r[2] = 1; }\n",
			"component 0 writes r[2], and the number of squares is 2. Write //@ squares 3"},
	} {
		require.ErrorContains(t, tried(t, g, 200, "//@ bounds 1 2\n//@ reads k\n"+c.text), c.want)
	}
}

// A read outside of a table is an error with the table, the index and the component.
func TestTrialFindsIndicesOfTables(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	for _, c := range []struct {
		read string
		want string // "": honest
	}{
		{"d.b[k % 3]", ""}, {"d.b[d.start[k % 4]]", ""},
		{"k < 3 ? d.b[k] : 0", ""},
		{"d.b[k]", "component 3 reads d.b[3], and the table b has the elements 0 to 2. Compare the index with d.b_len"},
		{"d.b[(int)k - 1]", "component 0 reads d.b[-1]"},
		{"d.b[k == 190 ? 4098 : 0]", "component 190 reads d.b[4098]"},
		{"d.b[k + 1] < 0 ? 1 : 2", "component 2 reads d.b[3]"},
		{"d.start[k]", "component 5 reads d.start[5], and the table start has the elements 0 to 4"},
		{"d.b[k < 5 ? d.start[k] : d.start[0] + k]", "component 4 reads d.b[3]"},
		{"d.b[4] > 0 && d.b[5] > 0", "component 0 reads outside of d.b, and the table b"},
		{"k == 50 ? atomic_inc((volatile global uint *)d.start) : 0", "component 50 has two values at one point"},
	} {
		err := tried(t, g, 200, "//@ bounds 1 2\n//@ reads k\n//@ data b b.npy\n//@ data start start.npy\n"+
			"static void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k) + ("+c.read+"); }\n")
		if c.want == "" {
			require.NoError(t, err, c.read)
		} else {
			require.ErrorContains(t, err, c.want, c.read)
		}
	}
}

// rows is a text whose last component has no end of its row.
const rows = "//@ bounds 1 2\n//@ reads k\n//@ data b b.npy\n//@ data start start.npy\n" +
	"static void component(uint k, point x, data d, real *acc) {\n" +
	"for (uint j = d.start[k]; j < d.start[k + 1]; j++) acc[0] += d.b[j] * at(x, k); }\n"

// The time in which a driver compiles a kernel, which is long on a busy machine, does not count: no component is left
// out because of it.
func TestTrialDoesNotCountBuilds(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	p := withTables(t, 5, rows)
	const limit = time.Second
	defer cl.Inject(func(c cl.Call) cl.Fault {
		if c.Function == "clEnqueueNDRangeKernel" && c.Number == 0 {
			time.Sleep(limit + limit/10)
		}
		return cl.Fault{}
	})()
	require.ErrorContains(t, trial.RunWithin(t.Context(), g, p, problems.FP64, limit), "component 4 reads d.start[5]")
}

// A row of a list may be longer than the table of its elements.
// Where each variable has an interval of its own, the points of a trial are in it: the first variable is an index.
func TestTrialInOwnIntervals(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	p, err := opencl.Parse(strings.NewReader("//@ bounds b.txt\n//@ data t t.csv\n//@ components 1\nstatic void "+
		"component(uint k, point x, data d, real *acc) { acc[0] += at(x, 1) - d.t[(uint)at(x, 0)]; }\n"),
		fstest.MapFS{"b.txt": {Data: []byte("0 2.9\n1e3 4e3\n")}, "t.csv": {Data: []byte("1\n2\n3\n")}}, 2)
	require.NoError(t, err)
	for _, prec := range []problems.Precision{problems.FP64, problems.FP32} {
		require.NoError(t, trial.Run(context.Background(), g, p, prec))
	}
}

// Values that are the same because none of them is finite do not say that a formula uses no variable.
// Variables that no component reads are found, but not those that are read in a branch, or that bounds fix.
func TestSee(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	all, none := trial.Unread{}, trial.Unread{Count: 5, First: []int{0, 1, 2, 3, 4}}
	for term, want := range map[string]trial.Seen{
		"at(x, k)":                   {},
		"floor(at(x, k))":            {Flat: true, Unread: all},
		"exp(1e3 * at(x, k))":        {},
		"2":                          {Flat: true, Unread: none},
		"k + 2 < DIM ? at(x, k) : 0": {Unread: trial.Unread{Count: 2, First: []int{3, 4}}},
		"k == 0 ? at(x, 0) : at(x, 0) > R(1.5) ? at(x, k) : at(x, 0)": {},
	} {
		got, err := trial.See(context.Background(), g, withTables(t, 5, "//@ bounds 1.1 1.9\n//@ reads whole\n"+
			"static void component(uint k, point x, data d, real *acc) { acc[0] += "+term+"; }\n"), problems.FP64)
		require.NoError(t, err)
		require.Equal(t, want, got, term)
	}
	p, err := opencl.Parse(strings.NewReader("//@ bounds b.txt\n//@ reads k\n//@ components 38\nstatic void "+
		"component(uint k, point x, data d, real *acc) { acc[0] += at(x, k); }\n"),
		fstest.MapFS{"b.txt": {Data: []byte(strings.Repeat("0 1\n", 38) + "1 1\n0 1\n")}}, 40)
	require.NoError(t, err)
	got, err := trial.See(context.Background(), g, p, problems.FP64)
	require.NoError(t, err)
	require.Equal(t, trial.Seen{Unread: trial.Unread{Count: 1, First: []int{39}}}, got)
}

// Variables are named as one would say it.
func TestUnreadString(t *testing.T) {
	for want, u := range map[string]trial.Unread{
		"x[7] is read by no component":                           {Count: 1, First: []int{7}},
		"x[7] and x[9] are read by no component":                 {Count: 2, First: []int{7, 9}},
		"x[1], x[2], … (300 variables) are read by no component": {Count: 300, First: []int{1, 2}},
	} {
		require.Equal(t, want, u.String())
	}
}

func TestTrialFindsIndicesInLoops(t *testing.T) {
	g := problemtest.Group(t, problemtest.Devices(t, 1), shard.Options{})
	err := tried(t, g, 5, rows)
	require.ErrorContains(t, err, "component 4 reads d.start[5]")
	err = tried(t, g, 5, "//@ bounds -1 1\n//@ reads whole\n//@ data b b.npy\n//@ data start start.npy\n"+
		"static void component(uint k, point x, data d, real *acc) {\n"+
		"for (uint j = 3; j < d.start[k + 1]; j++) acc[0] += 0 * at(x, j); }\n")
	require.ErrorContains(t, err, "component 4 reads d.start[5]")
}
