// Package command makes an objective of a program: it reads points and writes their values.
package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
)

// Family is the name of the family of these problems in specs. The program is no part of a spec, so that a spec starts
// nothing.
const Family = "command"

// Options say how a program is run.
type Options struct {
	Words  []string      // the program and its arguments
	Jobs   int           // copies that run at the same time; 0: 1
	Limit  time.Duration // for a value; 0: none. A program that takes longer is killed, and the value counts as NaN
	Format Format
	Warn   func(text string) // is told what has gone wrong for the first time; may be nil
}

// Program is a program that gives values. Its processes start when the first values are asked for.
type Program struct {
	opt  Options
	mu   sync.Mutex // one caller at a time
	idle []*process // nil: one that has to be started
	said [4]bool    // which warnings have been given

	count   sync.Mutex
	never   bool // no value has been given so far
	failing int  // points in a row that had no value
	Ends    int  // points at which the program has ended
	Kills   int  // points at which it has taken too long
}

// New returns a program. The error says that it cannot be found.
func New(opt Options) (*Program, error) {
	if _, err := exec.LookPath(opt.Words[0]); err != nil {
		if e, ok := errors.AsType[*exec.Error](err); ok {
			err = e.Err
		}
		return nil, input.Errorf("", 0, 0, "the program %s cannot be started: %v. A shell is not used: for its syntax "+
			"name one, as in sh -c '…'", input.Shown([]byte(opt.Words[0])), err)
	}
	return &Program{opt: opt, never: true, idle: make([]*process, max(opt.Jobs, 1))}, nil
}

// Problem returns the family whose problem is the program. The key n of a spec, or the option, has to say how many
// variables there are, and bounds have to be given.
func (p *Program) Problem() problems.Family {
	f := Unnamed
	f.Parse = func(s problems.Spec, _ string) (problems.Problem, error) {
		n, err := s.Dim()
		if err != nil {
			return nil, err
		}
		if n == 0 || s.File {
			return nil, input.Errorf("", 0, 0, "say how many variables the program takes: -n N")
		}
		return problems.NewFunction(s, problems.Info{}, problems.Cube(n, math.NaN(), math.NaN()), p.Values), nil
	}
	return f
}

// Unnamed is the family without its program, which no spec names.
var Unnamed = problems.Family{Name: Family, Files: true, Bare: true,
	Title: "values that a program gives: clopt run --command 'PROGRAM ARGS' -n N --bounds LO,HI",
	Parse: func(problems.Spec, string) (problems.Problem, error) {
		return nil, input.Errorf("", 0, 0, "say which program gives the values: --command 'PROGRAM ARGS'")
	}}

// warn shows a warning, but only the first one of each kind.
func (p *Program) warn(kind int, format string, args ...any) {
	p.count.Lock()
	defer p.count.Unlock()
	if p.opt.Warn != nil && !p.said[kind] {
		p.said[kind] = true
		p.opt.Warn(fmt.Sprintf(format, args...))
	}
}

// batch is what is known of some points.
type batch struct {
	points [][]float64
	values []float64
	known  []bool
	tries  []int // how often the program has ended at a point

	stop func() // ends what is asked for

	mu    sync.Mutex
	queue [][]int // of points that are asked for together
	err   error
}

// Values asks for the values of points. Copies of the program answer for some of them each, the first free one for the
// next; the values do not depend on which. A point at which the program ends twice, or takes too long, has the value
// NaN. It is the Call of the problem.
func (p *Program) Values(ctx context.Context, points [][]float64) ([]float64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	b := &batch{stop: stop, points: points, values: make([]float64, len(points)), known: make([]bool, len(points)),
		tries: make([]int, len(points))}
	share := 4 * len(p.idle) // so that none waits long for the last one
	if p.opt.Format == Npy {
		share = len(p.idle)
	}
	all := make([]int, len(points))
	for i := range all {
		all[i] = i
	}
	b.queue = slices.Collect(slices.Chunk(all, (len(points)+share-1)/share))
	var wait sync.WaitGroup
	for slot := range p.idle[:min(len(p.idle), len(points))] {
		wait.Go(func() { p.work(ctx, b, &p.idle[slot]) })
	}
	wait.Wait()
	if b.err == nil {
		return b.values, nil
	}
	first := slices.Index(b.known, false)
	if first < 0 {
		first = len(points)
	}
	return b.values[:first], b.err
}

// next returns the points that are asked for next; nil: there are none.
func (b *batch) next() []int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.queue) == 0 || b.err != nil {
		return nil
	}
	some := b.queue[0]
	b.queue = b.queue[1:]
	return some
}

// again puts points back, each alone or all together.
func (b *batch) again(some []int, alone bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !alone && len(some) > 0 {
		b.queue = append(b.queue, some)
		return
	}
	b.queue = append(b.queue, slices.Collect(slices.Chunk(some, 1))...)
}

