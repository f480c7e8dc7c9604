package shard

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/lease"
	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/internal/shard/stages"
	"github.com/clopt/clopt/problems"
)

// Devices are the devices of a run, those of all ranks in the order of the ranks. It holds no memory on them:
// placements and runs do. It belongs to one goroutine at a time; see Use.
type Devices struct {
	devices   []*cl.Device // of all ranks; nil: of another one
	infos     []cl.Info
	ranks     []int   // of the devices; nil: there is one rank
	turns     [][]int // indices of devices that take turns, see Do
	opt       Options
	dropped   time.Duration             // of BuildTime, for devices that were dropped
	tried     map[problems.Problem]bool // passed Once
	exchanged Exchanged
	lease     lease.Lease
}

// Options are those of Devices. The zero value is the default.
type Options struct {
	// Weights is the share of the work of each device. If it is nil, devices of one kind get equal shares, and the
	// speeds of different kinds are measured.
	Weights []float64
	// Memory is the fraction of a device's memory that a run may take; 0 means 0.95.
	Memory float64
	// LaunchTime bounds one kernel launch, in seconds; 0 means 0.05. Results never depend on it.
	LaunchTime float64
	// Watchdog is the time after which a call of a driver that does not return counts as a failed device; 0 means half
	// a minute, or a hundred times the longest call so far.
	Watchdog time.Duration
	// Hosts connects this process with others that make the run together; nil: there is no other. Each rank has the
	// weights of its own devices.
	Hosts ranks.Hosts
	// NoCheck skips the comparison of each device with the host at the start, and the trial of problems without a host
	// reference.
	NoCheck bool
	// Stages measures the start of runs; nil: nothing does.
	Stages *stages.Log
	// Points is for tests: the largest number of points that a work-group on a processor evaluates together, in the
	// form that other devices run; then the device adds all super-tiles, too. 0 means one point in the form that is
	// fastest there.
	Points int
	// Rounds is for tests: launches on processors have many rounds, as on other devices.
	Rounds bool
}

// Select returns the devices that a selector names, as cl.Select reads it, in order of index. A device that cannot
// compute in prec is an error: the default choice never lowers the precision. The error is one of cl.Discover, a
// *cl.QueryError, or a *cl.SelectionError.
func Select(selector string, prec problems.Precision) ([]cl.Info, error) {
	if err := prec.Validate(); err != nil {
		return nil, fmt.Errorf("shard: %w", err)
	}
	all, err := cl.Discover()
	if err != nil {
		return nil, err
	}
	chosen, err := cl.Select(all, selector)
	if err != nil {
		return nil, err
	}
	for _, info := range chosen {
		if info.Fault != nil {
			return nil, info.Fault
		}
		if prec == problems.FP64 && !info.FP64 {
			return nil, &cl.SelectionError{Selector: selector, Table: cl.Table(all),
				Reason: fmt.Sprintf("%s has no fp64. Use precision fp32, or choose other devices", info)}
		}
	}
	return chosen, nil
}

// Open opens the devices that Select returned and joins them. The caller closes them.
func Open(chosen []cl.Info, opt Options) (_ *Devices, err error) {
	var devices []*cl.Device
	defer func() {
		if err != nil {
			for _, d := range devices {
				d.Close()
			}
		}
	}()
	for _, info := range chosen {
		d, err := cl.Open(info)
		if err != nil {
			return nil, err
		}
		devices = append(devices, d)
	}
	return NewDevices(devices, opt)
}

// NewDevices joins at least one open device with those of the other ranks, if there are any. It owns them from then
// on, and Close closes them.
func NewDevices(devices []*cl.Device, opt Options) (*Devices, error) {
	if len(devices) == 0 {
		return nil, errors.New("shard: no device")
	}
	if opt.Weights != nil && len(opt.Weights) != len(devices) {
		return nil, fmt.Errorf("shard: %d weights for %d devices", len(opt.Weights), len(devices))
	}
	for i, w := range opt.Weights {
		if !(w >= 0) || w > 1e9 {
			return nil, fmt.Errorf("shard: weight %g of %s; weights are at least 0", w, devices[i])
		}
	}
	if opt.Memory == 0 {
		opt.Memory = 0.95
	}
	if opt.LaunchTime == 0 {
		opt.LaunchTime = 0.05
	}
	g := &Devices{devices: devices, opt: opt}
	for _, d := range devices {
		g.infos = append(g.infos, d.Info())
	}
	if g.Shared() {
		if err := g.join(); err != nil {
			return nil, err
		}
	}
	if w := g.opt.Weights; w != nil && slices.Max(w) == 0 { // a rank may have no share
		return nil, errors.New("shard: all weights are 0")
	}
	g.turns = takeTurns(g.devices)
	return g, nil
}

// NoDevices returns devices of which there is none, for runs of functions of the host (problems.CallOf). Nothing else
// can be evaluated on them.
func NoDevices(opt Options) *Devices {
	opt.NoCheck = true
	return &Devices{opt: opt}
}

