package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/spf13/cobra"
)

// chosen are the devices of a command, selected and not yet opened.
type chosen struct {
	infos   []cl.Info
	weights []float64 // beside infos; nil means equal
}

// selectDevices finds the devices that selector names and checks that they
// can compute in prec. The default choice never lowers the precision.
func selectDevices(selector string, prec problems.Precision, weights map[int]float64) (*chosen, error) {
	all, err := cl.Discover()
	if err != nil {
		return nil, coded(exitNoDevice, err)
	}
	infos, err := cl.Select(all, selector)
	if err != nil {
		return nil, coded(exitNoDevice, err)
	}
	if prec == problems.FP64 {
		for _, info := range infos {
			if info.FP64 {
				continue
			}
			if selector == "" {
				return nil, fail(exitNoDevice, "device %d (%s), the default choice, has no fp64. Use --precision fp32, or choose another with --devices.", info.Index, info.Name)
			}
			return nil, fail(exitNoDevice, "device %d (%s) has no fp64. Use --precision fp32, or leave it out of --devices.", info.Index, info.Name)
		}
	}
	c := &chosen{infos: infos}
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
			return nil, usagef("--weights: device %d is not among the chosen ones: %s", i, indices(infos))
		}
	}
	if sum <= 0 {
		return nil, usagef("--weights: no device has a weight above 0")
	}
	return c, nil
}

func indices(infos []cl.Info) string {
	var s []string
	for _, info := range infos {
		s = append(s, fmt.Sprint(info.Index))
	}
	return strings.Join(s, ",")
}

// equal returns the weights, equal ones where none were given.
func (c *chosen) equal() []float64 {
	if c.weights != nil {
		return c.weights
	}
	w := make([]float64, len(c.infos))
	for i := range w {
		w[i] = 1
	}
	return w
}

// open opens the chosen devices as a group, which the caller closes.
func (c *chosen) open(opt shard.Options) (*shard.Group, error) {
	var devices []*cl.Device
	fails := func(err error) (*shard.Group, error) {
		for _, d := range devices {
			d.Close()
		}
		return nil, coded(exitNoDevice, err)
	}
	for _, info := range c.infos {
		d, err := cl.Open(info)
		if err != nil {
			return fails(err)
		}
		devices = append(devices, d)
	}
	opt.Weights = c.weights
	g, err := shard.NewGroup(devices, opt)
	if err != nil {
		return fails(err)
	}
	return g, nil
}

// first leaves the first n devices; 0: all of them.
func (c *chosen) first(n int) error {
	if n > len(c.infos) {
		return fail(exitNoDevice, "%d devices are wanted and %d are chosen. Name more with --devices; 0*%d opens device 0 so often.", n, len(c.infos), n)
	}
	if n > 0 {
		c.infos = c.infos[:n]
		if c.weights != nil {
			c.weights = c.weights[:n]
		}
	}
	return nil
}

// kinds names the kinds of device: bits repeat within one kind.
func (c *chosen) kinds() []string {
	var out []string
	seen := map[string]bool{}
	for _, info := range c.infos {
		if k := info.Kind(); !seen[k] {
			seen[k] = true
			out = append(out, k)
		}
	}
	return out
}

// deviceJSON is a device in "clopt devices --json".
type deviceJSON struct {
	Index           int    `json:"index"`
	Name            string `json:"name"`
	Vendor          string `json:"vendor"`
	Type            string `json:"type"`
	Platform        string `json:"platform"`
	PlatformVersion string `json:"platform_version"`
	DeviceVersion   string `json:"device_version"`
	Driver          string `json:"driver"`
	ComputeUnits    int    `json:"compute_units"`
	ClockMHz        int    `json:"clock_mhz"`
	GlobalMem       int64  `json:"global_mem"`
	MaxAlloc        int64  `json:"max_alloc"`
	LocalMem        int64  `json:"local_mem"`
	MaxGroup        int    `json:"max_group"`
	FP64            bool   `json:"fp64"`
	Twin            *int   `json:"twin"` // index of the same chip seen earlier, or null
	Default         bool   `json:"default"`
}

func (a *app) devicesCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "devices [--json]",
		Short: "Show the OpenCL devices and what is missing",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			infos, err := cl.Discover()
			none, missing := errors.AsType[*cl.NoDeviceError](err)
			if err != nil && !missing {
				return coded(exitNoDevice, err)
			}
			if asJSON {
				return json.NewEncoder(a.stdout).Encode(devicesJSON(infos))
			}
			if missing {
				fmt.Fprintf(a.stdout, "No OpenCL device.\n  cause: %s\n  cure:  %s\n", none.Cause, none.Cure)
				return nil
			}
			fmt.Fprintln(a.stdout, strings.TrimRight(cl.Table(infos), "\n"))
			for _, info := range infos {
				if !info.FP64 {
					fmt.Fprintf(a.stdout, "device %d (%s) has no fp64: use it with --precision fp32\n", info.Index, info.Name)
				}
			}
			if def, err := cl.Select(infos, ""); err == nil {
				fmt.Fprintf(a.stdout, "default: %s\n", indices(def))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON list")
	return cmd
}

func devicesJSON(infos []cl.Info) []deviceJSON {
	out := make([]deviceJSON, 0, len(infos))
	def := map[int]bool{}
	if d, err := cl.Select(infos, ""); err == nil {
		for _, info := range d {
			def[info.Index] = true
		}
	}
	for _, info := range infos {
		d := deviceJSON{
			Index: info.Index, Name: info.Name, Vendor: info.Vendor, Type: fmt.Sprint(info.Type),
			Platform: info.Platform, PlatformVersion: info.PlatformVersion, DeviceVersion: info.Version, Driver: info.Driver,
			ComputeUnits: info.ComputeUnits, ClockMHz: info.ClockMHz, GlobalMem: info.GlobalMem, MaxAlloc: info.MaxAlloc,
			LocalMem: info.LocalMem, MaxGroup: info.MaxGroup, FP64: info.FP64, Default: def[info.Index],
		}
		if info.Twin >= 0 {
			d.Twin = &info.Twin
		}
		out = append(out, d)
	}
	return out
}

// noArgs refuses arguments and shows the one seen.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("clopt %s takes no argument; %q was given", cmd.Name(), args[0])
	}
	return nil
}

// oneArg demands exactly one argument, called what.
func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return usagef("clopt %s needs %s. clopt %s --help shows how.", cmd.Name(), what, cmd.Name())
		case len(args) > 1:
			return usagef("clopt %s takes one %s; %q is too much", cmd.Name(), what, args[1])
		}
		return nil
	}
}
