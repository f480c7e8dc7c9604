package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/test/battery"
	"github.com/clopt/clopt/test/shorttest"
)

// TestR23StatusJSON checks that standard error has only JSON lines, and that standard output has the result on one
// line.
func TestR23StatusJSON(t *testing.T) {
	count := battery.Begin(t)
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	code, out, errs := call(t, "run", "sphere.cl", "-n", "20", "--evals", "2000", "--status", "json", "--json")
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	all := lines(t, errs)
	if all[0]["type"] != "start" || all[len(all)-1]["type"] != "end" {
		t.Errorf("the stream goes from %v to %v", all[0], all[len(all)-1])
	}
	if !strings.Contains(errs, "(drawn)") {
		t.Error("the drawn seed is not shown")
	}
	var r record.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil || strings.Count(out, "\n") != 1 || r.Folder == "" {
		t.Fatalf("%v: %q", err, out)
	}
	if _, err := os.Stat(filepath.Join(r.Folder, "result.json")); err != nil {
		t.Error(err)
	}
	for range all {
		count.Count(!t.Failed())
	}
	// A run that fails also ends its stream.
	file(t, "nan.cl", strings.Replace(sphereText, "sq(at(x, k))", "log(-1.0 - sq(at(x, k)))", 1))
	code, _, errs = call(t, "run", "nan.cl", "-n", "20", "--evals", "2000", "--status", "json")
	all = lines(t, errs)
	if end := all[len(all)-1]; code != 9 || end["type"] != "end" || end["exit_code"] != 9.0 || end["best"] != nil {
		t.Errorf("exit %d, end %v", code, end)
	}
	for range all {
		count.Count(!t.Failed())
	}
}

// TestR23Printed runs an objective that prints, and that a compiler warns of. Standard error has only JSON lines.
func TestR23Printed(t *testing.T) {
	shorttest.Out(t) // TestR18Later prints, too
	count := battery.Begin(t)
	t.Chdir(t.TempDir())
	file(t, "prints.cl", strings.Replace(sphereText, "acc[0] +=",
		"if (k == 3) printf(\"at \\033[1m%g\\n\", at(x, k)); acc[0] +=", 1))
	cmd, errs := startChild(t, strings.Fields("run prints.cl -n 20 -s random --evals 3000 --status json --seed 1")...)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, errs)
	}
	printed := 0
	for _, line := range lines(t, errs.String()) { // all are JSON
		text, _ := line["detail"].(string)
		if line["event"] == "printed" && strings.HasPrefix(text, "at \x1b[1m") {
			printed++
		}
	}
	count.Check(printed > 100, "%d lines were printed", printed)
}

// closedPipe fails like a pipe whose reader has closed it.
type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// fullDisk fails like a file on a full disk.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestR22ClosedStreams checks that a run stores its result if it can write neither to stdout nor to stderr.
func TestR22ClosedStreams(t *testing.T) {
	count := battery.Begin(t)
	t.Chdir(t.TempDir())
	file(t, "sphere.cl", sphereText)
	for i, stdout := range []interface{ Write([]byte) (int, error) }{closedPipe{}, fullDisk{}} {
		name := strconv.Itoa(i)
		args := []string{"run", "sphere.cl", "-n", "20", "--evals", "500", "--name", name}
		if code := run(context.Background(), args, strings.NewReader(""), stdout, stdout); code != 0 {
			t.Errorf("exit %d", code)
		}
		readResult(t, "runs/"+name)
		// With --json somebody waits for the line.
		want := []int{0, exit.Output}[i]
		var errs bytes.Buffer
		code := run(context.Background(), append(args, "--json"), strings.NewReader(""), stdout, &errs)
		if code != want {
			t.Errorf("--json: exit %d, want %d\n%s", code, want, errs.String())
		}
		readResult(t, "runs/"+name+".2")
		count.Count(!t.Failed())
	}
	// A result that goes to standard output only is lost on a full disk.
	var errs bytes.Buffer
	if code := run(context.Background(), []string{"list", "problems"}, nil, fullDisk{}, &errs); code != exit.Output {
		t.Errorf("exit %d: %s", code, errs.String())
	}
	if code := run(context.Background(), []string{"list", "problems"}, nil, closedPipe{}, &errs); code != 0 {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}
