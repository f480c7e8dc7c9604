package runs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

const (
	// An automatic checkpoint is written at least a minute after the one before, and at least 49 times the time that
	// writing took. Checkpoints then take at most 2 % of the time.
	soonest   = time.Minute
	costShare = 49

	// guessedSpeed is the speed of writing, in bytes a second, that is assumed before the first checkpoint.
	guessedSpeed = 250e6
	// maxFinal is the largest size of a checkpoint that is written unasked at the end of a run. It is needed only to
	// go on with a larger budget.
	maxFinal = 1 << 30
)

// Schedule says when checkpoints are written, besides those that are asked for and the one at the end of a run. The
// zero value is automatic: they take at most 2 % of the time, and come at most once a minute.
type Schedule struct {
	Every time.Duration // 0: automatic
	Off   bool          // none, not even at the end
}

// keeper writes the checkpoints of a run. It is a solvers.Keeper.
type keeper struct {
	session  *Session
	schedule Schedule
	store    *checkpoints.Store
	recorder *recorder
	observer Observer
	advice   Advice
	manifest checkpoints.Manifest // without the fields that differ between checkpoints
	asked    func() bool          // reports whether a checkpoint was asked for since its last call; nil: none ever
	final    bool                 // the checkpoint of the end is stored
	discard  bool                 // a finished run keeps no checkpoints
	resumed  int                  // how often the run was resumed
	at       time.Duration        // time in the run at the end of the latest attempt
	cost     time.Duration        // time that the latest one took, or a guess
}

// newKeeper returns the keeper of a session.
func (s *Session) newKeeper() (*keeper, error) {
	r, from := s.run, s.from
	k := &keeper{
		session: s, schedule: r.Schedule, recorder: s.recorder, observer: r.observer(), advice: r.Advice,
		asked: r.Asked, discard: r.Discard,
		manifest: checkpoints.Manifest{ToolVersion: ToolVersion, Kinds: cl.Kinds(r.Devices.Infos())},
	}
	k.store = &checkpoints.Store{Dir: s.dir.Folder, Keep: cmp.Or(r.Checkpoints, 2), Hosts: r.Devices.Hosts()}
	if from != nil {
		k.store.Bad = from.Newer
		k.resumed = from.Position.Resumed + 1
		k.at = from.Loop.Held.Elapsed
		k.manifest.Lost = from.Manifest.Lost
		for _, kind := range from.Manifest.Kinds {
			if !slices.Contains(k.manifest.Kinds, kind) {
				k.manifest.Kinds = append(k.manifest.Kinds, kind)
			}
		}
	}
	var err error
	k.manifest.Identity, err = r.identify(s.number)
	return k, err
}

// guess estimates what the first checkpoint will cost.
func (k *keeper) guess(info solvers.Info) {
	if k.cost > 0 {
		return
	}
	for _, d := range info.Plans {
		k.cost = max(k.cost, time.Duration(float64(d.Bytes)/guessedSpeed*float64(time.Second)))
	}
}

func (k *keeper) Due(s solvers.Sample) bool {
	switch {
	case k.asked != nil && k.asked():
		return true
	case k.schedule.Off:
		return false
	case k.schedule.Every > 0:
		return s.Elapsed-k.at >= k.schedule.Every
	}
	return s.Elapsed-k.at >= max(soonest, costShare*k.cost)
}

func (k *keeper) Keep(st *solvers.State, at solvers.Progress, ended solvers.Status) error {
	if ended != solvers.NotEnded {
		if f := k.session.run.Ended; f != nil {
			defer f()
		}
		if k.schedule.Off || k.discard && ended != solvers.Cancelled {
			return k.store.None()
		}
		if n := st.Bytes(); n > maxFinal && k.schedule.Every == 0 && ended != solvers.Cancelled {
			text := "no checkpoint of the end is written, since it takes " + shard.Bytes(n)
			say(k.observer, Progress, "%s", advised(text, ": ", k.advice.NoEnd))
			return k.store.None()
		}
	}
	start := time.Now()
	name, bytes, err := k.write(st, at)
	k.at, k.cost = at.Last.Elapsed, time.Since(start)
	k.at += k.cost // the interval begins when writing has ended
	if shard.Lost(err) || errors.As(err, new(*ranks.Error)) {
		return err
	}
	if err != nil {
		then := "It is tried again later."
		if ended != solvers.NotEnded {
			then = "The run ends without it."
		}
		if older, _ := checkpoints.List(k.store.Dir); len(older) > 0 {
			then = "The older ones are kept. " + then
		}
		text := fmt.Sprintf("no checkpoint: %v. %s", err, then)
		if ofDisk(err) {
			text = advised(text, " ", k.advice.NoRoom)
		}
		say(k.observer, Warning, "%s", text)
		return nil
	}
	k.final = ended != solvers.NotEnded
	k.recorder.event("checkpoint",
		fmt.Sprintf("%s at step %d, %s in %.3g s", name, at.Last.Step, shard.Bytes(bytes), k.cost.Seconds()))
	return nil
}

// ofDisk reports whether an error is of a file or folder, and not of a device.
func ofDisk(err error) bool {
	if _, ok := errors.AsType[syscall.Errno](err); ok {
		return true
	}
	_, ok := errors.AsType[*fs.PathError](err)
	return ok
}

func (k *keeper) write(st *solvers.State, at solvers.Progress) (string, int64, error) {
	p, trace := k.recorder.position()
	if err := k.recorder.trace.f.Sync(); err != nil {
		return "", 0, errors.Join(fmt.Errorf("trace.jsonl: %w", err), k.store.None())
	}
	p.Resumed = k.resumed
	m := k.manifest
	m.Trace = trace
	m.Time = time.Now().UTC().Format(time.RFC3339)
	m.Step = at.Last.Step
	m.Evaluations = at.Last.Evaluations
	return k.store.Write(m, st, at, p)
}
