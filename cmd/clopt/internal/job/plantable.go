package job

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/clopt/clopt/cmd/clopt/internal/status"
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
	vectors := []vector{}
	host := []vector{}
	devices := []device{}
	for _, item := range plan.Items {
		vectors = append(vectors, vector(item))
	}
	for _, item := range plan.Host {
		host = append(host, vector(item))
	}
	for i, info := range j.devices {
		d := device{Index: info.Index, Host: info.Host, Name: info.Name,
			Limit: int64(j.Settings.Mem * float64(info.GlobalMem))}
		if plans != nil {
			d.Share = runs.Share(plans, i)
			d.Bytes = plans[i].Bytes
			d.Limit = plans[i].Limit
		}
		devices = append(devices, d)
	}
	return json.NewEncoder(w).Encode(map[string]any{"problem": j.Problem.Spec().String(),
		"method": j.Settings.Solver.Traits().Name, "precision": j.Settings.Precision.String(),
		"fits": plans != nil && plan.FitHost(plans) == nil, "vectors": vectors, "host": host, "devices": devices})
}

// planTable writes the memory plan: all vectors, all devices, and the total.
func (j *Job) planTable(out *status.Output, plan shard.Plan, plans []shard.DevicePlan) {
	p := j.Problem
	out.Show(fmt.Sprintf("memory plan: %s  %s  %s", p.Spec(), j.Settings.Solver.Traits().Name, j.Settings.Precision))
	if why := j.choice(); why != "" {
		out.Show("method: " + why)
	}
	vectors := status.Table{Names: 1, Indent: 2}
	for _, item := range plan.Items {
		where := ""
		if item.Fixed {
			where = "on each device"
		}
		vectors.Rows = append(vectors.Rows, []string{item.What, shard.Bytes(item.Bytes), where})
	}
	for _, item := range plan.Host {
		vectors.Rows = append(vectors.Rows, []string{item.What, shard.Bytes(item.Bytes), "on the host"})
	}
	vectors.Print(out)
	header := []string{"device"}
	if len(j.devices) > 0 && j.devices[0].Host != "" {
		header = []string{"rank", "host", "device"}
	}
	devices := status.Table{Names: len(header), Indent: 2,
		Rows: [][]string{append(header, "share", "planned", "may take", "memory", "largest vector")}}
	var total int64
	for i, info := range j.devices {
		row := []string{fmt.Sprintf("%d (%s)", info.Index, info.Name)}
		if info.Host != "" {
			row = []string{strconv.Itoa(info.Rank), info.Host, row[0]}
		}
		if plans == nil {
			devices.Rows = append(devices.Rows, append(row, "-", "-",
				shard.Bytes(int64(j.Settings.Mem*float64(info.GlobalMem))), shard.Bytes(info.GlobalMem), "-"))
			continue
		}
		d := plans[i]
		total += d.Bytes
		largest := shard.Bytes(d.Largest)
		if d.Largest > info.MaxAlloc {
			largest += fmt.Sprintf(" (split if the device refuses it: it promises buffers up to %s)",
				shard.Bytes(info.MaxAlloc))
		}
		devices.Rows = append(devices.Rows, append(row, fmt.Sprintf("%.1f %%", 100*runs.Share(plans, i)),
			shard.Bytes(d.Bytes), shard.Bytes(d.Limit), shard.Bytes(info.GlobalMem), largest))
	}
	devices.Print(out)
	if plans == nil {
		fmt.Fprintf(out, "  total %s: does not fit\n", shard.Bytes(plan.Total()))
		return
	}
	fits := "fits"
	if plan.FitHost(plans) != nil {
		fits = "does not fit"
	}
	if host := shard.SizeOf(plan.Host); host > 0 {
		fits = fmt.Sprintf(" and %s on the host: %s", shard.Bytes(host), fits)
	} else {
		fits = ": " + fits
	}
	fmt.Fprintf(out, "  total %s%s\n", shard.Bytes(total), fits)
}
