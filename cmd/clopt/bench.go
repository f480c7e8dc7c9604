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

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/bench"
	"github.com/clopt/clopt/solvers/methods"
)

// benchOptions are the flags of "clopt bench".
var benchOptions = []option{
	{group: "what", name: "problems", arg: "A,B", usual: true, noEnv: true, help: "problems to measure; {1..15} expands; default: cec2013/f{1..15}, with -s sa rastrigin,rosenbrock,ackley"},
	{group: "what", name: "dims", short: "n", arg: "N,...", usual: true, noEnv: true, help: "numbers of variables; default: 1e6, and 1e4 on processors"},
	{group: "what", name: "solver", short: "s", arg: "masw|graybox|sa", def: "masw", usual: true, noEnv: true, help: "whose steps are measured: generations and local search of masw, or sweeps of sa"},
	{group: "what", name: "set", arg: "K=V", usual: true, list: true, noEnv: true, help: "setting of the solver (repeatable), such as population=25"},
	{group: "what", name: "times", arg: "N", def: "5", usual: true, noEnv: true, help: "measurements of each thing, at least 5; the median is shown"},
	{group: "what", name: "steps", def: "true", usual: true, noEnv: true, help: "also a generation and a local search step of masw; --steps=false: evaluations alone; sa: always sweeps"},
	{group: "what", name: "data", arg: "DIR", usual: true, help: "official instance data; otherwise the generated instance"},
	{group: "devices", name: "devices", short: "d", arg: "SELECTOR", usual: true, help: "as in clopt run; each is measured alone"},
	{group: "numbers", name: "precision", arg: "fp64|fp32", def: "fp64", usual: true, help: "variables and arithmetic on the devices"},
	{group: "numbers", name: "no-selftest", usual: true, help: "do not compare values with the host first"},
	{group: "output", name: "verbose", short: "v", usual: true, help: "also each kernel, by the device's clock"},
	{group: "output", name: "json", usual: true, help: "print one JSON object, for clopt plot --kind throughput"},
}

func (a *app) benchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench [flags]",
		Short: "Measure devices: their limits, evaluations, a generation, local search",
		Long: "Measure each device alone: its rates of copying and of fused multiply-adds, and beside these the evaluation of\n" +
			"stored points, one generation and one local search step of masw, and the kernels in them (-v); or, with -s sa,\n" +
			"sweeps of annealing, where variables/s are moves a second. Values are\n" +
			"compared with the host first. Times are medians after a warm-up: whole steps by the host's clock, kernels by the\n" +
			"device's, on a queue of its own. \"copy\" is the share of the copy rate that reading the points once would\n" +
			"take, \"FMA\" how many fused multiply-adds the device could make in the time of one variable evaluation.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.bench(cmd.Context(), cmd.Flags()) },
	}
	addOptions(cmd.Flags(), benchOptions)
	a.optionUsage(cmd, benchOptions)
	return cmd
}

// benchSettings are the options of bench, parsed.
type benchSettings struct {
	specs     []string
	dims      []int
	method    solvers.Solver
	sweeps    *anneal.SA // nil: masw is measured
	times     int
	steps     bool
	precision problems.Precision
	check     bool
	data      string
	verbose   bool
	json      bool
}

func newBenchSettings(c *config) (*benchSettings, error) {
	s := &benchSettings{
		times: int(read(c, "times", parseRuns)), steps: read(c, "steps", parseSwitch), precision: read(c, "precision", problems.ParsePrecision),
		check: !read(c, "no-selftest", parseSwitch), data: c.path("data"), verbose: read(c, "verbose", parseSwitch), json: read(c, "json", parseSwitch),
	}
	if s.times < 5 || s.times > 1000 {
		c.complain("times", c.values["times"], "%d is outside 5 to 1000", s.times)
	}
	if text := c.text("dims"); text != "" {
		for _, word := range strings.Split(text, ",") {
			n, err := parseDim(strings.TrimSpace(word))
			if err != nil {
				c.complain("dims", c.values["dims"], "%v", err)
			}
			s.dims = append(s.dims, int(n))
		}
	}
	set, err := parseSet(c.values["set"].vals)
	if err == nil {
		var m solvers.Solver
		if m, err = methods.New(read(c, "solver", oneOf("masw", "graybox", "sa")), set); err == nil {
			s.method = m
			s.sweeps, _ = m.(*anneal.SA)
		}
	}
	if err != nil {
		c.complain("set", c.values["set"], "%v", err)
	}
	patterns := c.text("problems")
	switch {
	case patterns != "":
	case s.sweeps != nil: // two colours, and a g that is not linear
		patterns = "rastrigin,rosenbrock,ackley"
	default:
		patterns = "cec2013/f{1..15}"
	}
	for _, pattern := range splitOutside(patterns) {
		specs, err := expand(strings.TrimSpace(pattern))
		if err != nil {
			c.complain("problems", c.values["problems"], "%v", err)
		}
		s.specs = append(s.specs, specs...)
	}
	return s, c.err()
}

// splitOutside splits at commas that are not in braces.
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

