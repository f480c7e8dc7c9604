package mpi

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/clopt/clopt/internal/shard/ranks"
)

// World is the processes that a launcher has started together. It is a ranks.Hosts. Its methods may be called from any
// goroutine, one at a time.
//
// In an exchange each rank sends its part to each of the others. Where the part of a rank is expected, an empty message
// says that the rank has called Interrupt. It is the last one of the rank before the next exchange.
type World struct {
	lib        *library
	rank, size int
	limit      time.Duration
	names      []string // of the hosts, by rank
	alone      bool

	ended     atomic.Bool // there are no more calls of MPI but the last one
	mu        sync.Mutex  // held in calls of MPI
	receiving []arrival
	sending   []*request
	left      []bool     // by rank: it has called Interrupt
	words     []*request // questions and answers that are on their way
}

// arrival is a message of a rank that has not come.
type arrival struct {
	from int
	*request
}

// WaitError means that some ranks have not come to an exchange in time.
type WaitError struct {
	Waited time.Duration
	Silent []string // the ranks, with the names of their hosts
}

func (e *WaitError) Error() string {
	return fmt.Sprintf("an exchange between hosts has waited %v for %s. They hang, cannot be reached, or "+
		"compute for longer than --mpi-timeout allows", e.Waited.Round(time.Second), strings.Join(e.Silent, ", "))
}

// Join loads an MPI library and joins the processes of the launch. lib is the path of the library; "" tries the usual
// names. limit is how long an exchange may wait for other ranks; 0: five minutes. The error is a *LibraryError if no
// library can be used, or if it knows of one process only and the launcher has announced more. The caller calls Finish
// or Abort in the end. Join keeps the goroutine of the caller on its thread.
func (launch Launch) Join(lib string, limit time.Duration) (*World, error) {
	if limit == 0 {
		limit = 5 * time.Minute
	}
	runtime.LockOSThread() // Finish is for the thread that begins
	w := &World{limit: limit}
	var err error
	w.lib, err = load(lib, launch)
	if err == nil {
		w.rank, w.size, err = w.lib.start()
	}
	if err == nil && w.size == 1 && launch.Size > 1 {
		err = &LibraryError{Launch: launch, Tried: []string{fmt.Sprintf("%s (%s) is the wrong library for this "+
			"launcher: it knows of 1 process, and %d were announced", w.lib.path, w.lib.version, launch.Size)}}
	}
	if err != nil {
		return nil, err
	}
	w.left = make([]bool, w.size)
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
	go w.listen()
	return w, nil
}

// Rank returns the number of this process.
func (w *World) Rank() int { return w.rank }

// Size returns the number of processes.
func (w *World) Size() int { return w.size }

// Names returns the name of the host of each rank. The caller must not change it.
func (w *World) Names() []string { return w.names }

// Library returns the path of the library and its version.
func (w *World) Library() string { return fmt.Sprintf("%s (%s)", w.lib.path, w.lib.version) }

// mostBytes is the largest number of bytes that a message of MPI counts.
const mostBytes = 1<<31 - 1

// AllGather completes all, in which the bytes of rank r end at ends[r]; each rank has filled its own. The error is a
// *WaitError if not all ranks come, and ranks.ErrInterrupted if one has called Interrupt.
func (w *World) AllGather(all []byte, ends []int) error {
	return w.exchange(all, ends, w.whoWaits)
}

// Barrier waits for all ranks, as long as that takes. The error is a *WaitError if some of them cannot be reached.
func (w *World) Barrier() error {
	ends := make([]int, w.size)
	for r := range ends {
		ends[r] = r + 1
	}
	return w.exchange(make([]byte, w.size), ends, w.whoLives)
}

// exchange is AllGather with what to do when its time is over, as wait calls it.
func (w *World) exchange(all []byte, ends []int, late func(waited time.Duration) error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.Contains(w.left, true) {
		return ranks.ErrInterrupted
	}
	if len(all) > mostBytes {
		return fmt.Errorf("an exchange of %d bytes between hosts; the most are %d", len(all), mostBytes)
	}
	part := func(r int) []byte {
		if r == 0 {
			return all[:ends[0]]
		}
		return all[ends[r-1]:ends[r]]
	}
	if err := w.others(func(r int) error {
		if len(part(r)) == 0 {
			return nil
		}
		q, err := w.lib.receive(r, part(r))
		w.receiving = append(w.receiving, arrival{r, q})
		return err
	}); err != nil {
		return err
	}
	if own := part(w.rank); len(own) > 0 {
		if err := w.send(own); err != nil {
			return err
		}
	}
	return w.wait(w.limit, late, func() (bool, error) {
		for len(w.receiving) > 0 {
			a := w.receiving[0]
			if done, err := w.lib.done(a.request); !done || err != nil {
				return false, err
			}
			w.receiving = w.receiving[1:]
			if err := w.noted(a); err != nil {
				return false, err
			}
			if w.left[a.from] {
				return false, ranks.ErrInterrupted
			}
		}
		return w.sent()
	})
}

