// Package clopt minimizes functions of thousands to a billion variables, and cuts of graphs, on any mix of OpenCL
// devices. It is the short way into the library:
//
//	res, err := clopt.Minimize(ctx, clopt.File("ackley.cl").N(1000), clopt.Options{Time: 10 * time.Second})
//
// opens the devices, chooses a method, and returns the best point with its confirmed value. An objective is a text in
// OpenCL C (Source), a file (File), the spec of a problem that clopt knows (Parse), a problem made in Go (Problem), or
// a function in Go (Func, BatchFunc), which needs no device.
//
// Programs that need more call the packages that Minimize calls: problems and problems/catalog for problems, cl and
// shard for devices, solvers and solvers/methods for methods, and solvers/runs for runs on disk.
package clopt

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/solvers/restart"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
)

// Objective describes a function to minimize. Minimize reads it and reports its errors. Minimize refuses the zero
// value. The methods return changed copies.
type Objective struct {
	read func(problems.Options) (problems.Problem, error)
	text *inMemory // of Source and SourceFS, for a trial in another process; nil: of files, or made in Go
	opt  problems.Options
}

// Source returns an objective written in OpenCL C, as "clopt help objective" describes it. The files that the text
// includes or takes data from are those of SourceFS; here it may name none.
func Source(text string) Objective { return SourceFS(text, nil) }

// SourceFS is Source for a text that names files, which are read from files: an os.DirFS, an embed.FS, or files that
// the program has made in memory. A table is a file, too: "//@ data weight weight.csv" reads weight.csv.
func SourceFS(text string, files fs.FS) Objective {
	return Objective{text: &inMemory{text, files}, read: func(opt problems.Options) (problems.Problem, error) {
		o, err := opencl.Parse(strings.NewReader(text), files, opt.Dim)
		if err != nil {
			return nil, err
		}
		return changed(o, opt)
	}}
}

// Problem returns p as an objective. Bounds and Maximize change it as they change other objectives. N has to be the
// number of variables of p, or 0. Data has no effect.
func Problem(p problems.Problem) Objective {
	return Objective{read: func(opt problems.Options) (problems.Problem, error) {
		if err := problems.Validate(p); err != nil {
			return nil, err
		}
		if n := p.Domain().N; opt.Dim != 0 && opt.Dim != n {
			return nil, input.Errorf("", 0, 0, "%s has %d variables; N cannot make them %d", p.Spec(), n, opt.Dim)
		}
		return changed(p, opt)
	}}
}

// changed returns p with the bounds and the sense of opt.
func changed(p problems.Problem, opt problems.Options) (problems.Problem, error) {
	var err error
	if opt.Bounds != nil {
		p, err = problems.WithBounds(p, *opt.Bounds)
	} else if opt.Lo != nil || opt.Hi != nil {
		p, err = problems.WithBox(p, opt.Lo, opt.Hi)
	}
	if err != nil {
		return nil, err
	}
	if opt.Maximize {
		return problems.Maximized(p)
	}
	return p, nil
}

