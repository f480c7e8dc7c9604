package exit

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/docs"
	"github.com/clopt/clopt/internal/problems/hostmem"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/runs"
)

// TestExitCodes checks the code of every kind of error, also wrapped and joined.
func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
	}{
		{nil, 0}, {io.EOF, 1}, {Usagef("x"), 2}, {&input.Error{}, 2},
		{&input.Error{Large: true}, 5}, {&solvers.SettingError{}, 2},
		{&solvers.SettingError{Large: true}, 5}, {&hostmem.Error{}, 5},
		{&problems.PrecisionError{}, 3}, {&cl.NoDeviceError{}, 3},
		{&cl.NoDeviceError{Cause: "x.so: failed to map segment from shared object"}, 5},
		{&cl.SelectionError{}, 3}, {&cl.BuildError{}, 4},
		{&cl.MemoryError{}, 5}, {&cl.DeviceError{Err: &cl.MemoryError{}}, 6},
		{&shard.PlanError{}, 5}, {&shard.CheckError{}, 8}, {&shard.SumError{}, 8}, {&solvers.NonFiniteError{}, 9},
		{Failf(Output, "x"), 10},
		{&runs.Fault{Kind: runs.Input, Err: io.EOF}, 2}, {&runs.Fault{Kind: runs.Output, Err: io.EOF}, 10},
		{&runs.Fault{Kind: runs.Damage, Err: io.EOF}, 7}, {&runs.Fault{Kind: runs.Foreign, Err: io.EOF}, 7},
		{With(Memory, &runs.Fault{Kind: runs.Output, Err: io.EOF}), 10},
		{errors.Join(&runs.Fault{Kind: runs.Output, Err: io.EOF}, Usagef("x")), 10},
		{&Stopped{syscall.SIGHUP}, 129}, {&Stopped{syscall.SIGINT}, 130}, {&Stopped{syscall.SIGTERM}, 143},
	} {
		if got := Code(c.err); got != c.code {
			t.Errorf("%T: %d, want %d", c.err, got, c.code)
		}
		if c.err == nil {
			continue
		}
		if got := Code(errors.Join(fmt.Errorf("about: %w", c.err))); got != c.code {
			t.Errorf("%T wrapped: %d, want %d", c.err, got, c.code)
		}
	}
}

// TestExitCodesPage checks that the page on exit codes has a line for each code, and no others.
func TestExitCodesPage(t *testing.T) {
	page, _ := docs.Page("exit-codes")
	var listed []int
	for _, m := range regexp.MustCompile(`(?m)^\| (\d+) \|`).FindAllStringSubmatch(page, -1) {
		code, _ := strconv.Atoi(m[1])
		listed = append(listed, code)
	}
	codes := []int{OK, Internal, Usage, NoDevice, Objective, Memory, Lost, Checkpoint, Verify,
		NonFinite, Output, Target, Host, Worse, NoPoint, Infeasible, Hangup, Interrupt, Terminated, CPUTime}
	if !slices.Equal(listed, codes) {
		t.Errorf("docs/reference/exit-codes.md has %v, want %v", listed, codes)
	}
}
