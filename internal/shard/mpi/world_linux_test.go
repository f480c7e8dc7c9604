package mpi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/clopt/clopt/internal/shard/ranks"
)

// The tests of this file start this test program again, under the launchers that are installed.

func TestMain(m *testing.M) {
	if what := os.Getenv("CLOPT_TEST_WORKER"); what != "" {
		os.Exit(worker(what))
	}
	os.Exit(m.Run())
}

// worker is a process under a launcher.
func worker(what string) int {
	launch := Find(os.Getenv)
	limit := time.Duration(0)
	if what == "hang" || what == "stop" {
		limit = time.Second / 2
	}
	w, err := launch.Join("", limit)
	if err != nil {
		fmt.Println(err)
		return 12
	}
	switch what {
	case "gather":
		if err := gather(w); err != nil {
			fmt.Println("rank", w.Rank(), err)
			w.Abort(1)
		}
	case "fail":
		if w.Rank() == 1 {
			fmt.Println("together", w.Agree(true))
			w.Abort(9)
		}
		w.Barrier()
	case "agree":
		together := w.Agree(true)
		if w.Rank() == 0 {
			fmt.Println("together", together)
		}
		w.Finish(9, os.Exit)
		if w.Rank() > 0 { // a launcher ends the others when one ends with another code than 0
			return 0
		}
		return 9
	case "interrupt":
		if err := interrupt(w); err != nil {
			fmt.Println("rank", w.Rank(), err)
			w.Abort(1)
		}
	case "hang":
		if w.Rank() == 1 {
			time.Sleep(time.Minute)
		}
		if err := w.AllGather(make([]byte, w.Size()), upTo(w.Size(), 1)); err != nil {
			fmt.Println(err)
			w.Abort(12)
		}
	case "stop":
		if w.Rank() == 1 {
			time.Sleep(time.Second) // as it would compute
		}
		fmt.Println("slow", w.Barrier())
		if w.Rank() == 1 {
			syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		}
		if err := w.Barrier(); err != nil {
			fmt.Println(err)
			w.Abort(12)
		}
	}
	if !w.Agree(false) || w.Finish(0, os.Exit) != nil {
		return 1
	}
	return 0
}

// upTo returns the ends of n parts of a length.
func upTo(n, length int) (ends []int) {
	for r := range n {
		ends = append(ends, (r+1)*length)
	}
	return ends
}

// gather gathers parts of many lengths, some of them empty, and waits at barriers.
func gather(w *World) error {
	if w.Size() != 3 || w.Rank() >= 3 || len(w.Names()) != 3 || w.Names()[0] == "" {
		return fmt.Errorf("size %d, hosts %q", w.Size(), w.Names())
	}
	for _, length := range []int{0, 1, 7, 1000, 1 << 20} {
		var want []byte
		var ends []int
		for r := range w.Size() {
			n := length * r // nothing of rank 0
			if length == 7 {
				n = length * (2 - r)
			}
			want = append(want, bytes.Repeat([]byte{byte(r + 1)}, n)...)
			ends = append(ends, len(want))
		}
		got, from := make([]byte, len(want)), 0
		if w.Rank() > 0 {
			from = ends[w.Rank()-1]
		}
		copy(got[from:ends[w.Rank()]], want[from:])
		for range 3 {
			if err := w.AllGather(got, ends); err != nil {
				return err
			}
		}
		if !bytes.Equal(got, want) {
			return errors.New("the bytes of another rank are wrong")
		}
		if err := w.Barrier(); err != nil {
			return err
		}
	}
	return nil
}

// interrupt lets the last rank interrupt exchanges of several lengths, and gathers after each of them.
func interrupt(w *World) error {
	for _, length := range []int{1, 1000, 1 << 20} {
		ends := upTo(w.Size(), length)
		if w.Rank() < w.Size()-1 {
			if err := w.AllGather(make([]byte, length*w.Size()), ends); !errors.Is(err, ranks.ErrInterrupted) {
				return fmt.Errorf("an exchange of %d bytes: %v", length, err)
			}
		}
		if err := w.Interrupt(); err != nil {
			return err
		}
		if err := gather(w); err != nil {
			return err
		}
	}
	return nil
}

// launched runs this test program under each launcher that is installed, and gives the output and the code to check.
func launched(t *testing.T, ranks int, what string, check func(t *testing.T, out string, code int)) {
	found := false
	for _, launcher := range []string{"mpirun.openmpi", "mpirun.mpich"} {
		path, err := exec.LookPath(launcher)
		if err != nil || found && testing.Short() {
			continue // one of them shows the same
		}
		found = true
		t.Run(launcher, func(t *testing.T) {
			args := []string{"-n", fmt.Sprint(ranks), os.Args[0]}
			if launcher == "mpirun.openmpi" {
				args = append([]string{"--allow-run-as-root", "--oversubscribe"}, args...)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, path, args...)
			cmd.WaitDelay = time.Second
			cmd.Env = append(os.Environ(), "CLOPT_TEST_WORKER="+what)
			out, err := cmd.CombinedOutput()
			if err != nil && cmd.ProcessState == nil {
				t.Fatal(err)
			}
			check(t, string(out), cmd.ProcessState.ExitCode())
		})
	}
	if !found {
		t.Skip("no MPI is installed: apt-get install openmpi-bin mpich")
	}
}

func TestWorld(t *testing.T) {
	for _, c := range []struct {
		what        string
		ranks, code int
		print       string
	}{
		{"gather", 3, 0, ""},
		{"fail", 2, 9, "together false"}, // a rank that fails alone ends all; its code is that of the launcher
		{"agree", 2, 9, "together true"}, // ranks that all fail leave together
		{"interrupt", 3, 0, ""},          // a rank interrupts exchanges, and the ranks begin anew
		{"hang", 3, 12, "for rank 1 ("},  // a rank that does not come is named
	} {
		t.Run(c.what, func(t *testing.T) {
			launched(t, c.ranks, c.what, func(t *testing.T, out string, code int) {
				if code != c.code || !strings.Contains(out, c.print) {
					t.Errorf("exit %d: %s", code, out)
				}
			})
		})
	}
}

// A barrier waits for a rank that computes, and names one that cannot be reached.
func TestStopped(t *testing.T) {
	launched(t, 3, "stop", func(t *testing.T, out string, code int) {
		if code == 0 || strings.Count(out, "slow <nil>") != 3 || !strings.Contains(out, "for rank 1 (") {
			t.Errorf("exit %d: %s", code, out)
		}
	})
}
