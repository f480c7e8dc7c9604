package opencl

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
)

// readsLine is a directive reads that says what a text of windows or of a grid reads.
var readsLine = regexp.MustCompile(`(?m)^//@ reads [^wl].*$`)

// TestReadsOfTexts takes the directive reads out of all texts that have one: the structure and the tiling stay.
func TestReadsOfTexts(t *testing.T) {
	count := 0
	for _, pattern := range []string{"test/testdata/*.cl", "test/testdata/auto/*.cl", "test/strangers/reports/*.cl",
		"test/strangers/heldout/*.cl", "test/strangers/objectives/*.cl"} {
		files, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parse := func(text []byte, n int) (*Objective, error) {
				return Parse(bytes.NewReader(text), os.DirFS(filepath.Dir(file)), n)
			}
			n := 0
			declared, err := parse(text, n)
			if err != nil && strings.Contains(err.Error(), "number of variables") {
				n = 100
				declared, err = parse(text, n)
			}
			if err == nil {
				watchReads(t, file, declared)
			}
			switch filepath.Base(file) {
			case "edges.cl", "pendulum.cl": // they declare more than they read
				continue
			}
			// Some have tables that are made elsewhere, and one is not understood.
			if err != nil || !readsLine.Match(text) || filepath.Base(file) == "broken.cl" {
				continue
			}
			count++
			inferred, err := parse(readsLine.ReplaceAll(text, nil), n)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			if !inferred.inferred || declared.inferred || inferred.tiling != declared.tiling ||
				!reflect.DeepEqual(form(inferred.structure), form(declared.structure)) {
				t.Errorf("%s: %v, declared %v", file, form(inferred.structure), form(declared.structure))
			}
		}
	}
	if count < 50 {
		t.Errorf("%d texts", count)
	}
}

// watchReads evaluates components on the host at some points: none reads what the structure has not.
func watchReads(t *testing.T, file string, o *Objective) {
	trees, opaque := o.Trees(problems.FP64)
	if opaque != nil {
		return
	}
	f, err := host.Compile(trees.All()[0], o.hostData(problems.FP64))
	if err != nil {
		t.Fatal(err)
	}
	frame, x := f.NewFrame(), make([]float64, o.n)
	for point := range 3 {
		for i := range x {
			lo, hi := o.domain.Interval(i)
			x[i] = lo + (hi-lo)*rng.Uniform(rng.Key{}.Word(uint32(i), uint32(point), 0, rng.Check))
		}
		for k := 0; k < o.tiling.M; k += 1 + o.tiling.M/300 {
			reads := o.structure.Reads(k, nil)
			frame.Watch(func(i int64, pos clc.Pos) {
				if !slices.Contains(reads, int(i)) {
					t.Errorf("%s:%d: component %d reads variable %d, and not only %v", file, pos.Line, k, i, reads)
				}
			})
			if _, err := frame.Run(k, 0, x, 1<<30); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// form returns what makes a structure of windows or of a grid.
func form(s problems.Structure) (all []any) {
	stride, from, to, ok := s.Window()
	reads, _, _, _, apart := s.ReadTables()
	size, steps, grid := s.Grid()
	return append(all, stride, from, to, ok, reads, apart, size, steps, grid)
}

// TestReadsDeclared refuses a directive reads without a variable that the text reads, in a branch that no point may
// take, and a read of a variable that does not exist. A text that is not understood is taken as it is.
func TestReadsDeclared(t *testing.T) {
	const head = "//@ bounds -5 5\n//@ n 40\n"
	const rare = "static void component(uint k, point x, data d, real *acc)\n{\n    real v = at(x, k);\n" +
		"    if (k == 3 && v > 4.5) v += at(x, 39);\n    acc[0] += v;\n}\n"
	for text, want := range map[string]string{
		head + "//@ reads k\n" + rare: "text:7:33: error: component 3 reads variable 39, which line 3 does not declare",
		head + "//@ reads lists a.txt\n" + strings.Replace(rare, "39", "d.reads[d.reads_start[k]]", 1): "",
		head + rare:                         "",
		head + "//@ reads k..k+39\n" + rare: "",
		head + strings.Replace(rare, "if (k == 3 && v > 4.5) v += at(x, 39)", "v += at(x, k + 1)", 1): "text:6:10: " +
			"error: component 39 reads variable 40 of 40",
		head + "//@ reads k\n" + strings.Replace(rare, "v > 4.5", "as_ulong(v) > 4", 1): "",
	} {
		var lists strings.Builder
		for k := range 40 {
			fmt.Fprintf(&lists, "0 %d\n", k)
		}
		_, err := Parse(strings.NewReader(text), fstest.MapFS{"a.txt": {Data: []byte(lists.String())}}, 0)
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %q", text, err, want)
		}
	}
}
