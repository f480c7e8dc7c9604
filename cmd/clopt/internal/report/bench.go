package report

import (
	"encoding/json"
	"os"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
)

// Bench is the output of clopt bench --json.
type Bench struct {
	Format        string        `json:"format"` // clopt-bench
	FormatVersion int           `json:"format_version"`
	ToolVersion   string        `json:"tool_version"`
	Devices       []BenchDevice `json:"devices"`
	Kernels       []BenchLine   `json:"kernels"`
	Exchanges     *Exchanges    `json:"exchanges,omitempty"` // nil: not measured
	First         []FirstValue  `json:"first,omitempty"`     // nil: not measured
	Command       string        `json:"command"`
}

// Exchanges are measured exchanges between hosts.
type Exchanges struct {
	Hosts   []string       `json:"hosts"` // of the ranks
	Library string         `json:"library"`
	Lines   []ExchangeLine `json:"lines"`
}

// ExchangeLine is the measurement of one kind of exchange.
type ExchangeLine struct {
	Exchange string       `json:"exchange"` // "barrier", "all to all" or "one to all"
	Bytes    int64        `json:"bytes"`    // of all ranks
	Seconds  exact.Number `json:"seconds"`  // median
	Fastest  exact.Number `json:"fastest"`
	Times    int          `json:"times"`
}

// BenchDevice is a device and its limits, measured in the same call.
type BenchDevice struct {
	Name     string       `json:"name"`
	Platform string       `json:"platform"`
	Driver   string       `json:"driver"`
	Copy     exact.Number `json:"copy_bytes_s"` // read and written
	FMA64    exact.Number `json:"fma64_flop_s"` // null without fp64
	FMA32    exact.Number `json:"fma32_flop_s"`
}

// BenchLine is one measurement.
type BenchLine struct {
	Kernel    string       `json:"kernel"` // "evaluate", "generation", "local search", or a kernel's name
	Device    string       `json:"device"`
	Problem   string       `json:"problem"`
	Dim       int          `json:"dim"`
	Points    int          `json:"points"`
	Precision string       `json:"precision"`
	Seconds   exact.Number `json:"seconds"` // median
	Fastest   exact.Number `json:"fastest"`
	Times     int          `json:"times"`
	Clock     string       `json:"clock"`          // "device" or "host"
	Speed     exact.Number `json:"variables_s"`    // variable evaluations per second; null if it evaluates nothing
	CopyShare exact.Number `json:"share_of_copy"`  // rate of reading the points once, divided by the copy rate
	FMA       exact.Number `json:"fma_a_variable"` // fused multiply-adds in the time of one variable evaluation
	Checked   bool         `json:"checked"`        // values were compared with those of the host
}

// maxBench is the largest size of a file that ReadBench reads, in bytes.
const maxBench = 16 << 20

// ReadBench reads the output of clopt bench --json from a file.
func ReadBench(path string) (*Bench, error) {
	info, err := os.Stat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxBench) {
		return nil, exit.Usagef("%s:1:1: error: not a regular file, or of more than %d bytes", path, maxBench)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, exit.Usagef("%w", err)
	}
	var b Bench
	if err := json.Unmarshal(text, &b); err != nil {
		return nil, exit.Usagef("%s:1:1: error: %v", path, err)
	}
	if b.Format != "clopt-bench" {
		return nil, exit.Usagef("%s:1:1: error: format %.40q is not clopt-bench. Make the file with clopt bench "+
			"--json.",
			path, b.Format)
	}
	return &b, nil
}
