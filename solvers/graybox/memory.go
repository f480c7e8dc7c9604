package graybox

import (
	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/device"
)

// blockShard is one shard's memory; kernels/solvers/graybox/graybox.cl has the layouts.
type blockShard struct {
	x, bias, pace, work, out *shard.Reals
	shape                    *shard.Reals // search=cma
	acc, childAcc            *shard.Sums
	slot, chain, now, parts  *cl.Buffer[uint32]
	mate, take               *cl.Buffer[uint32] // synchronous
}

func (m *Graybox) blockEngine(p problems.Problem, g *shard.Group, s solvers.Setup, b blockShape, shards []shard.Shard) (_ *blockEngine, refused int, err error) {
	e := &blockEngine{p: p, one: shard.Programmed(p), s: s, shape: b, check: g.Checked(), on: make([]*blockShard, len(shards))}
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	if err = e.place(m, g, shards); err != nil {
		return nil, -1, err
	}
	refused, err = device.Rooms(e.pl, func(i int, sh shard.Shard, d *cl.Device) (err error) {
		e.on[i], err = e.room(sh, d)
		return err
	})
	return e, refused, err
}

// room allocates a shard's memory.
func (e *blockEngine) room(sh shard.Shard, d *cl.Device) (o *blockShard, err error) {
	o = &blockShard{}
	defer func() {
		if err != nil {
			o.close()
			o = nil // the caller closes what it got
		}
	}()
	b, prec := e.shape, e.s.Precision
	blocks := b.blocks(sh.Tiles())
	work := 1
	switch {
	case b.shared():
		work = b.before + sh.Vars()
	case !e.localY:
		work = b.span
	}
	for _, v := range []struct {
		to *(*shard.Reals)
		n  int
	}{
		{&o.x, b.stored * sh.Vars()}, {&o.bias, max(1, b.biases()*sh.Vars())}, {&o.pace, b.paces() * b.rows * blocks}, {&o.work, work},
		{&o.out, min(sh.Vars(), device.GatherVars)},
	} {
		if *v.to, err = shard.AllocReals(d, prec, v.n); err != nil {
			return o, err
		}
	}
	if o.acc, err = shard.AllocSums(d, b.points*b.accs*blocks); err != nil {
		return o, err
	}
	for _, v := range []struct {
		to *(*cl.Buffer[uint32])
		n  int
	}{{&o.slot, 2 * b.n * blocks}, {&o.chain, 6 * b.rows * blocks}, {&o.now, 4 * blocks}} {
		if *v.to, err = cl.Alloc[uint32](d, v.n); err != nil {
			return o, err
		}
	}
	if b.offspring > 0 {
		if o.shape, err = shard.AllocReals(d, prec, b.rows*b.shapes()*sh.Vars()); err != nil {
			return o, err
		}
	}
	table := b.table()
	if o.parts, err = cl.Alloc[uint32](d, len(table)); err != nil {
		return o, err
	}
	if err = o.parts.Write(0, table); err != nil || !b.sync {
		return o, err
	}
	if o.mate, err = cl.Alloc[uint32](d, b.n*blocks); err != nil {
		return o, err
	}
	if o.take, err = cl.Alloc[uint32](d, b.n*blocks); err != nil {
		return o, err
	}
	o.childAcc, err = shard.AllocSums(d, b.n*b.accs*blocks)
	return o, err
}

func (o *blockShard) close() {
	if o == nil {
		return
	}
	for _, v := range []*shard.Reals{o.x, o.bias, o.pace, o.work, o.out, o.shape} {
		v.Close()
	}
	o.acc.Close()
	o.childAcc.Close()
	for _, b := range []*cl.Buffer[uint32]{o.slot, o.chain, o.now, o.parts, o.mate, o.take} {
		if b != nil {
			b.Close()
		}
	}
}
