//go:build amd64 || arm64

package crash

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// A process that finds no more memory ends with a sentence and its exit code, not with the stacks of all goroutines:
// in the code of Go, and where no thread can be started.
func TestOutOfMemory(t *testing.T) {
	const variable, text = "CLOPT_TEST_OUT_OF_MEMORY", "memory ran out here\n"
	if what := os.Getenv(variable); what != "" {
		OutOfMemory(text, 2, 5)
		if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: 1 << 20, Max: 1 << 20}); err != nil {
			t.Fatal(err)
		}
		if what == "threads" {
			for range 1000 {
				go func() { // each read keeps a thread
					r, _, _ := os.Pipe()
					syscall.Read(int(r.Fd()), make([]byte, 1))
				}()
			}
			select {}
		}
		for all := [][]byte{}; ; {
			all = append(all, make([]byte, 64<<20))
		}
	}
	for _, what := range []string{"heap", "threads"} {
		c := exec.Command(os.Args[0], "-test.run=^TestOutOfMemory$")
		c.Env = append(os.Environ(), variable+"="+what)
		var errs strings.Builder
		c.Stderr = &errs
		err := c.Run()
		if e, ok := errors.AsType[*exec.ExitError](err); !ok || e.ExitCode() != 5 || errs.String() != text {
			t.Errorf("%s: %v, %.300q", what, err, errs.String())
		}
	}
}
