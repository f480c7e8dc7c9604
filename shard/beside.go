package shard

import (
	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
)

// Beside builds another program for the devices of a placement: a view, the texts of the problem if they are wanted,
// and what extra returns for a kind of device, defines and parts. It uses the tables of the placement. Its places are
// the shards. The caller closes it before the placement.
func (pl *Placement) Beside(view kernels.Part, texts bool,
	extra func(info cl.Info) ([]kernels.Define, []kernels.Part)) (*Programs, error) {
	ps := &Programs{on: make([]*Program, len(pl.on)), of: func(s int) int { return pl.shards[s].Device }}
	if err := pl.g.Do(func(i int, d *cl.Device) (err error) {
		o := pl.on[i]
		if o == nil {
			return nil
		}
		text := o.text
		if !texts {
			text.Before, text.Parts, text.Sources = nil, nil, nil
		}
		defines, parts := extra(d.Info())
		a := Join(pl.p, text, pl.prec, o.size, []kernels.Part{view}, defines, parts, d.Info())
		a.late = o.late > 0
		ps.on[i], err = o.beside(d, a, o.late)
		return err
	}); err != nil {
		ps.Close()
		return nil, err
	}
	return ps, nil
}
