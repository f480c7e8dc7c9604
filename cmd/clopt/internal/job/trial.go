package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/internal/cl/crash"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/internal/shard/trial/child"
	"github.com/clopt/clopt/problems"
)

// Trial evaluates an objective in a file once in a child process, which ends after the limit. An equal trial without an
// error is not made again. A text that crashes or does not end there is an error; Trial leaves all other errors to the
// evaluations that follow.
func Trial(ctx context.Context, p problems.Problem, prec problems.Precision, device cl.Info,
	limit time.Duration) (found child.Found, err error) {
	if p.Spec().Family != problems.OpenCL {
		return found, nil
	}
	self, err := os.Executable()
	if err != nil {
		return found, nil // without a child process there is no trial
	}
	t := child.Trial{Program: self, Spec: p.Spec().String(), Source: problems.SourceOf(p), Precision: prec,
		Device: device, Limit: limit}
	if text, ok := p.(interface{ ContentHash() string }); ok {
		t.Hash = text.ContentHash()
	}
	found, err = t.Run(ctx)
	if _, none := errors.AsType[*child.StartError](err); none {
		return found, nil
	}
	if e, ok := errors.AsType[*child.EndlessError](err); ok {
		return found, exit.Failf(exit.Objective, "%v, or give it longer: --trial-time 5m", e)
	}
	return found, err
}

// Unread returns a warning if some variables are read by no component of an objective, and others are, or "".
func Unread(p problems.Problem, found trial.Seen) string {
	if found.Unread.Count == 0 || found.Flat {
		return ""
	}
	advice := "See whether a loop, a guard or the directive components ends too early, or declare fewer variables."
	if 2*found.Unread.Count > p.Domain().N {
		advice = "See whether at(x, k) is meant, or declare fewer variables."
	}
	return fmt.Sprintf("%s: warning: %v at uniform points. %s", problems.SourceOf(p), found.Unread, advice)
}

// unseen returns a warning if a search cannot see what an objective has, or "".
func unseen(p problems.Problem, found trial.Seen) string {
	if found.Flat {
		return "The objective is the same at two uniform points. A search needs values that differ: see whether the " +
			"formula uses at(x, i), and rounds no more than it must."
	}
	return Unread(p, found)
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
	crash.On(shown(text), int(file.Fd()), exit.Objective)
	return func() { crash.On("", 0, 0) }
}

// plain shows a text as a line.
func plain(text string) string { return text + "\n" }

// resumable adds to a text how the runs in a folder go on.
func resumable(text, dir string) string {
	return text + " To go on from the newest checkpoint, if it has one: clopt resume " + flags.ShellQuote(dir)
}
