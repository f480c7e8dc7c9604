package record

import "github.com/clopt/clopt/internal/solvers/runs/exact"

// StartTimes say what happened before the first step of a run, and what drivers have compiled for it.
type StartTimes struct {
	Seconds   map[string]exact.Number `json:"seconds"`   // by stage (package stages)
	Programs  int                     `json:"programs"`  // of all devices of this host, also after the first step
	Compiling exact.Number            `json:"compiling"` // seconds of these
	Waiting   exact.Number            `json:"waiting"`   // seconds in which the run stood still for some of these
}
