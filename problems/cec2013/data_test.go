package cec2013

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/test/battery"
)

// cecFiles writes data as the official files would.
func cecFiles(d *Data) map[string]string {
	files := map[string]string{}
	put := func(what string, v []float64, cols int) {
		var b strings.Builder
		for i, x := range v {
			fmt.Fprintf(&b, "%v", x)
			if (i+1)%cols == 0 {
				b.WriteByte('\n')
			} else {
				b.WriteByte(',')
			}
		}
		files[fmt.Sprintf("F%d-%s.txt", d.F, what)] = b.String()
	}
	put("xopt", d.Shift, 1)
	if d.Perm == nil {
		return files
	}
	var p, s []float64
	for _, v := range d.Perm {
		p = append(p, float64(v+1))
	}
	for _, v := range d.Sizes {
		s = append(s, float64(v))
	}
	put("p", p, len(p))
	put("s", s, 1)
	put("w", d.Weights, 1)
	for size, r := range d.R {
		put(fmt.Sprintf("R%d", size), r, size)
	}
	return files
}

// parseFiles parses files that are held in memory.
func parseFiles(f int, files map[string]string) (*Data, error) {
	return parseCEC2013(f, func(name string) (string, []byte, error) {
		text, ok := files[name]
		if !ok {
			return name, nil, input.Errorf(name, 0, 0, "missing")
		}
		return name, []byte(text), nil
	})
}

func TestCEC2013RoundTrip(t *testing.T) {
	for f := 1; f <= 15; f++ {
		want := Generate(f)
		got, err := parseFiles(f, cecFiles(want))
		if err != nil {
			t.Fatal(err)
		}
		want.Source = "official"
		if !reflect.DeepEqual(got, want) {
			t.Errorf("f%d: data differ after writing and reading", f)
		}
	}
}

func TestR1Data(t *testing.T) {
	count := battery.Begin(t)
	good := cecFiles(Generate(4))
	line := func(file string, n int, text string) string {
		lines := strings.Split(good[file], "\n")
		lines[n-1] = text
		return strings.Join(lines, "\n")
	}
	perm := strings.TrimSpace(good["F4-p.txt"])
	first, others, _ := strings.Cut(perm, ",")
	for _, test := range []struct{ file, text, want string }{
		{"F4-xopt.txt", line("F4-xopt.txt", 3, "12x"), `F4-xopt.txt:3:1: error: "12x" is not a decimal number`},
		{"F4-xopt.txt", line("F4-xopt.txt", 3, "nan"), `F4-xopt.txt:3:1: error: "nan"`},
		{"F4-xopt.txt", line("F4-xopt.txt", 3, "-Inf"), `F4-xopt.txt:3:1: error: "-Inf"`},
		{"F4-xopt.txt", line("F4-xopt.txt", 3, "0x10"), `"0x10"`},
		{"F4-xopt.txt", line("F4-xopt.txt", 3, "1e400"), `"1e400" is too large`},
		{"F4-xopt.txt", line("F4-xopt.txt", 3, "1\x00"), `"1\x00"`},
		{"F4-xopt.txt", line("F4-xopt.txt", 3, "1, 2"), `F4-xopt.txt:3:4: error: more than the 1 numbers`},
		{"F4-xopt.txt", line("F4-xopt.txt", 3, "-100.5"),
			`F4-xopt.txt:3:1: error: shift -100.5 lies outside the box ±100`},
		{"F4-xopt.txt", good["F4-xopt.txt"] + "1\n", `F4-xopt.txt:1001:1: error: more than the 1000 lines`},
		{"F4-xopt.txt", good["F4-xopt.txt"][:500], `after`},
		{"F4-xopt.txt", "", `F4-xopt.txt:1:1: error: the file ends after 0 of 1000 lines`},
		{"F4-p.txt", first + "," + first + others[strings.Index(others, ","):], `F4-p.txt:1:`},
		{"F4-p.txt", "0," + others, `F4-p.txt:1:1: error: 0 is no index from 1 to 1000`},
		{"F4-p.txt", "1.5," + others, `1.5 is no index`},
		{"F4-p.txt", others, `the line ends after 999 of 1000 numbers`},
		{"F4-p.txt", perm + ",1001", `more than the 1000 numbers`},
		{"F4-s.txt", line("F4-s.txt", 2, "50"), `F4-s.txt: error: the group sizes add up to 325, not 300`},
		{"F4-s.txt", line("F4-s.txt", 2, "30"), `F4-s.txt:2:1: error: group size 30`},
		{"F4-w.txt", line("F4-w.txt", 2, "-3"), `F4-w.txt:2:1: error: weight -3 is not positive`},
		{"F4-R25.txt", strings.Replace(good["F4-R25.txt"], "0.", "0.1", 1), `F4-R25.txt:1:1: error: row 1 times row 1`},
		{"F4-R100.txt", good["F4-R50.txt"], `F4-R100.txt:1:`},
	} {
		files := map[string]string{}
		for name, text := range good {
			files[name] = text
		}
		files[test.file] = test.text
		_, err := parseFiles(4, files)
		var fault *input.Error
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), test.want) || fault.File != test.file {
			t.Errorf("want %s, got %v", test.want, err)
		}
		count.Count(!t.Failed())
	}
	// Line ends, a byte-order mark and blank lines do not matter.
	good["F4-w.txt"] = "\uFEFF" + strings.ReplaceAll(good["F4-w.txt"], "\n", " \r\n\r\n")
	if _, err := parseFiles(4, good); err != nil {
		t.Error(err)
	}
}

