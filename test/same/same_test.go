package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
)

func put(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// file returns a checkpoint file of sections, each a name and its data.
func file(sections ...string) string {
	var b strings.Builder
	w := checkpoint.NewWriter(&b)
	for i := 0; i < len(sections); i += 2 {
		w.Section(sections[i], int64(len(sections[i+1])))
		io.WriteString(w, sections[i+1])
	}
	w.Close()
	return b.String()
}

// TestState: the hash of a state depends on every number, but not on names, times and the number of shards.
func TestState(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	host := func(v any, loop string) string { return file("state", string(checkpoint.Encode(v)), "loop", loop) }
	cut := func(name string) string {
		return fmt.Sprintf(`{"Lo":0,"Hi":1,"Vectors":[{"Name":%q,"Rows":2,"Size":1},{"Name":"w","Rows":1,"Size":1}]}`,
			name)
	}
	hashes := map[string]string{}
	for name, files := range map[string][]string{
		"one": {host(&struct{ A int }{7}, "1 s"), file("cut", cut("v"), "v", "abcABC", "w", long+"123")},
		"two": {host(&struct{ A int }{7}, "2 s"), file("cut", cut("v"), "v", "abAB", "w", long+"12"),
			file("cut", cut("v"), "v", "cC", "w", "3")},
		"names":  {host(&struct{ B int }{7}, "1 s"), file("cut", cut("u"), "u", "abcABC", "w", long+"123")},
		"value":  {host(&struct{ A int }{8}, "1 s"), file("cut", cut("v"), "v", "abcABC", "w", long+"123")},
		"vector": {host(&struct{ A int }{7}, "1 s"), file("cut", cut("v"), "v", "abcABD", "w", long+"123")},
		"last":   {host(&struct{ A int }{7}, "1 s"), file("cut", cut("v"), "v", "abcABC", "w", long+"124")},
	} {
		dir := t.TempDir()
		put(t, dir, "host.ck", files[0])
		for i, text := range files[1:] {
			put(t, dir, fmt.Sprintf("shard-%03d.ck", i), text)
		}
		hashes[name] = hashOf(stateNumbers, dir)
		if strings.HasPrefix(hashes[name], "error") {
			t.Fatal(name, hashes[name])
		}
	}
	for _, name := range []string{"two", "names"} {
		if hashes[name] != hashes["one"] {
			t.Errorf("%s: another hash", name)
		}
	}
	for _, name := range []string{"value", "vector", "last"} {
		if hashes[name] == hashes["one"] {
			t.Errorf("%s: the same hash", name)
		}
	}
	dir := t.TempDir()
	put(t, dir, "host.ck", host(&struct{ A int }{7}, "1 s")[:40])
	if got := hashOf(stateNumbers, dir); got != "error: host.ck: cut off" {
		t.Error(got)
	}
}

// TestTrace: the hash of a trace depends on every number of the samples, but not on names, times and devices.
func TestTrace(t *testing.T) {
	const trace = `{"type":"start","time":"T","algorithm":{"name":"masw","settings":"S"},"devices":[{"name":"D"}]}
{"type":"sample","t":0.5,"evals":16,"work":16,"step":1,"f":2.5,"best":1.5,"nonfinite":0,"devices":[{"evals_s":8.5}]}
{"type":"sample","t":0.7,"evals":20,"work":20,"step":2,"f":9,"best":1.5,"nonfinite":0,"devices":[],"grid":false}
{"type":"end","t":0.9,"evals":20,"best":1.5,"stop":"evals","exit_code":0}
`
	of := func(old, new string) string {
		text := strings.Replace(trace, old, new, 1)
		if text == trace && old != "" {
			t.Fatalf("%s: not in the trace", old)
		}
		return hashOf(traceNumbers, put(t, t.TempDir(), "trace.jsonl", text))
	}
	for _, c := range [][2]string{{"masw", "graybox"}, {`"T"`, `"U"`}, {`"D"`, `"E"`}, {"0.5,", "0.6,"}, {"8.5", "7"},
		{`"f":9`, `"f":8`}} {
		if of(c[0], c[1]) != of("", "") {
			t.Errorf("%v: another hash", c)
		}
	}
	for _, c := range [][2]string{{"2.5", "2.6"}, {`"best":1.5`, `"best":1.6`}, {`"step":1`, `"step":3`},
		{`"work":16`, `"work":17`}, {`,"grid":false`, ""}} {
		if of(c[0], c[1]) == of("", "") {
			t.Errorf("%v: the same hash", c)
		}
	}
}

// TestPoint: the head of a point's file is not hashed.
func TestPoint(t *testing.T) {
	of := func(text string) string { return hashOf(pointNumbers, put(t, t.TempDir(), "best.npy", text)) }
	a := of("\x93NUMPY\x01\x00\x04\x00{ }\nbits")
	if a != of("\x93NUMPY\x01\x00\x05\x00{  }\nbits") || a == of("\x93NUMPY\x01\x00\x04\x00{ }\nbitS") {
		t.Error("the hash is not that of the numbers")
	}
	if got := of("\x93NUMPY\x01\x00\x09\x00{ }\n"); !strings.HasPrefix(got, "error: ") {
		t.Error(got)
	}
}

// TestRows: no row is given twice, and the limit of each can be halved.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range rows() {
		if seen[row] || strings.Contains(row, "--time") {
			t.Errorf("%s: twice, or ends by the clock", row)
		}
		seen[row] = true
	}
	if len(seen) < 90 {
		t.Errorf("%d rows", len(seen))
	}
}

// TestCompare finds a cell that differs, and a line that is missing on either side.
func TestCompare(t *testing.T) {
	l := func(row, exit, f string) line {
		return append(line{row, "1", exit, f}, make(line, len(columns)-4)...)
	}
	old := []line{l("a", "0", "1"), l("b", "0", "2")}
	for _, c := range []struct {
		now    []line
		device string
		want   bool
	}{
		{[]line{l("a", "0", "1"), l("b", "0", "2")}, "D", true},
		{[]line{l("a", "0", "1"), l("b", "0", "3")}, "D", false},
		{[]line{l("a", "0", "1"), l("b", "0", "3")}, "E", true},
		{[]line{l("a", "0", "1"), l("b", "1", "2")}, "E", false},
		{[]line{l("a", "0", "1")}, "D", false},
		{[]line{l("a", "0", "1"), l("b", "0", "2"), l("c", "0", "2")}, "D", false},
	} {
		if got := compare(old, c.now, c.device, "D"); got != c.want {
			t.Errorf("%v on %s: %v", c.now, c.device, got)
		}
	}
	if !reflect.DeepEqual(old, []line{l("a", "0", "1"), l("b", "0", "2")}) {
		t.Error("the table was changed")
	}
}
