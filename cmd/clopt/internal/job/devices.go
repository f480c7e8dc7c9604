package job

import (
	"fmt"
	"strings"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// Devices are the devices of a command, selected and not yet opened.
type Devices struct {
	Infos   []cl.Info
	weights []float64 // beside infos; nil means equal
}

// Select finds the devices that selector names and checks that they
// can compute in prec. The default choice never lowers the precision.
func Select(selector string, prec problems.Precision, weights map[int]float64) (*Devices, error) {
	all, err := cl.Discover()
	if err != nil {
		return nil, exit.With(exit.NoDevice, err)
	}
	infos, err := cl.Select(all, selector)
	if err != nil {
		return nil, exit.With(exit.NoDevice, err)
	}
	if prec == problems.FP64 {
		for _, info := range infos {
			if info.FP64 {
				continue
			}
			if selector == "" {
				return nil, exit.Failf(exit.NoDevice,
					"device %d (%s), the default choice, has no fp64. Use --precision fp32, or choose another with --devices.",
					info.Index, info.Name)
			}
			return nil, exit.Failf(exit.NoDevice,
				"device %d (%s) has no fp64. Use --precision fp32, or leave it out of --devices.", info.Index, info.Name)
		}
	}
	c := &Devices{Infos: infos}
	if len(weights) == 0 {
		return c, nil
	}
	used := map[int]bool{}
	var sum float64
	for _, info := range infos {
		w, ok := weights[info.Index]
		if !ok {
			w = 1
		}
		used[info.Index] = true
		sum += w
		c.weights = append(c.weights, w)
	}
	for i := range weights {
		if !used[i] {
			return nil, exit.Usagef("--weights: device %d is not among the chosen ones: %s", i, Indices(infos))
		}
	}
	if sum <= 0 {
		return nil, exit.Usagef("--weights: no device has a weight above 0")
	}
	return c, nil
}

func Indices(infos []cl.Info) string {
	var s []string
	for _, info := range infos {
		s = append(s, fmt.Sprint(info.Index))
	}
	return strings.Join(s, ",")
}

// equal returns the weights, equal ones where none were given.
func (c *Devices) equal() []float64 {
	if c.weights != nil {
		return c.weights
	}
	w := make([]float64, len(c.Infos))
	for i := range w {
		w[i] = 1
	}
	return w
}

// Open opens the chosen devices as a group, which the caller closes.
func (c *Devices) Open(opt shard.Options) (*shard.Devices, error) {
	var devices []*cl.Device
	fails := func(err error) (*shard.Devices, error) {
		for _, d := range devices {
			d.Close()
		}
		return nil, exit.With(exit.NoDevice, err)
	}
	for _, info := range c.Infos {
		d, err := cl.Open(info)
		if err != nil {
			return fails(err)
		}
		devices = append(devices, d)
	}
	opt.Weights = c.weights
	g, err := shard.NewDevices(devices, opt)
	if err != nil {
		return fails(err)
	}
	return g, nil
}

// first leaves the first n devices; 0: all of them.
func (c *Devices) first(n int) error {
	if n > len(c.Infos) {
		return exit.Failf(exit.NoDevice, "%d devices are wanted and %d are chosen. Name more with --devices; 0*%d opens device 0 that many times.", n, len(c.Infos), n)
	}
	if n > 0 {
		c.Infos = c.Infos[:n]
		if c.weights != nil {
			c.weights = c.weights[:n]
		}
	}
	return nil
}

// kinds names the kinds of device: bits repeat within one kind.
func (c *Devices) kinds() []string {
	var out []string
	seen := map[string]bool{}
	for _, info := range c.Infos {
		if k := info.Kind(); !seen[k] {
			seen[k] = true
			out = append(out, k)
		}
	}
	return out
}
