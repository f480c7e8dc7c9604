package shard

// Reducer gathers the partial sums of all super-tiles. It does not add them: every process adds all of them in the
// order of the super-tiles, so the bits do not depend on which device owned them. A Reducer over several hosts gathers
// the sums that each owns; solvers that read other sums of a shard, such as the mates of MASW's border portions, need
// those gathered as well.
type Reducer interface {
	// Gather completes sums, which has width numbers for each super-tile of the problem. This process has filled the
	// rows of the super-tiles that it owns.
	Gather(sums []float64, width int) error
}

// local is the Reducer of one process, which has everything already.
type local struct{}

func (local) Gather([]float64, int) error { return nil }

// Fold returns the sum of rows of width numbers, added in order.
func Fold(rows []float64, width int) []float64 {
	total := make([]float64, width)
	for len(rows) > 0 {
		for j, v := range rows[:width] {
			total[j] += v
		}
		rows = rows[width:]
	}
	return total
}
