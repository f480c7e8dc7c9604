package bench

import (
	"slices"
	"time"

	"github.com/clopt/clopt/internal/shard/ranks"
)

// exchangeSizes are the numbers of bytes that MeasureExchanges exchanges.
var exchangeSizes = []int{8, 1 << 10, 1 << 15, 1 << 20, 1 << 23}

// MeasureExchanges measures the exchanges between hosts: barriers; "all to all", where each rank has an equal part of
// the bytes, as with sums and borders; and "one to all", where one rank has all of them, as with points and decisions.
// Each is measured times times, and 20 times more often if it is small. All ranks call it. clock returns the time.
func MeasureExchanges(h ranks.Hosts, times int, clock func() time.Time) (all []Timing, err error) {
	measure := func(what string, bytes, exchanges int, do func() error) error {
		count := times
		if bytes < 1<<20 {
			count *= 20
		}
		t := Timing{What: what, Bytes: int64(bytes)}
		for i := range count + 1 { // the first one warms up
			start := clock()
			if err := do(); err != nil {
				return err
			}
			if i > 0 {
				t.Took = append(t.Took, clock().Sub(start)/time.Duration(exchanges))
			}
		}
		slices.Sort(t.Took)
		all = append(all, t)
		return nil
	}
	if err := measure("barrier", 0, 1, h.Barrier); err != nil {
		return nil, err
	}
	for _, size := range exchangeSizes {
		ends := make([]int, h.Size())
		for r := range ends {
			ends[r] = size * (r + 1) / h.Size()
		}
		bytes := make([]byte, size)
		if err := measure("all to all", size, 1, func() error { return h.AllGather(bytes, ends) }); err != nil {
			return nil, err
		}
	}
	for _, size := range exchangeSizes {
		first, last := slices.Repeat([]int{size}, h.Size()), make([]int, h.Size())
		last[h.Size()-1] = size
		bytes := make([]byte, size)
		if err := measure("one to all", size, 2, func() error { // there and back, so that no rank runs ahead
			if err := h.AllGather(bytes, first); err != nil {
				return err
			}
			return h.AllGather(bytes, last)
		}); err != nil {
			return nil, err
		}
	}
	return all, nil
}
