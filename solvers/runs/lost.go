package runs

import (
	"fmt"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/solvers"
)

// Lost says that a device has failed, and chooses where the run goes on: at the newest checkpoint, or, as long as there
// is none, at its beginning. The run ends if it keeps no checkpoints.
func (k *keeper) Lost(err error) (load func(*solvers.State) (solvers.Progress, error), goesOn bool) {
	s := k.session
	if k.schedule.Off {
		s.say(Warning, "%v. The run keeps no checkpoint, and ends.", err)
		return nil, false
	}
	saved, e := s.dir.newest(k.manifest.Identity, func(format string, args ...any) { s.say(Warning, format, args...) })
	if e != nil {
		s.say(Warning, "%v. The run cannot go on: %v.", err, e)
		return nil, false
	}
	r := s.recorder
	r.trace.ready = false // what is written from now on comes after the lines that remain
	where := "at its beginning"
	if saved != nil {
		k.store.bad = saved.newer
		where = fmt.Sprintf("at checkpoint %s, step %d", saved.Name, saved.Loop.Last.Step)
	}
	s.say(Warning, "%v. The run goes on with the other devices, %s.", err, where)
	detail := fmt.Sprintf("%v; the run goes on %s", err, where)
	if saved == nil {
		r.rewind(s.origin, s.begun.Bytes, solvers.Sample{}, false)
		r.event("lost", detail)
		return nil, true
	}
	return s.restore(saved, "lost", detail), true
}

// slow says that a device has not answered for some time.
func (s *Session) slow(d *cl.Device, w cl.Waiting) {
	text := fmt.Sprintf("%s has not answered for %v: %s. If this goes on, it counts as failed.", d,
		w.Took.Round(time.Second), w.Call)
	s.say(Warning, "%s", advised(text, " ", s.run.Advice.Slow))
}
