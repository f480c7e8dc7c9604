package main

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

// option is one flag: its text, its default, and where it may stand. The
// default is the text that is parsed when nobody gave a value, so help cannot
// differ from what happens.
type option struct {
	name, short string
	arg         string // placeholder of the value; "" for a switch
	def         string
	help        string
	group       string
	usual       bool // shown by --help, the others by --help-all
	list        bool // may be repeated
	noFile      bool // may not stand in a run file
	noEnv       bool
	notYet      bool
}

// runOptions are the flags of "clopt run" in the order in which help shows
// them.
var runOptions = []option{
	{group: "what", name: "solver", short: "s", arg: "NAME", def: "auto", usual: true, help: "method; clopt list solvers"},
	{group: "what", name: "dim", short: "n", arg: "N", usual: true, help: "number of variables (1000, 100k, 1e8); default: the problem's own"},
	{group: "what", name: "seed", arg: "N", usual: true, help: "seed of all draws, 0 to 4294967295; drawn and printed if absent"},
	{group: "what", name: "runs", arg: "N", def: "1", usual: true, help: "independent runs, each with the full budget"},
	{group: "what", name: "first-run", arg: "R", def: "0", help: "number of the first run: run R alone has the bits it has among others"},
	{group: "what", name: "set", arg: "K=V", usual: true, list: true, help: "setting of the method (repeatable); clopt describe SOLVER"},
	{group: "what", name: "x0", arg: "FILE", usual: true, help: "start points: text, one a line, or .npy"},
	{group: "what", name: "bounds", arg: "LO,HI", help: "bounds in place of those of an objective FILE.cl"},
	{group: "what", name: "maximize", help: "maximise an objective FILE.cl, a QUBO or an Ising problem"},
	{group: "what", name: "data", arg: "DIR", usual: true, help: "official instance data; otherwise the generated instance"},
	{group: "graphs", name: "drop-loops", help: "skip edges of a graph FILE from a vertex to itself"},
	{group: "graphs", name: "merge-edges", help: "add edges, or terms, that a FILE has twice"},
	{group: "graphs", name: "sign", arg: "1|-1", help: "-1: the coefficients of a QUBO or Ising FILE are meant with the other sign"},
	{group: "stop", name: "evals", arg: "N", usual: true, help: fmt.Sprintf("evaluations of a run; without any stop rule %d per variable or %s, whichever comes first", defaultEvalsPerVariable, defaultTime)},
	{group: "stop", name: "time", arg: "DURATION", usual: true, help: "wall-clock time of a run: 90s, 2h30m, 1.5d"},
	{group: "stop", name: "target", arg: "F", usual: true, help: "stop at a value this good"},
	{group: "stop", name: "stall", arg: "DURATION", usual: true, help: "stop when the best has not changed for so long"},
	{group: "stop", name: "require-target", help: "exit 11 when the target is missed"},
	{group: "devices", name: "devices", short: "d", arg: "SELECTOR", usual: true, help: "all, gpu, cpu, 0, 0-3, nvidia, pocl, name:REGEX, !2; comma joins; default: all GPUs, else the CPUs of one platform; clopt help devices"},
	{group: "devices", name: "weights", arg: "I=W,...", help: "share of each device, by its index: 0=1,2=0.4; default: equal, or measured where devices differ"},
	{group: "devices", name: "mem", arg: "PERCENT", def: "95%", help: "part of each device's memory that may be planned"},
	{group: "numbers", name: "precision", arg: "fp64|fp32", def: "fp64", usual: true, help: "variables and arithmetic on the devices"},
	{group: "safety net", name: "checkpoint", arg: "auto|10m|off", def: "auto", usual: true, help: "when to store the run so that clopt resume goes on: by the clock at a cost of at most 2 %, every so often, or never; also at SIGUSR1"},
	{group: "safety net", name: "keep", arg: "N", def: "2", help: "checkpoints to keep"},
	{group: "safety net", name: "no-selftest", help: "skip the comparison of each device with the host, and the trial of an objective, before the run"},
	{group: "output", name: "out", short: "o", arg: "DIR", def: "runs", usual: true, help: "parent of the run folder"},
	{group: "output", name: "name", arg: "NAME", usual: true, help: "name of the run folder; default: from problem, method and seed"},
	{group: "output", name: "quiet", short: "q", usual: true, help: "no progress"},
	{group: "output", name: "verbose", short: "v", usual: true, help: "more detail"},
	{group: "output", name: "status", arg: "auto|line|plain|json|off", def: "auto", usual: true, help: "form of the progress on stderr"},
	{group: "output", name: "json", usual: true, help: "print result.json on one line of stdout"},
	{group: "output", name: "x-format", arg: "npy|txt|none", def: "npy", help: "file of the best point"},
	{group: "output", name: "no-color", noFile: true, help: "accepted; nothing is coloured in any case"},
	{group: "output", name: "dry-run", noFile: true, usual: true, help: "print the memory plan and stop: exit 0 if it fits, 5 if not"},
	{group: "output", name: "print-config", noFile: true, help: "print each value and where it comes from, and stop"},
	{group: "hosts", name: "mpi", arg: "auto|on|off", notYet: true, help: "several hosts"},
	{group: "hosts", name: "mpi-lib", arg: "FILE", notYet: true, help: "MPI library"},
}

