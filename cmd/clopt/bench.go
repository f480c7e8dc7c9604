package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/internal/solvers/bench"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/solvers/runs"
)

// benchOptions are the flags of "clopt bench".
var benchOptions = []flags.Option{
	{Group: "what", Name: "problems", Arg: "A,B", Usual: true, NoEnv: true,
		Help: "problems to measure; {1..15} expands; default: cec2013/f{1..15}, with -s sa " +
			"rastrigin,rosenbrock,ackley, with --first all that have names"},
	{Group: "what", Name: "dims", Short: "n", Arg: "N,...", Usual: true, NoEnv: true,
		Help: "numbers of variables; default: 1e6, and 1e4 on processors"},
	{Group: "what", Name: "solver", Short: "s", Arg: "masw|sa", Def: "masw", Usual: true, NoEnv: true,
		Help: "method whose steps are measured: generations and local search of masw, or sweeps of sa"},
	{Group: "what", Name: "set", Arg: "K=V", Usual: true, List: true, NoEnv: true,
		Help: "setting of the method (repeatable), such as population=25"},
	{Group: "what", Name: "times", Arg: "N", Def: "5", Usual: true, NoEnv: true,
		Help: "number of measurements, at least 5; the median is shown"},
	{Group: "what", Name: "steps", Def: "true", Usual: true, NoEnv: true,
		Help: "also measure a generation and a local search step of masw; --steps=false: only evaluations"},
	{Group: "what", Name: "exchange", Usual: true, NoEnv: true,
		Help: "measure the exchanges between the processes that mpirun or srun has started, and no device"},
	{Group: "what", Name: "first", Usual: true, NoEnv: true,
		Help: "measure how soon clopt run has a value below the best of 1000 uniform points, with an empty cache of " +
			"the driver and again; problems may be patterns of files, such as 'docs/gallery/*/*.cl'"},
	flags.DataOption,
	{Group: "devices", Name: "devices", Short: "d", Arg: "SELECTOR", Usual: true,
		Help: "as in clopt run; each device is measured by itself"},
	{Group: "numbers", Name: "precision", Arg: "fp64|fp32", Def: "fp64", Usual: true,
		Help: "variables and arithmetic on the devices"},
	{Group: "numbers", Name: "no-selftest", Usual: true, Help: "do not compare values with the host before"},
	{Group: "output", Name: "verbose", Short: "v", Usual: true,
		Help: "also show each kernel, by the clock of the device"},
	{Group: "output", Name: "json", Usual: true, Help: "print one JSON object, for clopt plot --kind throughput"},
}

func benchCommand(call *job.Call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench [flags]",
		Short: "Measure devices: their limits, evaluations, a generation, local search",
		Long: "Measure each device by itself: its rates of copying and of fused multiply-adds, then the evaluation\n" +
			"of stored points, a generation and a local search step of masw, and with -v their kernels. With -s\n" +
			"sa: sweeps of annealing, where variables/s are moves per second. Values are compared with the host\n" +
			"before. Times are medians after a warm-up: of whole steps by the clock of the host, of kernels by\n" +
			"the clock of the device, on a queue of their own. \"copy\" is the rate of reading the points once,\n" +
			"divided by the copy rate. \"FMA\" is the number of fused multiply-adds that the device could do in the\n" +
			"time of one variable evaluation. With --exchange, under mpirun or srun: the times in which numbers\n" +
			"cross between hosts. With --first: the seconds from the start of a command to its first good value.",
		Args: flags.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runBench(cmd.Context(), call, cmd.Flags()) },
	}
	flags.SetOptions(call.Stdout, cmd, append(benchOptions, flags.HostOptions()...))
	return cmd
}

// benchSettings are the parsed options of bench.
type benchSettings struct {
	specs     []string
	dims      []int
	method    solvers.Solver
	sweeps    *anneal.SA // nil: masw is measured
	times     int
	steps     bool
	exchange  bool
	first     bool
	precision problems.Precision
	check     bool
	data      string
	verbose   bool
	json      bool
}

