package report

import (
	"encoding/json"
	"os"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/solvers/runs"
)

// Bench is what clopt bench --json prints.
type Bench struct {
	Format        string        `json:"format"` // clopt-bench
	FormatVersion int           `json:"format_version"`
	ToolVersion   string        `json:"tool_version"`
	Devices       []BenchDevice `json:"devices"`
	Kernels       []BenchLine   `json:"kernels"`
	Command       string        `json:"command"`
}

// BenchDevice is a device and the limits measured on it in the same call.
type BenchDevice struct {
	Name     string      `json:"name"`
	Platform string      `json:"platform"`
	Driver   string      `json:"driver"`
	Copy     runs.Number `json:"copy_bytes_s"` // read and written
	FMA64    runs.Number `json:"fma64_flop_s"` // null without fp64
	FMA32    runs.Number `json:"fma32_flop_s"`
}

// BenchLine is one measurement.
type BenchLine struct {
	Kernel    string      `json:"kernel"` // "evaluate", "generation", "local search", or a kernel's name
	Device    string      `json:"device"`
	Problem   string      `json:"problem"`
	Dim       int         `json:"dim"`
	Points    int         `json:"points"`
	Precision string      `json:"precision"`
	Seconds   runs.Number `json:"seconds"` // median
	Fastest   runs.Number `json:"fastest"`
	Times     int         `json:"times"`
	Clock     string      `json:"clock"`          // "device" or "host"
	Speed     runs.Number `json:"variables_s"`    // variable evaluations a second; null if it evaluates nothing
	CopyShare runs.Number `json:"share_of_copy"`  // of the copy rate, for the bytes of points that it has to read at least
	FMA       runs.Number `json:"fma_a_variable"` // that the device could make in the time of one variable evaluation
	Checked   bool        `json:"checked"`        // values were compared with the host's
}

// ReadBench reads a file of clopt bench --json.
func ReadBench(path string) (*Bench, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, exit.Usagef("%w", err)
	}
	var b Bench
	if err := json.Unmarshal(text, &b); err != nil {
		return nil, exit.Usagef("%s:1:1: error: %v", path, err)
	}
	if b.Format != "clopt-bench" {
		return nil, exit.Usagef("%s:1:1: error: format %.40q is not clopt-bench. Write it with clopt bench --json.", path,
			b.Format)
	}
	return &b, nil
}
