package battery_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// clopt is the path of the built command.
var clopt string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "battery-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		clopt = filepath.Join(dir, "clopt")
		if out, err := exec.Command("go", "build", "-o", clopt, "../../cmd/clopt").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
			return 1
		}
		os.Unsetenv("CLOPT_DATA") // commands under test do not see it
		// The peak of a process includes that of the process that starts it, so this one stays small.
		debug.SetGCPercent(10)
		return m.Run()
	}())
}

// outcome is what a command left.
type outcome struct {
	code        int // -1: killed by a signal
	out, errs   string
	took, spent time.Duration // by the clock, and of processors
	peak        int64         // memory, in KiB
}

func (o outcome) String() string {
	return fmt.Sprintf("exit %d after %v, %d KiB\n%.1000s%.1000s", o.code, o.took.Round(time.Millisecond), o.peak,
		o.out, o.errs)
}

// longest is how long a command may take before it is killed.
const longest = time.Minute

// run makes the command clopt in the current folder, with more environment.
func run(t *testing.T, env []string, args ...string) outcome {
	t.Helper()
	return execute(t, env, clopt, args...)
}

// execute executes a program as run does the command clopt.
func execute(t *testing.T, env []string, program string, args ...string) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = time.Second // a trial may outlive it
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Env = append(append(os.Environ(), "GOGC="), env...) // the memory is that of a user
	began := time.Now()
	err := cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended && ctx.Err() == nil {
		t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), out.String(), errs.String(), time.Since(began),
		cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peak(cmd.ProcessState)}
}

// words makes the command of a line without quotes.
func words(t *testing.T, line string) outcome {
	t.Helper()
	return run(t, nil, strings.Fields(line)...)
}

// put writes a file into the current folder.
func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

const sphere = `//@ name sphere
//@ bounds -5 5
//@ n 20
//@ reads k
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += sq(at(x, k));
}
`
