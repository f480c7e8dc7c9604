package runs

// The lines of trace.jsonl and of --status json.
type (
	StartLine struct {
		Type      string    `json:"type"`
		V         int       `json:"v"`
		Time      string    `json:"time"`
		Problem   string    `json:"problem"`
		Algorithm Algorithm `json:"algorithm"`
		Seed      uint32    `json:"seed"`
		Run       uint32    `json:"run"`
		Precision string    `json:"precision"`
		Data      string    `json:"data,omitempty"`
		Devices   []Device  `json:"devices"`
	}
	SampleLine struct {
		Type      string         `json:"type"`
		V         int            `json:"v"`
		T         Number         `json:"t"`
		Evals     int64          `json:"evals"`
		Work      Number         `json:"work"`
		Step      int64          `json:"step"`
		F         Number         `json:"f"`
		Best      Number         `json:"best"`
		NonFinite int64          `json:"nonfinite"`
		Devices   []deviceSample `json:"devices"`
		Grid      *bool          `json:"grid,omitempty"` // false: outside the grid, by the clock
	}
	EventLine struct {
		Type   string `json:"type"`
		V      int    `json:"v"`
		T      Number `json:"t"`
		Event  string `json:"event"`
		Detail string `json:"detail"`
		// Of the event "layout": shares and memory as the run has them.
		Devices []Device `json:"devices,omitempty"`
	}
	EndLine struct {
		Type     string `json:"type"`
		V        int    `json:"v"`
		T        Number `json:"t"`
		Evals    int64  `json:"evals"`
		Best     Number `json:"best"`
		Stop     string `json:"stop"`
		ExitCode int    `json:"exit_code"`
	}
	deviceSample struct {
		ID    int    `json:"id"`
		Evals Number `json:"evals_s"`
		Mem   Number `json:"mem"`
	}
	Device struct {
		ID       int    `json:"id"` // as in the samples
		Index    int    `json:"index"`
		Name     string `json:"name"`
		Vendor   string `json:"vendor"`
		Platform string `json:"platform"`
		Driver   string `json:"driver"`
		Type     string `json:"type"`
		Share    Number `json:"share"`
		Mem      int64  `json:"mem"` // bytes planned
	}
	Algorithm struct {
		Name     string `json:"name"`
		Settings string `json:"settings"`
	}
)
