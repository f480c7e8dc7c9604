package job

import (
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/internal/shard/stages"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// offer is what a rank says about its devices.
type offer struct {
	Infos []cl.Info
	Code  int // of an error; 0: there is none
	Err   string
}

// choose returns the devices of all ranks that a selector names.
func (r *Ranks) choose(selector string, prec problems.Precision) ([]cl.Info, error) {
	t := task{What: "devices", Selector: selector, Precision: prec.String()}
	if err := r.announce(t); err != nil {
		return nil, err
	}
	each, err := r.offers(t)
	return slices.Concat(each...), err
}

// offers exchanges which devices the selector of a task names on each rank, and returns those that each rank uses.
func (r *Ranks) offers(t task) (each [][]cl.Info, err error) {
	prec, err := problems.ParsePrecision(t.Precision)
	if err != nil {
		return nil, err
	}
	own, err := shard.Select(t.Selector, prec)
	mine := offer{Infos: own}
	if err != nil {
		mine.Code, mine.Err = exit.Code(err), err.Error()
	}
	offers, err := ranks.Messages(r.world, mine)
	if err != nil {
		return nil, err
	}
	for rank, o := range offers {
		if o.Code != 0 {
			return nil, exit.Failf(o.Code, "rank %d on %s: %s", rank, r.world.Names()[rank], o.Err)
		}
		if rank == r.world.Rank() {
			o.Infos = own // these can be opened
		}
		for i := range o.Infos {
			o.Infos[i].Host, o.Infos[i].Rank = r.world.Names()[rank], rank
		}
		each = append(each, o.Infos)
	}
	return deal(each), nil
}

// deal deals the devices that ranks of one host share to these ranks, round robin. If there are fewer devices than
// ranks, each rank has one that others have, too. Ranks that a batch system has given different devices keep them all.
func deal(chosen [][]cl.Info) (each [][]cl.Info) {
	for rank, infos := range chosen {
		place, ranks := 0, 0
		for k, others := range chosen {
			if slices.EqualFunc(infos, others, SameDevice) {
				place += problems.Flag(k < rank)
				ranks++
			}
		}
		var own []cl.Info
		for i := place % max(1, len(infos)); i < len(infos); i += ranks {
			own = append(own, infos[i])
		}
		each = append(each, own)
	}
	return each
}

// SameDevice reports whether two ranks mean one device.
func SameDevice(a, b cl.Info) bool {
	return a.Host == b.Host && a.Address == b.Address && a.Index == b.Index && a.Name == b.Name
}

// lead lets all ranks open the devices of a task, and returns them.
func (r *Ranks) lead(t task, log *stages.Log) (*shard.Devices, error) {
	if err := r.announce(t); err != nil {
		return nil, err
	}
	return r.opened(t, log)
}

// opened opens the devices of this rank and joins them with those of the others. log may be nil. If it fails and the
// rank is not alone with that, all ranks have failed.
func (r *Ranks) opened(t task, log *stages.Log) (g *shard.Devices, err error) {
	defer func() {
		if !r.world.Agree(err != nil) && err == nil {
			g, err = nil, exit.Failf(exit.Host, "the other ranks have not opened their devices")
		}
	}()
	each, err := r.offers(t)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(each...)
	weights, err := weightsOf(all, t.Weights)
	if err != nil {
		return nil, err
	}
	if t.Count > 0 && t.Count < len(all) { // the others have nothing to do
		if weights == nil {
			weights = slices.Repeat([]float64{1}, len(all))
		}
		clear(weights[t.Count:])
	}
	own := each[r.world.Rank()]
	if weights != nil {
		from := len(slices.Concat(each[:r.world.Rank()]...))
		weights = weights[from : from+len(own)]
	}
	return shard.Open(own, shard.Options{Weights: weights, Memory: t.Mem, NoCheck: t.NoCheck, Watchdog: t.Watchdog,
		Hosts: r.world, Stages: log})
}