func TestLoadCEC2013(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "cec2013lsgo")
	if err := os.Mkdir(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range cecFiles(Generate(13)) {
		if err := os.WriteFile(filepath.Join(inner, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []string{dir, inner} {
		if data, err := Load(d, 13); err != nil || data.Source != "official" || len(data.Shift) != 905 {
			t.Errorf("%s: %v", d, err)
		}
	}
	if err := os.Remove(filepath.Join(inner, "F13-R50.txt")); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir, 13); err == nil || !strings.Contains(err.Error(),
		filepath.Join("cec2013lsgo", "F13-R50.txt")+": error: the file is missing") {
		t.Error(err)
	}
	big := filepath.Join(inner, "F13-R50.txt")
	if err := os.WriteFile(big, make([]byte, cecMaxFile+1), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir, 13); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Error(err)
	}
	var fault *input.Error
	if _, err := Load(filepath.Join(dir, "nowhere"), 1); !errors.As(err, &fault) {
		t.Error(err)
	}
}

// Generated data are orthogonal matrices, permutations, and weights of the documented distribution, with the same bits
// on all machines.
func TestGenerateCEC2013(t *testing.T) {
	hash := fnv.New64a()
	var logs []float64
	for f := 1; f <= 15; f++ {
		d := Generate(f)
		fmt.Fprint(hash, d.F, d.Shift, d.Perm, d.Sizes, d.Weights, d.R[25], d.R[50], d.R[100])
		for size, r := range d.R {
			for i := range size {
				for j := range size {
					dot, want := 0.0, 0.0
					for k := range size {
						dot += r[k*size+i] * r[k*size+j] // columns
					}
					if i == j {
						want = 1
					}
					if math.Abs(dot-want) > 1e-14 {
						t.Fatalf("f%d: columns %d and %d of R%d: %v", f, i, j, size, dot)
					}
				}
			}
		}
		for _, w := range d.Weights {
			logs = append(logs, math.Log10(w)/3)
		}
		if d.Perm != nil && slices.IsSorted(d.Perm) {
			t.Errorf("f%d: permutation is the identity", f)
		}
	}
	mean, square := 0.0, 0.0
	for _, v := range logs {
		mean += v / float64(len(logs))
		square += v * v / float64(len(logs))
	}
	if math.Abs(mean) > 0.25 || math.Abs(square-1) > 0.35 {
		t.Errorf("%d weights: mean of log %.3f, of its square %.3f", len(logs), mean, square)
	}
	if got := fmt.Sprintf("%016x", hash.Sum64()); got != cecGolden {
		t.Errorf("generated instances have hash %s, want %s: stored results would no longer fit", got, cecGolden)
	}
}

const cecGolden = "729956edfecb9a60"

// FuzzCEC2013Data replaces one file of a good instance: either an *input.Error
// or data that make a problem.
func FuzzCEC2013Data(f *testing.F) {
	battery.Target(f)
	good := cecFiles(Generate(13))
	names := []string{"F13-xopt.txt", "F13-p.txt", "F13-s.txt", "F13-w.txt", "F13-R25.txt"}
	for i, name := range names {
		f.Add(uint(i), []byte(good[name]))
	}
	f.Add(uint(2), []byte("50\n\n1e9\n"))
	f.Add(uint(3), []byte("nan\n"))
	f.Add(uint(1), []byte("1,,2"))
	f.Fuzz(func(t *testing.T, which uint, text []byte) {
		name := names[which%uint(len(names))]
		d, err := parseCEC2013(13, func(file string) (string, []byte, error) {
			if file == name {
				return file, text, nil
			}
			return file, []byte(good[file]), nil
		})
		if err != nil {
			var fault *input.Error
			if !errors.As(err, &fault) || fault.File != name {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		c, err := New(13, 905, "", d)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range c.from {
			if v < 0 || v >= 905 {
				t.Fatalf("position takes variable %d", v)
			}
		}
		c.HostTile(0, make([]float64, 905), []float64{0})
	})
}
