package flags

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// Without a stop rule a run ends after this many evaluations per variable or this time, whichever comes first.
const (
	defaultEvalsPerVariable = 3000
	defaultTime             = time.Minute
)

// Option describes one flag. Def is the text that is parsed if no value is given, so the help shows the default that
// is used.
type Option struct {
	Name, Short string
	Arg         string // placeholder of the value; "" for a switch
	Def         string
	Help        string
	Group       string
	Usual       bool     // shown by --help; --help-all shows all
	List        bool     // may be repeated
	noFile      bool     // is refused in a run file
	NoEnv       bool     // has no variable CLOPT_NAME
	Words       []string // that the shell offers for the value; nil: those of Arg, if it has any
}

// Typed returns what a user types for the option, as the help shows it: "-n, --dim".
func (o Option) Typed() string {
	if o.Short == "" {
		return "--" + o.Name
	}
	return "-" + o.Short + ", --" + o.Name
}

// DataOption is the flag of every command that reads the instance of a problem.
var DataOption = Option{Group: "what", Name: "data", Arg: "DIR", Usual: true,
	Help: "folder of official instance data; default: a generated instance"}

// RunOptions are the flags of "clopt run", in the order of the help.
var RunOptions = []Option{
	{Group: "what", Name: "solver", Short: "s", Arg: "NAME", Def: "auto", Usual: true,
		Help: "method; see clopt list methods"},
	{Group: "what", Name: "dim", Short: "n", Arg: "N", Usual: true,
		Help: "number of variables (1000, 100k, 1e8); default: the problem's own"},
	{Group: "what", Name: "seed", Arg: "N", Usual: true,
		Help: "seed of the random numbers, 0 to 4294967295; default: drawn and printed"},
	{Group: "what", Name: "runs", Arg: "N", Def: "1", Usual: true, Help: "independent runs, each with the full budget"},
	{Group: "what", Name: "first-run", Arg: "R", Def: "0",
		Help: "number of the first run; run R gives the same bits alone and among others"},
	{Group: "what", Name: "set", Arg: "K=V", Usual: true, List: true,
		Help: "setting of the method (repeatable); see clopt describe METHOD"},
	{Group: "what", Name: "x0", Arg: "FILE", Usual: true, Help: "start points: text with one per line, or .npy"},
	{Group: "what", Name: "keep", Arg: "K",
		Help: "store the K best different points of a graph, QUBO or Ising problem, in samples.json"},
	{Group: "what", Name: "distance", Arg: "D", Help: "points of --keep differ in at least D variables"},
	{Group: "what", Name: "bounds", Arg: "LO,HI|FILE",
		Help: "bounds in place of those of the problem; a FILE has a row with LO HI for each variable, and equal " +
			"numbers fix it"},
	{Group: "what", Name: "maximize", Help: "look for the largest value; a cut is maximized anyway"},
	{Group: "what", Name: "minimize",
		Help: "look for the smallest value of a QUBO or Ising FILE whose format means the largest one"},
	DataOption,
	{Group: "program", Name: "command", Arg: "'PROGRAM ARGS'", Usual: true, NoEnv: true,
		Help: "take the values from a program, without any device; it reads points and prints values, see " +
			"clopt help functions; no shell, unless it is the program: sh -c '…'"},
	{Group: "program", Name: "jobs", Arg: "K", Def: "1", Help: "copies of the program that work at the same time"},
	{Group: "program", Name: "value-time", Arg: "DURATION",
		Help: "time for a value, after which the program is killed and the value counts as not finite"},
	{Group: "program", Name: "exchange", Arg: "text|npy", Def: "text",
		Help: "text: a line for each point and value; npy: an array of points, then one of values"},
	{Group: "program", Name: "allow-command", noFile: true,
		Help: "start the program that a run file or run folder names"},
	{Group: "graphs", Name: "drop-loops", Help: "skip edges of a graph FILE from a vertex to itself"},
	{Group: "graphs", Name: "merge-edges", Help: "add up the weights of edges, or terms, that a FILE has twice"},
	{Group: "graphs", Name: "sign", Arg: "1|-1",
		Help: "-1: change the sign of all coefficients of a QUBO or Ising FILE"},
	{Group: "graphs", Name: "pairs", Arg: "once|twice",
		Help: "how often the term of i and j counts in a QUBO FILE that begins with \"n m\""},
	{Group: "graphs", Name: "fix", Arg: "NAME=0,…",
		Help: "variables of a FILE that have one value: 0 or 1, and -1 or 1 for spins; without names, their numbers"},
	{Group: "stop", Name: "evals", Arg: "N", Usual: true,
		Help: fmt.Sprintf("stop before the work of more than N whole points; without any stop rule a run stops after "+
			"%d per variable or %s, whichever comes first, and on a graph by --stall-evals", defaultEvalsPerVariable,
			defaultTime)},
	{Group: "stop", Name: "moves", Arg: "N",
		Help: "stop before more than N moves of a method that counts them (sa, cgrasp): changes that were tried"},
	{Group: "stop", Name: "time", Arg: "DURATION", Usual: true,
		Help: "stop after this time, in which start-up does not count: 90s, 2h30m, 1.5d"},
	{Group: "stop", Name: "target", Arg: "F|known", Usual: true,
		Help: "stop at a value this good; known: the best known value of the problem"},
	{Group: "stop", Name: "gtol", Arg: "G",
		Help: "stop at a point where the norm of the gradient within the bounds is at most G; for methods that make " +
			"gradients (lbfgs, relay) and functions without steps"},
	{Group: "stop", Name: "stall-evals", Arg: "N",
		Help: "stop when the best value has not changed for N evaluations; unlike --stall, runs repeat bit for bit; " +
			"the default on graphs, with an N for about three seconds"},
	{Group: "stop", Name: "stall", Arg: "DURATION", Usual: true,
		Help: "stop when the best value has not changed for this long"},
	{Group: "stop", Name: "restart", Arg: "on|off",
		Help: "begin again at other points when the method has come to its end, while --evals or --time allow it; " +
			"default: if clopt chooses the method"},
	{Group: "stop", Name: "require-target", Help: "exit 11 when the target is missed"},
	{Group: "devices", Name: "devices", Short: "d", Arg: "SELECTOR", Usual: true,
		Help: "all, gpu, cpu, 0, 0-3, nvidia, pocl, name:REGEX, !2, joined by commas; default: all GPUs, " +
			"or without any the CPUs of one platform; see clopt help devices"},
	{Group: "devices", Name: "weights", Arg: "I=W,...",
		Help: "share of each device, by index: 0=1,2=0.4; default: equal, or measured if devices differ"},
	{Group: "devices", Name: "mem", Arg: "PERCENT", Def: "95%",
		Help: "part of each device's memory that a run may use"},
	{Group: "devices", Name: "watchdog", Arg: "DURATION",
		Help: "time after which a device that does not answer counts as failed; default: 30s, or 100 times its " +
			"longest answer so far or the time that its work should take"},
	{Group: "hosts", Name: "mpi", Arg: "auto|on|off", Def: "auto", noFile: true,
		Help: "join the processes that mpirun or srun has started; auto: if there are any; see clopt help hosts"},
	{Group: "hosts", Name: "mpi-lib", Arg: "FILE", noFile: true,
		Help: "MPI library; default: the one that fits the launcher"},
	{Group: "hosts", Name: "mpi-timeout", Arg: "DURATION", noFile: true,
		Help: "time after which a host that does not come to an exchange counts as failed; default: 5m"},
	{Group: "numbers", Name: "precision", Arg: "fp64|fp32", Def: "fp64", Usual: true,
		Help: "variables and arithmetic on the devices"},
	{Group: "safety net", Name: "checkpoint", Arg: "auto|10m|off", Def: "auto", Usual: true,
		Help: "when to store a checkpoint for clopt resume: auto, at a cost of at most 2 % of the time; " +
			"at intervals; or never; SIGUSR1 asks for one"},
	{Group: "safety net", Name: "checkpoints", Arg: "N", Def: "2", Help: "checkpoints to keep"},
	{Group: "safety net", Name: "no-selftest",
		Help: "do not compare devices with the host, and do not try an objective in a child process, before the run"},
	{Group: "safety net", Name: "trial-time", Arg: "DURATION", Def: "30s",
		Help: "time after which an objective whose first evaluation has not ended is refused; " +
			"on processors, processor time"},
	{Group: "safety net", Name: "allow-outside", noFile: true,
		Help: "read files that a run file or suite file names outside of its folder"},
	{Group: "safety net", Name: "force-changed", noFile: true,
		Help: "repeat a run although the files of its problem have changed"},
	{Group: "output", Name: "out", Short: "o", Arg: "DIR", Def: "runs", Usual: true,
		Help: "folder in which the run folder is made"},
	{Group: "output", Name: "name", Arg: "NAME", Usual: true,
		Help: "name of the run folder; default: made of problem, method and seed"},
	{Group: "output", Name: "quiet", Short: "q", Usual: true, Help: "no progress"},
	{Group: "output", Name: "verbose", Short: "v", Usual: true, Help: "more detail"},
	{Group: "output", Name: "status", Arg: "auto|line|plain|json|off", Def: "auto", Usual: true,
		Help: "form of the progress on stderr"},
	{Group: "output", Name: "json", Usual: true, Help: "print result.json on one line of stdout"},
	{Group: "output", Name: "x-format", Arg: "npy|txt|none", Def: "npy", Help: "file of the best point"},
	{Group: "output", Name: "no-color", noFile: true,
		Help: "no colours, as with the variable NO_COLOR"},
	{Group: "output", Name: "dry-run", noFile: true, Usual: true,
		Help: "print the memory plan and stop: exit 0 if it fits, 5 if not"},
	{Group: "output", Name: "print-config", noFile: true, Help: "print each value and where it comes from, and stop"},
}

