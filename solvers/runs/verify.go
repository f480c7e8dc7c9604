package runs

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/input"
)

// Checked is one thing that Verify looked at, and what is wrong with it.
type Checked struct {
	Path string // the run folder, or a checkpoint in it
	Part Part
	Err  error // nil: it is in order
}

// Part is a part of a run folder.
type Part string

const (
	PartRecipe      Part = "recipe"
	PartTrace       Part = "trace"
	PartResult      Part = "result"
	PartBest        Part = "best point"
	PartCheckpoints Part = "checkpoints" // their list
	PartCheckpoint  Part = "checkpoint"  // one of them
	Unfinished      Part = "unfinished"  // no part: there is no result, and no error in that
)

// Verify looks at all that is in a run folder: recipe, trace, result, best point and checkpoints, each compared with
// the others where it can be. Nothing is run on a device; a best point of at most a million variables is evaluated by
// the host. recipe reads a run file as whoever runs it does; nil: as ReadRecipe does. each is called for every thing
// that was looked at, in a fixed order.
func Verify(dir string, recipe func(path string) error, each func(Checked)) {
	note := func(part Part, err error) { each(Checked{dir, part, err}) }
	if recipe == nil {
		recipe = func(path string) error {
			_, err := ReadRecipe(path, nil)
			return err
		}
	}
	note(PartRecipe, recipe(filepath.Join(dir, "run.toml")))
	start, end, err := checkTrace(filepath.Join(dir, "trace.jsonl"))
	note(PartTrace, err)
	if !Exists(filepath.Join(dir, "result.json")) {
		note(Unfinished, nil)
	} else {
		r, err := ReadResult(filepath.Join(dir, "result.json"))
		if err == nil {
			err = checkEnds(r, start, end)
		}
		note(PartResult, err)
		if err == nil {
			note(PartBest, checkBest(dir, r))
		}
	}
	names, err := Checkpoints(dir)
	if err != nil {
		note(PartCheckpoints, err)
	}
	for _, name := range names {
		path := filepath.Join(dir, "checkpoint", name)
		each(Checked{path, PartCheckpoint, VerifyCheckpoint(path)})
	}
}

// checkEnds compares a result with the first and the last line of its trace; nil: there is none.
func checkEnds(r *Result, start *StartLine, end *EndLine) error {
	if start != nil && start.Sense != "" && start.Sense != r.Sense {
		return fmt.Errorf("sense %s; the trace says %s", r.Sense, start.Sense)
	}
	if end == nil || end.Evals == r.Evaluations && end.Stop == r.Stop.Reason &&
		(end.Best == r.Best.F || math.IsNaN(float64(r.Best.F))) {
		return nil
	}
	return fmt.Errorf("%d evaluations, best %g, stop %s; the trace ends with %d, %g, %s",
		r.Evaluations, float64(r.Best.F), r.Stop.Reason, end.Evals, float64(end.Best), end.Stop)
}

// IsCheckpoint says whether a folder is a checkpoint, whole or not.
func IsCheckpoint(dir string) bool {
	return Exists(filepath.Join(dir, "manifest.json")) || storedName.MatchString(filepath.Base(dir))
}

// checkTrace reads every line strictly and returns the first one, and the last one if it is the end; nil: the run is
// not finished.
func checkTrace(path string) (start *StartLine, end *EndLine, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	var last SampleLine
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	n := 0
	for lines.Scan() {
		n++
		bad := func(format string, args ...any) (*StartLine, *EndLine, error) {
			return nil, nil, fmt.Errorf("%s:%d:1: error: %s", path, n, fmt.Sprintf(format, args...))
		}
		var kind struct {
			Type string `json:"type"`
			V    int    `json:"v"`
		}
		if err := json.Unmarshal(lines.Bytes(), &kind); err != nil {
			return bad("%v", err)
		}
		var line any
		var sample SampleLine
		switch kind.Type {
		case "start":
			start = &StartLine{}
			line = start
		case "sample":
			line = &sample
		case "event":
			line = &EventLine{}
		case "end":
			end = &EndLine{}
			line = end
		default:
			return bad("type %.40q is none of start, sample, event and end", kind.Type)
		}
		d := json.NewDecoder(strings.NewReader(lines.Text()))
		d.DisallowUnknownFields()
		if err := d.Decode(line); err != nil {
			return bad("%v", err)
		}
		switch {
		case kind.V != 1:
			return bad("version %d, which this clopt does not know", kind.V)
		case (n == 1) != (kind.Type == "start"):
			return bad("a line %s here; start comes first, and once", kind.Type)
		case end != nil && kind.Type != "end":
			return bad("a line %s behind the end", kind.Type)
		case kind.Type == "sample" &&
			(sample.Evals < last.Evals || sample.Step < last.Step || sample.NonFinite < last.NonFinite):
			return bad("step %d with %d evaluations behind step %d with %d",
				sample.Step, sample.Evals, last.Step, last.Evals)
		}
		if kind.Type == "sample" {
			last = sample
		}
	}
	if lines.Err() != nil {
		return nil, nil, lines.Err()
	}
	if n == 0 {
		return nil, nil, errors.New("is empty")
	}
	return start, end, nil
}

// maxRevalued bounds the variables of a point that check evaluates.
const maxRevalued = 1e6

// checkBest compares the best point with its hash and its value.
func checkBest(dir string, r *Result) error {
	if r.Best.XFile == nil {
		return nil
	}
	name := *r.Best.XFile
	if filepath.Base(name) != name {
		return fmt.Errorf("x_file %.60q is not in the folder", name)
	}
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if r.Best.XSHA256 == nil || hex.EncodeToString(h.Sum(nil)) != *r.Best.XSHA256 {
		return fmt.Errorf("%s is not the file of the result: its SHA-256 is another", name)
	}
	if r.Dim > maxRevalued || r.Data == "official" || strings.Contains(r.Problem, ".cl") {
		return nil // the point's data are elsewhere
	}
	problem := r.Problem
	if spec, err := catalog.Spec(problem); err == nil && spec.File {
		// The result has the path as it was given, the recipe where the file is.
		recipe, err := ReadRecipe(filepath.Join(dir, "run.toml"), nil)
		if err != nil {
			return err
		}
		problem = recipe.Problem()
		if spec, err = catalog.Spec(problem); err != nil || !isRegular(spec.Name) {
			return nil // it is elsewhere by now
		}
	}
	p, err := catalog.Parse(problem, problems.Options{})
	if err != nil {
		return err
	}
	host, ok := p.(problems.Referenced)
	if !ok {
		return nil
	}
	x, err := input.ReadPoints(filepath.Join(dir, name), r.Dim)
	if err != nil {
		return err
	}
	v, err := problems.Eval(host, x.X[0])
	if err != nil {
		return err
	}
	if v *= r.Sense.Sign(); v != float64(r.Best.FHost) {
		return fmt.Errorf("its value is %.17g, and the result says %.17g", v, float64(r.Best.FHost))
	}
	return nil
}
