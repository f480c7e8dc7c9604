package job

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/shard"
)

// TrialName is the name of the hidden command that the child process runs.
const TrialName = "__trial"

// Survived is the output of a trial that did not crash, whether or not it found an error.
const Survived = "survived\n"

// Trial evaluates an objective in a file once in a child process. On CPU devices the objective runs inside the process,
// so one that crashes would end clopt without a message. Trial leaves all other errors to the evaluations that follow.
func Trial(ctx context.Context, p problems.Problem, prec problems.Precision, device cl.Info) error {
	if p.Spec().Family != problems.OpenCL {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil // without a child process there is no trial
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
	if !strings.Contains(out.String(), Survived) { // the objective may print, too
		return exit.Failf(exit.Objective, "%s: error: the first evaluation crashed on %s: %v. "+
			"Look for wrong pointers and for indices outside of tables and arrays.", problems.SourceOf(p), device, err)
	}
	return nil
}

// TrialOnce evaluates a problem once. It is the work of the child process.
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
