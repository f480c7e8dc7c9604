package runs

import (
	"context"
	"fmt"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/inputs"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// Run describes runs and what they write to their folders. One Run can make any number of runs, one after the other,
// each with a number and a folder of its own.
type Run struct {
	Problem   problems.Problem
	Solver    solvers.Solver
	Devices   *shard.Devices     // opened and closed by the caller; may be nil until a run begins
	Plans     []shard.DevicePlan // planned shares for the first line of the trace; may be nil
	Precision problems.Precision
	Seed      uint32
	X0        [][]float64 // start points, each of Problem.Domain().N values; may be nil
	Keep      solvers.Keep
	Budget    solvers.Budget
	Implied   bool // nobody has asked for the limits of Budget
	Restart   bool // a method that has come to its end begins again, unless Implied
	Storage
	Caller

	files  *inputs.Files // files of the problem, once inputs has found them
	hashes *[2]string    // hashes of the objective and the instance, once identify has made them
}

// Storage says what a run writes to its folder.
type Storage struct {
	// Recipe returns the text of run.toml for run number n. If it is nil, the file has the keys of Run.Keys.
	Recipe   func(n uint32) string
	Command  string       // command line for result.json; may be empty
	Cell     *record.Cell // place in a campaign; nil: none
	Format   string       // format of the best point, "npy" or "txt"; with any other text it is not stored
	Schedule Schedule     // when to write checkpoints
	// Checkpoints is how many of them are kept; 0: 2.
	Checkpoints int
	Discard     bool // a finished run keeps no checkpoint
	// Disk wraps the Disk of each run folder; may be nil.
	Disk func(disk.Disk) disk.Disk
}

// Caller is what whoever makes a run hears of it, and says to it.
type Caller struct {
	Observer  Observer                         // nil: messages are written to the log only
	Before    time.Duration                    // what the next run has waited for; part of its start-up
	Asked     func() bool                      // true if a checkpoint was asked for since the last call; may be nil
	Started   func(solvers.Info)               // called when kernels are built and memory is allocated; may be nil
	Ended     func()                           // called when the run ends, maybe before those made with it; may be nil
	Folder    string                           // of all runs of a command; may be empty
	Following func(folder string)              // called by Follow before a run, with Folder of rank 0; may be nil
	ExitCode  func(*solvers.Result, error) int // returns the exit code for a result or an error; nil: 0
	Advice    Advice                           // added to warnings
}

// Advice has sentences that are added to warnings, in the words of the program that makes the run. They may be empty.
type Advice struct {
	NoEnd       string // the checkpoint of the end was too large to be written unasked
	NoRoom      string // a checkpoint could not be written
	Unconfirmed string // the best value was not confirmed
	Worse       string // the best value is worse than that of a uniform point
	Easy        string // so it is, and meets the target
	Slow        string // a device has not answered for some time
}

// Make makes run number n in the folder dir, which exists. It locks the folder meanwhile. It returns the result, or nil
// if there is none, and the errors of the run and of storing it.
func (r *Run) Make(ctx context.Context, dir string, n uint32) (*record.Result, error) {
	f, err := r.folder(dir)
	if err != nil {
		return nil, err
	}
	unlock, err := f.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	return r.Continue(ctx, dir, n, nil)
}

// Continue is Make for a folder that the caller has locked. It resumes the run from a checkpoint, or makes a new one if
// from is nil.
func (r *Run) Continue(ctx context.Context, dir string, n uint32, from *checkpoints.Saved) (*record.Result, error) {
	s, err := r.Open(dir, n, from)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	results, errs := Together(ctx, []*Session{s})
	return results[0], errs[0]
}

// Newest returns the newest good checkpoint of run number n in the folder dir, or nil if there is no checkpoint. It
// warns the Observer of newer ones that are damaged. The error is a Fault.
func (r *Run) Newest(dir string, n uint32) (*checkpoints.Saved, error) {
	want, err := r.identify(n)
	if err != nil {
		return nil, err
	}
	f, err := r.folder(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	checkpoints.Sweep(f.Folder)
	c, err := f.newest(want, r.observer())
	if err != nil {
		return nil, fault(Damage, "%w", err)
	}
	return c, nil
}

// folder opens the folder of a run.
func (r *Run) folder(dir string) (*folder, error) {
	f, err := openFolder(dir)
	if err == nil && r.Disk != nil {
		f.Disk = r.Disk(f.Disk)
	}
	return f, err
}

func (r *Run) observer() Observer {
	if r.Observer == nil {
		r.Observer = &logger{}
	}
	return r.Observer
}

// code returns the exit code for a result or an error.
func (r *Run) code(res *solvers.Result, err error) int {
	if r.ExitCode == nil {
		return 0
	}
	return r.ExitCode(res, err)
}

// devices returns the devices of the run, with their planned shares.
func (r *Run) devices() []record.Device {
	if r.Plans != nil {
		return devicesOf(r.Plans)
	}
	all := []record.Device{}
	for i, info := range r.Devices.Infos() {
		all = append(all, deviceOf(i, info))
	}
	return all
}

// devicesOf returns the devices of a plan as they are written to files.
func devicesOf(plans []shard.DevicePlan) []record.Device {
	all := []record.Device{} // a function of the host has none
	for i, plan := range plans {
		d := deviceOf(i, plan.Info)
		d.Share, d.Mem = exact.Number(Share(plans, i)), plan.Bytes
		all = append(all, d)
	}
	return all
}

func deviceOf(i int, info cl.Info) record.Device {
	plain := func(s string) string { return input.Printable(s, "") }
	return record.Device{
		ID: i, Index: info.Index, Name: plain(info.Name), Vendor: plain(info.Vendor), Platform: plain(info.Platform),
		Driver: plain(info.Driver), Type: fmt.Sprint(info.Type),
	}
}

// Share returns the fraction of the problem on device i of a plan, from 0 to 1.
func Share(plans []shard.DevicePlan, i int) float64 {
	all := 0
	for _, d := range plans {
		all += d.Supers
	}
	return float64(plans[i].Supers) / float64(max(all, 1))
}
