package flags

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// Without a stop rule a run ends after so many evaluations per variable or
// so much time, whichever comes first.
const (
	defaultEvalsPerVariable = 3000
	defaultTime             = time.Minute
)

// Option is one flag: its text, its default, and where it may stand. The
// default is the text that is parsed when nobody gave a value, so help cannot
// differ from what happens.
type Option struct {
	Name, Short string
	Arg         string // placeholder of the value; "" for a switch
	Def         string
	Help        string
	Group       string
	Usual       bool // shown by --help, the others by --help-all
	List        bool // may be repeated
	noFile      bool // may not stand in a run file
	NoEnv       bool
	NotYet      bool
}

// RunOptions are the flags of "clopt run" in the order in which help shows
// them.
var RunOptions = []Option{
	{Group: "what", Name: "solver", Short: "s", Arg: "NAME", Def: "auto", Usual: true, Help: "method; clopt list solvers"},
	{Group: "what", Name: "dim", Short: "n", Arg: "N", Usual: true,
		Help: "number of variables (1000, 100k, 1e8); default: the problem's own"},
	{Group: "what", Name: "seed", Arg: "N", Usual: true,
		Help: "seed of all draws, 0 to 4294967295; drawn and printed if absent"},
	{Group: "what", Name: "runs", Arg: "N", Def: "1", Usual: true, Help: "independent runs, each with the full budget"},
	{Group: "what", Name: "first-run", Arg: "R", Def: "0",
		Help: "number of the first run: run R alone has the bits it has among others"},
	{Group: "what", Name: "set", Arg: "K=V", Usual: true, List: true,
		Help: "setting of the method (repeatable); clopt describe SOLVER"},
	{Group: "what", Name: "x0", Arg: "FILE", Usual: true, Help: "start points: text, one a line, or .npy"},
	{Group: "what", Name: "bounds", Arg: "LO,HI", Help: "bounds in place of those of an objective FILE.cl"},
	{Group: "what", Name: "maximize", Help: "maximise an objective FILE.cl, a QUBO or an Ising problem"},
	{Group: "what", Name: "data", Arg: "DIR", Usual: true,
		Help: "official instance data; otherwise the generated instance"},
	{Group: "graphs", Name: "drop-loops", Help: "skip edges of a graph FILE from a vertex to itself"},
	{Group: "graphs", Name: "merge-edges", Help: "add edges, or terms, that a FILE has twice"},
	{Group: "graphs", Name: "sign", Arg: "1|-1",
		Help: "-1: the coefficients of a QUBO or Ising FILE are meant with the other sign"},
	{Group: "stop", Name: "evals", Arg: "N", Usual: true,
		Help: fmt.Sprintf("evaluations of a run; without any stop rule %d per variable or %s, whichever comes first",
			defaultEvalsPerVariable, defaultTime)},
	{Group: "stop", Name: "time", Arg: "DURATION", Usual: true, Help: "wall-clock time of a run: 90s, 2h30m, 1.5d"},
	{Group: "stop", Name: "target", Arg: "F|known", Usual: true,
		Help: "stop at a value this good; known: at the best that is known of the problem"},
	{Group: "stop", Name: "stall", Arg: "DURATION", Usual: true, Help: "stop when the best has not changed for so long"},
	{Group: "stop", Name: "require-target", Help: "exit 11 when the target is missed"},
	{Group: "devices", Name: "devices", Short: "d", Arg: "SELECTOR", Usual: true,
		Help: "all, gpu, cpu, 0, 0-3, nvidia, pocl, name:REGEX, !2; comma joins; default: all GPUs, else the CPUs of one platform; clopt help devices"},
	{Group: "devices", Name: "weights", Arg: "I=W,...",
		Help: "share of each device, by its index: 0=1,2=0.4; default: equal, or measured where devices differ"},
	{Group: "devices", Name: "mem", Arg: "PERCENT", Def: "95%", Help: "part of each device's memory that may be planned"},
	{Group: "numbers", Name: "precision", Arg: "fp64|fp32", Def: "fp64", Usual: true,
		Help: "variables and arithmetic on the devices"},
	{Group: "safety net", Name: "checkpoint", Arg: "auto|10m|off", Def: "auto", Usual: true,
		Help: "when to store the run so that clopt resume goes on: by the clock at a cost of at most 2 %, at intervals, or never; also at SIGUSR1"},
	{Group: "safety net", Name: "keep", Arg: "N", Def: "2", Help: "checkpoints to keep"},
	{Group: "safety net", Name: "no-selftest",
		Help: "skip the comparison of each device with the host, and the trial of an objective, before the run"},
	{Group: "output", Name: "out", Short: "o", Arg: "DIR", Def: "runs", Usual: true, Help: "parent of the run folder"},
	{Group: "output", Name: "name", Arg: "NAME", Usual: true,
		Help: "name of the run folder; default: from problem, method and seed"},
	{Group: "output", Name: "quiet", Short: "q", Usual: true, Help: "no progress"},
	{Group: "output", Name: "verbose", Short: "v", Usual: true, Help: "more detail"},
	{Group: "output", Name: "status", Arg: "auto|line|plain|json|off", Def: "auto", Usual: true,
		Help: "form of the progress on stderr"},
	{Group: "output", Name: "json", Usual: true, Help: "print result.json on one line of stdout"},
	{Group: "output", Name: "x-format", Arg: "npy|txt|none", Def: "npy", Help: "file of the best point"},
	{Group: "output", Name: "no-color", noFile: true, Help: "accepted; nothing is coloured in any case"},
	{Group: "output", Name: "dry-run", noFile: true, Usual: true,
		Help: "print the memory plan and stop: exit 0 if it fits, 5 if not"},
	{Group: "output", Name: "print-config", noFile: true, Help: "print each value and where it comes from, and stop"},
	{Group: "hosts", Name: "mpi", Arg: "auto|on|off", NotYet: true, Help: "several hosts"},
	{Group: "hosts", Name: "mpi-lib", Arg: "FILE", NotYet: true, Help: "MPI library"},
}

// raw is the value of an option as given: the texts, before any parsing.
type raw struct {
	opt  *Option
	vals []string
}

func (r *raw) String() string {
	if r.opt == nil { // the flag library asks a zero value
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

// Add registers options as flags of fs.
func Add(fs *pflag.FlagSet, opts []Option) {
	for i := range opts {
		o := &opts[i]
		f := fs.VarPF(&raw{opt: o}, o.Name, o.Short, o.Help)
		if o.Arg == "" {
			f.NoOptDefVal = "true"
		}
		f.Hidden = o.NotYet
	}
}

// optionNames are the long names of the options that a run file may hold.
func optionNames(opts []Option) []string {
	names := []string{"problem"}
	for _, o := range opts {
		if !o.noFile && !o.NotYet {
			names = append(names, o.Name)
		}
	}
	return names
}
