package main

import (
	"encoding/json"
	"os"
)

// benchJSON is what clopt bench --json prints.
type benchJSON struct {
	Format        string        `json:"format"` // clopt-bench
	FormatVersion int           `json:"format_version"`
	ToolVersion   string        `json:"tool_version"`
	Devices       []benchDevice `json:"devices"`
	Kernels       []benchLine   `json:"kernels"`
	Command       string        `json:"command"`
}

// benchDevice is a device and the limits measured on it in the same call.
type benchDevice struct {
	Name     string `json:"name"`
	Platform string `json:"platform"`
	Driver   string `json:"driver"`
	Copy     number `json:"copy_bytes_s"` // read and written
	FMA64    number `json:"fma64_flop_s"` // null without fp64
	FMA32    number `json:"fma32_flop_s"`
}

// benchLine is one measurement.
type benchLine struct {
	Kernel    string `json:"kernel"` // "evaluate", "generation", "local search", or a kernel's name
	Device    string `json:"device"`
	Problem   string `json:"problem"`
	Dim       int    `json:"dim"`
	Points    int    `json:"points"`
	Precision string `json:"precision"`
	Seconds   number `json:"seconds"` // median
	Fastest   number `json:"fastest"`
	Times     int    `json:"times"`
	Clock     string `json:"clock"`          // "device" or "host"
	Speed     number `json:"variables_s"`    // variable evaluations a second; null if it evaluates nothing
	CopyShare number `json:"share_of_copy"`  // of the copy rate, for the bytes of points that it has to read at least
	FMA       number `json:"fma_a_variable"` // that the device could make in the time of one variable evaluation
	Checked   bool   `json:"checked"`        // values were compared with the host's
}

// readBench reads a file of clopt bench --json.
func readBench(path string) (*benchJSON, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, usagef("%w", err)
	}
	var b benchJSON
	if err := json.Unmarshal(text, &b); err != nil {
		return nil, usagef("%s:1:1: error: %v", path, err)
	}
	if b.Format != "clopt-bench" {
		return nil, usagef("%s:1:1: error: format %.40q is not clopt-bench. Write it with clopt bench --json.", path, b.Format)
	}
	return &b, nil
}
