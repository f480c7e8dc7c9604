package inspect

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers/runs"
)

const trace = `{"type":"start","v":1,"time":"2026-01-02T03:04:05Z"}
{"type":"sample","v":1,"t":0.5,"evals":10,"work":8.5,"step":1,"best":7}
{"type":"sample","v":1,"t":0.6,"evals":11,"work":9,"step":2,"best":6,"grid":false}
{"type":"event","v":1,"t":0.7,"event":"checkpoint","detail":"000001"}
{"type":"sample","v":1,"t":1.5,"evals":20,"work":12,"step":3,"best":5}
{"type":"end","v":1,"t":1.6,"evals":20,"best":5,"stop":"evals"}
`

// folder returns the result of a run with a trace, and the path of the trace.
func folder(t *testing.T, text string) (*record.Result, string) {
	t.Helper()
	dir, sum := t.TempDir(), sha256.Sum256([]byte(text))
	hash, path := hex.EncodeToString(sum[:]), filepath.Join(dir, runs.TraceName)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	r := &record.Result{Task: record.Task{Problem: "classic/F0_a:n=8", Sense: record.Minimize},
		Best: record.Best{F: 5}, Effort: record.Effort{Evaluations: 20},
		Ending: record.Ending{Stop: record.Stop{Reason: "evals"}}, TraceSHA256: &hash}
	if err := runs.WriteResult(dir, r); err != nil {
		t.Fatal(err)
	}
	r, err := runs.ReadResult(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r, path
}

// The samples on the grid are read over evaluations, work or time, and the events with the time of the start.
func TestCourse(t *testing.T) {
	r, _ := folder(t, trace)
	c, err := ReadCourse(r)
	if err != nil {
		t.Fatal(err)
	}
	for by, x := range map[string][]float64{"evaluations": {10, 20}, "work": {8.5, 12}, "time": {0.5, 1.5}} {
		h := c.Over(by)
		if !slices.Equal(h.X, x) || !slices.Equal(h.Best, []float64{7, 5}) {
			t.Errorf("by %s: %+v", by, h)
		}
		if !math.IsNaN(h.At(x[0]-1)) || h.At(x[0]) != 7 || h.At((x[0]+x[1])/2) != 7 || h.At(1e9) != 5 {
			t.Errorf("by %s: %v", by, []float64{h.At(x[0] - 1), h.At(x[0]), h.At((x[0] + x[1]) / 2), h.At(1e9)})
		}
	}
	if c.Began.Second() != 5 || len(c.Events) != 1 || c.Events[0].Event != "checkpoint" || c.Events[0].T != 0.7 {
		t.Errorf("%v, %+v", c.Began, c.Events)
	}
}

// A trace that is not that of the result, or has no lines of JSON, is an error with its place.
func TestCourseDamaged(t *testing.T) {
	r, path := folder(t, trace)
	for text, want := range map[string]string{
		strings.Replace(trace, `"best":7`, `"best":1`, 1):   "its SHA-256 differs",
		strings.Replace(trace, `{"type":"s`, `"type":s`, 1): "trace.jsonl:1:1: error: ",
		trace + strings.Repeat("x", maxLine+1):              "trace.jsonl:7:1: error: a line of more than ",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := ReadCourse(r)
		f, ok := errors.AsType[*runs.Fault](err)
		if !ok || f.Kind != runs.Input || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadCourse(r); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// The parts of a folder are checked one after the other, and an error of one does not hide the others.
func TestVerify(t *testing.T) {
	r, path := folder(t, trace)
	found := func() map[Part]string {
		parts := map[Part]string{}
		Verify(r.Folder, nil, func(c Checked) {
			if c.Err != nil {
				parts[c.Part] = c.Err.Error()
			}
		})
		return parts
	}
	if got := found(); got[PartTrace] != "" || got[PartResult] != "" {
		t.Errorf("%v", got)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(trace, `"best":7`, `"best":1`, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := found(); got[PartTrace]+got[PartResult] == "" {
		t.Error("a forged trace is not found")
	}
	if err := os.WriteFile(filepath.Join(r.Folder, runs.ResultName), []byte("{}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := found(); got[PartResult] == "" {
		t.Errorf("%v", got)
	}
}
