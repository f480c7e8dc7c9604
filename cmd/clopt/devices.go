package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/cmd/clopt/internal/status"
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
	Address         string `json:"address,omitempty"` // PCI bus and slot
	Twin            *int   `json:"twin"`              // index of an earlier device that is the same chip, or null
	Default         bool   `json:"default"`
	Host            string `json:"host,omitempty"`  // if there are several ranks
	Ranks           []int  `json:"ranks,omitempty"` // that use it by default, if there are several
}

// devicesOptions are the flags of "clopt devices".
var devicesOptions = []flags.Option{{Group: "output", Name: "json", Usual: true, Help: "print a JSON list"}}

func devicesCommand(call *job.Call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "devices [--json]",
		Short: "Show the OpenCL devices, or why there are none",
		Long: "Show the OpenCL devices, or why there are none. Under mpirun or srun: those of all hosts, with the\n" +
			"ranks that use them by default.",
		Args: flags.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			config := flags.New(devicesOptions, cmd.Flags(), call.Getenv, nil)
			asJSON := flags.Read(config, "json", flags.ParseSwitch)
			if err := config.Err(); err != nil {
				return err
			}
			ranks, err := call.SeenDevices()
			if err != nil {
				return err
			}
			rows := rowsOf(ranks)
			if asJSON {
				return json.NewEncoder(call.Stdout).Encode(devicesJSON(rows))
			}
			printDevices(call.Stdout, rows)
			for rank, r := range ranks {
				if r.None != nil {
					where := ""
					if r.Host != "" {
						where = fmt.Sprintf("rank %d on %s: ", rank, r.Host)
					}
					fmt.Fprintf(call.Stdout, "%sNo OpenCL device.\n  cause: %s\n  cure:  %s\n", where, r.None.Cause,
						r.None.Cure)
				}
			}
			return nil
		},
	}
	flags.SetOptions(call.Stdout, cmd, append(devicesOptions, flags.HostOptions()...))
	return cmd
}

// deviceRow is a device, and the ranks that use it by default.
type deviceRow struct {
	cl.Info
	ranks []int
}

// rowsOf returns all devices that the ranks see. One that several ranks of a host see has one row.
func rowsOf(ranks []job.Seen) (rows []deviceRow) {
	for rank, r := range ranks {
		for _, info := range r.Infos {
			at := slices.IndexFunc(rows, func(d deviceRow) bool { return job.SameDevice(d.Info, info) })
			if at < 0 {
				at, rows = len(rows), append(rows, deviceRow{Info: info})
			}
			if slices.ContainsFunc(r.Default, func(own cl.Info) bool { return job.SameDevice(own, info) }) {
				rows[at].ranks = append(rows[at].ranks, rank)
			}
		}
	}
	return rows
}

// printDevices writes the table of devices.
func printDevices(out *status.Output, rows []deviceRow) {
	if len(rows) == 0 {
		return
	}
	var infos, byDefault []cl.Info
	for _, d := range rows {
		infos = append(infos, d.Info)
		if d.ranks != nil {
			byDefault = append(byDefault, d.Info)
		}
	}
	t := status.Table{Rows: cl.Cells(infos), Names: 1}
	if infos[0].Host != "" {
		t.Names = 3
		for i, cells := range t.Rows {
			host, ranks := "host", "rank"
			if i > 0 {
				host, ranks = infos[i-1].Host, rankList(rows[i-1].ranks)
			}
			t.Rows[i] = append([]string{host, ranks}, cells...)
		}
	}
	t.Print(out)
	for _, info := range infos {
		if !info.FP64 {
			fmt.Fprintf(out, "%s has no fp64: use it with --precision fp32\n", info)
		}
	}
	if infos[0].Host == "" && byDefault != nil {
		fmt.Fprintf(out, "default: %s\n", job.Indices(byDefault))
	}
}

// rankList returns the numbers of ranks: "0,2".
func rankList(ranks []int) string {
	if ranks == nil {
		return "-"
	}
	return strings.Join(strings.Fields(strings.Trim(fmt.Sprint(ranks), "[]")), ",")
}

func devicesJSON(rows []deviceRow) []deviceJSON {
	out := make([]deviceJSON, 0, len(rows))
	for _, row := range rows {
		d := deviceJSON{
			Index: row.Index, Name: row.Name, Vendor: row.Vendor, Type: fmt.Sprint(row.Type),
			Platform: row.Platform, PlatformVersion: row.PlatformVersion, DeviceVersion: row.Version,
			Driver: row.Driver, ComputeUnits: row.ComputeUnits, ClockMHz: row.ClockMHz, GlobalMem: row.GlobalMem,
			MaxAlloc: row.MaxAlloc, LocalMem: row.LocalMem, MaxGroup: row.MaxGroup, FP64: row.FP64,
			Address: row.Address, Default: row.ranks != nil, Host: row.Host,
		}
		if row.Twin >= 0 {
			d.Twin = &row.Twin
		}
		if row.Host != "" {
			d.Ranks = row.ranks
		}
		out = append(out, d)
	}
	return out
}