// send begins to send data to all other ranks.
func (w *World) send(data []byte) error {
	return w.others(func(r int) error {
		q, err := w.lib.send(r, data)
		w.sending = append(w.sending, q)
		return err
	})
}

// sent reports whether all data has been sent.
func (w *World) sent() (bool, error) {
	for len(w.sending) > 0 {
		if done, err := w.lib.done(w.sending[0]); !done || err != nil {
			return false, err
		}
		w.sending = w.sending[1:]
	}
	return true, nil
}

// noted notes whether a message that has come is the empty one, after which its rank sends no other.
func (w *World) noted(a arrival) error {
	n, err := w.lib.received(a.request)
	w.left[a.from] = err == nil && n == 0
	return err
}

// Interrupt gives up what the ranks do together, and waits until all have called it. What is on its way is dropped.
func (w *World) Interrupt() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range w.receiving {
		cancelled, err := w.lib.cancel(a.request)
		if err == nil && !cancelled {
			err = w.noted(a)
		}
		if err != nil {
			return err
		}
	}
	w.receiving = nil
	if err := w.send(nil); err != nil {
		return err
	}
	err := w.wait(w.limit, w.whoWaits, func() (bool, error) {
		if err := w.others(w.drain); err != nil {
			return false, err
		}
		for r, left := range w.left {
			if r != w.rank && !left {
				return false, nil
			}
		}
		return w.sent()
	})
	clear(w.left)
	return err
}

// drain drops what has come from a rank, up to its empty message.
func (w *World) drain(rank int) error {
	for !w.left[rank] {
		n, ok, err := w.lib.come(rank)
		if err != nil || !ok {
			return err
		}
		q, err := w.lib.receive(rank, make([]byte, n))
		for done := false; !done && err == nil; {
			done, err = w.lib.done(q)
		}
		if err != nil {
			return err
		}
		w.left[rank] = n == 0
	}
	return nil
}

// Times of waiting.
const (
	// A wait begins without sleep, since a sleep may take a millisecond however short it is, and without
	// runtime.Gosched, which wakes other threads: with it an exchange of some bytes takes 9 us instead of 1.
	spin     = 2 * time.Millisecond
	longest  = time.Millisecond      // sleep
	listens  = 50 * time.Millisecond // between two looks for questions
	answers  = 2 * time.Second       // for answers, and for others that have failed, too
	finishes = 5 * time.Second       // in MPI_Finalize
	aborts   = time.Second / 4       // before all are ended, so that the launcher passes on the last messages
)

// Questions between ranks. The answer is the same message with the tag answer more.
const (
	waits  = 1 // does the rank wait in an exchange, too?
	lives  = 2 // can it be reached?
	answer = 2
)

// wait waits until done returns true or an error. Whenever limit is over, it calls late, and ends with its error.
func (w *World) wait(limit time.Duration, late func(waited time.Duration) error, done func() (bool, error)) error {
	start := time.Now()
	listened, patience := start, limit
	for {
		if ok, err := done(); ok || err != nil {
			return err
		}
		now := time.Now()
		waited := now.Sub(start)
		if waited < spin {
			continue
		}
		if waited > patience {
			if err := late(waited); err != nil {
				if ok, e := done(); ok || e != nil {
					return e
				}
				return err
			}
			patience = waited + limit
		}
		if now.Sub(listened) > listens {
			listened = now
			if err := w.answer(waits, lives); err != nil {
				return err
			}
		}
		time.Sleep(min(waited/16, longest))
	}
}

// listen answers the other ranks while this one computes.
func (w *World) listen() {
	for !w.ended.Load() {
		time.Sleep(answers / 8)
		if w.mu.TryLock() { // a rank that waits answers by itself
			if !w.ended.Load() {
				w.answer(lives) // an error shows in the next exchange, too
			}
			w.mu.Unlock()
		}
	}
}

