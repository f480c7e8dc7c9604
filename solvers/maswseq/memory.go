package maswseq

import (
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers/device"
)

// vectors are those of a run, as kernels/solvers/maswseq/maswseq.cl describes them.
type vectors struct {
	x, bias, pace, work *shard.Reals
	acc                 *shard.Sums
	chain, now          *cl.Buffer[uint32]
}

// chainWords is the number of words of a chain in the kernels (CHAIN).
const chainWords = 6

// share lists the vectors of a run, to be held by o. local says that the candidate is in local memory. sums is the name
// of the accumulators in checkpoints.
func (m *MASWSeq) share(o *vectors, p problems.Problem, prec problems.Precision, local bool, sums string) device.Share {
	n, dim := m.population(), p.Domain().N
	work := dim
	if local {
		work = 1 // kernels take the vector even if they do not use it
	}
	const states = "values and states of the individuals"
	return device.Share{Precision: prec, Variables: dim, Parts: 1, Vectors: []device.Vector{
		{To: &o.x, Name: "x", What: fmt.Sprintf("population: %d points of %d variables in %s", n+1, dim, prec),
			Rows: n + 1, Per: device.Variable, Kept: "population"},
		{To: &o.bias, Name: "bias", What: fmt.Sprintf("biases of local search: %d", n), Rows: n, Per: device.Variable,
			Kept: "bias"},
		{To: &o.work, Name: "work", What: "candidate", Rows: work},
		{To: &o.acc, Name: "acc", What: states, Rows: (n + 1) * p.Accumulators(), Per: device.Part, Kept: sums},
		{To: &o.chain, Name: "chain", What: states, Rows: chainWords * n, Per: device.Part, Kept: "chains"},
		{To: &o.pace, Name: "pace", What: states, Rows: 2 * n, Per: device.Part, Kept: "pace"},
		{To: &o.now, Name: "now", What: states, Rows: 2, Per: device.Part, Kept: "now"},
	}}
}

// localBytes returns the bytes of local memory that a work-group of the given size needs: for everything but the
// candidate, and for the candidate.
func (m *MASWSeq) localBytes(p problems.Problem, prec problems.Precision, group int) (base, candidate int, err error) {
	text, err := p.Text(prec, problems.Tile)
	if err != nil {
		return 0, 0, err
	}
	bytes := prec.Bits() / 8
	return max(text.Scratch, 1)*bytes + 8*3*group + 8*m.population() + 4*group + 256, p.Domain().N * bytes, nil
}

// groupSize returns the largest useful number of work-items, a power of two. One item is enough for a quad, whose
// variables share a draw.
func groupSize(dim int) int {
	g := 4
	for ; g < 1024 && 4*g < dim; g *= 2 {
	}
	return g
}

// leastLocal is the local memory that every device has, in bytes.
const leastLocal = 32 << 10

// devicePlan returns the memory of a run on a device. Whether the candidate fits into local memory depends on the
// device; the plan assumes the least that a device may have.
func (m *MASWSeq) devicePlan(p problems.Problem, prec problems.Precision) shard.Plan {
	base, candidate, err := m.localBytes(p, prec, groupSize(p.Domain().N))
	if err != nil {
		return shard.Plan{} // Start reports it
	}
	items := append(m.share(&vectors{}, p, prec, base+candidate <= leastLocal, "sums").Items(),
		device.SumsItem(p, p.Accumulators()))
	return shard.Plan{Items: append(items, device.TableItems(p, prec, problems.Tile, 1)...)}
}
