package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
)

// block makes a folder where a file of a run will be renamed to, once the run has a sample.
func block(dir, name string) {
	for range 300 {
		if b, err := os.ReadFile(filepath.Join(dir, "trace.jsonl")); err == nil &&
			bytes.Contains(b, []byte(`"sample"`)) {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	os.MkdirAll(filepath.Join(dir, name, "in the way"), 0o777)
}

// TestNotStored checks that a file that cannot be stored gives one error in each form of --status, and in the log.
func TestNotStored(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"best.npy", "result.json"} {
		for _, status := range []string{"plain", "json"} {
			folder := status + "-" + name
			go block("runs/"+folder, name)
			code, _, errs := call(t, "run", "cec2013/f2", "-s", "masw", "--set", "population=8", "--time", "400ms",
				"--seed", "1", "--name", folder, "--status", status)
			if code != exit.Output || strings.Count(errs, name+": rename") != 1 {
				t.Errorf("%s: exit %d\n%s", folder, code, errs)
			}
			if !strings.Contains(readText(t, "runs", folder, "log.txt"), name+": rename") {
				t.Errorf("%s: not in the log", folder)
			}
			if status == "json" {
				all := lines(t, errs)
				if end := all[len(all)-1]; end["type"] != "end" || end["exit_code"] != float64(exit.Output) {
					t.Errorf("%s: the last line is %v", folder, end)
				}
			}
		}
	}
	go block("runs/many/run-00", "../summary.json")
	code, _, errs := call(t, "run", "cec2013/f2", "-s", "masw", "--set", "population=8", "--time", "400ms",
		"--runs", "2", "--seed", "1", "--name", "many", "--status", "json")
	if lines(t, errs); code != exit.Output || strings.Count(errs, "summary.json: rename") != 1 {
		t.Errorf("exit %d\n%s", code, errs)
	}
}

// TestFolderRemoved checks that a run whose folder is removed ends with an error, and that its summary names no file.
func TestFolderRemoved(t *testing.T) {
	t.Chdir(t.TempDir())
	go func() {
		for range 300 {
			if b, err := os.ReadFile("runs/a/trace.jsonl"); err == nil && bytes.Contains(b, []byte(`"sample"`)) {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		os.RemoveAll("runs/a")
	}()
	code, out, errs := call(t, "run", "cec2013/f2", "-s", "masw", "--set", "population=8", "--time", "1s",
		"--seed", "1", "--name", "a")
	if code != exit.Output || !strings.Contains(out, "nothing in runs/a") || strings.Contains(out, "trace.jsonl") ||
		strings.Contains(out, "clopt run ") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if _, err := os.Lstat("runs/a"); err == nil {
		t.Error("the folder was made again")
	}
}

// noNames is a disk on which every name longer than lock is too long.
type noNames struct{ disk.Disk }

func (d noNames) OpenFile(name string, flag int) (disk.File, error) {
	if name == "lock" {
		return d.Disk.OpenFile(name, flag)
	}
	return nil, syscall.ENAMETOOLONG
}

// TestFolderWithoutRun checks that a folder in which nothing could be written is removed, and that one with a trace
// stays, also among several runs.
func TestFolderWithoutRun(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, count := range []string{"1", "2"} {
		var out, errs bytes.Buffer
		c := job.NewCall([]string{"run", "cec2013/f2", "-s", "masw", "--set", "population=8", "--evals", "100",
			"--out", "deep/out", "--name", "a", "--runs", count}, strings.NewReader(""), &out, &errs)
		c.Disk = func(d disk.Disk) disk.Disk { return noNames{d} }
		code := execute(context.Background(), c)
		if code != exit.Output || !strings.Contains(errs.String(), "name too long") {
			t.Errorf("%s runs: exit %d\n%.200s", count, code, errs.String())
		}
		if _, err := os.Lstat("deep/out/a"); err == nil {
			t.Errorf("%s runs: the folder stays", count)
		}
	}
	file(t, "nan.cl", strings.Replace(sphereText, "sq(at(x, k))", "log(-1.0 - sq(at(x, k)))", 1))
	code, _, errs := call(t, "run", "nan.cl", "-n", "20", "-s", "random", "--evals", "1000", "--seed", "1", "--runs",
		"2", "--name",
		"b")
	if code != exit.NonFinite || !strings.Contains(readText(t, "runs/b/run-00/trace.jsonl"), `"error"`) {
		t.Errorf("exit %d\n%s", code, errs)
	}
}
