package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/internal/cl/binaries"
	"github.com/clopt/clopt/internal/cl/setup"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

const (
	// firstPoints is the number of uniform points of which the best one has to be beaten.
	firstPoints = 1000
	// firstTime is the time of search after which a run is given up.
	firstTime = 20 * time.Second
	// usualDim is the number of variables of a text that has none of its own.
	usualDim = 1000
)

// caches are the variables that name the folders in which drivers and clopt store kernels.
var caches = []string{setup.CacheVariable, binaries.Variable, "CUDA_CACHE_PATH", "AMD_COMGR_CACHE_DIR",
	"XDG_CACHE_HOME"}

// firsts measures how soon clopt run has a value below the best of firstPoints uniform points.
type firsts struct {
	program   string
	dir       string // for the runs and the caches
	data      string // the folder of official data; "": none
	precision string
	device    cl.Info
	runs      int // that were made
}

// namedProblems returns the specs of the problems that have names, each formula once.
func namedProblems() (specs []string) {
	seen := map[string]bool{}
	for _, e := range catalog.List() {
		if title := e.Name[:strings.IndexByte(e.Name, '/')+1] + e.Title; !seen[title] {
			seen[title] = true
			specs = append(specs, e.Name)
		}
	}
	return append(specs, "maxcut:torus=100x100", "qubo:palubeckis=1000,density=50,seed=51000")
}

// matched returns the specs in which a pattern such as gallery/*/*.cl stands for files.
func matched(specs []string) (all []string, err error) {
	for _, spec := range specs {
		if !strings.ContainsAny(spec, "*?") {
			all = append(all, spec)
			continue
		}
		files, err := filepath.Glob(spec)
		if err != nil || len(files) == 0 {
			return nil, exit.Usagef("--problems: no file matches %s", spec)
		}
		all = append(all, files...)
	}
	return all, nil
}

// measureFirst measures all problems on the chosen devices, each by itself.
func measureFirst(ctx context.Context, call *job.Call, s *benchSettings, chosen []cl.Info, out *report.Bench) error {
	specs, err := matched(s.specs)
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "clopt-first-")
	if err != nil {
		return exit.With(exit.Output, err)
	}
	defer os.RemoveAll(dir)
	call.Undo(func() { os.RemoveAll(dir) })
	out.First = []report.FirstValue{}
	dims := s.dims
	if dims == nil {
		dims = []int{0}
	}
	own := make([]int, len(specs))
	for k, spec := range specs {
		if _, err := flags.ParseProblem(spec, problems.Options{Data: s.data}, s.precision, false); err != nil {
			own[k] = usualDim // for a text that has no number of its own; another error shows again
		}
	}
	for _, device := range chosen {
		m := &firsts{program: program, dir: dir, data: s.data, precision: s.precision.String(), device: device}
		for k, spec := range specs {
			for i, n := range dims {
				cache := filepath.Join(dir, fmt.Sprintf("cache-%d-%d", device.Index, k))
				f := m.measure(ctx, spec, cmp.Or(n, own[k]), cache, i > 0)
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				out.First = append(out.First, f)
				if s.verbose && !s.json {
					fmt.Fprintf(call.Stderr, "%s: %v %v %s\n", spec, f.Empty.Seconds, f.Stored.Seconds, f.Failure)
				}
			}
		}
	}
	if s.json {
		return record.WriteLine(call.Stdout, out)
	}
	return report.WriteFirst(call.Stdout, out.First)
}

// measure measures a problem of n variables, or of its own number if n is 0. Kernels are stored below cache. known says
// that those of another n are there.
func (m *firsts) measure(ctx context.Context, spec string, n int, cache string, known bool) report.FirstValue {
	f := report.FirstValue{Problem: spec, Device: m.device.Name, Known: known, Uniform: exact.Number(math.NaN())}
	// The points have a cache and a seed of their own.
	drawn, _, err := m.run(ctx, spec, n, cache+"-uniform", "-s", "random", "--seed", "2", "--evals",
		strconv.Itoa(firstPoints))
	target := math.MaxFloat64 // any finite value
	if err == nil {
		f.Uniform = drawn.Best.F
		target = math.Nextafter(float64(drawn.Best.F), math.Inf(-1))
		if drawn.Sense == record.Maximize {
			target = math.Nextafter(float64(drawn.Best.F), math.Inf(1))
		}
	}
	for _, one := range []*report.FirstRun{&f.Empty, &f.Stored} {
		got, took, err := m.run(ctx, spec, n, cache, "--seed", "1", "--time", firstTime.String(),
			"--target="+strconv.FormatFloat(target, 'g', -1, 64))
		if err != nil {
			f.Failure = err.Error()
			return f
		}
		f.Dim, f.Method = got.Dim, got.Algorithm.Name
		one.Seconds, one.Processor = exact.Number(math.NaN()), record.Seconds(took)
		if got.Stop.Reason == "target" || got.Stop.Reason == "optimal" {
			one.Seconds = got.StartUp + got.Seconds
		}
		if got.Start != nil {
			one.Stages, one.Programs, one.Compiling = got.Start.Seconds, got.Start.Programs, got.Start.Compiling
		}
	}
	f.SetGoals(m.device.Type)
	return f
}

// run executes clopt run in a process of its own, and returns its result, and the time that processors worked for it.
// The error has one line.
func (m *firsts) run(ctx context.Context, spec string, n int, cache string,
	args ...string) (r *record.Result, processor time.Duration, err error) {
	m.runs++
	args = append([]string{"run", spec, "-d", strconv.Itoa(m.device.Index), "--precision", m.precision, "--json", "-q",
		"--checkpoint", "off", "--x-format", "none", "-o", m.dir, "--name", strconv.Itoa(m.runs)}, args...)
	if n > 0 {
		args = append(args, "-n", strconv.Itoa(n))
	}
	if m.data != "" {
		args = append(args, "--data", m.data)
	}
	var stdout bytes.Buffer
	child := exec.CommandContext(ctx, m.program, args...)
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) }
	child.WaitDelay = firstTime
	child.Stdout, child.Env = &stdout, os.Environ()
	for i, name := range caches {
		dir := filepath.Join(cache, strconv.Itoa(i))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, 0, err
		}
		child.Env = append(child.Env, name+"="+dir)
	}
	ended := child.Run()
	os.RemoveAll(filepath.Join(m.dir, strconv.Itoa(m.runs)))
	var got struct {
		record.Result
		Error string `json:"error"`
	}
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil || got.Error != "" {
		return nil, 0, errors.New(exit.FirstLine(cmp.Or(got.Error, fmt.Sprint(cmp.Or(ended, err)))))
	}
	return &got.Result, child.ProcessState.UserTime() + child.ProcessState.SystemTime(), nil
}
