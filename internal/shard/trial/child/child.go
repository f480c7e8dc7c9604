// Package child tries the text of an objective in a child process. On processors a text runs inside the process that
// evaluates it, so one that reads through a wrong pointer, or does not end, would take that process with it. The child
// is a command that calls Once, such as clopt.
package child

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/cl/setup"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/problems"
)

// Command is the name of the hidden command of the child process that calls Once.
const Command = "__trial"

// Words of the child process to its parent: the kernels are built; the trial did not crash, whether or not it found an
// error. The second one follows a secret of the parent, because the objective may print, too.
const (
	built    = "built\n"
	survived = "survived "
	clean    = "clean " // also with the secret: the trial has found no error
	seen     = "seen "  // also with the secret, before a trial.Seen: what uniform points show
	late     = "late "  // also with the secret: the child has ended itself after the limit
)

// A trial on a processor that has other work may take patience times its limit, and leastPatience at least.
const (
	patience      = 10
	leastPatience = time.Minute
)

// Trial is one evaluation of an objective.
type Trial struct {
	Program   string // the file of the command that makes it
	Spec      string // of the objective, as the child process reads it
	Source    string // its name in errors
	Hash      string // of the text and of all files that it reads, for a trial that is made once; "": it is always made
	Precision problems.Precision
	Device    cl.Info
	Limit     time.Duration // on processors of their time, since other programs may be at work
}

// Found is what a trial has found.
type Found struct {
	trial.Seen
	Clean bool // no error, so that this process need not look for one
}

// Run makes the trial, or returns what an equal one has found before. It returns a *StartError if there is no child
// process, and an *EndlessError, a *CrashError or a *KilledError for a text that must not be evaluated in this process.
// It leaves all other errors to the evaluations that follow.
func (t Trial) Run(ctx context.Context) (found Found, err error) {
	key := t.key()
	if found, ok := known(key); ok {
		return found, nil
	}
	most, busy := t.Limit, false
	if t.Device.Type == cl.CPU && t.Limit < math.MaxInt64/patience {
		most = max(patience*t.Limit, leastPatience)
	}
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	var out bytes.Buffer
	secret := rand.Text()
	err = Process(limited, t.Program, &out, Command, t.Spec, t.Precision.String(), strconv.Itoa(t.Device.Index),
		t.Limit.String(), secret)
	if _, ok := errors.AsType[*StartError](err); ok && limited.Err() == nil {
		return found, err
	}
	said := out.String()
	device := t.Device.String()
	limit := t.Limit
	over := limited.Err() != nil
	if over && most > limit {
		limit, busy = most, true
	}
	over = over || strings.Contains(said, late+secret)
	switch {
	case ctx.Err() != nil:
		return found, context.Cause(ctx)
	case strings.Contains(said, survived+secret):
		found.Clean = strings.Contains(said, clean+secret)
		if _, text, ok := strings.Cut(said, seen+secret); ok {
			if json.NewDecoder(strings.NewReader(text)).Decode(&found.Seen) != nil {
				found.Seen = trial.Seen{} // the limit has ended the child
			} else {
				found.keep(key)
			}
		}
		return found, nil
	case over:
		return found, &EndlessError{t.Source, device, limit, !strings.Contains(said, built), busy}
	case err == nil:
		return found, &StartError{t.Program, errors.New("it does not answer as clopt of this version does")}
	case killed(err):
		return found, &KilledError{t.Source, device}
	}
	if setup.HasPoCL() {
		if err := setup.CheckCache(setup.CacheDir(os.Getenv)); err != nil {
			return found, err // the driver has ended the process, and not the text
		}
	}
	return found, &CrashError{t.Source, device, err}
}

// OutOfMemory is the exit code of a child process that has found no more memory.
const OutOfMemory = 5

// killed reports whether a child process was ended by SIGKILL, as the system does when memory runs out, or has found no
// more memory itself. No crash does that.
func killed(err error) bool {
	e, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return false
	}
	status, ok := e.Sys().(syscall.WaitStatus)
	return ok && (status.Signaled() && status.Signal() == syscall.SIGKILL || status.ExitStatus() == OutOfMemory)
}

// Process runs a command of a program in a child process, whose standard error is dropped. The child ends when ctx or
// this process does (EndWithParent). The error says how it ended; it is a *StartError if it could not be started.
func Process(ctx context.Context, program string, out io.Writer, args ...string) error {
	child := exec.CommandContext(ctx, program, args...)
	child.Stdout, child.WaitDelay = out, time.Second // a compiler that it has started may keep the output open
	alive, err := child.StdinPipe()                  // it closes when this process ends
	if err != nil {
		return &StartError{program, err}
	}
	defer alive.Close()
	if err := child.Start(); err != nil {
		return &StartError{program, err}
	}
	return child.Wait()
}

// EndWithParent ends this process, a child, when its standard input does.
func EndWithParent(stdin io.Reader, exit func(int)) {
	go func() {
		io.Copy(io.Discard, stdin)
		exit(1)
	}()
}
