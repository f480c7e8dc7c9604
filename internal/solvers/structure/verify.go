package structure

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// Report is the result of Verify.
type Report struct {
	Points int `json:"points"` // at which the reads of all components were watched
	Tests  int `json:"tests"`  // of two sets of variables that no component reads together
	// Missed is the share of pairs of such variables that were in no test together, as expected from the draws.
	Missed float64 `json:"missed"`
	// Read is a read that is not declared, and Pair an interaction that is not; nil: none was found.
	Read *trial.ReadError `json:"read"`
	Pair *Interaction     `json:"pair"`
	// Fall is a component that falls where one of its inner sums rises; nil: none was found.
	Fall *Fall `json:"fall,omitempty"`
}

// Fall is a component that falls where one of its inner sums rises, though it is declared to rise with them.
type Fall struct {
	File      string `json:"file"` // of the objective
	Component int    `json:"component"`
}

func (f *Fall) Error() string {
	return fmt.Sprintf("%s: error: component %d falls where one of its inner sums rises; give that sum the other sign",
		f.File, f.Component)
}

// Found returns what contradicts the declaration, or nil. A nil report found nothing.
func (r *Report) Found() error {
	switch {
	case r == nil:
	case r.Read != nil:
		return r.Read
	case r.Pair != nil:
		return r.Pair
	case r.Fall != nil:
		return r.Fall
	}
	return nil
}

const (
	watched    = 64 // points at which reads are watched
	leastTests = 128
	mostTests  = 1024
)

// Suits returns an error if p cannot be tested: its variables must be real numbers, and it must have an item form. The
// error is a *solvers.SettingError.
func Suits(p problems.Problem, prec problems.Precision) error {
	if p.Domain().Binary {
		return solvers.Settingf("the structure of %s cannot be tested: its variables are 0 or 1", p.Spec())
	}
	if _, err := p.Text(prec, problems.Item); err != nil {
		return solvers.Settingf("the structure of %s cannot be tested: %v", p.Spec(), err)
	}
	return nil
}

// Verify tests the declared structure of p on the first device of g. It watches what components read, and then tests
// random sets of variables, which no component reads together, for interaction, and whether components rise with their
// inner sums. An error means that it could not test; what it found is in the report. Suits must take p.
func Verify(ctx context.Context, g *shard.Devices, p problems.Problem, prec problems.Precision,
	key rng.Key) (*Report, error) {
	done, err := g.Use()
	if err != nil {
		return nil, err
	}
	defer done()
	r := &Report{Points: watched}
	err = trial.Watch(ctx, g, p, prec, watched)
	if e, found := errors.AsType[*trial.ReadError](err); found {
		r.Read = e
		return r, nil
	}
	s := p.Structure()
	if err != nil || s.Whole() && s.Inner() == 0 {
		return r, err
	}
	probe, err := newProber(g, p, prec, key)
	if err != nil {
		return nil, err
	}
	defer probe.close()
	if s.Inner() > 0 {
		r.Fall, err = probe.falls(ctx)
		if err != nil || r.Fall != nil {
			return r, err
		}
	}
	if s.Whole() {
		return r, nil
	}
	return r, probe.verify(ctx, s, r)
}

// falls looks for a component that falls where one of its inner sums rises, at as many pairs of points as there are
// points at which reads are watched.
func (r *prober) falls(ctx context.Context) (*Fall, error) {
	found, err := cl.Alloc[uint32](r.dev, 1)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	smallest := []uint32{none}
	if err := found.Write(0, smallest); err != nil {
		return nil, err
	}
	err = r.pl.Slices(0, r.p.Structure().Components(), 2*watched, func(from, count int) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := r.launch(r.inner, []int{count, watched}, found, uint32(from), r.key.Seed, r.key.Run); err != nil {
			return err
		}
		return r.dev.Finish()
	})
	if err == nil {
		err = found.Read(0, smallest)
	}
	if err != nil || smallest[0] == none {
		return nil, err
	}
	return &Fall{problems.SourceOf(r.p), int(smallest[0])}, nil
}

// verify tests random sets of variables that s declares to be independent, and adds what it found to the report.
func (r *prober) verify(ctx context.Context, s problems.Structure, to *Report) error {
	near := neighbours(s)
	share := 1 / (2 * (near + 1))
	to.Tests = min(max(int(12*(near+1)), leastTests), mostTests)
	// A pair is in a test if a component that reads one is drawn, and none next to those that read the other.
	to.Missed = math.Pow(1-2*share*math.Pow(1-share, 2*near+1), float64(to.Tests))
	for from := 0; from < to.Tests; from += r.together() {
		var tests []test
		for t := from; t < min(from+r.together(), to.Tests); t++ {
			tests = append(tests, test{independentSets(s, r.key, uint32(t), share), uint32(t)})
		}
		found, err := r.scan(ctx, tests)
		if err != nil {
			return err
		}
		for t, k := range found {
			if k != none {
				to.Pair, err = r.narrow(ctx, tests[t], k)
				return err
			}
		}
	}
	return nil
}

// independentSets labels the variables of test t. The first set has those of components that are drawn with the
// probability share. The second set has all others that no component reads together with one of the first.
func independentSets(s problems.Structure, key rng.Key, t uint32, share float64) []uint8 {
	labels := make([]uint8, s.Variables())
	for i := range labels {
		labels[i] = second
	}
	var own, comps, reads []int
	for k := range s.Components() {
		if rng.Uniform(key.Word(uint32(k), t, 1, rng.Probe)) >= share {
			continue
		}
		own = s.Reads(k, own[:0])
		for _, i := range own {
			if labels[i] == first {
				continue
			}
			labels[i] = first
			comps = s.ComponentsOf(i, comps[:0])
			for _, near := range comps {
				reads = s.Reads(near, reads[:0])
				for _, j := range reads {
					if labels[j] == second {
						labels[j] = still
					}
				}
			}
		}
	}
	return labels
}

// neighbours returns the mean number of components that share a variable with a component. Of more than a thousand
// components it takes some at equal distances.
func neighbours(s problems.Structure) float64 {
	const most = 1000
	step := (s.Components() + most - 1) / most
	count := 0
	total := 0
	var comps, reads []int
	for k := 0; k < s.Components(); k += step {
		near := map[int]bool{k: true}
		reads = s.Reads(k, reads[:0])
		for _, i := range reads {
			comps = s.ComponentsOf(i, comps[:0])
			for _, other := range comps {
				near[other] = true
			}
		}
		total, count = total+len(near)-1, count+1
	}
	return float64(total) / float64(count)
}