// newBenchSettings parses the options. The error joins all complaints.
func newBenchSettings(c *flags.Config) (*benchSettings, error) {
	s := &benchSettings{
		times: int(flags.Read(c, "times", flags.ParseRuns)), steps: flags.Read(c, "steps", flags.ParseSwitch),
		exchange:  flags.Read(c, "exchange", flags.ParseSwitch),
		first:     flags.Read(c, "first", flags.ParseSwitch),
		precision: flags.Read(c, "precision", problems.ParsePrecision),
		check:     !flags.Read(c, "no-selftest", flags.ParseSwitch), data: c.Path("data"),
		verbose: flags.Read(c, "verbose", flags.ParseSwitch), json: flags.Read(c, "json", flags.ParseSwitch),
	}
	if s.times < 5 || s.times > 1000 {
		c.Complain("times", c.Values["times"], "%d is outside 5 to 1000", s.times)
	}
	if text := c.Text("dims"); text != "" {
		for _, word := range strings.Split(text, ",") {
			n, err := flags.ParseDim(strings.TrimSpace(word))
			if err != nil {
				c.Complain("dims", c.Values["dims"], "%v", err)
			}
			s.dims = append(s.dims, int(n))
		}
	}
	set, err := flags.ParseSet(c.Values["set"].Vals)
	if err == nil {
		var m solvers.Solver
		if m, err = methods.New(flags.Read(c, "solver", flags.OneOf("masw", "sa")), set); err == nil {
			s.method = m
			s.sweeps, _ = m.(*anneal.SA)
		}
	}
	if err != nil {
		c.Complain("set", c.Values["set"], "%v", err)
	}
	patterns := c.Text("problems")
	switch {
	case patterns != "":
	case s.first:
		s.specs = namedProblems()
		return s, c.Err()
	case s.sweeps != nil: // among them one with two colours and one that is not a plain sum
		patterns = "rastrigin,rosenbrock,ackley"
	default:
		patterns = "cec2013/f{1..15}"
	}
	for _, pattern := range splitOutside(patterns) {
		specs, err := flags.Expand(strings.TrimSpace(pattern))
		if err != nil {
			c.Complain("problems", c.Values["problems"], "%v", err)
		}
		s.specs = append(s.specs, specs...)
	}
	return s, c.Err()
}

// splitOutside splits s at commas outside of braces.
func splitOutside(s string) (parts []string) {
	depth, from := 0, 0
	for i, r := range s {
		switch {
		case r == '{':
			depth++
		case r == '}':
			depth--
		case r == ',' && depth == 0:
			parts, from = append(parts, s[from:i]), i+1
		}
	}
	return append(parts, s[from:])
}

// runBench executes "clopt bench".
func runBench(ctx context.Context, call *job.Call, fs *pflag.FlagSet) error {
	c := flags.New(benchOptions, fs, call.Getenv, nil)
	s, err := newBenchSettings(c)
	if err != nil {
		return err
	}
	out := &report.Bench{Format: "clopt-bench", FormatVersion: 1, ToolVersion: runs.ToolVersion,
		Devices: []report.BenchDevice{}, Kernels: []report.BenchLine{},
		Command: "clopt " + strings.Join(call.Args, " ")}
	if s.exchange {
		return measureExchanges(call, s, out)
	}
	if s.first {
		chosen, err := shard.Select(c.Text("devices"), s.precision)
		if err != nil {
			return err
		}
		return measureFirst(ctx, call, s, chosen, out)
	}
	// All input is read before a device is opened.
	for _, spec := range s.specs {
		dims := s.dims
		if dims == nil {
			dims = []int{1e4}
		}
		for _, n := range dims {
			_, err := flags.ParseProblem(spec, problems.Options{Dim: n, Data: s.data}, s.precision, false)
			if exit.Code(err) == exit.Usage {
				return err
			}
		}
	}
	chosen, err := shard.Select(c.Text("devices"), s.precision)
	if err != nil {
		return err
	}
	for i := range chosen {
		if err := measureDevice(ctx, call, s, chosen[i:i+1], out); err != nil {
			return err
		}
	}
	if s.json {
		return record.WriteLine(call.Stdout, out)
	}
	return nil
}

// measureExchanges measures exchanges between the ranks of the command.
func measureExchanges(call *job.Call, s *benchSettings, out *report.Bench) error {
	if call.Ranks == nil {
		return exit.Usagef("--exchange: there is one process, which exchanges nothing. Start several with mpirun or " +
			"srun; see clopt help hosts.")
	}
	times, err := call.Ranks.MeasureExchanges(s.times)
	if err != nil {
		return err
	}
	hosts, library := call.Ranks.Hosts()
	out.Exchanges = &report.Exchanges{Hosts: hosts, Library: library}
	t := tabwriter.NewWriter(call.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "  exchange\tbytes\tus\tfastest\tMB/s\t")
	for _, one := range times {
		took := one.Median().Seconds()
		fastest := one.Took[0].Seconds()
		rate := "-"
		if one.Bytes > 0 {
			rate = fmt.Sprintf("%.3g", float64(one.Bytes)/1e6/took)
		}
		fmt.Fprintf(t, "  %s\t%d\t%.4g\t%.4g\t%s\t\n", one.What, one.Bytes, 1e6*took, 1e6*fastest, rate)
		out.Exchanges.Lines = append(out.Exchanges.Lines, report.ExchangeLine{Exchange: one.What, Bytes: one.Bytes,
			Seconds: exact.Number(took), Fastest: exact.Number(fastest), Times: len(one.Took)})
	}
	if s.json {
		return record.WriteLine(call.Stdout, out)
	}
	fmt.Fprintln(call.Stdout, call.Ranks)
	return t.Flush()
}