// others calls f for every other rank, beginning with the next one.
func (w *World) others(f func(rank int) error) error {
	for k := 1; k < w.size; k++ {
		if err := f((w.rank + k) % w.size); err != nil {
			return err
		}
	}
	return nil
}

// tell begins to send a question or an answer to a rank, and forgets those that have been sent.
func (w *World) tell(rank, tag int) (err error) {
	w.words = slices.DeleteFunc(w.words, func(q *request) bool {
		done, e := w.lib.done(q)
		err = cmp.Or(err, e)
		return done
	})
	q, e := w.lib.tell(rank, tag)
	w.words = append(w.words, q)
	return cmp.Or(err, e)
}

// answer answers the questions of other ranks.
func (w *World) answer(questions ...int) error {
	return w.others(func(r int) error {
		for _, question := range questions {
			asked, err := w.lib.told(r, question)
			if asked {
				err = w.tell(r, question+answer)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// whoWaits returns a *WaitError with the ranks that do not wait.
func (w *World) whoWaits(waited time.Duration) error {
	silent, err := w.ask(waits)
	if err == nil && silent == nil {
		silent = []string{"ranks that wait in another exchange"}
	}
	return cmp.Or(err, error(&WaitError{Waited: waited, Silent: silent}))
}

// whoLives returns a *WaitError with the ranks that cannot be reached, or nil if there are none.
func (w *World) whoLives(waited time.Duration) error {
	silent, err := w.ask(lives)
	if err == nil && silent != nil {
		err = &WaitError{Waited: waited, Silent: silent}
	}
	return err
}

// ask asks the other ranks a question, and returns those that do not answer.
func (w *World) ask(question int) (silent []string, err error) {
	if err := w.others(func(r int) error { return w.tell(r, question) }); err != nil {
		return nil, err
	}
	heard := make([]bool, w.size)
	heard[w.rank] = true
	for end := time.Now().Add(answers); slices.Contains(heard, false) && time.Now().Before(end); time.Sleep(longest) {
		if err := w.answer(waits, lives); err != nil {
			return nil, err
		}
		if err := w.others(func(r int) (err error) {
			if !heard[r] {
				heard[r], err = w.lib.told(r, question+answer)
			}
			return err
		}); err != nil {
			return nil, err
		}
	}
	for r, ok := range heard {
		if !ok {
			silent = append(silent, fmt.Sprintf("rank %d (%s)", r, w.names[r]))
		}
	}
	return silent, nil
}

// Agree waits for all ranks to end what they do together, and reports whether they come. A rank on which it failed
// waits two seconds. If the others do not come, it is alone with its failure, and calls Abort next.
func (w *World) Agree(failed bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	limit, late := w.limit, w.whoLives
	if failed {
		limit, late = answers, func(waited time.Duration) error { return &WaitError{Waited: waited} }
	}
	q, err := w.lib.barrier()
	if err == nil {
		err = w.wait(limit, late, func() (bool, error) { return w.lib.done(q) })
	}
	w.alone = w.alone || err != nil
	return !w.alone
}

// Alone reports whether this rank has failed in another way than the others.
func (w *World) Alone() bool { return w.alone }

// Finish ends the connection. All ranks call it with the code of rank 0, in the goroutine that has called Join. It may
// end the process instead of returning. With MPICH rank 0 aborts with a code above 0, since mpiexec may otherwise
// return 0 or 9. And exit is called if MPI does not end: MPICH 4.0 over TCP may wait forever for a rank that has ended.
func (w *World) Finish(code int, exit func(code int)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended.Store(true)
	limit := finishes
	if w.rank == 0 {
		limit += time.Second // it ends last, since mpiexec may end the others with it
	}
	if code != 0 && strings.Contains(w.lib.version, "MPICH") {
		if w.rank == 0 {
			w.lib.abort(code)
		}
		time.Sleep(time.Second) // all are ended meanwhile
	}
	end := time.AfterFunc(limit, func() { exit(code) })
	defer end.Stop()
	return w.lib.finish()
}

// Abort ends the processes of all ranks, this one with the code. It does not return.
func (w *World) Abort(code int) {
	w.ended.Store(true)
	time.Sleep(aborts)
	w.lib.abort(code)
}
