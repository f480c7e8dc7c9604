package shard

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/stretchr/testify/require"
)

// In onGrid, a component reads its cell and the neighbours to the left, below and after it.
const onGrid = "static void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k); " +
	"if (k % GRID_X > 0) acc[0] += at(x, k - 1); if (k / GRID_X % GRID_Y < GRID_Y - 1) acc[0] += at(x, k + GRID_X); " +
	"if (k + GRID_X * GRID_Y < DIM) acc[0] += at(x, k + GRID_X * GRID_Y); }\n"

func TestTrialFindsUndeclaredReads(t *testing.T) {
	g := group(t, devices(t, 1), Options{})
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
			require.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
			p, err := opencl.ParseFile(path, c.n)
			require.NoError(t, err)
			err = Trial(context.Background(), g, p, problems.FP32)
			if c.want == 0 {
				require.NoError(t, err)
				return
			}
			var read *ReadError
			require.ErrorAs(t, err, &read)
			require.Equal(t, c.want, read.Variable)
		})
	}
}

// Lists are compared with what components read, too.
func TestTrialOfLists(t *testing.T) {
	g := group(t, devices(t, 1), Options{})
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "l.txt"), []byte("5 0\n1 3 2\n4\n"), 0o600))
	for read, want := range map[string]string{
		"d.reads[d.reads_start[k]]":              "",
		"d.reads[d.reads_start[k + 1] - 1]":      "",
		"k == 1 ? 0 : d.reads[d.reads_start[k]]": "component 1 reads variable 0, outside the declared 1 to 3",
		"k == 0 ? 3 : d.reads[d.reads_start[k]]": "component 0 reads variable 3, outside the declared 0, 5",
	} {
		path := filepath.Join(dir, "f.cl")
		require.NoError(t, os.WriteFile(path, []byte("//@ bounds -1 1\n//@ components 3\n//@ reads lists l.txt\n"+
			"static void component(uint k, point x, data d, real *acc) { acc[0] += at(x, "+read+"); }\n"), 0o600))
		p, err := opencl.ParseFile(path, 6)
		require.NoError(t, err)
		err = Trial(context.Background(), g, p, problems.FP64)
		if want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want)
		}
	}
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
	g := group(t, devices(t, 1), Options{})
	for range 2 {
		require.NoError(t, g.Try(context.Background(), listed{p, []string{"x"}}, problems.FP32))
		require.NoError(t, g.Try(context.Background(), p, problems.FP32))
	}
	require.Len(t, g.tried, 1)
}

// A write near acc, but not to its sums, is an error with the index and the component.
func TestTrialFindsWrites(t *testing.T) {
	g := group(t, devices(t, 1), Options{})
	for _, c := range []struct {
		sums, write string
		want        string // "": honest
	}{
		{"1", "acc[0]", ""}, {"3", "acc[2]", ""},
		{"1", "acc[3]", "component 0 writes acc[3], and the number of sums is 1. Write //@ sums 4"},
		{"2", "acc[k == 77 ? 2 : 1]", "component 77 writes acc[2], and the number of sums is 2"},
		{"1", "acc[-1]", "writes acc[-1]"}, {"2", "acc[4000]", "writes acc[4000]"}, {"1", "acc[-4000]", "acc[-4000]"},
	} {
		path := filepath.Join(t.TempDir(), "w.cl")
		text := "//@ bounds 1 2\n//@ reads k\n//@ sums " + c.sums + "\nstatic void component(uint k, point x, " +
			"data d, real *acc) { " + c.write + " += at(x, k); }\n"
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		p, err := opencl.ParseFile(path, 200)
		require.NoError(t, err)
		err = Trial(context.Background(), g, p, problems.FP64)
		if c.want == "" {
			require.NoError(t, err, c.write)
		} else {
			require.ErrorContains(t, err, c.want)
		}
	}
}
