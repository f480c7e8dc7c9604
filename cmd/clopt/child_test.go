package main

import (
	"errors"
	"os"
	"os/exec"
	"testing"
)

// inChild runs the command in a process of its own, with more environment, and
// returns its exit code and output. The test TestR13NoDevice is its entry.
func inChild(t *testing.T, args string, env ...string) (int, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestR13NoDevice$")
	cmd.Env = append(append(os.Environ(), "CLOPT_TEST_CHILD="+args), env...)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), string(out)
	} else if err != nil {
		t.Fatal(err)
	}
	return 0, string(out)
}
