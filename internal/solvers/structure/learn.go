package structure

import (
	"context"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// Learnt is the result of Learn.
type Learnt struct {
	// Structure is what components read at the points: windows or offsets where they fit well, else lists. It is
	// Everything if a component reads all variables, or the lists are too long.
	Structure problems.Structure
	Points    int
	// Groups are the variables that interact in some component, directly or through others, where the structure is
	// Everything. Each group is in increasing order; a variable alone is a group.
	Groups [][]int
}

const (
	firstWidth = 64      // variables of a component that are noted at first
	mostNoted  = 1 << 26 // of all components
	mostGroups = 20000   // variables for which groups are looked for
)

// Learn finds what the components of p read at some points, on the first device of g. If that is everything, it groups
// the variables by recursive differential grouping. A read that happens at rare points only is not found. Suits must
// take p. The error is a *solvers.SettingError for more than 20,000 variables that would have to be grouped.
func Learn(ctx context.Context, g *shard.Devices, p problems.Problem, prec problems.Precision,
	key rng.Key) (*Learnt, error) {
	done, err := g.Use()
	if err != nil {
		return nil, err
	}
	defer done()
	r, err := newProber(g, p, prec, key)
	if err != nil {
		return nil, err
	}
	defer r.close()
	n := p.Domain().N
	start, list, err := r.notedReads(ctx)
	if err != nil {
		return nil, err
	}
	l := &Learnt{Structure: problems.Everything(n, p.Structure().Components()), Points: watched}
	if start != nil {
		l.Structure = simplest(n, start, list)
		return l, nil
	}
	if n > mostGroups {
		return nil, solvers.Settingf("components of %s read all %d variables, and groups of variables are looked for "+
			"among at most %d; use fewer variables", p.Spec(), n, mostGroups)
	}
	l.Groups, err = r.groups(ctx)
	return l, err
}

// notedReads returns the lists of variables that components read, in increasing order. start is nil if a component
// reads all, or the lists are too long. A component that reads nothing has the list of variable 0.
func (r *prober) notedReads(ctx context.Context) (start, list []uint32, err error) {
	n, m := r.p.Domain().N, r.p.Structure().Components()
	for width := min(firstWidth, n); ; width = min(8*width, n) {
		if m*width > mostNoted {
			return nil, nil, nil
		}
		lists, counts, err := r.note(ctx, m, width)
		if err != nil {
			return nil, nil, err
		}
		most := int(slices.Max(counts))
		if most > width {
			continue
		}
		if most == n && n > 1 {
			return nil, nil, nil
		}
		start = []uint32{0}
		for k, count := range counts {
			one := slices.Clone(lists[k*width : k*width+int(count)])
			if len(one) == 0 {
				one = []uint32{0}
			}
			slices.Sort(one)
			list = append(list, one...)
			start = append(start, uint32(len(list)))
		}
		return start, list, nil
	}
}

// note evaluates all components at some points and returns the variables that each reads, up to width of them.
func (r *prober) note(ctx context.Context, m, width int) (lists, counts []uint32, err error) {
	a, err := cl.Alloc[uint32](r.dev, m*width)
	if err != nil {
		return nil, nil, err
	}
	defer a.Close()
	b, err := cl.Alloc[uint32](r.dev, m)
	if err != nil {
		return nil, nil, err
	}
	defer b.Close()
	lists, counts = make([]uint32, m*width), make([]uint32, m)
	if err := b.Write(0, counts); err != nil {
		return nil, nil, err
	}
	for number := range uint32(watched) {
		if err := r.pl.Slices(0, m, 1, func(from, count int) error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := r.launch(r.reads, []int{count}, a, b, uint32(width), uint32(from), number, r.key.Seed,
				r.key.Run); err != nil {
				return err
			}
			return r.dev.Finish()
		}); err != nil {
			return nil, nil, err
		}
	}
	if err := b.Read(0, counts); err != nil {
		return nil, nil, err
	}
	return lists, counts, a.Read(0, lists)
}

