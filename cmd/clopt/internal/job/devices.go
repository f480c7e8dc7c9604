package job

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// chooseDevices returns the devices of all ranks that the settings name, the first Count of them if that is set, and
// their weights from --weights, nil where none were given. A function of the host has none.
func (c *Call) chooseDevices(s *flags.Settings, p problems.Problem) (infos []cl.Info, weights []float64, err error) {
	switch {
	case problems.CallOf(p) == nil:
	case c.Ranks != nil:
		return nil, nil, exit.Usagef("the values of %s come from a program, which works on one host; use --mpi off",
			p.Spec())
	default:
		return nil, nil, nil
	}
	if c.Ranks != nil {
		infos, err = c.Ranks.choose(s.Devices, s.Precision)
	} else {
		infos, err = shard.Select(s.Devices, s.Precision)
	}
	if err != nil {
		return nil, nil, err
	}
	if weights, err = weightsOf(infos, s.Weights); err != nil {
		return nil, nil, err
	}
	n := s.Count
	if n == 0 {
		return infos, weights, nil
	}
	if n > len(infos) {
		return nil, nil, exit.Failf(exit.NoDevice, "%d devices are needed, but %d are chosen. "+
			"Name more with --devices; 0*%d opens device 0 %d times.", n, len(infos), n, n)
	}
	if weights != nil {
		weights = weights[:n]
	}
	return infos[:n], weights, nil
}

// weightsOf returns the weight of each device, 1 for devices that are not in given; nil if given is empty.
func weightsOf(infos []cl.Info, given map[int]float64) (weights []float64, err error) {
	if len(given) == 0 {
		return nil, nil
	}
	used := map[int]bool{}
	var sum float64
	for _, info := range infos {
		w, ok := given[info.Index]
		if !ok {
			w = 1
		}
		used[info.Index] = true
		sum += w
		weights = append(weights, w)
	}
	for _, i := range slices.Sorted(maps.Keys(given)) {
		if !used[i] {
			return nil, exit.Usagef("--weights: device %d is not among the chosen ones: %s", i, Indices(infos))
		}
	}
	if sum <= 0 {
		return nil, exit.Usagef("--weights: no device has a weight above 0")
	}
	return weights, nil
}

// Indices returns the indices of devices as --devices reads them: "0,1,2".
func Indices(infos []cl.Info) string {
	var s []string
	for _, info := range infos {
		s = append(s, fmt.Sprint(info.Index))
	}
	return strings.Join(s, ",")
}
