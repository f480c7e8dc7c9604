// Package hoststest lets goroutines of a test be the ranks of a run, instead of processes on several hosts:
//
//	hoststest.Run(3, func(h ranks.Hosts) error { … })
package hoststest

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/clopt/clopt/internal/shard/ranks"
)

// goroutines are ranks that work in turns: the one that holds the lock. PoCL aborts if two of them launch at a time.
type goroutines struct {
	sync.Mutex
	came     sync.Cond
	size     int
	arrived  int
	meetings int    // that are over
	what     string // of the meeting in progress
	ends     []int
	all      []byte
	failed   error
	gone     int // ranks that have called Interrupt
	gaps     int // interruptions that are over
}

// rank is one of them, as ranks.Hosts.
type rank struct {
	*goroutines
	number int
}

// Run calls work for so many ranks and returns their errors, joined. When one has failed, the exchanges of the others
// fail, too.
func Run(size int, work func(h ranks.Hosts) error) error {
	r := &goroutines{size: size}
	r.came.L = r
	errs := make([]error, size)
	var wg sync.WaitGroup
	for k := range size {
		wg.Go(func() {
			r.Lock()
			defer r.Unlock()
			defer func() {
				if errs[k] != nil || r.arrived > 0 {
					r.fail(fmt.Errorf("rank %d has ended", k))
				}
			}()
			errs[k] = fmt.Errorf("rank %d panics", k)
			errs[k] = work(rank{r, k})
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (r *goroutines) fail(err error) {
	if r.failed == nil {
		r.failed = err
	}
	r.came.Broadcast()
}

func (r rank) Rank() int { return r.number }

func (r rank) Size() int { return r.size }

func (r rank) Barrier() error { return r.meet("a barrier", nil, make([]int, r.size)) }

func (r rank) Agree(failed bool) bool {
	if failed {
		r.fail(fmt.Errorf("rank %d has failed", r.number))
	}
	return r.Barrier() == nil
}

func (r rank) Interrupt() error {
	r.gone++
	r.came.Broadcast()
	if r.gone == r.size {
		r.gone, r.arrived = 0, 0
		r.gaps++
	}
	for gap := r.gaps; r.gone > 0 && r.gaps == gap && r.failed == nil; {
		r.came.Wait()
	}
	return r.failed
}

func (r rank) AllGather(all []byte, ends []int) error { return r.meet("a gathering", all, ends) }

// meet waits until all ranks have come with the same ends, and completes all.
func (r rank) meet(what string, all []byte, ends []int) error {
	switch {
	case r.failed != nil:
		return r.failed
	case r.gone > 0:
		return ranks.ErrInterrupted
	}
	if r.arrived == 0 {
		r.what = what
		r.ends = slices.Clone(ends)
		r.all = make([]byte, len(all))
	}
	if r.what != what || !slices.Equal(r.ends, ends) || len(r.all) != len(all) {
		r.fail(fmt.Errorf("rank %d comes to %s of %v bytes, and others to %s of %v", r.number, what, ends, r.what,
			r.ends))
		return r.failed
	}
	from := 0
	if r.number > 0 {
		from = ends[r.number-1]
	}
	copy(r.all[from:ends[r.number]], all[from:])
	whole := r.all
	if r.arrived++; r.arrived == r.size {
		r.arrived = 0
		r.meetings++
		r.came.Broadcast()
	} else {
		meeting, gap := r.meetings, r.gaps
		for r.meetings == meeting && r.gone == 0 && r.gaps == gap && r.failed == nil {
			r.came.Wait()
		}
		switch {
		case r.failed != nil:
			return r.failed
		case r.meetings == meeting:
			return ranks.ErrInterrupted
		}
	}
	copy(all[:ends[len(ends)-1]], whole)
	return nil
}
