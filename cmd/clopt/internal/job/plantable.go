package job

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/runs"
)

// planJSON writes the memory plan as an object.
func (j *Job) planJSON(w io.Writer, plan shard.Plan, plans []shard.DevicePlan) error {
	type vector struct {
		What  string `json:"what"`
		Bytes int64  `json:"bytes"`
		Fixed bool   `json:"on_each_device,omitempty"`
	}
	type device struct {
		Index int     `json:"index"`
		Host  string  `json:"host,omitempty"`
		Name  string  `json:"name"`
		Share float64 `json:"share"`
		Bytes int64   `json:"bytes"`
		Limit int64   `json:"limit"` // that the run may take
	}
	vectors, devices := []vector{}, []device{}
	for _, item := range plan.Items {
		vectors = append(vectors, vector(item))
	}
	for i, info := range j.devices {
		d := device{Index: info.Index, Host: info.Host, Name: info.Name,
			Limit: int64(j.Settings.Mem * float64(info.GlobalMem))}
		if plans != nil {
			d.Share, d.Bytes, d.Limit = runs.Share(plans, i), plans[i].Bytes, plans[i].Limit
		}
		devices = append(devices, d)
	}
	return json.NewEncoder(w).Encode(map[string]any{"problem": j.Problem.Spec().String(),
		"method": j.Settings.Solver.Name(), "precision": j.Settings.Precision.String(), "fits": plans != nil,
		"vectors": vectors, "devices": devices})
}

// planTable writes the memory plan: all vectors, all devices, and the total.
func (j *Job) planTable(w io.Writer, plan shard.Plan, plans []shard.DevicePlan) {
	p := j.Problem
	fmt.Fprintf(w, "memory plan: %s  %s  %s\n", p.Spec(), j.Settings.Solver.Name(), j.Settings.Precision)
	if why := j.choice(); why != "" {
		fmt.Fprintf(w, "method: %s\n", why)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, item := range plan.Items {
		where := ""
		if item.Fixed {
			where = "on each device"
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\n", item.What, shard.Bytes(item.Bytes), where)
	}
	t.Flush()
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	header := "device"
	if len(j.devices) > 0 && j.devices[0].Host != "" {
		header = "rank\thost\tdevice"
	}
	fmt.Fprintf(t, "  %s\tshare\tplanned\tmay take\tmemory\tlargest vector\n", header)
	var total int64
	for i, info := range j.devices {
		name := fmt.Sprintf("%d (%s)", info.Index, info.Name)
		if info.Host != "" {
			name = fmt.Sprintf("%d\t%s\t%s", info.Rank, info.Host, name)
		}
		if plans == nil {
			fmt.Fprintf(t, "  %s\t-\t-\t%s\t%s\t-\n", name, shard.Bytes(int64(j.Settings.Mem*float64(info.GlobalMem))),
				shard.Bytes(info.GlobalMem))
			continue
		}
		d := plans[i]
		total += d.Bytes
		largest := shard.Bytes(d.Largest)
		if d.Largest > info.MaxAlloc {
			largest += fmt.Sprintf(" (split if the device refuses it: it promises buffers up to %s)",
				shard.Bytes(info.MaxAlloc))
		}
		fmt.Fprintf(t, "  %s\t%.1f %%\t%s\t%s\t%s\t%s\n", name, 100*runs.Share(plans, i), shard.Bytes(d.Bytes),
			shard.Bytes(d.Limit), shard.Bytes(info.GlobalMem), largest)
	}
	t.Flush()
	if plans == nil {
		fmt.Fprintf(w, "  total %s: does not fit\n", shard.Bytes(plan.Total()))
		return
	}
	fmt.Fprintf(w, "  total %s: fits\n", shard.Bytes(total))
}
