package job

import (
	"errors"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/shard/ranks"
)

// Seen is the devices that a rank sees.
type Seen struct {
	Host    string // "" if there are no other ranks
	Infos   []cl.Info
	Default []cl.Info         // those that it uses without a selector
	None    *cl.NoDeviceError // why there are none; nil: there are some
}

// SeenDevices returns the devices that each rank sees.
func (c *Call) SeenDevices() ([]Seen, error) {
	if c.Ranks == nil {
		own, err := see()
		return []Seen{own}, err
	}
	if err := c.Ranks.announce(task{What: "list"}); err != nil {
		return nil, err
	}
	return c.Ranks.seen()
}

// see returns the devices that this process sees.
func see() (Seen, error) {
	infos, err := cl.Discover()
	none, missing := errors.AsType[*cl.NoDeviceError](err)
	if err != nil && !missing {
		return Seen{}, exit.With(exit.NoDevice, err)
	}
	byDefault, err := cl.Select(infos, "")
	if err != nil {
		byDefault = nil
	}
	return Seen{Infos: infos, Default: byDefault, None: none}, nil
}

// seen exchanges which devices each rank sees.
func (r *Ranks) seen() ([]Seen, error) {
	own, err := see()
	if err != nil {
		return nil, err
	}
	all, err := ranks.Messages(r.world, own)
	if err != nil {
		return nil, err
	}
	byDefault := make([][]cl.Info, len(all))
	for rank := range all {
		s := &all[rank]
		s.Host = r.world.Names()[rank]
		for _, infos := range [][]cl.Info{s.Infos, s.Default} {
			for i := range infos {
				infos[i].Host, infos[i].Rank = s.Host, rank
			}
		}
		byDefault[rank] = s.Default
	}
	for rank, own := range deal(byDefault) {
		all[rank].Default = own
	}
	return all, nil
}
