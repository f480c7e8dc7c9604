package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/internal/problems/input"
)

// run executes the command line args and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return execute(ctx, job.NewCall(args, stdin, stdout, stderr))
}

// execute executes the command line of a call and returns the exit code. A command that has nothing to finish after a
// signal is left where it is, since a driver that compiles, or a parser of a large file, would not notice the signal.
func execute(ctx context.Context, call *job.Call) int {
	ctx, stop := call.Signals(ctx)
	defer stop()
	defer call.CacheElsewhere()()
	done := make(chan int, 1)
	go func() { done <- perform(ctx, call) }()
	select {
	case code := <-done:
		return code
	case <-call.Lapsed():
		err := call.Lapse(context.Cause(ctx))
		show(call, err)
		return exit.Code(err)
	}
}

// perform executes the command line of a call, whose signals cancel ctx, to its end.
func perform(ctx context.Context, call *job.Call) (code int) {
	defer func() {
		if p := recover(); p != nil {
			internal(call, p, string(debug.Stack()))
			code = exit.Internal
			call.Ranks.Fail(code)
		}
	}()
	root := newRoot(call)
	root.SetArgs(call.Args)
	err := plainArgs(call.Args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err == nil && call.Stdout.Err != nil && !call.Stored {
		err = exit.Failf(exit.Output, "standard output: %w", call.Stdout.Err)
	}
	if err == nil {
		return call.Ranks.Leave(call.Code)
	}
	show(call, err)
	return call.Ranks.Leave(exit.Code(err))
}

// show shows the error of a call.
func show(call *job.Call, err error) {
	if _, quiet := errors.AsType[*exit.Reported](err); !quiet && !call.Quietly() {
		var text strings.Builder
		exit.Print(&text, err)
		call.Stderr.Show(strings.TrimSuffix(text.String(), "\n"))
	}
	if wantsJSON(call) && !call.Stdout.Used {
		json.NewEncoder(call.Stdout).Encode(failure{err.Error(), exit.Code(err)})
	}
}

// failure is what a command with --json prints if it has nothing else to print.
type failure struct {
	Error    string `json:"error"`
	ExitCode int    `json:"exit_code"`
}

// wantsJSON reports whether the environment or the arguments ask for JSON, also if they are wrong otherwise.
func wantsJSON(call *job.Call) bool {
	wants, _ := flags.ParseSwitch(call.Getenv(flags.EnvName("json")))
	for _, arg := range call.Args {
		if arg == "--" {
			break
		}
		if text, ok := strings.CutPrefix(arg, "--json="); ok {
			wants, _ = flags.ParseSwitch(text)
		} else if arg == "--json" {
			wants = true
		}
	}
	return wants
}

// plainArgs refuses arguments with control characters: names of files that have some can deceive the reader of a
// terminal or of a log.
func plainArgs(args []string) error {
	for _, arg := range args {
		if input.HasControl(arg) {
			return exit.Usagef("the argument %q has control characters; rename what it names", arg)
		}
	}
	return nil
}

// internal reports a panic in one line, and with --verbose also its stack. A run has logged the stack already.
func internal(call *job.Call, p any, stack string) {
	fmt.Fprintf(call.Stderr, "clopt: internal error: %s. "+
		"Please report it with the command and the version (clopt version).\n", exit.FirstLine(fmt.Sprint(p)))
	for _, arg := range call.Args {
		if arg == "-v" || arg == "--verbose" {
			fmt.Fprintln(call.Stderr, stack)
			return
		}
	}
}

// newRoot builds the command tree. Each call needs a new one, since cobra keeps parsed values in it.
func newRoot(call *job.Call) *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:           "clopt COMMAND",
		Short:         "Minimize functions of very many variables on OpenCL devices",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if version {
				return showVersion(call, false)
			}
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	root.Flags().BoolVar(&version, "version", false, "show the version")
	root.SetIn(call.Stdin)
	root.SetOut(call.Stdout)
	root.SetErr(call.Stderr)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if cmd == root && !strings.HasPrefix(call.Args[0], "-") { // a command that is spelled wrongly has no flags
			return unknownCommand(root, call.Args[0])
		}
		return flags.Error(cmd, err)
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { flags.PrintHelp(call.Stdout, cmd) })
	for _, command := range []func(*job.Call) *cobra.Command{
		resumeCommand, suiteCommand, compareCommand, plotCommand, reportCommand, exportCommand, benchCommand,
		checkCommand,
		runCommand, evalCommand, devicesCommand, listCommand, describeCommand,
		generateCommand, convertCommand, structureCommand, selftestCommand, versionCommand, completionCommand,
		manCommand,
	} {
		root.AddCommand(command(call))
	}
	root.SetHelpCommand(helpCommand(call))
	root.InitDefaultHelpCmd() // adds it
	for _, command := range root.Commands() {
		lead(call, command)
	}
	lead(call, root)
	root.AddCommand(trialCommand(call), warningsCommand(call))
	return root
}

// unknownCommand returns the error for a command that does not exist.
func unknownCommand(root *cobra.Command, name string) error {
	return flags.Unknown("command", name, commandNames(root), "clopt help lists the commands.")
}

// lead lets rank 0 alone execute a command if a launcher has started several processes. The others do only what rank 0
// announces to them.
func lead(call *job.Call, cmd *cobra.Command) {
	help, do := cmd.HelpFunc(), cmd.RunE
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if !call.Follows() {
			help(cmd, args)
		}
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if leads, err := call.Join(cmd.Context(), cmd.Flags()); !leads {
			return err
		}
		return do(cmd, args)
	}
}

// commandNames returns the names of the commands, without hidden ones.
func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}
