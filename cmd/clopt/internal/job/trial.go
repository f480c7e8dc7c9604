package job

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/shard/trial"
)

// TrialName is the name of the hidden command that the child process runs.
const TrialName = "__trial"

// Words of the child process to its parent: the kernels are built; the trial did not crash, whether or not it found an
// error. The second one follows a secret of the parent, because the objective may print, too.
const (
	built    = "built\n"
	survived = "survived "
	flat     = "flat " // also with the secret: the components are the same at two points
	late     = "late " // also with the secret: the child has ended itself after the limit
)

// A trial on a processor that has other work may take patience times its limit, and leastPatience at least.
const (
	patience      = 10
	leastPatience = time.Minute
)

// Trial evaluates an objective in a file once in a child process. On CPU devices the objective runs inside the process,
// so one that crashes or does not end would take clopt with it. The child ends after the limit, on CPU devices after as
// much processor time, since other programs may be at work. Trial leaves all errors but these two to the evaluations
// that follow. same says that the objective does not tell two points apart.
func Trial(ctx context.Context, p problems.Problem, prec problems.Precision, device cl.Info,
	limit time.Duration) (same bool, err error) {
	if p.Spec().Family != problems.OpenCL {
		return false, nil
	}
	most, busy := limit, ""
	if device.Type == cl.CPU && limit < math.MaxInt64/patience {
		most = max(patience*limit, leastPatience)
	}
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	var out bytes.Buffer
	secret := rand.Text()
	made, err := inChild(limited, &out, TrialName, p.Spec().String(), prec.String(), strconv.Itoa(device.Index),
		limit.String(), secret)
	if !made && limited.Err() == nil {
		return false, nil // without a child process there is no trial
	}
	said := out.String()
	over := limited.Err() != nil
	if over && most > limit {
		limit, busy = most, ", perhaps because the machine is busy"
	}
	over = over || strings.Contains(said, late+secret)
	switch file := problems.SourceOf(p); {
	case ctx.Err() != nil:
		return false, context.Cause(ctx)
	case strings.Contains(said, survived+secret):
		return strings.Contains(said, flat+secret), nil
	case over && strings.Contains(said, built):
		return false, exit.Failf(exit.Objective, "%s: error: the first evaluation on %s has not ended after %v%s. "+
			"Look for a loop without an end, or give it longer: --trial-time 5m", file, device, limit, busy)
	case over:
		return false, exit.Failf(exit.Objective, "%s: error: the compiler of %s has not ended after %v%s. Make "+
			"the text simpler, or give it longer: --trial-time 5m", file, device, limit, busy)
	case killed(err):
		return false, exit.Failf(exit.Memory, "%s: error: the process of the first evaluation on %s was killed, "+
			"perhaps because memory ran out. Choose fewer variables, or a machine with more memory.", file, device)
	default:
		return false, exit.Failf(exit.Objective, "%s: error: the first evaluation crashed on %s: %v. "+
			"Look for wrong pointers and for indices outside of tables and arrays.", file, device, err)
	}
}

// killed reports whether a child process was ended by SIGKILL, as the system does when memory runs out. No crash does
// that.
func killed(err error) bool {
	e, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return false
	}
	status, ok := e.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// inChild runs a command of clopt in a child process, whose standard error is dropped. The child ends when ctx or this
// process does. made is false if it could not be started; err says how it ended.
func inChild(ctx context.Context, out io.Writer, args ...string) (made bool, err error) {
	self, err := os.Executable()
	if err != nil {
		return false, err
	}
	child := exec.CommandContext(ctx, self, args...)
	child.Stdout, child.WaitDelay = out, time.Second // a compiler that it has started may keep the output open
	alive, err := child.StdinPipe()                  // it closes when this process ends
	if err != nil {
		return false, err
	}
	defer alive.Close()
	if err := child.Start(); err != nil {
		return false, err
	}
	return true, child.Wait()
}

