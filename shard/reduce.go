package shard

// Reducer brings the partial sums of all super-tiles together. Sums are never
// added on the way: every process adds all of them in the order of the
// super-tiles, so that bits do not depend on who owned what. A Reducer over
// several hosts gathers what each owns; solvers that read other sums of a
// shard (the mates of MASW's border portions) need that done for them as well.
type Reducer interface {
	// Gather completes sums, width numbers for each of the problem's
	// super-tiles. This process has filled the rows of the super-tiles it owns.
	Gather(sums []float64, width int) error
}

// local is the Reducer of one process: everything is here already.
type local struct{}

func (local) Gather([]float64, int) error { return nil }

// fold adds rows of width numbers in order.
func fold(rows []float64, width int) []float64 {
	total := make([]float64, width)
	for len(rows) > 0 {
		for j, v := range rows[:width] {
			total[j] += v
		}
		rows = rows[width:]
	}
	return total
}
