package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestKeep stores the ten ground states of a frustrated ring in one run, and others only if there are more.
func TestKeep(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "ring.coo", "# vartype=SPIN\n0 1 1\n1 2 1\n2 3 1\n3 4 1\n4 0 1\n")
	code, out, errs := call(t, strings.Fields("run ring.coo --keep 11 --seed 1 --evals 1e4 --name ring")...)
	if code != 0 || !strings.Contains(out, "kept      11 different points, 10 of the best value, the last 1") {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	var set struct {
		Type     string `json:"type"`
		Rows     int    `json:"num_rows"`
		Variable string `json:"variable_type"`
		Samples  struct {
			Data [][]int `json:"data"`
		} `json:"sample_data"`
		Vectors map[string]struct {
			Data []int `json:"data"`
		} `json:"vectors"`
	}
	if err := json.Unmarshal([]byte(readText(t, "runs", "ring", "samples.json")), &set); err != nil {
		t.Fatal(err)
	}
	energies, counts := set.Vectors["energy"].Data, set.Vectors["num_occurrences"].Data
	if set.Type != "SampleSet" || set.Variable != "SPIN" || set.Rows != 11 || len(set.Samples.Data) != 11 ||
		len(energies) != 11 || len(counts) != 11 {
		t.Fatalf("%+v", set)
	}
	seen := map[string]bool{}
	for k, s := range set.Samples.Data {
		energy := 0
		for i, v := range s {
			energy += v * s[(i+1)%5]
		}
		seen[fmt.Sprint(s)] = true
		if energy != energies[k] || energy != map[bool]int{true: -3, false: 1}[k < 10] || counts[k] < 1 {
			t.Errorf("sample %d, %v: energy %d", k, s, energies[k])
		}
	}
	if len(seen) != 11 {
		t.Errorf("%d different samples", len(seen))
	}
	if r := readResult(t, filepath.Join("runs", "ring")); r.Best.SamplesFile == nil || r.Best.Kept.Points != 11 {
		t.Errorf("%+v", r.Best)
	}
	if text := readText(t, "runs", "ring", "run.toml"); !strings.Contains(text, `keep = "11"`) {
		t.Errorf("the run is repeated without its points:\n%s", text)
	}
	for args, want := range map[string]string{
		"run cec2013/f1 --keep 3":            "has no different points to keep",
		"run ring.coo --distance 3":          "--distance",
		"run ring.coo --keep 3 --distance 9": "points cannot differ in 9 of 5 variables",
		"run ring.coo --keep 1e6":            "use 0 to 100000",
	} {
		if code, _, errs := call(t, strings.Fields(args)...); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("clopt %s: exit %d\n%s", args, code, errs)
		}
	}
}

// TestNamedPoint shows the best point of a list of edges by the names of its vertices.
func TestNamedPoint(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "friends.csv", "source,target\nann,bob\nbob,cora\nann,dan\ncora,ed\ndan,ed\n")
	code, out, errs := call(t, strings.Fields("run friends.csv --seed 1 --evals 1e4 --name friends")...)
	r := readResult(t, filepath.Join("runs", "friends"))
	if code != 0 || !strings.Contains(out, "point     ann=") || r.Best.F != 4 || len(r.Best.Assignment) != 5 {
		t.Fatalf("exit %d, %+v\n%s%s", code, r.Best, out, errs)
	}
	side := map[string]string{}
	for _, v := range r.Best.Assignment {
		side[v.Name] = v.Value.String()
		if !strings.Contains(out, v.Name+"="+v.Value.String()) {
			t.Errorf("%s is not %s in\n%s", v.Name, v.Value, out)
		}
	}
	cut := 0
	for _, e := range [][2]string{{"ann", "bob"}, {"bob", "cora"}, {"ann", "dan"}, {"cora", "ed"}, {"dan", "ed"}} {
		if side[e[0]] != side[e[1]] {
			cut++
		}
	}
	if cut != 4 {
		t.Errorf("%v cuts %d edges", side, cut)
	}
}

// TestConstraints finds the best point that fulfils the constraints of an LP file, and says where there is none.
func TestConstraints(t *testing.T) {
	t.Chdir(t.TempDir())
	names := func(from, to int) string {
		var all []string
		for i := from; i < to; i++ {
			all = append(all, fmt.Sprintf("v%d", i))
		}
		return strings.Join(all, " + ")
	}
	binaries := "\nBinaries\n " + strings.ReplaceAll(names(0, 60), " +", "") + "\nEnd\n"
	file(t, "sack.lp", "Maximize\n 10 a + 7 b + 4 c + 3 d\nSubject To\n cap: 5 a + 4 b + 3 c + 2 d <= 7\n"+
		" one: a + b <= 1\nBinaries\n a b c d\nEnd\n")
	file(t, "none.lp", "Minimize\n a + b\nSubject To\n c1: a + b >= 2\n c2: a + b <= 1\nBinaries\n a b\nEnd\n")
	file(t, "open.lp", "Minimize\n v0\nSubject To\n c1: "+names(0, 60)+" = 30\n c2: "+names(0, 45)+" = 31"+
		binaries)
	for _, c := range []struct {
		spec string
		code int
		want []string
	}{
		{"sack.lp", 0, []string{"best      13 ", "a=1 b=0 c=0 d=1"}},
		{"none.lp", 15, []string{"NO POINT fulfils all constraints: it is proven. This one breaks c1 is 1, not at " +
			"least 2", "x proven that no point fulfils all constraints after ",
			"   with penalties for constraints that are broken\n"}},
		{"open.lp", 14, []string{"NO POINT that fulfils all constraints was found; this one breaks c"}},
	} {
		code, out, errs := call(t, "run", c.spec, "--seed", "1", "--evals", "1e4", "--name", c.spec)
		for _, want := range c.want {
			if code != c.code || !strings.Contains(out, want) {
				t.Errorf("%s: exit %d, want %d; no %q in\n%s%s", c.spec, code, c.code, want, out, errs)
			}
		}
		r := readResult(t, filepath.Join("runs", c.spec))
		if r.ExitCode != c.code || (len(r.Best.Broken) > 0) != (c.code > 0) {
			t.Errorf("%s: %+v", c.spec, r.Best)
		}
	}
}
