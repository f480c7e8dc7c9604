package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/clopt/clopt/problems/opencl"
)

// objective is one of the objectives of a study.
type objective struct {
	name, path string
	title      string // the comment in the first line, or the name
	n          int    // variables
}

// find returns the objectives of arguments, each of which is the name of a file in dir or the path of another one. It
// returns all of dir without arguments.
func find(dir string, arguments []string) (all []objective, err error) {
	if len(arguments) == 0 {
		paths, err := filepath.Glob(filepath.Join(dir, "*.cl"))
		if err != nil {
			return nil, err
		}
		arguments = paths
	}
	for _, path := range arguments {
		if !strings.HasSuffix(path, ".cl") {
			path = filepath.Join(dir, path+".cl")
		}
		p, err := opencl.ParseFile(path, 0)
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		o := objective{name: strings.TrimSuffix(filepath.Base(path), ".cl"), path: path, n: p.Domain().N}
		o.title = o.name
		line, _, _ := strings.Cut(string(text), "\n")
		if title, ok := strings.CutPrefix(line, "// "); ok {
			o.title = strings.TrimSpace(title)
		}
		all = append(all, o)
	}
	return all, nil
}

// runner makes the runs of a study.
type runner struct {
	bin, device string
	time        time.Duration // of the default method
	seed        uint32
	jobs        int    // runs at a time
	runs        string // the folder of all runs
}

// end is the result of a run.
type end struct {
	objective string
	setting   string // "": the default method
	f         float64
	method    string
	device    string
	refused   bool   // the method does not take the objective
	failure   string // why there is no result; "": there is one, or it is refused
}

// all runs the default method and then each setting on all objectives. No run begins after the deadline, or when ctx
// is done.
func (r runner) all(ctx context.Context, all []objective, settings []string, deadline time.Time) ([]end, error) {
	if _, err := exec.LookPath(r.bin); err != nil {
		return nil, fmt.Errorf("%w; -bin names the clopt command, which make build builds", err)
	}
	type task struct {
		number  int // of the setting, 0 for the default method
		setting string
		o       objective
	}
	tasks := make(chan task)
	go func() {
		defer close(tasks)
		for i, setting := range slices.Insert(slices.Clone(settings), 0, "") {
			for _, o := range all {
				if ctx.Err() != nil || time.Now().After(deadline) {
					return
				}
				tasks <- task{i, setting, o}
			}
		}
	}()
	var mu sync.Mutex
	var ends []end
	var wg sync.WaitGroup
	for range r.jobs {
		wg.Go(func() {
			for t := range tasks {
				e := r.run(ctx, t.o, t.setting, filepath.Join(r.runs, fmt.Sprintf("%s-%02d", t.o.name, t.number)))
				mu.Lock()
				if ctx.Err() == nil {
					ends = append(ends, e)
					fmt.Fprintf(os.Stderr, "%d/%d  %s\n", len(ends), (1+len(settings))*len(all), e)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return ends, nil
}

// String returns the line of a run that is shown during a study.
func (e end) String() string {
	switch {
	case e.refused:
		return fmt.Sprintf("%s %s: refused", e.objective, e.setting)
	case e.failure != "":
		return fmt.Sprintf("%s %s: %s", e.objective, e.setting, e.failure)
	}
	return fmt.Sprintf("%s %s: %.10g", e.objective, e.setting, e.f)
}

// refusal is the exit code of a method that does not take an objective.
const refusal = 2

// run makes one run in a new folder.
func (r runner) run(ctx context.Context, o objective, setting, folder string) (e end) {
	e = end{objective: o.name, setting: setting}
	limit := r.time
	if setting != "" {
		limit /= 2
	}
	args := slices.Concat([]string{"run", o.path}, strings.Fields(setting), []string{
		"-d", r.device, "--seed", strconv.FormatUint(uint64(r.seed), 10), "--time", limit.String(), "-q",
		"--checkpoint", "off", "--x-format", "none", "-o", filepath.Dir(folder), "--name", filepath.Base(folder)})
	ctx, cancel := context.WithTimeout(ctx, 4*limit+2*time.Minute)
	defer cancel()
	os.RemoveAll(folder)
	cmd := exec.CommandContext(ctx, r.bin, args...)
	cores := strconv.Itoa(max(runtime.NumCPU()/r.jobs, 1))
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+cores, "POCL_MAX_PTHREAD_COUNT="+cores, "POCL_CPU_MAX_CU_COUNT="+cores)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() == refusal {
		e.refused = true
		return e
	}
	if err != nil {
		e.failure = fmt.Sprintf("%v: %s", err, lastLine(string(out)))
		return e
	}
	if err := e.read(filepath.Join(folder, "result.json")); err != nil {
		e.failure = err.Error()
	}
	return e
}

// read reads the result of a run.
func (e *end) read(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var result struct {
		Best      struct{ F *float64 }
		Algorithm struct{ Name string }
		Devices   []struct{ Name, Driver string }
	}
	if err := json.Unmarshal(text, &result); err != nil {
		return err
	}
	if result.Best.F == nil || len(result.Devices) == 0 {
		return fmt.Errorf("%s: no value", path)
	}
	e.f, e.method = *result.Best.F, result.Algorithm.Name
	e.device = result.Devices[0].Name + ", driver " + result.Devices[0].Driver
	return nil
}

// lastLine returns the last line that is not blank.
func lastLine(text string) (last string) {
	for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
		if line := strings.TrimSpace(s.Text()); line != "" {
			last = line
		}
	}
	return last
}
