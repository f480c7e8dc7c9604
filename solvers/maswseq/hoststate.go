package maswseq

import (
	"context"
	"fmt"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/internal/solvers/memetic"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// hostState is the state of masw-seq on the host.
type hostState struct {
	Run       state
	X         [][]float64
	F         []float64
	Marked    []bool
	Chains    []memetic.SolisWets // without a bias: no chain
	NonFinite int64
	Now       int
	Y         []float64
	FY        float64
	Searching memetic.SolisWets
}

func (h *hostEngine) state(run *state) *solvers.State {
	k := &hostState{Run: *run, X: h.x, F: h.f, Marked: h.marked, NonFinite: h.nonFinite, Now: h.now}
	for _, c := range h.chains {
		if c == nil {
			c = &memetic.SolisWets{}
		}
		k.Chains = append(k.Chains, *c)
	}
	if h.now >= 0 {
		k.Y = h.y
		k.FY = h.fy
		k.Searching = *h.searching
	}
	return &solvers.State{Host: k, Restored: func(context.Context) error {
		if err := h.restored(k); err != nil {
			return err
		}
		*run = k.Run
		return nil
	}}
}

// restored adopts a state after it has checked that all of its points have the stored values. Those of a function of
// the host may take minutes, and need not repeat.
func (h *hostEngine) restored(k *hostState) error {
	if k.Run.Phase == phasePopulate { // the first step was cancelled, and begins anew
		return nil
	}
	n, dim := len(h.x), h.p.Domain().N
	searching := k.Run.Phase == phaseSearch
	if len(k.X) != n || len(k.F) != n || len(k.Marked) != n || len(k.Chains) != n || k.Run.Phase < phaseCycle ||
		k.Run.Phase > phaseSearch ||
		searching != (k.Now >= 0) || k.Now >= n || searching &&
		(len(k.Y) != dim || len(k.Searching.B) != dim) {
		return &checkpoint.Damage{Msg: fmt.Sprintf("a state of %d individuals in phase %d, for a population of %d",
			len(k.X), k.Run.Phase, n)}
	}
	for _, c := range k.Chains {
		if c.B != nil && len(c.B) != dim {
			return &checkpoint.Damage{Msg: fmt.Sprintf("a chain of %d variables for a problem of %d", len(c.B), dim)}
		}
	}
	referenced, _ := h.p.(problems.Referenced)
	for j, x := range k.X {
		if referenced == nil {
			break
		}
		if err := solvers.SameOnHost(referenced, x, k.F[j]); err != nil {
			return fmt.Errorf("individual %d: %w", j, err)
		}
	}
	if searching && referenced != nil {
		if err := solvers.SameOnHost(referenced, k.Y, k.FY); err != nil {
			return fmt.Errorf("the point that is improved: %w", err)
		}
	}
	h.x = k.X
	h.f = k.F
	h.marked = k.Marked
	h.nonFinite = k.NonFinite
	h.now = k.Now
	h.y = k.Y
	h.fy = k.FY
	for j, c := range k.Chains {
		h.chains[j] = nil
		if c.B != nil {
			h.chains[j] = &c
		}
	}
	h.searching = &k.Searching
	return nil
}