// withDefault returns the help with the default value.
func (o *Option) withDefault() string {
	if o.Def == "" {
		return o.Help
	}
	return fmt.Sprintf("%s (default %s)", o.Help, o.Def)
}

// HostOptions returns the flags of commands that work on several hosts.
func HostOptions() []Option { return Pick([]string{"mpi", "mpi-lib", "mpi-timeout"}) }

// raw is the value of a flag before it is parsed.
type raw struct {
	opt  *Option
	vals []string
}

func (r *raw) String() string {
	if r.opt == nil { // the flag library calls String on a zero value
		return ""
	}
	return strings.Join(r.vals, ",")
}

func (r *raw) Type() string { return strings.ToLower(r.opt.Arg) }

func (r *raw) Set(s string) error {
	if r.opt.List {
		r.vals = append(r.vals, s)
	} else {
		r.vals = []string{s}
	}
	return nil
}

// Pick returns the flags of "clopt run" with the given names.
func Pick(names []string) (opts []Option) {
	for _, o := range RunOptions {
		if slices.Contains(names, o.Name) {
			opts = append(opts, o)
		}
	}
	return opts
}

// Usual returns the flags of "clopt run" with the given names, for a command of which they are usual ones.
func Usual(names ...string) []Option {
	opts := Pick(names)
	for i := range opts {
		opts[i].Usual = true
	}
	return opts
}

// Add adds options to fs as flags.
func Add(fs *pflag.FlagSet, opts []Option) {
	for i := range opts {
		o := &opts[i]
		f := fs.VarPF(&raw{opt: o}, o.Name, o.Short, o.withDefault())
		f.DefValue = o.Arg // shown by man pages
		if o.Arg == "" {
			f.NoOptDefVal, f.DefValue = "true", "false"
		}
	}
}

// runFileKeys returns the keys that a run file may hold.
func runFileKeys() []string {
	names := []string{"problem"}
	for _, o := range RunOptions {
		if !o.noFile {
			names = append(names, o.Name)
		}
	}
	return names
}