func (a *app) bench(ctx context.Context, flags *pflag.FlagSet) error {
	c := newConfig(benchOptions, flags, a.getenv, nil)
	s, err := newBenchSettings(c)
	if err != nil {
		return err
	}
	// All input is read before a device is touched.
	for _, spec := range s.specs {
		dims := s.dims
		if dims == nil {
			dims = []int{1e4}
		}
		for _, n := range dims {
			if _, err := parseProblem(spec, problems.Options{Dim: n, Data: s.data}, s.precision, false); err != nil && exitCode(err) == exitUsage {
				return err
			}
		}
	}
	chosen, err := selectDevices(c.text("devices"), s.precision, nil)
	if err != nil {
		return err
	}
	out := &benchJSON{Format: "clopt-bench", FormatVersion: 1, ToolVersion: toolVersion, Command: "clopt " + strings.Join(a.args, " ")}
	for i := range chosen.infos {
		if err := a.benchDevice(ctx, s, &onlyDevice{chosen, i}, out); err != nil {
			return err
		}
	}
	if s.json {
		return writeLine(a.stdout, out)
	}
	return nil
}

// onlyDevice is one of the chosen devices.
type onlyDevice struct {
	chosen *chosen
	i      int
}

func (o *onlyDevice) open(opt shard.Options) (*shard.Group, error) {
	return (&chosen{infos: o.chosen.infos[o.i : o.i+1]}).open(opt)
}

func (a *app) benchDevice(ctx context.Context, s *benchSettings, one *onlyDevice, out *benchJSON) error {
	g, err := one.open(shard.Options{NoCheck: !s.check})
	if err != nil {
		return err
	}
	defer g.Close()
	d := g.Devices()[0]
	info := d.Info()
	limits, err := bench.MeasureLimits(d, s.times)
	if err != nil {
		return err
	}
	dev := benchDevice{Name: info.Name, Platform: info.Platform, Driver: info.Driver, Copy: number(limits.Copy), FMA64: number(math.NaN()), FMA32: number(limits.FMA32)}
	if limits.FMA64 > 0 {
		dev.FMA64 = number(limits.FMA64)
	}
	out.Devices = append(out.Devices, dev)
	if !s.json {
		fmt.Fprintf(a.stdout, "%s  driver %s\n  copy %.3g GB/s  FMA %.3g TFLOP/s float64, %.3g TFLOP/s float32\n", d, info.Driver, limits.Copy/1e9, limits.FMA64/1e12, limits.FMA32/1e12)
	}
	dims := s.dims
	if dims == nil {
		dims = []int{1e6}
		if fmt.Sprint(info.Type) == "CPU" {
			dims = []int{1e4}
		}
	}
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
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
				if code := exitCode(err); code != exitMemory && code != exitNoDevice {
					return err
				}
				fmt.Fprintf(a.stderr, "! %s, n = %d: %s. It is left out.\n", spec, n, strings.TrimSuffix(firstLine(err.Error()), "."))
				continue
			}
			for _, l := range lines {
				out.Kernels = append(out.Kernels, l)
				if !s.json && (s.verbose || l.Clock == "host") {
					fmt.Fprintln(t, l.row())
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
func (s *benchSettings) measure(ctx context.Context, g *shard.Group, spec string, n int, limits bench.Limits) ([]benchLine, error) {
	p, err := parseProblem(spec, problems.Options{Dim: n, Data: s.data}, s.precision, false)
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
	var lines []benchLine
	for _, t := range times {
		sec := t.Median().Seconds()
		l := benchLine{
			Kernel: t.What, Device: g.Devices()[0].Info().Name, Problem: spec, Dim: p.Domain().N, Points: t.Points, Precision: s.precision.String(),
			Seconds: number(sec), Fastest: number(t.Took[0].Seconds()), Times: len(t.Took), Clock: "host",
			Speed: number(math.NaN()), CopyShare: number(math.NaN()), FMA: number(math.NaN()), Checked: s.check && hosted,
		}
		if t.Device {
			l.Clock = "device"
		}
		if t.Points > 0 {
			l.Speed = number(float64(t.Points) * float64(p.Domain().N) / sec)
			fma := limits.FMA64
			if s.precision == problems.FP32 {
				fma = limits.FMA32
			}
			l.FMA = number(fma / 2 / float64(l.Speed))
		}
		if t.Bytes > 0 {
			l.CopyShare = number(float64(t.Bytes) / sec / limits.Copy)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// row is a measurement as a line of the table.
func (l benchLine) row() string {
	speed, share, fma := "-", "-", "-"
	if !math.IsNaN(float64(l.Speed)) {
		speed, fma = fmt.Sprintf("%.3g", float64(l.Speed)), fmt.Sprintf("%.3g", float64(l.FMA))
	}
	if !math.IsNaN(float64(l.CopyShare)) {
		share = fmt.Sprintf("%.1f %%", 100*float64(l.CopyShare))
	}
	points := "-"
	if l.Points > 0 {
		points = fmt.Sprint(l.Points)
	}
	return fmt.Sprintf("  %s\t%s\t%d\t%s\t%s\t%.4g\t%s\t%s\t%s\t", l.Kernel, l.Problem, l.Dim, points, l.Precision, 1e3*float64(l.Seconds), speed, share, fma)
}
