package solvers

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/draw"
)

func rulesOf(p problems.Partial, hs float64) *graspRules {
	n := p.Dim()
	lo, hi := p.Box()
	r := &graspRules{n: n, comps: p.Structure().Components(), hs: hs, he: 1e-7 * (hi - lo), alpha: -1, half: 64, rho: .7, points: 300, batch: 128, until: math.Inf(-1)}
	for range n {
		r.lo = append(r.lo, lo)
		r.hi = append(r.hi, hi)
	}
	r.additive = affine(p)
	if st, f, to, ok := p.Structure().Window(); ok && r.additive {
		r.stride, r.from, r.to = st, f, to
	}
	return r
}

func TestZZ(t *testing.T) {
	hs := map[string]float64{"G1": 10, "G2": .5, "G3": 1, "G4": 5, "G5": 2, "G6": 1, "G7": 1, "G8": 1, "G6_w": 1}
	ext, _ := strconv.Atoi(os.Getenv("EXT"))
	many := os.Getenv("MANY") != ""
	starts := uint32(5)
	if v := os.Getenv("STARTS"); v != "" {
		k, _ := strconv.Atoi(v)
		starts = uint32(k)
	}
	for _, name := range []string{"G1", "G2", "G3", "G4", "G5", "G6", "G6_w", "G7", "G8"} {
		if v := os.Getenv("ONLY"); v != "" && v != name {
			continue
		}
		p := parse(t, "classic/"+name).(problems.HostPartial)
		r := rulesOf(p, hs[name])
		r.extend = ext
		r.until = 1e-6
		if os.Getenv("FLAG") != "" {
			r.stride = 0
		}
		r.many = many && r.additive
		if v := os.Getenv("BATCH"); v != "" {
			r.batch, _ = strconv.Atoi(v)
		}
		fmt.Print(name, " additive ", r.additive, ":")
		for k := range starts {
			s := newGraspStart(r, p, draw.Key{Seed: 1}, k)
			began := time.Now()
			for s.phase != graspEnded && s.evaluations < 6e6 {
				s.unit(1<<60, nil, 1)
			}
			fmt.Printf("  %.2g (%.3g ev, %d con, %.0f ms)", s.best, float64(s.evaluations), s.construction, time.Since(began).Seconds()*1e3)
		}
		fmt.Println()
	}
}
