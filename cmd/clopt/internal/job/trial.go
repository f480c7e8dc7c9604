package job

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strconv"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/shard"
)

// TrialName is the hidden command that a child process runs.
const TrialName = "__trial"

// Survived is what a trial prints that came to its end, well or not.
const Survived = "survived\n"

// Trial evaluates an objective in a file once in a child process: its text
// runs inside the process on CPU devices, and one that crashes shall be a
// message. Every other fault is left to the evaluations that follow.
func Trial(ctx context.Context, p problems.Problem, prec problems.Precision, device cl.Info) error {
	if p.Spec().Family != problems.OpenCL {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil // nothing can be tried, which is no reason not to go on
	}
	var out bytes.Buffer
	child := exec.CommandContext(ctx, self, TrialName, p.Spec().String(), prec.String(), strconv.Itoa(device.Index))
	child.Stdout = &out
	if err := child.Start(); err != nil {
		return nil
	}
	err = child.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if out.String() != Survived {
		return exit.Failf(exit.Objective, "%s: error: the first evaluation ended its process on device %d (%s): %v. Look for wild pointers and for indices outside tables and arrays.",
			problems.SourceOf(p), device.Index, device.Name, err)
	}
	return nil
}

func TrialOnce(ctx context.Context, spec, precision, index string) error {
	prec, err := problems.ParsePrecision(precision)
	if err != nil {
		return err
	}
	p, err := catalog.Parse(spec, problems.Options{})
	if err != nil {
		return err
	}
	chosen, err := shard.Select(index, prec)
	if err != nil {
		return err
	}
	g, err := shard.Open(chosen, shard.Options{})
	if err != nil {
		return err
	}
	defer g.Close()
	return shard.Trial(ctx, g, p, prec)
}
