package runs

import (
	"fmt"
	"strings"
	"time"

	"github.com/clopt/clopt/internal/shard/stages"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/shard"
)

// startTimes takes the times of the stages since the last call, and the programs that devices have compiled. rows has
// them in words: a line for the stages, and one for each program. It returns nil if nothing was measured.
func startTimes(g *shard.Devices) (start *record.StartTimes, rows []string) {
	took := g.Stages().Take()
	if took == nil {
		return nil, nil
	}
	start = &record.StartTimes{Seconds: map[string]exact.Number{}}
	var each []string
	for _, stage := range stages.All {
		if d, ok := took[stage]; ok {
			start.Seconds[string(stage)] = record.Seconds(d)
			each = append(each, fmt.Sprintf("%s %.3f s", stage, d.Seconds()))
		}
	}
	rows = append(rows, "start: "+strings.Join(each, ", "))
	var compiling time.Duration
	for _, d := range g.All() {
		if d == nil { // of another host, or it has failed
			continue
		}
		for _, b := range d.Builds() {
			start.Programs++
			compiling += b.Took
			row := fmt.Sprintf("program %s: %.3f s for %d bytes of %s on device %d", b.Sum, b.Took.Seconds(), b.Bytes,
				b.For, b.Device)
			if b.Loaded {
				row += ", from its binary"
			}
			rows = append(rows, row)
		}
	}
	start.Compiling = record.Seconds(compiling)
	return start, rows
}
