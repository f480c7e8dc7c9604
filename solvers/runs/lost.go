package runs

import (
	"fmt"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers"
)

// comeback is what rank 0 announces after a device has failed.
type comeback struct {
	GoesOn bool
	From   string // a checkpoint; "": the beginning
}

// Lost says that a device has failed, and chooses where the run goes on: at the newest checkpoint, or, as long as there
// is none, at its beginning. The run ends if it keeps no checkpoints.
func (k *keeper) Lost(err error) (load func(*solvers.State) (solvers.Progress, error), goesOn bool) {
	from, goesOn := k.newest(err)
	if hosts := k.store.Hosts; hosts != nil {
		next := comeback{GoesOn: goesOn}
		if from != nil {
			next.From = from.Name
		}
		if e := ranks.Announce(hosts, next); e != nil {
			k.session.say(Warning, "%v. The run cannot go on: %v.", err, e)
			return nil, false
		}
	}
	if !goesOn {
		return nil, false
	}
	k.manifest.Lost++
	s, r := k.session, k.recorder
	r.trace.ready = false // what is written from now on comes after the lines that remain
	where := "at its beginning"
	if from != nil {
		k.store.Bad = from.Newer
		where = fmt.Sprintf("at checkpoint %s, step %d", from.Name, from.Loop.Last.Step)
	}
	s.say(Warning, "%v. The run goes on with the other devices, %s.", err, where)
	detail := fmt.Sprintf("%v; the run goes on %s", err, where)
	if from == nil {
		r.rewind(s.origin, s.begun.Bytes, solvers.Sample{}, false)
		r.event("lost", detail)
		return nil, true
	}
	return s.restore(from, "lost", detail), true
}

// newest returns the newest checkpoint, nil if there is none. It returns false, and says why, if the run cannot go on.
func (k *keeper) newest(err error) (from *checkpoints.Saved, goesOn bool) {
	s := k.session
	if k.schedule.Off {
		s.say(Warning, "%v. The run keeps no checkpoint, and ends.", err)
		return nil, false
	}
	from, e := s.dir.newest(k.manifest.Identity, k.observer)
	if e != nil {
		s.say(Warning, "%v. The run cannot go on: %v.", err, e)
	}
	return from, e == nil
}

// dropped says that a method of several cannot work here, once for each.
func (s *Session) dropped(method string, err error) {
	detail := fmt.Sprintf("%s cannot work here, and the others go on without it: %s", method, firstLine(err.Error()))
	if s.without[method] {
		return
	}
	if s.without == nil {
		s.without = map[string]bool{}
	}
	s.without[method] = true
	s.recorder.line(record.Event(s.recorder.now(), "dropped", detail))
	s.say(Warning, "%s", detail)
	s.say(Logged, "%v", err)
}

// slow says that a device has not answered for some time.
func (s *Session) slow(d *cl.Device, w cl.Waiting) {
	text := fmt.Sprintf("%s has not answered for %v: %s. If this goes on, it counts as failed.", d,
		w.Took.Round(time.Second), w.Call)
	s.say(Warning, "%s", advised(text, " ", s.run.Advice.Slow))
}
