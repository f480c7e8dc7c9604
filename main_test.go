package clopt_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/clopt/clopt"
	"github.com/clopt/clopt/test/devicetest"
)

func TestMain(m *testing.M) {
	if clopt.Try(os.Args, os.Stdin, os.Stdout, os.Exit) {
		return
	}
	if name := os.Getenv("CLOPT_TEST_CHILD"); name != "" {
		os.Exit(children[name]())
	}
	devicetest.Keep()
	os.Exit(m.Run())
}

// child runs one of children in a process of its own, and returns its output and its exit status.
func child(t *testing.T, name string, env ...string) (string, int) {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(append(os.Environ(), "CLOPT_TEST_CHILD="+name), env...)
	out, err := c.CombinedOutput()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out)), c.ProcessState.ExitCode()
}
