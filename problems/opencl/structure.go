package opencl

// Linear follows the directive f.
func (o *Objective) Linear() []float64 { return o.linear }

// Reads follows the directive reads.
func (o *Objective) Reads(k int, dst []int) []int { return o.structure.Reads(k, dst) }

// Cost is 1.
func (o *Objective) Cost(int) int { return 1 }
