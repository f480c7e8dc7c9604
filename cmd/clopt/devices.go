package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
)

// deviceJSON is a device in the output of "clopt devices --json".
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
	Twin            *int   `json:"twin"` // index of an earlier device that is the same chip, or null
	Default         bool   `json:"default"`
}

func devicesCommand(call *job.Call) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "devices [--json]",
		Short: "Show the OpenCL devices, or why there are none",
		Args:  flags.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			infos, err := cl.Discover()
			none, missing := errors.AsType[*cl.NoDeviceError](err)
			if err != nil && !missing {
				return exit.With(exit.NoDevice, err)
			}
			if asJSON {
				return json.NewEncoder(call.Stdout).Encode(devicesJSON(infos))
			}
			if missing {
				fmt.Fprintf(call.Stdout, "No OpenCL device.\n  cause: %s\n  cure:  %s\n", none.Cause, none.Cure)
				return nil
			}
			fmt.Fprintln(call.Stdout, strings.TrimRight(cl.Table(infos), "\n"))
			for _, info := range infos {
				if !info.FP64 {
					fmt.Fprintf(call.Stdout, "%s has no fp64: use it with --precision fp32\n", info)
				}
			}
			if def, err := cl.Select(infos, ""); err == nil {
				fmt.Fprintf(call.Stdout, "default: %s\n", job.Indices(def))
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
			Platform: info.Platform, PlatformVersion: info.PlatformVersion, DeviceVersion: info.Version,
			Driver: info.Driver, ComputeUnits: info.ComputeUnits, ClockMHz: info.ClockMHz, GlobalMem: info.GlobalMem,
			MaxAlloc: info.MaxAlloc, LocalMem: info.LocalMem, MaxGroup: info.MaxGroup, FP64: info.FP64,
			Default: def[info.Index],
		}
		if info.Twin >= 0 {
			d.Twin = &info.Twin
		}
		out = append(out, d)
	}
	return out
}