// measureDevice measures the only device in one, and adds the results to out.
func measureDevice(ctx context.Context, call *job.Call, s *benchSettings, one []cl.Info, out *report.Bench) error {
	g, err := shard.Open(one, shard.Options{NoCheck: !s.check})
	if err != nil {
		return exit.With(exit.NoDevice, err)
	}
	defer g.Close()
	d := g.All()[0]
	info := d.Info()
	limits, err := bench.MeasureLimits(d, s.times)
	if err != nil {
		return err
	}
	dev := report.BenchDevice{Name: info.Name, Platform: info.Platform, Driver: info.Driver,
		Copy: exact.Number(limits.Copy), FMA64: exact.Number(math.NaN()), FMA32: exact.Number(limits.FMA32)}
	if limits.FMA64 > 0 {
		dev.FMA64 = exact.Number(limits.FMA64)
	}
	out.Devices = append(out.Devices, dev)
	if !s.json {
		fmt.Fprintf(call.Stdout, "%s  driver %s\n  copy %.3g GB/s  FMA %.3g TFLOP/s float64, %.3g TFLOP/s float32\n", d,
			info.Driver, limits.Copy/1e9, limits.FMA64/1e12, limits.FMA32/1e12)
	}
	dims := s.dims
	if dims == nil {
		dims = []int{1e6}
		if info.Type == cl.CPU {
			dims = []int{1e4}
		}
	}
	t := tabwriter.NewWriter(call.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	if !s.json {
		fmt.Fprintln(t, "  what\tproblem\tn\tP\t\tms\tvariables/s\tcopy\tFMA\t")
		defer t.Flush()
	}
	for _, n := range dims {
		for _, spec := range s.specs {
			lines, err := s.measure(ctx, g, spec, n, limits)
			if err != nil {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				if code := exit.Code(err); code != exit.Memory && code != exit.NoDevice {
					return err
				}
				fmt.Fprintf(call.Stderr, "! %s, n = %d: %s. It is left out.\n", spec, n,
					strings.TrimSuffix(exit.FirstLine(err.Error()), "."))
				continue
			}
			for _, l := range lines {
				out.Kernels = append(out.Kernels, l)
				if !s.json && (s.verbose || l.Clock == "host") {
					fmt.Fprintln(t, rowOf(l))
				}
			}
			if !s.json {
				t.Flush()
			}
		}
	}
	return nil
}

// measure measures one problem on one device.
func (s *benchSettings) measure(ctx context.Context, g *shard.Devices, spec string, n int,
	limits bench.Limits) ([]report.BenchLine, error) {
	p, err := flags.ParseProblem(spec, problems.Options{Dim: n, Data: s.data}, s.precision, false)
	if err != nil {
		return nil, err
	}
	var times []bench.Timing
	if s.sweeps != nil {
		times, err = bench.BenchSweeps(ctx, p, g, s.precision, *s.sweeps, s.times, time.Now)
	} else {
		times, err = bench.Bench(ctx, p, g, s.precision, s.method, s.times, s.steps, time.Now)
	}
	if err != nil {
		return nil, err
	}
	_, hosted := p.(problems.Referenced)
	var lines []report.BenchLine
	for _, t := range times {
		sec := t.Median().Seconds()
		l := report.BenchLine{
			Kernel: t.What, Device: g.All()[0].Info().Name, Problem: spec, Dim: p.Domain().N, Points: t.Points,
			Precision: s.precision.String(),
			Seconds:   exact.Number(sec), Fastest: exact.Number(t.Took[0].Seconds()), Times: len(t.Took), Clock: "host",
			Speed: exact.Number(math.NaN()), CopyShare: exact.Number(math.NaN()), FMA: exact.Number(math.NaN()),
			Checked: s.check && hosted,
		}
		if t.Device {
			l.Clock = "device"
		}
		if t.Points > 0 {
			l.Speed = exact.Number(float64(t.Points) * float64(p.Domain().N) / sec)
			fma := limits.FMA64
			if s.precision == problems.FP32 {
				fma = limits.FMA32
			}
			l.FMA = exact.Number(fma / 2 / float64(l.Speed))
		}
		if t.Bytes > 0 {
			l.CopyShare = exact.Number(float64(t.Bytes) / sec / limits.Copy)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// rowOf returns a measurement as a line of the table.
func rowOf(l report.BenchLine) string {
	speed := "-"
	share := "-"
	fma := "-"
	if !math.IsNaN(float64(l.Speed)) {
		speed, fma = fmt.Sprintf("%.3g", float64(l.Speed)), status.Rate(float64(l.FMA))
	}
	if !math.IsNaN(float64(l.CopyShare)) {
		share = fmt.Sprintf("%.1f %%", 100*float64(l.CopyShare))
	}
	points := "-"
	if l.Points > 0 {
		points = fmt.Sprint(l.Points)
	}
	return fmt.Sprintf("  %s\t%s\t%d\t%s\t%s\t%.4g\t%s\t%s\t%s\t", l.Kernel, l.Problem, l.Dim, points, l.Precision,
		1e3*float64(l.Seconds), speed, share, fma)
}
