package mpi

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// World is the processes that a launcher has started together. It is a shard.Hosts. One thread makes all calls of MPI;
// the methods may be called from any goroutine, one at a time.
type World struct {
	lib        *library
	rank, size int
	limit      time.Duration
	names      []string // of the hosts, by rank
	calls      chan func()
	alone      bool
}

// WaitError means that some ranks have not come to an exchange in time.
type WaitError struct {
	Waited time.Duration
	Silent []string // the ranks, with the names of their hosts
}

func (e *WaitError) Error() string {
	return fmt.Sprintf("an exchange between hosts has waited %v for %s. They hang, or compute for longer than "+
		"--mpi-timeout allows", e.Waited.Round(time.Second), strings.Join(e.Silent, ", "))
}

// Join loads an MPI library and joins the processes of the launch. lib is the path of the library; "" tries the usual
// names. limit is how long an exchange may wait for other ranks; 0: five minutes. The error is a *LibraryError if no
// library can be used, or if it knows of one process only and the launcher has announced more. The caller calls Finish
// or Abort in the end.
func (launch Launch) Join(lib string, limit time.Duration) (*World, error) {
	if limit == 0 {
		limit = 5 * time.Minute
	}
	w := &World{limit: limit, calls: make(chan func())}
	go func() {
		runtime.LockOSThread()
		for f := range w.calls {
			f()
		}
	}()
	err := w.call(func() (err error) {
		if w.lib, err = load(lib, launch); err == nil {
			w.rank, w.size, err = w.lib.start()
		}
		return err
	})
	if err == nil && w.size == 1 && launch.Size > 1 {
		err = &LibraryError{Launch: launch, Tried: []string{fmt.Sprintf("%s (%s) is the wrong library for this "+
			"launcher: it knows of 1 process, and %d were announced", w.lib.path, w.lib.version, launch.Size)}}
	}
	if err != nil {
		return nil, err
	}
	name, _ := os.Hostname()
	const room = 64
	all, ends := make([]byte, room*w.size), make([]int, w.size)
	for r := range ends {
		ends[r] = room * (r + 1)
	}
	copy(all[room*w.rank:ends[w.rank]], name)
	if err := w.AllGather(all, ends); err != nil {
		return nil, err
	}
	for r := range ends {
		w.names = append(w.names, strings.TrimRight(string(all[room*r:ends[r]]), "\x00"))
	}
	return w, nil
}

// call lets the thread of MPI call f.
func (w *World) call(f func() error) error {
	done := make(chan error, 1)
	w.calls <- func() { done <- f() }
	return <-done
}

// Rank returns the number of this process.
func (w *World) Rank() int { return w.rank }

// Size returns the number of processes.
func (w *World) Size() int { return w.size }

// Names returns the name of the host of each rank. The caller must not change it.
func (w *World) Names() []string { return w.names }

// Library returns the path of the library and its version.
func (w *World) Library() string { return fmt.Sprintf("%s (%s)", w.lib.path, w.lib.version) }

// mostBytes is the largest number of bytes that an exchange of MPI counts.
const mostBytes = 1<<31 - 1

// AllGather completes all, in which the bytes of rank r end at ends[r]; each rank has filled its own. The error is a
// *WaitError if not all ranks come.
func (w *World) AllGather(all []byte, ends []int) error {
	if len(all) > mostBytes {
		return fmt.Errorf("an exchange of %d bytes between hosts; the most are %d", len(all), mostBytes)
	}
	return w.call(func() error {
		q, err := w.lib.gather(all, ends)
		if err != nil {
			return err
		}
		return w.wait(q, w.limit)
	})
}

// Barrier waits for all ranks, as long as that takes.
func (w *World) Barrier() error {
	return w.call(func() error {
		q, err := w.lib.barrier(false)
		if err != nil {
			return err
		}
		return w.wait(q, 0)
	})
}

// Times of waiting.
const (
	spin    = 2 * time.Millisecond  // without sleep, since a sleep may take a millisecond however short it is
	longest = time.Millisecond      // sleep
	listens = 50 * time.Millisecond // between two looks for questions
	answers = 2 * time.Second       // for answers, and for others that have failed, too
	aborts  = time.Second / 4       // before all are ended, so that the launcher passes on the last messages
)

// Messages between ranks: who asks whether a rank waits, too, and here answers.
const (
	who  = 1
	here = 2
)

// wait waits until a request has been completed. If there is a limit and it is over, the error names the ranks that
// do not wait.
func (w *World) wait(q *request, limit time.Duration) error {
	start := time.Now()
	listened := start
	for {
		if done, err := w.lib.done(q); done || err != nil {
			return err
		}
		now := time.Now()
		waited := now.Sub(start)
		if waited < spin {
			runtime.Gosched()
			continue
		}
		if limit > 0 && waited > limit {
			return w.late(waited)
		}
		if now.Sub(listened) > listens {
			listened = now
			if err := w.answer(); err != nil {
				return err
			}
		}
		time.Sleep(min(waited/16, longest))
	}
}

// others calls f for every other rank.
func (w *World) others(f func(rank int) error) error {
	for r := range w.size {
		if r == w.rank {
			continue
		}
		if err := f(r); err != nil {
			return err
		}
	}
	return nil
}

// answer answers the questions of other ranks.
func (w *World) answer() error {
	return w.others(func(r int) error {
		asked, err := w.lib.receive(r, who)
		if asked {
			err = w.lib.send(r, here)
		}
		return err
	})
}

// late asks the other ranks whether they wait, and returns a *WaitError with those that do not answer.
func (w *World) late(waited time.Duration) error {
	if err := w.others(func(r int) error { return w.lib.send(r, who) }); err != nil {
		return err
	}
	heard := make([]bool, w.size)
	for end := time.Now().Add(answers); time.Now().Before(end); time.Sleep(longest) {
		if err := w.answer(); err != nil {
			return err
		}
		if err := w.others(func(r int) (err error) {
			if !heard[r] {
				heard[r], err = w.lib.receive(r, here)
			}
			return err
		}); err != nil {
			return err
		}
	}
	e := &WaitError{Waited: waited}
	for r, ok := range heard {
		if r != w.rank && !ok {
			e.Silent = append(e.Silent, fmt.Sprintf("rank %d (%s)", r, w.names[r]))
		}
	}
	if e.Silent == nil {
		e.Silent = []string{"ranks that wait in another exchange"}
	}
	return e
}

// Agree waits for all ranks to end what they do together, and reports whether they come. A rank on which it failed
// waits two seconds. If the others do not come, it is alone with its failure, and calls Abort next.
func (w *World) Agree(failed bool) bool {
	err := w.call(func() error {
		q, err := w.lib.barrier(true)
		if err != nil {
			return err
		}
		for start := time.Now(); ; time.Sleep(longest) {
			if done, err := w.lib.done(q); done || err != nil {
				return err
			}
			if failed && time.Since(start) > answers {
				return &WaitError{Waited: answers}
			}
		}
	})
	w.alone = w.alone || err != nil
	return err == nil
}

// Alone reports whether this rank has failed in another way than the others.
func (w *World) Alone() bool { return w.alone }

// Finish ends the connection. All ranks call it.
func (w *World) Finish() error { return w.call(w.lib.finish) }

// Abort ends the processes of all ranks, this one with the code. It does not return.
func (w *World) Abort(code int) {
	time.Sleep(aborts)
	w.call(func() error { w.lib.abort(code); return nil })
}
