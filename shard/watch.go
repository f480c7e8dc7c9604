package shard

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/clopt/clopt/cl"
)

// A driver that hangs never returns from a call. Watch finds such calls. What waits for them is lost, with all openings
// of the device; the other devices can be used again.

const (
	// leastWatchdog is the shortest time after which a device is taken to hang, unless Options.Watchdog is set.
	leastWatchdog = 30 * time.Second
	// slower is how many times longer a call may take than the longest one before, or than its work should take.
	slower = 100
	// firstSlower is how many times longer the first calls may take, in which drivers compile kernels, and builds.
	firstSlower = 10
)

// patience returns for how long a call may not return. watchdog is Options.Watchdog.
func patience(w cl.Waiting, watchdog time.Duration) time.Duration {
	least := leastWatchdog
	if watchdog > 0 {
		least = watchdog
	}
	switch {
	case w.Builds, w.Longest == 0 && watchdog == 0:
		return firstSlower * least
	case watchdog > 0:
		return watchdog
	}
	return max(least, slower*w.Longest)
}

// lastPatience is how long a call may go on after the context of a run has ended, and lastBuild where it compiles.
const lastPatience, lastBuild = 10 * time.Second, 15 * time.Second

// lastly returns for how long a call may go on after the end of a context. A call that is known to take long may take
// twice as long as the longest before.
func lastly(w cl.Waiting, watchdog time.Duration) time.Duration {
	most := max(lastPatience, 2*w.Longest)
	if w.Builds {
		most = lastBuild
	}
	return min(most, patience(w, watchdog))
}

// panicked is the value of a panic in Watch, with the stack of its goroutine.
type panicked struct {
	Value any
	Stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("%v\n%s", p.Value, p.Stack) }

// Watch runs f and returns its error. If a device hangs meanwhile, Watch abandons all openings of it and returns a
// *cl.DeviceError; f then still runs, and ends with that error when it calls the device again. After the end of ctx
// Watch abandons a device, but no other opening, if it does not answer for some seconds. slow is called when a device
// has not answered for some time, with what it does; it may be nil.
func (g *Devices) Watch(ctx context.Context, f func() error, slow func(d *cl.Device, w cl.Waiting)) error {
	done := make(chan error, 1)
	failed := make(chan *panicked, 1)
	go func() {
		returned := false
		defer func() {
			if !returned {
				failed <- &panicked{recover(), debug.Stack()} // or runtime.Goexit, as a test that fails calls it
			}
		}()
		err := f()
		returned = true
		done <- err
	}()
	tick := time.NewTicker(g.watchEvery())
	defer tick.Stop()
	looked := time.Now()
	said := map[*cl.Device]bool{}
	ended := time.Duration(0) // for how long ctx has been at its end
	for {
		select {
		case err := <-done:
			return err
		case p := <-failed:
			if p.Value == nil {
				runtime.Goexit()
			}
			panic(p)
		case <-tick.C:
		}
		lost := asleep(looked, time.Now(), g.watchEvery())
		if ctx.Err() != nil {
			ended += time.Since(looked) - lost
		}
		looked = time.Now()
		for _, d := range g.devices {
			if d == nil {
				continue // another rank watches it
			}
			d.Excuse(lost)
			w := d.Waiting()
			switch {
			case w.Took > patience(w, g.opt.Watchdog):
				return d.AbandonAll()
			case min(w.Took, ended) > lastly(w, g.opt.Watchdog):
				return d.Abandon() // other runs may still wait for other openings
			case w.Took < leastWatchdog:
				said[d] = false
			case !said[d] && slow != nil:
				said[d] = true
				slow(d, w)
			}
		}
	}
}

// asleep returns for how long the process did not run between two looks at the devices, which should be some time
// apart. A user may have stopped it, or the machine is busy.
func asleep(looked, now time.Time, apart time.Duration) time.Duration {
	return max(now.Sub(looked)-2*apart, 0)
}

// watchEvery is the time between two looks at the devices.
func (g *Devices) watchEvery() time.Duration {
	if w := g.opt.Watchdog; w > 0 {
		return min(w/8+1, time.Second)
	}
	return time.Second
}

// Failed returns the device whose driver failed with err, or nil if err is another error. Memory that a driver refuses
// is another error.
func Failed(err error) *cl.Device {
	if e, ok := errors.AsType[*cl.DeviceError](err); ok {
		return e.Device
	}
	return nil
}
