package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/checkpoint"
)

const (
	// A checkpoint by the clock comes after a minute at the earliest, and after
	// so many times its own cost that it takes at most 2 % of the time.
	soonest   = time.Minute
	costShare = 49

	// guessedSpeed, in bytes a second, is the cost before the first one.
	guessedSpeed = 250e6
	// maxFinal bounds the one that is written without being asked for when a
	// run ends by its own rules: it is needed only for a larger budget.
	maxFinal = 1 << 30
)

// schedule is --checkpoint: automatic, every so often, or never.
type schedule struct {
	every time.Duration // 0: automatic
	off   bool
}

func parseSchedule(s string) (schedule, error) {
	switch s {
	case "auto":
		return schedule{}, nil
	case "off":
		return schedule{off: true}, nil
	}
	d, err := parseDuration(s)
	if err != nil {
		return schedule{}, fmt.Errorf("%q is neither auto nor off nor a duration such as 10m", s)
	}
	return schedule{every: d}, nil
}

// keeper writes the checkpoints of a run. It is the loop's solvers.Keeper.
type keeper struct {
	schedule schedule
	store    *store
	monitor  *monitor
	show     *display
	manifest manifest      // but for what changes
	asked    func() bool   // by SIGUSR1, since it was called last
	final    bool          // there is one of the run's end
	discard  bool          // a finished run keeps none
	resumed  int           // how often the run was
	at       time.Duration // of the latest attempt, in the run's time
	cost     time.Duration // of the latest one, or a guess
}

// keeper makes the keeper of run r.
func (j *job) keeper(r uint32, st *store, m *monitor, from *saved) (*keeper, error) {
	s := j.settings
	k := &keeper{schedule: s.checkpoint, store: st, monitor: m, show: j.show, asked: j.app.checkpointAsked, discard: j.discard,
		manifest: manifest{Format: "clopt-checkpoint", FormatVersion: checkpoint.Version, ToolVersion: toolVersion, Kinds: j.devices.kinds()}}
	if from != nil {
		k.resumed, k.at = from.progress.Resumed+1, from.loop.Last.Elapsed
		for _, kind := range from.manifest.Kinds {
			if !slices.Contains(k.manifest.Kinds, kind) {
				k.manifest.Kinds = append(k.manifest.Kinds, kind)
			}
		}
	}
	var err error
	k.manifest.Identity, err = j.identify(r)
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
	case k.asked():
		return true
	case k.schedule.off:
		return false
	case k.schedule.every > 0:
		return s.Elapsed-k.at >= k.schedule.every
	}
	return s.Elapsed-k.at >= max(soonest, costShare*k.cost)
}

func (k *keeper) Keep(st *solvers.State, at solvers.Progress, ended solvers.Status) {
	if ended != solvers.NotEnded {
		if k.schedule.off || k.discard && ended != solvers.Cancelled {
			return
		}
		if n := st.Bytes(); n > maxFinal && k.schedule.every == 0 && ended != solvers.Cancelled {
			k.show.say("no checkpoint of the end, which takes %s: with --checkpoint 30m there is one, for clopt resume with a larger budget", shard.Bytes(n))
			return
		}
	}
	start := time.Now()
	name, bytes, err := k.write(st, at)
	k.at, k.cost = at.Last.Elapsed, time.Since(start)
	k.at += k.cost // so that the interval lies between two, whatever they cost
	if err != nil {
		then := "It is tried again later."
		if ended != solvers.NotEnded {
			then = "The run ends without it."
		}
		k.show.warn("no checkpoint: %v. The older ones are kept. %s Make room on the disk, or choose another --out.", err, then)
		return
	}
	k.final = ended != solvers.NotEnded
	k.monitor.kept(name, fmt.Sprintf("%s at step %d, %s in %.3g s", name, at.Last.Step, shard.Bytes(bytes), k.cost.Seconds()))
}

func (k *keeper) write(st *solvers.State, at solvers.Progress) (string, int64, error) {
	p, err := k.monitor.stand()
	if err != nil {
		return "", 0, fmt.Errorf("trace.jsonl: %w", err)
	}
	p.Resumed = k.resumed
	m := k.manifest
	m.Time, m.Step, m.Evaluations = time.Now().UTC().Format(time.RFC3339), at.Last.Step, at.Last.Evaluations
	return k.store.write(m, st, at, p)
}
