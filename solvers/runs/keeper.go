package runs

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

// Schedule is when checkpoints are written besides those that somebody asks for, and that of the end. The zero value
// is automatic: by the clock, at a cost of at most 2 % of the time.
type Schedule struct {
	Every time.Duration // 0: automatic
	Off   bool          // never
}

// keeper writes the checkpoints of a run. It is the loop's solvers.Keeper.
type keeper struct {
	schedule Schedule
	store    *store
	recorder *recorder
	observer Observer
	advice   Advice
	manifest manifest      // but for what changes
	asked    func() bool   // since it was called last; nil: never
	final    bool          // there is one of the run's end
	discard  bool          // a finished run keeps none
	resumed  int           // how often the run was
	at       time.Duration // of the latest attempt, in the run's time
	cost     time.Duration // of the latest one, or a guess
}

// newKeeper makes the keeper of a session.
func (s *Session) newKeeper() (*keeper, error) {
	r, from := s.run, s.from
	k := &keeper{
		schedule: r.Schedule, recorder: s.recorder, observer: r.observer(), advice: r.Advice,
		asked: r.Asked, discard: r.Discard,
		manifest: manifest{
			Format: "clopt-checkpoint", FormatVersion: checkpoint.Version, ToolVersion: ToolVersion, Kinds: r.kinds(),
		},
	}
	if from == nil {
		k.store = r.store(s.dir)
	} else {
		k.store, k.resumed, k.at = from.store, from.progress.Resumed+1, from.Loop.Last.Elapsed
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

func (k *keeper) Keep(st *solvers.State, at solvers.Progress, ended solvers.Status) {
	if ended != solvers.NotEnded {
		if k.schedule.Off || k.discard && ended != solvers.Cancelled {
			return
		}
		if n := st.Bytes(); n > maxFinal && k.schedule.Every == 0 && ended != solvers.Cancelled {
			text := "no checkpoint of the end, which takes " + shard.Bytes(n)
			say(k.observer, Progress, "%s", advised(text, ": ", k.advice.NoEnd))
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
		text := fmt.Sprintf("no checkpoint: %v. The older ones are kept. %s", err, then)
		say(k.observer, Warning, "%s", advised(text, " ", k.advice.NoRoom))
		return
	}
	k.final = ended != solvers.NotEnded
	k.recorder.event("checkpoint",
		fmt.Sprintf("%s at step %d, %s in %.3g s", name, at.Last.Step, shard.Bytes(bytes), k.cost.Seconds()))
}

func (k *keeper) write(st *solvers.State, at solvers.Progress) (string, int64, error) {
	p, err := k.recorder.stand()
	if err != nil {
		return "", 0, fmt.Errorf("trace.jsonl: %w", err)
	}
	p.Resumed = k.resumed
	m := k.manifest
	m.Time, m.Step, m.Evaluations = time.Now().UTC().Format(time.RFC3339), at.Last.Step, at.Last.Evaluations
	return k.store.write(m, st, at, p)
}
