package inspect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	text "github.com/clopt/clopt/internal/clc/host"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/internal/solvers/runs/inputs"
	"github.com/clopt/clopt/internal/solvers/runs/recipe"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/solvers/runs"
)

// Checked is the outcome of one check of Verify.
type Checked struct {
	Path string // the run folder, or a checkpoint in it
	Part Part
	Err  error // nil: the part is good
}

// Part is a part of a run folder that Verify checks.
type Part string

const (
	PartRecipe      Part = "recipe"
	PartInputs      Part = "inputs" // the files of the problem
	PartTrace       Part = "trace"
	PartResult      Part = "result"
	PartBest        Part = "best point"
	PartCheckpoints Part = "checkpoints" // their folder cannot be read
	PartCheckpoint  Part = "checkpoint"
	Unfinished      Part = "unfinished" // there is no result; this is not an error
)

// Verify checks a run folder: recipe, trace, result, best point and checkpoints, and whether they match each other. It
// uses no device. A best point of at most a million variables is evaluated on the host. read checks the run file; nil
// means recipe.Read. each is called with the outcome of each check, always in the same order.
func Verify(dir string, read func(path string) error, each func(Checked)) {
	note := func(part Part, err error) { each(Checked{dir, part, err}) }
	if read == nil {
		read = func(path string) error {
			_, err := recipe.Read(path, nil)
			return err
		}
	}
	f, err := openFolder(dir)
	if err != nil {
		note(PartRecipe, err)
		return
	}
	defer f.Close()
	note(PartRecipe, read(filepath.Join(dir, recipe.Name)))
	if f.Exists(inputs.Name) {
		note(PartInputs, checkListed(f))
	}
	start, end, sum, err := checkLines(f)
	note(PartTrace, err)
	if !f.Exists(runs.ResultName) {
		note(Unfinished, nil)
	} else {
		r, err := runs.ReadResult(dir)
		if err == nil {
			err = checkEnds(r, start, end)
		}
		if err == nil {
			err = checkSum(r, sum)
		}
		note(PartResult, err)
		if err == nil {
			note(PartBest, checkBest(f, r))
		}
	}
	names, err := runs.Checkpoints(dir)
	if err != nil {
		note(PartCheckpoints, err)
	}
	for _, name := range names {
		err := runs.VerifyCheckpointOf(dir, name, start)
		each(Checked{filepath.Join(dir, checkpoints.Name, name), PartCheckpoint, err})
	}
}

// checkEnds compares a result with the first and the last line of its trace. Either may be nil if there is none.
func checkEnds(r *record.Result, start *record.StartLine, end *record.EndLine) error {
	if start != nil {
		if start.Sense != "" && start.Sense != r.Sense {
			return fmt.Errorf("sense %s; the trace says %s", r.Sense, start.Sense)
		}
		if d := runs.IdentityOf(start.Task).Difference(runs.IdentityOf(r.Task)); d != "" {
			return fmt.Errorf("belongs to another run than the trace: %s", d)
		}
	}
	if end == nil || end.Evals == r.Evaluations && end.Stop == r.Stop.Reason &&
		(end.Best == r.Best.F || math.IsNaN(float64(r.Best.F))) {
		return nil
	}
	return fmt.Errorf("%d evaluations, best %g, stop %s; the trace ends with %d, %g, %s",
		r.Evaluations, float64(r.Best.F), r.Stop.Reason, end.Evals, float64(end.Best), end.Stop)
}

// IsRun reports whether a folder looks like that of a run, good or damaged. The folder of several runs does not.
func IsRun(dir string) bool {
	return slices.ContainsFunc([]string{runs.TraceName, runs.ResultName, checkpoints.Name}, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	})
}