const (
	mostOffsets = 64      // of a structure by offsets, as in an objective file
	mostReach   = 1 << 16 // the last of them
)

// simplest returns the structure of lists in increasing order as offsets, if these declare at most a quarter more, and
// as lists otherwise.
func simplest(n int, start, list []uint32) problems.Structure {
	lists, m := problems.Lists(n, start, list), len(start)-1
	if m < 2 || list[start[1]] <= list[0] {
		return lists
	}
	stride := int(list[start[1]] - list[0])
	seen := map[int]bool{}
	for k := range m {
		for _, v := range list[start[k]:start[k+1]] {
			seen[int(v)-stride*k] = true
			if len(seen) > mostReach {
				return lists
			}
		}
	}
	var offsets []int
	for o := range seen {
		offsets = append(offsets, o)
	}
	slices.Sort(offsets)
	from, to := offsets[0], offsets[len(offsets)-1]
	if from < 0 || to > mostReach || stride > mostReach || to-from >= len(offsets) && len(offsets) > mostOffsets ||
		stride*(m-1)+from >= n {
		return lists
	}
	s := problems.Offsets(n, m, stride, offsets)
	if s.MeanTouched() > 1.25*lists.MeanTouched() {
		return lists
	}
	return s
}

// groups returns the sets of variables that interact, directly or through others (recursive differential grouping).
func (r *prober) groups(ctx context.Context) ([][]int, error) {
	n := r.p.Domain().N
	everything := make([]int, n)
	for i := range everything {
		everything[i] = i
	}
	// Each variable against all others first, many tests a launch: most are alone in separable functions.
	var all [][]int
	var rest []int
	for some := range slices.Chunk(everything, r.together()) {
		var sets [][2][]int
		for _, i := range some {
			sets = append(sets, [2][]int{{i}, everything})
		}
		hit, err := r.interact(ctx, sets)
		if err != nil {
			return nil, err
		}
		for t, i := range some {
			if hit[t] {
				rest = append(rest, i)
			} else {
				all = append(all, []int{i})
			}
		}
	}
	for len(rest) > 0 {
		group := rest[:1:1]
		rest = rest[1:]
		for last := group; len(last) > 0 && len(rest) > 0; {
			found, err := r.partners(ctx, last, rest)
			if err != nil {
				return nil, err
			}
			group, last = append(group, found...), found
			rest = slices.DeleteFunc(slices.Clone(rest), func(i int) bool { return slices.Contains(found, i) })
		}
		slices.Sort(group)
		all = append(all, group)
	}
	slices.SortFunc(all, func(a, b []int) int { return a[0] - b[0] })
	return all, nil
}

// partners returns the variables of rest that interact with the set. It halves what interacts, all halves of one size
// in one launch.
func (r *prober) partners(ctx context.Context, set, rest []int) (found []int, err error) {
	for open := [][]int{rest}; len(open) > 0; {
		var sets [][2][]int
		for _, other := range open {
			sets = append(sets, [2][]int{set, other})
		}
		hit, err := r.interact(ctx, sets)
		if err != nil {
			return nil, err
		}
		var next [][]int
		for t, other := range open {
			switch half := len(other) / 2; {
			case !hit[t]:
			case half == 0:
				found = append(found, other[0])
			default:
				next = append(next, other[:half], other[half:])
			}
		}
		open = next
	}
	return found, nil
}

// interact reports for each pair of sets whether they interact in any component. A variable of both is in the first.
func (r *prober) interact(ctx context.Context, sets [][2][]int) (hit []bool, err error) {
	var tests []test
	for t, pair := range sets {
		labels := make([]uint8, r.p.Domain().N)
		for _, i := range pair[1] {
			labels[i] = second
		}
		for _, i := range pair[0] {
			labels[i] = first
		}
		tests = append(tests, test{labels, uint32(t)})
	}
	found, err := r.scan(ctx, tests)
	for _, k := range found {
		hit = append(hit, k != none)
	}
	return hit, err
}
