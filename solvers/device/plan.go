package device

import (
	"fmt"
	"slices"

	"github.com/clopt/clopt/internal/shard/partial"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// Quads returns the number of quads that a shard touches. A quad is four variables that share one draw.
func Quads(sh shard.Shard) int { return (sh.ReadHi-1)>>2 - sh.ReadLo>>2 + 1 }

// RoundUp returns the smallest multiple of size that is at least n.
func RoundUp(n, size int) int { return (n + size - 1) / size * size }

// GatherVars is the number of variables of the best point that are gathered at a time.
const GatherVars = 1 << 20

// SumsItem plans the partial sums of a placement, with width sums per tile: those of the tiles, those of
// the super-tiles if there are several, each with the number of its first tile, and the total.
func SumsItem(p problems.Problem, width int) shard.PlanItem {
	t := p.Tiling()
	bytes := 8 * int64(width) * int64(t.Tiles()+1)
	if n := int64(t.SuperTiles()); n < int64(t.Tiles()) {
		bytes += 8*int64(width)*n + 4*(n+1)
	}
	return shard.PlanItem{What: fmt.Sprintf("partial sums: %d a tile, %d tiles", width, t.Tiles()), Bytes: bytes}
}

// EvaluationItems plans the partial sums of a placement under a view that makes points, and the points that it writes
// before it evaluates them.
func EvaluationItems(p problems.Problem, prec problems.Precision, width int) []shard.PlanItem {
	items := []shard.PlanItem{SumsItem(p, width)}
	if n := shard.Written(p, prec, width); n > 0 {
		items = append(items, SumsItem(p, n*p.Accumulators()), shard.PlanItem{What: "points that are evaluated",
			Bytes: int64(n) * int64(p.Domain().N) * int64(prec.Bits()/8)})
	}
	return items
}

// TableItems plans the tables of a form of the problem's text, once for each of views placements.
func TableItems(p problems.Problem, prec problems.Precision, form problems.Form, views int64) []shard.PlanItem {
	text, err := p.Text(prec, form)
	if err != nil {
		return nil // Start reports it
	}
	return []shard.PlanItem{{What: "tables of the problem", Bytes: views * tableBytes(text.Tables, prec), Fixed: true}}
}

// TouchItems plans the tables of a program that evaluates the components that read a variable: those of a form of the
// problem's text, the intervals of the variables, and the components that each variable touches.
func TouchItems(p problems.Problem, prec problems.Precision, form problems.Form) []shard.PlanItem {
	text, err := p.Text(prec, form)
	if err != nil {
		return nil // Start reports it
	}
	box, _ := partial.BoxTables(p, prec)
	n := tableBytes(slices.Concat(text.Tables, box, p.Structure().TouchTables()), prec)
	return []shard.PlanItem{{What: "tables of the problem, and of what its variables touch", Bytes: n, Fixed: true}}
}

// tableBytes returns the size of tables on a device.
func tableBytes(tables []problems.Table, prec problems.Precision) (n int64) {
	for _, t := range tables {
		reals := int64(len(t.Real))
		if t.Pair && prec == problems.FP32 {
			reals *= 2
		}
		n += reals*int64(prec.Bits()/8) + 4*int64(len(t.Uint))
	}
	return n
}
