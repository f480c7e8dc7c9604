package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"
)

// app is one call of the command: its streams and what its commands share.
type app struct {
	stdin  io.Reader
	stdout *output
	stderr io.Writer
	getenv func(string) string
	exit   func(int)                            // leaves at once, on a second signal
	create func(path string) (storeFile, error) // of checkpoints; tests put a full disk here
	args   []string
	show   atomic.Pointer[display] // nil before there is one
	code   int                     // exit code of a command that ended without an error
	stored bool                    // the result is in a folder, so stdout may have failed
	usr1   atomic.Bool             // SIGUSR1 came: a checkpoint is wanted
}

// run executes the command line args and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: &output{w: stdout}, stderr: &output{w: stderr}, getenv: os.Getenv, exit: os.Exit, create: createFile}
	return a.main(ctx, args)
}

func (a *app) main(ctx context.Context, args []string) (code int) {
	defer func() {
		if p := recover(); p != nil {
			a.internal(p, string(debug.Stack()), args)
			code = exitInternal
		}
	}()
	ctx, stop := a.signals(ctx)
	defer stop()
	a.args = args
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil && a.stdout.err != nil && !a.stored {
		err = fail(exitOutput, "standard output: %w", a.stdout.err)
	}
	if err != nil {
		if _, quiet := errors.AsType[*reported](err); !quiet {
			complain(a.stderr, err)
		}
		return exitCode(err)
	}
	return a.code
}

// reported wraps an error that was already shown in its own way.
type reported struct{ err error }

func (r *reported) Error() string { return r.err.Error() }
func (r *reported) Unwrap() error { return r.err }

// internal reports a panic: one line, and the stack on stderr for
// whoever asked for details. A run has put it into its log already.
func (a *app) internal(p any, stack string, args []string) {
	fmt.Fprintf(a.stderr, "clopt: internal error: %s. Please report it with the command and the version (clopt version).\n",
		firstLine(fmt.Sprint(p)))
	for _, arg := range args {
		if arg == "-v" || arg == "--verbose" {
			fmt.Fprintln(a.stderr, stack)
			return
		}
	}
}

// signals returns a context that the first SIGINT, SIGTERM or SIGHUP cancels;
// the second one leaves at once, without waiting for a device: a hung kernel
// never returns.
func (a *app) signals(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	ch := make(chan os.Signal, 2)
	done := make(chan struct{})
	signal.Notify(ch, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, checkpointSignal)
	go func() {
		for {
			select {
			case <-done:
				return
			case s := <-ch:
				sig := s.(syscall.Signal)
				if sig == checkpointSignal {
					a.usr1.Store(true)
					continue
				}
				if ctx.Err() != nil {
					a.show.Load().leave()
					a.exit(128 + int(sig))
					return
				}
				cancel(&stopped{sig})
			}
		}
	}()
	return ctx, func() {
		signal.Stop(ch)
		signal.Ignore(checkpointSignal) // its default would end the process
		close(done)
		cancel(nil)
	}
}

// checkpointAsked says whether SIGUSR1 came since it was called last.
func (a *app) checkpointAsked() bool { return a.usr1.CompareAndSwap(true, false) }

// root builds the command tree. It is built anew for every call: cobra keeps
// parsed values in it.
func (a *app) root() *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:           "clopt COMMAND",
		Short:         "Minimise functions of very many variables on OpenCL devices",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if version {
				return a.showVersion(false)
			}
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknown("command", args[0], commandNames(cmd), "clopt help lists the commands.")
		},
	}
	root.Flags().BoolVar(&version, "version", false, "show the version")
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(a.rootHelp)
	root.AddCommand(a.resumeCommand(), a.suiteCommand(), a.compareCommand(), a.plotCommand(), a.exportCommand(), a.benchCommand(), a.checkCommand())
	root.AddCommand(a.runCommand(), a.evalCommand(), a.devicesCommand(), a.listCommand(), a.describeCommand(),
		a.generateCommand(), a.selftestCommand(), a.versionCommand(), a.completionCommand(), a.trialCommand())
	root.AddCommand(notYetCommands()...)
	root.SetHelpCommand(a.helpCommand())
	return root
}

// commandNames are the names a person can use.
func commandNames(root *cobra.Command) []string {
	names := []string{"help"}
	for _, c := range root.Commands() {
		if !strings.HasPrefix(c.Name(), "__") {
			names = append(names, c.Name())
		}
	}
	return names
}

// notYetCommands are the commands whose names are kept for later.
func notYetCommands() []*cobra.Command {
	var cmds []*cobra.Command
	for _, name := range []string{"report"} {
		cmds = append(cmds, &cobra.Command{
			Use: name, Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error { return usagef("clopt %s: not yet in this version", name) },
		})
	}
	return cmds
}
