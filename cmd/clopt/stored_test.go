package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
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
			code, _, errs := call(t, "run", "cec2013/f2", "-s", "masw", "--set", "population=8", "--time", "1s",
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
	code, _, errs := call(t, "run", "cec2013/f2", "-s", "masw", "--set", "population=8", "--time", "1s",
		"--runs", "2", "--seed", "1", "--name", "many", "--status", "json")
	if lines(t, errs); code != exit.Output || strings.Count(errs, "summary.json: rename") != 1 {
		t.Errorf("exit %d\n%s", code, errs)
	}
}

// TestFolderWithoutRun checks that a folder in which nothing could be written is removed, and that one with a trace
// stays, also among several runs.
func TestFolderWithoutRun(t *testing.T) {
	t.Chdir(t.TempDir())
	deep := "deep" + strings.Repeat("/ten-longer", 371) // with /run below it too long for files inside
	for _, runs := range []string{"1", "2"} {
		code, _, errs := call(t, "run", "cec2013/f2", "-s", "masw", "--set", "population=8", "--evals", "100",
			"--out", deep, "--name", "a", "--runs", runs)
		if code != exit.Output || !strings.Contains(errs, "name too long") {
			t.Errorf("%s runs: exit %d\n%.200s", runs, code, errs)
		}
		if _, err := os.Lstat(deep + "/a"); err == nil {
			t.Errorf("%s runs: the folder stays", runs)
		}
	}
	file(t, "nan.cl", strings.Replace(sphereText, "acc[0] +=", "acc[0] += NAN *", 1))
	code, _, errs := call(t, "run", "nan.cl", "-n", "20", "--evals", "1000", "--seed", "1", "--runs", "2", "--name",
		"b")
	if code != exit.NonFinite || !strings.Contains(readText(t, "runs/b/run-00/trace.jsonl"), `"error"`) {
		t.Errorf("exit %d\n%s", code, errs)
	}
}
