package cec2013

import (
	"github.com/clopt/clopt/problems"
)

var _ problems.Checkpointed = (*CEC2013)(nil)

var cecCheckpoints = []int64{120_000, 600_000, 3_000_000}

// Checkpoints are 1.2e5, 6e5 and 3e6, those of the competition.
func (c *CEC2013) Checkpoints() []int64 { return cecCheckpoints }