// alone returns a device of this rank without the others.
func (g *Devices) alone(i int) *Devices {
	one := &Devices{devices: g.devices[i : i+1], infos: g.infos[i : i+1], turns: [][]int{{0}}, opt: g.opt}
	one.opt.Hosts = nil
	return one
}

// First returns the index of the first device of this rank.
func (g *Devices) First() int {
	return slices.IndexFunc(g.devices, func(d *cl.Device) bool { return d != nil })
}

// Once runs f for a problem, unless an earlier f for it has returned nil. It returns the error of f.
func (g *Devices) Once(p problems.Problem, f func() error) error {
	// A value that cannot be compared, such as a struct with a slice, is not remembered.
	known := reflect.ValueOf(p).Comparable()
	if known && g.tried[p] {
		return nil
	}
	if err := f(); err != nil {
		return err
	}
	if known {
		if g.tried == nil {
			g.tried = map[problems.Problem]bool{}
		}
		g.tried[p] = true
	}
	return nil
}

// All returns the devices of all ranks in order, nil for those of other ranks. The caller must not change the slice.
func (g *Devices) All() []*cl.Device { return g.devices }

// Checked reports whether runs compare devices with the host first.
func (g *Devices) Checked() bool { return !g.opt.NoCheck }

// Infos returns the properties of the devices of all ranks, in order. The caller must not change the slice.
func (g *Devices) Infos() []cl.Info { return g.infos }

// oneKind reports whether all devices are of one kind. Then results have the same bits on any number of them.
func (g *Devices) oneKind() bool { return len(cl.Kinds(g.infos)) == 1 }

// Stages returns the log of the options. g may be nil.
func (g *Devices) Stages() *stages.Log {
	if g == nil {
		return nil
	}
	return g.opt.Stages
}

// BuildTime returns for how long the drivers of this rank have compiled so far: see cl.Device. The times of devices
// that take turns add up; of devices that run at the same time, the longest counts.
func (g *Devices) BuildTime() time.Duration {
	longest := time.Duration(0)
	for _, turn := range g.turns {
		sum := time.Duration(0)
		for _, i := range turn {
			sum += g.devices[i].BuildTime()
		}
		longest = max(longest, sum)
	}
	return g.dropped + longest
}

// Close closes the devices of this rank, at the end of a Use if there is one. A second Close does nothing.
func (g *Devices) Close() {
	if g.lease.Close() {
		g.close()
	}
}

// ErrInUse is the error of a second caller that wants the same Devices at the same time.
var ErrInUse = lease.ErrInUse

// Use takes the devices until done is called. It returns ErrInUse if another caller has them, and lease.ErrClosed after
// Close. Functions that make something complete with devices, such as solvers.Minimize and Evaluate, call it; those
// that are part of something, such as Place and Accumulate, do not. It may be called from any goroutine.
func (g *Devices) Use() (done func(), err error) {
	return g.done, g.lease.Take()
}

func (g *Devices) done() {
	if g.lease.Give() {
		g.close()
	}
}

func (g *Devices) close() {
	for _, d := range g.devices {
		if d != nil {
			d.Close()
		}
	}
}

// Do runs f once for each device of this rank and waits for all. Devices run concurrently, except CPU devices of one
// platform and one chip that is opened several times: these run one after the other. They share the same cores anyway,
// and PoCL 5 aborts (pocl_release_dlhandle_cache) when two contexts run one kernel at a time. Do returns the first
// error in the order of the devices.
func (g *Devices) Do(f func(i int, d *cl.Device) error) error {
	devices, turns := g.devices, g.turns
	if len(turns) == 0 {
		return nil
	}
	errs := make([]error, len(devices))
	take := func(turn []int) {
		for _, i := range turn {
			errs[i] = f(i, devices[i])
			if errs[i] == nil && len(turn) > 1 {
				errs[i] = devices[i].Finish()
			}
			if _, hung := errors.AsType[*cl.HangError](errs[i]); hung {
				return // the other devices may belong to another run by now
			}
		}
	}
	var wg sync.WaitGroup
	for _, turn := range turns[1:] {
		wg.Go(func() { take(turn) })
	}
	// One device needs no goroutine, which would wake another thread some four times a step.
	take(turns[0])
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// BeforeBuild sets what the devices of this rank ask before they compile anything; see cl.Device.BeforeBuild.
func (g *Devices) BeforeBuild(f func() error) {
	for _, d := range g.devices {
		if d != nil {
			d.BeforeBuild(f)
		}
	}
}

// takeTurns returns the devices that run concurrently; each entry lists devices that take turns.
func takeTurns(devices []*cl.Device) (turns [][]int) {
	place := map[string]int{}
	for i, d := range devices {
		if d == nil {
			continue // another rank has it
		}
		info := d.Info()
		key := fmt.Sprint(info.Index)
		if info.Type == cl.CPU {
			key = info.Platform
		}
		at, ok := place[key]
		if !ok {
			at = len(turns)
			place[key] = at
			turns = append(turns, nil)
		}
		turns[at] = append(turns[at], i)
	}
	return turns
}
