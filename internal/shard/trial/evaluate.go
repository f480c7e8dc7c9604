package trial

import (
	"context"
	"math"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// numberStored is the number of the stored point, see lib/view_trial.cl.
const numberStored = math.MaxUint32

// evaluate evaluates components with each kind of guards, and returns what is wrong with one of them. If only says so,
// it only notes their reads of variables.
func (t *trial) evaluate(ctx context.Context, point, first, n uint32, only bool) error {
	usual, err := t.launch(ctx, point, first, n, 0)
	if err != nil {
		return err
	}
	if err := t.noted.Read(0, t.found); err != nil {
		return err
	}
	if t.found[6] > 0 {
		return &IndexError{File: problems.SourceOf(t.p), Component: t.found[8], Array: t.arrays[0].name,
			Length: t.arrays[0].length, Index: int(int32(t.found[7])), Known: true, Write: true}
	}
	if err := t.add(first, n); err != nil || only {
		return err
	}
	kinds := len(guardReals)
	if len(t.arrays) == 1 {
		kinds = 2
	}
	for kind := 1; kind < kinds; kind++ {
		if err := t.setAll(kind); err != nil {
			return err
		}
		other, err := t.launch(ctx, point, first, n, 0)
		if err != nil {
			return err
		}
		for i := range usual {
			if usual[i] != other[i] {
				return t.blame(ctx, point, first+uint32(i), kind)
			}
		}
	}
	if err := t.setAll(0); err != nil {
		return err
	}
	if err := t.onlyAdds(ctx, point, first, n); err != nil {
		return err
	}
	return t.noted.Write(0, t.found)
}

// onlyAdds returns a *SetError if a component does more with a sum than add to it.
func (t *trial) onlyAdds(ctx context.Context, point, first, n uint32) error {
	if t.adds == nil {
		return nil
	}
	wrong := make([]uint32, 3)
	if err := t.wrong.Write(0, wrong); err != nil {
		return err
	}
	t.pace.Fit()
	size := min(shard.GroupSize(t.d.Info()), t.adds.MaxGroup())
	if err := t.adds.Launch([]int{(int(n) + size - 1) / size * size}, []int{size},
		append([]any{point, first, n, t.vars.Arg(), uint32(t.window.first), t.noted, t.marks, t.wrong},
			t.prog.Tables...)...); err != nil {
		return err
	}
	if err := t.pace.Launched(ctx, float64(n)); err != nil {
		return err
	}
	if err := t.pace.Wait(ctx); err != nil {
		return err
	}
	if err := t.wrong.Read(0, wrong); err != nil {
		return err
	}
	if wrong[0] > 0 && t.found[0] == 0 && t.found[3] == 0 { // wrong reads are another error
		return &SetError{File: problems.SourceOf(t.p), Component: wrong[1], Sum: wrong[2]}
	}
	return nil
}

// launch returns the hashes of components. look is 1 to look at all guards of the array that they write to.
func (t *trial) launch(ctx context.Context, point, first, n, look uint32) ([]uint32, error) {
	t.pace.Fit()
	size := t.size()
	global := (int(n) + size - 1) / size * size
	if err := t.kernel.Launch([]int{global}, []int{size}, append([]any{point, first, n, look, t.own[0], t.own[1],
		t.vars.Arg(), uint32(t.window.first), t.hashes, t.terms.Arg(), t.noted, t.marks},
		t.prog.Tables...)...); err != nil {
		return nil, err
	}
	if err := t.pace.Launched(ctx, float64(n)); err != nil {
		return nil, err
	}
	if err := t.pace.Wait(ctx); err != nil {
		return nil, err
	}
	hashes := make([]uint32, n)
	return hashes, t.hashes.Read(0, hashes)
}

// size returns the number of work-items of a group.
func (t *trial) size() int { return min(shard.GroupSize(t.d.Info()), t.kernel.MaxGroup()) }