// endWithParent ends this process, a child, when its standard input does.
func (c *Call) endWithParent() {
	go func() {
		io.Copy(io.Discard, c.Stdin)
		c.exit(exit.Internal)
	}()
}

// OnCrash lets the process end with a message if an evaluation of an objective on some devices crashes later than in
// its trial. end stops that.
func (c *Call) OnCrash(p problems.Problem, devices []cl.Info) (end func()) {
	return onCrash(c.Stderr, p, devices, 0, plain)
}

// onCrash is OnCrash for a run, whose folder is dir, and for its other ranks.
func (j *Job) onCrash(dir string) (end func()) {
	j.Run.Folder = dir
	return onCrash(j.call.Stderr, j.Problem, j.devices, 0, func(text string) string {
		return j.show.LastWords(resumable(text, dir))
	})
}

// onCrash is OnCrash for the process of a rank, whose devices are among those of all ranks. shown returns what has to
// be written to show a text.
func onCrash(stderr *status.Output, p problems.Problem, devices []cl.Info, rank int,
	shown func(text string) string) (end func()) {
	file, ok := stderr.W.(*os.File)
	i := slices.IndexFunc(devices, func(d cl.Info) bool { return d.Type == cl.CPU && d.Rank == rank })
	if p.Spec().Family != problems.OpenCL || i < 0 || !ok {
		return func() {}
	}
	text := fmt.Sprintf("%s: error: an evaluation crashed on %s, after the first one had not. "+
		"Look for wrong pointers and for indices outside of tables and arrays.", problems.SourceOf(p), devices[i])
	if verify := verifies(p); verify != "" {
		text += " To look for variables that it reads and does not declare: " + verify
	}
	cl.OnCrash(shown(text), int(file.Fd()), exit.Objective)
	return func() { cl.OnCrash("", 0, 0) }
}

// plain shows a text as a line.
func plain(text string) string { return text + "\n" }

// resumable adds to a text how the runs in a folder go on.
func resumable(text, dir string) string {
	return text + " To go on from the newest checkpoint, if it has one: clopt resume " + flags.ShellQuote(dir)
}

// endAfter ends this process, a child, when the limit is over and it has used as much processor time, and says so with
// secret.
func (c *Call) endAfter(limit time.Duration, secret string) {
	go func() {
		for begin := time.Now(); time.Since(begin) < limit || processorTime() < limit; {
			time.Sleep(min(limit, 100*time.Millisecond))
		}
		io.WriteString(c.Stdout, late+secret)
		c.exit(exit.Objective)
	}()
}

// TrialOnce evaluates a problem once. It is the work of the child process, which ends when its standard input does or
// after a limit, and says secret if it survives.
func TrialOnce(ctx context.Context, call *Call, spec, precision, index, limit, secret string) {
	call.endWithParent()
	if d, err := time.ParseDuration(limit); err == nil {
		call.endAfter(d, secret)
	}
	cl.AfterBuild(func() { io.WriteString(call.Stdout, built) })
	err := try(ctx, spec, precision, index) // the parent finds the same error again and reports it
	io.WriteString(call.Stdout, survived+secret)
	if err != nil {
		return
	}
	onDevice(spec, precision, index, func(g *shard.Devices, p problems.Problem, prec problems.Precision) error {
		same, err := trial.Flat(ctx, g, p, prec)
		if same {
			io.WriteString(call.Stdout, flat+secret)
		}
		return err
	})
}

// try evaluates a problem once on the device of an index.
func try(ctx context.Context, spec, precision, index string) error {
	return onDevice(spec, precision, index, func(g *shard.Devices, p problems.Problem, prec problems.Precision) error {
		return trial.Run(ctx, g, p, prec)
	})
}

// onDevice opens the device of an index for a problem. All are texts, the arguments of a child process.
func onDevice(spec, precision, index string,
	do func(g *shard.Devices, p problems.Problem, prec problems.Precision) error) error {
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
	return do(g, p, prec)
}