// File returns the objective in a file of OpenCL C, or the graph in a file.
func File(path string) Objective {
	return Objective{read: func(opt problems.Options) (problems.Problem, error) {
		if !strings.ContainsAny(path, `/\`) {
			path = "./" + path // without a folder it could be the name of a problem
		}
		return catalog.Parse(path, opt)
	}}
}

// Parse returns the problem of a spec, such as "cec2013/f4:n=1e6", "rastrigin:n=1000" or "maxcut:G81.txt".
func Parse(spec string) Objective {
	return Objective{read: func(opt problems.Options) (problems.Problem, error) { return catalog.Parse(spec, opt) }}
}

// N sets the number of variables; 0 leaves it to the objective.
func (o Objective) N(n int) Objective {
	o.opt.Dim = n
	return o
}

// Bounds sets one interval for all variables in place of the objective's own.
func (o Objective) Bounds(lo, hi float64) Objective {
	o.opt.Bounds, o.opt.Lo, o.opt.Hi = &problems.Bounds{Lo: lo, Hi: hi}, nil, nil
	return o
}

// Box sets the bounds of each variable in place of the objective's own. Equal bounds fix a variable. Box keeps copies.
func (o Objective) Box(lo, hi []float64) Objective {
	o.opt.Bounds, o.opt.Lo, o.opt.Hi = nil, append([]float64{}, lo...), append([]float64{}, hi...)
	return o
}

// Maximize asks for the largest value instead of the smallest. Result.F is then that value.
func (o Objective) Maximize() Objective {
	o.opt.Maximize = true
	return o
}

// Data sets the folder of official instance data for problems that have such data; "" means generated instances.
func (o Objective) Data(folder string) Objective {
	o.opt.Data = folder
	return o
}

// Minimize finds a small value of an objective. It opens the devices, chooses and builds the method, runs it, and
// closes the devices again. Two calls with equal arguments give equal results in every bit, on any number of devices of
// one kind, unless a limit of time ends them. Any number of goroutines may call Minimize at the same time, also with
// one Objective; each call has devices of its own.
//
// When ctx ends, Minimize returns the best point so far together with the error of ctx; the result is nil if ctx ends
// before the first step, while kernels are compiled. If a driver has not answered some seconds after that, as with a
// text that does not end, Minimize returns without it: the error is also a *cl.DeviceError, the goroutine and the
// thread that wait for the driver stay until the process ends, and the device is of no more use to the process.
//
// On processors a text runs inside the process, so that a wrong pointer in it ends the process. Options.TryWith finds
// most such texts before, and cl.ExplainCrash says what has happened.
//
// If the value cannot be confirmed, Minimize returns the point together with a *solvers.ConfirmError, and
// Result.Confirmed is false. Other errors come without a point: an *InputError for the objective, a
// *solvers.SettingError for a wrong setting, a *cl.NoDeviceError, a *cl.SelectionError or a *cl.QueryError for the
// devices, and a *CacheError where PoCL cannot store kernels.
func Minimize(ctx context.Context, o Objective, opt Options) (*Result, error) {
	switch {
	case ctx == nil:
		return nil, errors.New("clopt: the context is nil; use context.Background()")
	case o.read == nil:
		return nil, errors.New("clopt: no objective; use Source, File, Parse, Problem, Func or BatchFunc")
	}
	if err := opt.validate(); err != nil {
		return nil, err
	}
	p, err := o.read(o.opt)
	if err != nil {
		return nil, err
	}
	sign := p.Info().Sign()
	budget := solvers.Budget{Time: opt.Time, Evaluations: opt.Evals, Moves: opt.Moves,
		Target: p.Info().Target, GTol: opt.GTol}
	if opt.Target != nil {
		budget.Target = new(sign * *opt.Target)
	}
	method, reason, err := choose(p, opt, budget)
	if err != nil {
		return nil, err
	}
	g, err := o.open(ctx, p, opt)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	method = solvers.Fit(method, p, budget, g.Infos())
	settings := solvers.Settings{Key: rng.Key{Seed: opt.Seed}, Precision: opt.Precision, Budget: budget, X0: opt.X0,
		Keep:   opt.Keep,
		Around: restart.Around((opt.Restart || opt.Method == "") && budget.Limited())}
	if opt.Progress != nil {
		settings.Recorder = progress(opt.Progress)
	}
	r, err := solvers.Minimize(ctx, p, g, settings, method)
	if r == nil {
		return nil, err
	}
	slope := math.NaN()
	if r.Slope.Known {
		slope = r.Slope.Norm
	}
	for i := range r.Kept {
		r.Kept[i].F *= sign
	}
	return &Result{
		X: r.X, F: sign * r.F, Confirmed: r.Confirmed, Status: r.Status.String(),
		Method: method.Traits().Name + " " + solvers.Spell(method), Reason: reason,
		Evaluations: r.Evaluations, Work: r.Work, Moves: r.Moves, Elapsed: r.Elapsed, Rounding: r.Rounding,
		Kept: r.Kept, Broken: r.Broken,
		Slope: slope, Converged: r.Converged,
		Sampled: Sampled{r.Sampled.Points, sign * r.Sampled.Best, r.Sampled.Better},
	}, err
}

// open opens the devices for p, after a trial of its text. A function of the host needs none.
func (o Objective) open(ctx context.Context, p problems.Problem, opt Options) (*shard.Devices, error) {
	if problems.CallOf(p) != nil {
		return shard.NoDevices(shard.Options{}), nil
	}
	chosen, err := shard.Select(opt.Devices, opt.Precision)
	if err != nil {
		return nil, err
	}
	if err := o.try(ctx, p, chosen[0], opt); err != nil {
		return nil, err
	}
	return shard.Open(chosen, shard.Options{})
}

// choose makes the method that opt names, or one that suits p.
func choose(p problems.Problem, opt Options, budget solvers.Budget) (m solvers.Solver, reason string, err error) {
	if opt.Method != "" {
		m, err = methods.New(opt.Method, opt.Set)
		return m, "", err
	}
	m, reason = methods.Auto(p, opt.Precision, budget)
	if len(opt.Set) > 0 {
		m, err = solvers.Configure(m, opt.Set)
	}
	return m, reason, err
}

// progress is a Recorder that calls a function.
type progress func(Sample)

func (f progress) Record(s Sample) error {
	f(s)
	return nil
}