// fail ends the batch with an error.
func (b *batch) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
	b.stop()
}

// set sets the value of a point.
func (b *batch) set(i int, v float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.values[i], b.known[i] = v, true
}

// work lets one copy of the program answer until there are no more points.
func (p *Program) work(ctx context.Context, b *batch, slot **process) {
	for some := b.next(); some != nil; some = b.next() {
		if *slot == nil {
			var err error
			if *slot, err = start(p.opt.Words, p.opt.Format); err != nil {
				b.fail(&Fault{Msg: fmt.Sprintf("the program cannot be started: %v", err)})
				return
			}
		}
		points := make([][]float64, len(some))
		for k, i := range some {
			points[k] = b.points[i]
		}
		values, err := (*slot).ask(ctx, p.opt.Format, points, p.opt.Limit, p.slow)
		for k, v := range values {
			b.set(some[k], v)
		}
		p.answered(len(values))
		if err == nil {
			continue
		}
		asked := *slot
		*slot = nil
		_, state := asked.close(!errors.Is(err, errEnded))
		if !errors.Is(err, errEnded) && !errors.Is(err, errSlow) {
			b.fail(err)
			return
		}
		if err := p.unanswered(b, some[len(values):], asked, err, state); err != nil {
			b.fail(err)
			return
		}
	}
}

// slow tells that there is no answer for long.
func (p *Program) slow() {
	p.warn(0, "The program has not answered for %v. If a value does not take that long: it has to answer each point "+
		"before it reads on, and to flush its output then. --value-time 10s ends a program that hangs.", patience)
}

// answered counts values.
func (p *Program) answered(n int) {
	p.count.Lock()
	defer p.count.Unlock()
	if n > 0 {
		p.never, p.failing = false, 0
	}
}

// The run ends after so many points in a row without a value, at first or later.
const firstFailing, mostFailing = 20, 100

// alone is how long a program may take to end that is asked for nothing.
const alone = 2 * time.Second

// broken returns an error if the program ends by itself, whatever it is asked for.
func (p *Program) broken() error {
	one, err := start(p.opt.Words, p.opt.Format)
	if err != nil {
		return &Fault{Msg: fmt.Sprintf("the program cannot be started: %v", err)}
	}
	select {
	case a, open := <-one.answers:
		if open {
			one.close(true)
			return one.tooMuch(a)
		}
	case <-time.After(alone):
		one.close(true)
		return nil
	}
	_, state := one.close(false)
	return &Fault{Msg: fmt.Sprintf("the program ends before it is given a point (%s)", ended(state)),
		Stderr: one.errors.text()}
}

// unanswered decides about points that a program has not answered, because it has ended, in some state, or was ended.
// The first one is the reason, unless they were asked for in one block.
func (p *Program) unanswered(b *batch, rest []int, asked *process, why error, state error) error {
	if p.opt.Format == Npy && len(rest) > 1 {
		b.again(rest, true)
		return nil
	}
	at := rest[0]
	slow := errors.Is(why, errSlow)
	if !slow && state == nil && asked.given > 0 { // it answers some points, and ends as it means to
		b.again(rest, false)
		return nil
	}
	if b.tries[at]++; !slow && b.tries[at] < 2 {
		b.again(rest[:1], true)
		b.again(rest[1:], false)
		return nil
	}
	b.set(at, math.NaN())
	b.again(rest[1:], false)
	text := fmt.Sprintf("it has ended at a point, twice (%s)", ended(state))
	kind := 1
	if slow {
		text, kind = fmt.Sprintf("it has given no value in %v", p.opt.Limit), 2
	}
	p.count.Lock()
	p.failing++
	if slow {
		p.Kills++
	} else {
		p.Ends++
	}
	failing, never := p.failing, p.never
	p.count.Unlock()
	if never && failing == 1 && !slow {
		if err := p.broken(); err != nil {
			return err
		}
	}
	fault := &Fault{Stderr: asked.errors.text()}
	if never && failing >= firstFailing || failing >= mostFailing {
		fault.Msg = fmt.Sprintf("the program has given no value for %d points in a row: %s", failing, text)
		return fault
	}
	fault.Msg = fmt.Sprintf("The program failed: %s. Such points count as not finite", text)
	p.warn(kind, "%v", fault)
	return nil
}

// Close ends all copies of the program, and tells if one has given values that nobody has asked for.
func (p *Program) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, one := range p.idle {
		if one != nil {
			if more, _ := one.close(false); more > 0 {
				p.warn(3, "The program has given more values than it was given points, so its values may be those "+
					"of other points.")
			}
			p.idle[i] = nil
		}
	}
}