// evalOptions are the flags of "clopt eval".
var evalOptions = []option{
	{group: "what", name: "x", arg: "FILE", usual: true, noEnv: true, help: "points: text, one a line, or .npy; for graphs an assignment of 0/1, -1/1 or 1/2; - reads standard input"},
	{group: "what", name: "dim", short: "n", arg: "N", usual: true, help: "number of variables; default: the problem's n=, or the file's columns"},
	{group: "what", name: "data", arg: "DIR", usual: true, help: "official instance data; otherwise the generated instance"},
	{group: "what", name: "set", arg: "K=V", usual: true, list: true, help: "parameter of the problem (repeatable), as in NAME:K=V"},
	{group: "graphs", name: "drop-loops", usual: true, help: "skip edges of a graph FILE from a vertex to itself"},
	{group: "graphs", name: "merge-edges", usual: true, help: "add edges, or terms, that a FILE has twice"},
	{group: "graphs", name: "sign", arg: "1|-1", usual: true, help: "-1: the coefficients of a QUBO or Ising FILE are meant with the other sign"},
	{group: "numbers", name: "host", usual: true, help: "use the float64 reference of the host instead of devices"},
	{group: "numbers", name: "precision", arg: "fp64|fp32", def: "fp64", usual: true, help: "variables and arithmetic on the devices"},
	{group: "devices", name: "devices", short: "d", arg: "SELECTOR", usual: true, help: "as in clopt run"},
}

// raw is the value of an option as given: the texts, before any parsing.
type raw struct {
	opt  *option
	vals []string
}

func (r *raw) String() string {
	if r.opt == nil { // the flag library asks a zero value
		return ""
	}
	return strings.Join(r.vals, ",")
}

func (r *raw) Type() string { return strings.ToLower(r.opt.arg) }

func (r *raw) Set(s string) error {
	if r.opt.list {
		r.vals = append(r.vals, s)
	} else {
		r.vals = []string{s}
	}
	return nil
}

// addOptions registers options as flags of fs.
func addOptions(fs *pflag.FlagSet, opts []option) {
	for i := range opts {
		o := &opts[i]
		f := fs.VarPF(&raw{opt: o}, o.name, o.short, o.help)
		if o.arg == "" {
			f.NoOptDefVal = "true"
		}
		f.Hidden = o.notYet
	}
}

// optionNames are the long names of the options that a run file may hold.
func optionNames(opts []option) []string {
	names := []string{"problem"}
	for _, o := range opts {
		if !o.noFile && !o.notYet {
			names = append(names, o.name)
		}
	}
	return names
}

// optionHelp is the table of flags: the usual ones, or all that work.
func optionHelp(opts []option, all bool) string {
	var b strings.Builder
	group := ""
	for _, o := range opts {
		if o.notYet || !all && !o.usual {
			continue
		}
		if o.group != group {
			group = o.group
			fmt.Fprintf(&b, "  %s:\n", group)
		}
		left := "      --" + o.name
		if o.short != "" {
			left = "  -" + o.short + ", --" + o.name
		}
		if o.arg != "" {
			left += " " + o.arg
		}
		text := o.help
		if o.def != "" {
			text += fmt.Sprintf(" (default %s)", o.def)
		}
		fmt.Fprintf(&b, "  %-42s %s\n", left, text)
	}
	return b.String()
}