// checkLines reads all lines, without unknown keys, and checks their order. It returns the first line, the last line,
// which is nil if the run is not finished, and the SHA-256 of the file.
func checkLines(f *disk.Folder) (start *record.StartLine, end *record.EndLine, sum string, err error) {
	var last record.SampleLine
	count := 0
	sum, err = eachLine(f, func(n int, text []byte) error {
		count = n
		bad := func(format string, args ...any) error { return lineError(f, n, fmt.Errorf(format, args...)) }
		var kind struct {
			Type string `json:"type"`
			V    int    `json:"v"`
		}
		if err := json.Unmarshal(text, &kind); err != nil {
			return bad("%v", err)
		}
		if end != nil && kind.Type != "end" {
			return bad("a line of type %s after the end", kind.Type)
		}
		var line any
		var sample record.SampleLine
		switch kind.Type {
		case "start":
			start = &record.StartLine{}
			line = start
		case "sample":
			line = &sample
		case "event":
			line = &record.EventLine{}
		case "end":
			end = &record.EndLine{}
			line = end
		default:
			return bad("unknown type %.40q; use start, sample, event or end", kind.Type)
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(line); err != nil {
			return bad("%v", err)
		}
		switch {
		case kind.V != 1:
			return bad("unknown version %d", kind.V)
		case (n == 1) != (kind.Type == "start"):
			return bad("a line of type %s; the first line, and no other one, must be of type start", kind.Type)
		case kind.Type != "sample":
			return nil
		case sample.Evals < last.Evals || sample.Step < last.Step || sample.NonFinite < last.NonFinite:
			return bad("step %d with %d evaluations after step %d with %d", sample.Step, sample.Evals, last.Step,
				last.Evals)
		}
		last = sample
		return nil
	})
	switch {
	case err != nil:
		return nil, nil, "", err
	case count == 0:
		return nil, nil, "", errors.New("is empty")
	}
	return start, end, sum, nil
}

// CheckInputs compares the files from which the problem of a run folder is read with their hashes. A folder without
// hashes is good. The error is a runs.Fault.
func CheckInputs(dir string) error {
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return checkInputs(f)
}

// checkListed is checkInputs of a run folder with inputs/, which lists the files there.
func checkListed(f *disk.Folder) error {
	if hash, err := inputs.Hash(f); err == nil && hash == "" {
		return wrong("%s has no SHA256SUMS, so nobody knows whether its files are those of the run",
			filepath.Join(f.Path, inputs.Name))
	}
	return checkInputs(f)
}

func checkInputs(f *disk.Folder) error {
	err := inputs.Check(f)
	if _, changed := errors.AsType[*inputs.Changed](err); changed {
		return &runs.Fault{Kind: runs.Foreign, Err: err}
	} else if err != nil {
		return wrong("%w", err)
	}
	return nil
}

// InputsHash returns the SHA-256 of the hashes of the files from which the problem of a run folder was read. It is ""
// if the folder has no hashes.
func InputsHash(dir string) (string, error) {
	f, err := openFolder(dir)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return inputs.Hash(f)
}

// isInput reports whether a path is that of a file in inputs/.
func isInput(f *disk.Folder, path string) bool {
	rel, err := filepath.Rel(f.Path, path)
	if err != nil || !strings.HasPrefix(filepath.ToSlash(rel), inputs.Name+"/") {
		return false
	}
	info, err := f.Lstat(filepath.ToSlash(rel))
	return err == nil && info.Mode().IsRegular()
}

// maxRevalued is the largest number of variables of a best point that Verify evaluates.
const maxRevalued = 1e6

// checkBest compares the best point with its hash and its value.
func checkBest(f *disk.Folder, r *record.Result) error {
	if r.Best.XFile == nil {
		return nil
	}
	name := *r.Best.XFile
	if filepath.Base(name) != name {
		return fmt.Errorf("x_file %.60q is not in the folder", name)
	}
	sum, err := f.Sum(name)
	if err != nil {
		return err
	}
	if r.Best.XSHA256 == nil || sum != *r.Best.XSHA256 {
		return fmt.Errorf("%s is not the file of the result: its SHA-256 differs", name)
	}
	p, x, err := bestOf(f, r)
	if err != nil || p == nil {
		return err
	}
	host, ok := p.(problems.Referenced)
	if !ok {
		return checkByText(p, x, r)
	}
	v, err := problems.Eval(host, x)
	if err != nil {
		return err
	}
	if v = problems.Reported(p, x, v) * r.Sense.Sign(); v != float64(r.Best.FHost) {
		return fmt.Errorf("its value is %.17g, and the result says %.17g", v, float64(r.Best.FHost))
	}
	if digits := problems.Digits(p, x, v); r.Best.Digits != "" && r.Best.Digits != digits {
		return fmt.Errorf("its value is %s, and the result says %s", digits, r.Best.Digits)
	}
	return nil
}

// checkByText compares the value of the best point with that of the text, where the host has confirmed it. Another
// machine may round the functions of package math in another way.
func checkByText(p problems.Problem, x []float64, r *record.Result) error {
	ref, err := problems.OnHost(p, problems.FP64)
	if err != nil || r.Best.Confirmer == "device" {
		return nil
	}
	sums, _, err := ref.Sum(p.Tiling().M, x, text.PointWork)
	if err != nil {
		return err
	}
	v, want := p.Objective(sums)*r.Sense.Sign(), float64(r.Best.FHost)
	off := max(p.Tolerance(problems.FP64)*math.Abs(want), float64(r.Best.Rounding))
	if v != want && !(math.Abs(v-want) <= off) {
		return fmt.Errorf("its value is %.17g, and the result says %.17g", v, want)
	}
	return nil
}

// BestPoint is the best point of a run, with its problem.
type BestPoint struct {
	Problem   problems.Problem
	Precision problems.Precision
	X         []float64
}

// Best reads the best point of a finished run, and its problem, from the folder. It returns nil if the folder has no
// such point, if that has more than a million variables, or if the data of the problem may be elsewhere. The error is a
// runs.Fault.
func Best(dir string) (*BestPoint, error) {
	r, err := runs.ReadResult(dir)
	if err != nil || r.Best.XFile == nil {
		return nil, err
	}
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	prec, err := problems.ParsePrecision(r.Precision)
	if err != nil {
		return nil, wrong("%w", err)
	}
	p, x, err := bestOf(f, r)
	if err != nil {
		return nil, wrong("%w", err)
	}
	if p == nil {
		return nil, nil
	}
	return &BestPoint{p, prec, x}, nil
}

// bestOf returns the problem of a result with a point, and the point; nil for the reasons of Best.
func bestOf(f *disk.Folder, r *record.Result) (problems.Problem, []float64, error) {
	if r.Dim > maxRevalued || r.Data == "official" {
		return nil, nil, nil
	}
	problem := r.Problem
	if spec, err := catalog.Spec(problem); err == nil && spec.File {
		// The path in the result was relative to the folder of the command. That in the recipe is in inputs/.
		file, err := recipe.Read(filepath.Join(f.Path, recipe.Name), nil)
		if err != nil {
			return nil, nil, err
		}
		stored, err := catalog.Spec(file.Problem())
		if err != nil || !isInput(f, stored.Name) {
			return nil, nil, nil
		}
		spec.Name = stored.Name
		problem = spec.Without("bounds").String() // the file of bounds may be gone; the point is within them
	}
	p, err := catalog.Parse(problem, problems.Options{})
	if err != nil {
		return nil, nil, err
	}
	x, err := input.ReadPoints(filepath.Join(f.Path, *r.Best.XFile), r.Dim)
	if err != nil {
		return nil, nil, err
	}
	return p, x.X[0], nil
}
