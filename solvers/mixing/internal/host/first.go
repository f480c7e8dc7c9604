package host

// DefaultFirst is the default number of individuals of the first population, if it grows, and DefaultSweeps that of its
// sweeps.
const (
	DefaultFirst  = 4 * ChainsPerWord
	DefaultSweeps = 100
)

// Size is that of a first population.
type Size struct{ Chains, Sweeps int }

// FirstOfDevices returns the default first population on devices that are no processors, of at most 65,536 vertices.
// Such devices anneal 1024 chains about as fast as 128. Where chains reach the optimum on their own, or partitions are
// mixed, more of them reach it sooner: on dense graphs, on those of at least manyEdges edges for each vertex, and on
// those that are not selected. On others, such as almost planar ones, more sweeps do. A large dense graph needs both.
// It needs most sweeps if its weights differ only in their signs, since children do not help there, and these sweeps
// are the fastest: on an H100 the first population on K2000 meets the best known cut in 59 of 60 runs with 1000
// sweeps, and in 14 of 20 with 400 (docs/results/bouter2022.md).
func (s *Shape) FirstOfDevices() Size {
	const (
		chains    = 1024
		manyEdges = 8
	)
	g, fields := s.Graph, s.Gains == Fields
	switch {
	case fields && s.Signs:
		return Size{chains, max(DefaultSweeps, min(g.N()/2, 1000))}
	case fields:
		return Size{chains, max(DefaultSweeps, min(g.N()/5, 300))}
	case g.M() >= manyEdges*g.N() || !s.Selective():
		return Size{chains, DefaultSweeps}
	}
	return Size{DefaultFirst, DefaultSweeps}
}

// Within returns a population of at most that many sweeps of a chain, which has fewer chains, and fewer sweeps if it
// would have less than least chains.
func (s Size) Within(sweeps float64, least int) Size {
	if all := float64(s.Sweeps); sweeps < all*float64(s.Chains) {
		s.Chains = int(max(float64(least), min(float64(s.Chains), sweeps/all)))
		s.Sweeps = int(max(1, min(all, sweeps/float64(s.Chains))))
	}
	return s
}

// Speeds returns the numbers of edges that processors, and other devices, are assumed to evaluate in a second of
// annealing. On dense graphs most edges are not read.
func (s *Shape) Speeds() (cpu, other float64) {
	switch {
	case s.Gains != Fields:
		return 1 << 32, 1 << 35
	case s.Signs:
		return 1 << 36, 1 << 45
	}
	return 1 << 34, 1 << 43
}
