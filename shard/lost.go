package shard

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/clopt/clopt/internal/shard/ranks"
)

// LostError means that devices of other ranks have failed.
type LostError struct{ Text string }

func (e *LostError) Error() string { return e.Text }

// Lost reports whether err means that a device has failed, or that another rank has interrupted an exchange, as it does
// when a device of it has failed.
func Lost(err error) bool {
	if _, ok := errors.AsType[*LostError](err); ok {
		return true
	}
	return Failed(err) != nil || errors.Is(err, ranks.ErrInterrupted)
}

// Settle ends what all ranks have tried, with err on this one. It returns the indices of the devices that have failed,
// the same on all ranks, and then an error of one of them. If there are none, it returns err. If err is another error,
// the other ranks must have such an error, too.
func (g *Devices) Settle(err error) (failed []int, _ error) {
	own := g.failed(err)
	if !g.Shared() {
		return own, err
	}
	hosts := g.opt.Hosts
	if err == nil {
		e := hosts.Barrier()
		if e == nil {
			return nil, nil
		}
		err = &ranks.Error{Err: e}
	}
	if !Lost(err) {
		return nil, err
	}
	if e := hosts.Interrupt(); e != nil {
		return nil, errors.Join(err, &ranks.Error{Err: e})
	}
	all, e := ranks.Messages(hosts, lost{own, err.Error()})
	if e != nil {
		return nil, errors.Join(err, e)
	}
	for _, l := range all {
		if failed = append(failed, l.Devices...); len(own) == 0 && len(l.Devices) > 0 {
			i := l.Devices[0]
			own, err = l.Devices, &LostError{fmt.Sprintf("rank %d on %s: %s", g.ranks[i], g.infos[i].Host, l.Err)}
		}
	}
	return failed, err
}

// failed returns the devices of this rank that have failed with err, and those that were given up with the context of
// one.
func (g *Devices) failed(err error) (failed []int) {
	first := Failed(err)
	for i, d := range g.devices {
		if first != nil && d != nil && (d == first || d.Abandoned()) {
			failed = append(failed, i)
		}
	}
	return failed
}

// lost is the devices of a rank that have failed.
type lost struct {
	Devices []int
	Err     string
}

// CanDrop reports whether other devices could do the work of some. Each rank must have one that is left.
func (g *Devices) CanDrop(failed []int) bool {
	ranks, works := map[int]bool{}, false
	for i := range g.devices {
		if !slices.Contains(failed, i) {
			ranks[g.rankOf(i)] = true
			works = works || g.opt.Weights == nil || g.opt.Weights[i] > 0
		}
	}
	return works && (!g.Shared() || len(ranks) == g.opt.Hosts.Size())
}

// rankOf returns the rank that has a device.
func (g *Devices) rankOf(i int) int {
	if g.ranks == nil {
		return 0
	}
	return g.ranks[i]
}

// Drop closes devices and leaves them out from then on. CanDrop must have allowed it.
func (g *Devices) Drop(failed []int) {
	built := g.BuildTime()
	for _, i := range failed {
		if d := g.devices[i]; d != nil {
			g.Watch(context.Background(), func() error { d.Close(); return nil }, nil) // its driver may hang
		}
	}
	g.devices, g.infos = without(g.devices, failed), without(g.infos, failed)
	g.ranks, g.opt.Weights = without(g.ranks, failed), without(g.opt.Weights, failed)
	g.turns = takeTurns(g.devices)
	g.dropped += built - g.BuildTime()
}

// without returns a slice without some elements, nil if it is nil.
func without[T any](all []T, indices []int) (left []T) {
	for i, v := range all {
		if !slices.Contains(indices, i) {
			left = append(left, v)
		}
	}
	return left
}
