package runs

import (
	"context"
	"fmt"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// Run is a run to be kept in a folder: what is run, on what, and what is written. The same Run makes any number of
// runs, one after the other, each with a number and a folder of its own.
type Run struct {
	Problem   problems.Problem
	Solver    solvers.Solver
	Devices   *shard.Devices     // open, and closed by the caller; needed once a run begins
	Plans     []shard.DevicePlan // of the memory, as planned before; nil: the start line has no shares
	Precision problems.Precision
	Seed      uint32
	X0        [][]float64 // start points, each of Problem.Dim() values; nil: none
	Budget    solvers.Budget

	// Recipe is the text of run.toml for run number n; nil: the keys of Run.Keys.
	Recipe   func(n uint32) string
	Command  string   // as result.json tells it; it may be empty
	Cell     *Cell    // where the run stands in a campaign; nil: in none
	Format   string   // of the best point: "npy" or "txt"; all else: it is not stored
	Schedule Schedule // of checkpoints
	Keep     int      // checkpoints to keep; 0: 2
	Discard  bool     // a finished run keeps no checkpoint

	Observer Observer                         // nil: what is said goes into the log alone
	Asked    func() bool                      // whether a checkpoint was asked for since the last call; nil: no
	Started  func(solvers.Info)               // called when kernels are built and memory is taken; nil: nothing
	ExitCode func(*solvers.Result, error) int // exit code of a run, of its result or of an error; nil: 0
	Create   func(path string) (File, error)  // makes a file of a checkpoint; nil: createFile
	Advice   Advice                           // what to do about the warnings of a run
	hashes   *[2]string                       // of objective and instance, see identify
}

// Advice is what a person is told to do, in the words of the program that makes the run. Empty: nothing.
type Advice struct {
	NoEnd       string // a checkpoint of the end was too large to be written unasked
	NoRoom      string // a checkpoint could not be written
	Unconfirmed string // the best value was not confirmed
}

// Make does run number n in the folder dir, which exists, and no other process uses. It returns the result that was
// found, if any, and an error if something could not be done or stored.
func (r *Run) Make(ctx context.Context, dir string, n uint32) (*Result, error) {
	unlock, err := Lock(dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return r.Continue(ctx, dir, n, nil)
}

// Continue does run number n in the folder dir, which the caller has locked: from a checkpoint on, or, if from is
// nil, from its start.
func (r *Run) Continue(ctx context.Context, dir string, n uint32, from *Saved) (*Result, error) {
	s, err := r.Open(dir, n, from)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	res, err := solvers.Minimize(ctx, r.Problem, r.Devices, s.Settings(), r.Solver)
	return s.End(ctx, res, err)
}

// Newest is the newest good checkpoint of run number n in the folder dir, nil if there is none. Newer ones that are
// damaged are told to the Observer.
func (r *Run) Newest(dir string, n uint32) (*Saved, error) {
	want, err := r.identify(n)
	if err != nil {
		return nil, err
	}
	st := r.store(dir)
	st.sweep()
	return st.newest(want, func(format string, args ...any) { r.observer().Say(Warning, fmt.Sprintf(format, args...)) })
}

// store is the checkpoints of the run in dir.
func (r *Run) store(dir string) *store {
	st := openStore(dir)
	if r.Keep > 0 {
		st.keep = r.Keep
	}
	if r.Create != nil {
		st.create = r.Create
	}
	return st
}

func (r *Run) observer() Observer {
	if r.Observer == nil {
		r.Observer = &logger{}
	}
	return r.Observer
}

// code is the exit code of a result or an error.
func (r *Run) code(res *solvers.Result, err error) int {
	if r.ExitCode == nil {
		return 0
	}
	return r.ExitCode(res, err)
}

// kinds names the kinds of device: bits repeat within one kind.
func (r *Run) kinds() (kinds []string) {
	for _, info := range r.Devices.Infos() {
		if k := info.Kind(); !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// devices are those of the run, with their planned shares.
func (r *Run) devices() (all []Device) {
	if r.Plans != nil {
		return devicesOf(r.Plans)
	}
	for i, info := range r.Devices.Infos() {
		all = append(all, deviceOf(i, info))
	}
	return all
}

// devicesOf are the devices of a plan as files tell them.
func devicesOf(plans []shard.DevicePlan) (all []Device) {
	for i, plan := range plans {
		d := deviceOf(i, plan.Info)
		d.Share, d.Mem = Number(Share(plans, i)), plan.Bytes
		all = append(all, d)
	}
	return all
}

func deviceOf(i int, info cl.Info) Device {
	return Device{
		ID: i, Index: info.Index, Name: info.Name, Vendor: info.Vendor, Platform: info.Platform,
		Driver: info.Driver, Type: fmt.Sprint(info.Type),
	}
}

// Share is the part of the problem on device i of a plan, from 0 to 1.
func Share(plans []shard.DevicePlan, i int) float64 {
	all := 0
	for _, d := range plans {
		all += d.Supers
	}
	return float64(plans[i].Supers) / float64(max(all, 1))
}
