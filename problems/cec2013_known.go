package problems

// Checkpointed is a Problem whose benchmark prescribes the numbers of
// evaluations at which results are compared.
type Checkpointed interface {
	// Checkpoints lists them in increasing order; the caller does not change
	// the slice.
	Checkpoints() []int64
}

var _ Checkpointed = (*CEC2013)(nil)

var cecCheckpoints = []int64{120_000, 600_000, 3_000_000}

// Checkpoints are 1.2e5, 6e5 and 3e6, those of the competition.
func (c *CEC2013) Checkpoints() []int64 { return cecCheckpoints }
