package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/internal/solvers/host"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/rng"
	"github.com/clopt/clopt/shard"
)

// SelfTest compares a device with the host: the draws bit for bit, the sums of a work-group, and the given
// problems at three uniform points in each precision that the device supports. It calls report after each
// check, with a nil err if the check passed. family is "draws", "sums" or the family of a problem. It returns the
// errors of all failed checks, joined. The caller keeps the device.
func SelfTest(ctx context.Context, d *cl.Device, ps []problems.Problem,
	report func(family, check string, err error)) error {
	var errs []error
	note := func(family, check string, err error) {
		report(family, check, err)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %s: %w", d, check, err))
		}
	}
	note("draws", "words, uniforms, normals", checkDraws(d))
	note("sums", "sums of a group", checkSums(d))
	precs := []problems.Precision{problems.FP32}
	if d.Info().FP64 {
		precs = append(precs, problems.FP64)
	}
	for _, p := range ps {
		for _, prec := range precs {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if _, err := p.Text(prec, problems.Tile); err != nil {
				continue // the problem is refused in this precision
			}
			note(p.Spec().Family, fmt.Sprintf("%s in %s", p.Spec(), prec), checkProblem(ctx, d, p, prec))
		}
	}
	return errors.Join(errs...)
}

// checkDraws compares random words, uniform and normal numbers with those of the host.
func checkDraws(d *cl.Device) error {
	prog, err := build(d, problems.FP32, "lib/check.cl")
	if err != nil {
		return err
	}
	defer prog.Close()
	k, err := prog.Kernel("check_draws", cl.Mem[uint32](), cl.Mem[float32](), cl.Mem[float32](), cl.U32,
		cl.U32, cl.U32, cl.U32, cl.U32)
	if err != nil {
		return err
	}
	const blocks = 4096
	words, err := cl.Alloc[uint32](d, 4*blocks)
	if err != nil {
		return err
	}
	defer words.Close()
	var out [2]*cl.Buffer[float32]
	for i := range out {
		out[i], err = cl.Alloc[float32](d, 4*blocks)
		if err != nil {
			return err
		}
		defer out[i].Close()
	}
	key := rng.Key{Seed: 12345, Run: 6}
	who := uint32(7)
	when := uint32(89)
	if err := k.Launch([]int{blocks}, nil, words, out[0], out[1], key.Seed, key.Run, who, when,
		uint32(rng.Step)); err != nil {
		return err
	}
	w := make([]uint32, 4*blocks)
	u := make([]float32, 4*blocks)
	n := make([]float32, 4*blocks)
	if err := errors.Join(words.Read(0, w), out[0].Read(0, u), out[1].Read(0, n)); err != nil {
		return err
	}
	for b := range uint32(blocks) {
		block := key.Words(b, who, when, rng.Step)
		for i := range uint32(4) {
			j := 4*b + i
			if w[j] != block[i] {
				return fmt.Errorf("word %d is %#x, host %#x", j, w[j], block[i])
			}
			if want := float32(rng.Uniform(block[i])); u[j] != want {
				return fmt.Errorf("uniform %d is %g, host %g", j, u[j], want)
			}
			if want := rng.Normal(block, i); math.Float32bits(n[j]) != math.Float32bits(want) {
				return fmt.Errorf("normal %d is %.9g, host %.9g", j, n[j], want)
			}
		}
	}
	return nil
}

// checkSums compares the sums of work-groups with those of the host, first of whole numbers, whose sums are exact.
func checkSums(d *cl.Device) error {
	g, err := alone(d)
	if err == nil {
		err = trial.Sums(g)
	}
	if err != nil {
		return err
	}
	size := shard.GroupSize(d.Info())
	values := make([]float32, 16*size)
	for i := range values {
		// The terms lie between 1e-12 and 1e12 and have both signs. A plain float sum loses digits of them.
		w := rng.Key{}.Word(uint32(i), 1, 2, rng.Check)
		values[i] = float32(math.Pow(10, 24*rng.Uniform(w)-12) * float64(1-2*int(w&1)))
	}
	got, err := trial.GroupSums(d, values)
	if err != nil {
		return err
	}
	for g := range got {
		want, size64 := 0.0, 0.0
		part := slices.Clone(values[g*size : (g+1)*size])
		slices.SortFunc(part, func(a, b float32) int {
			return cmp.Compare(math.Abs(float64(a)), math.Abs(float64(b)))
		})
		for _, v := range part {
			want += float64(v)
			size64 += math.Abs(float64(v))
		}
		if math.Abs(got[g]-want) > 1e-12*size64 {
			return fmt.Errorf("group %d sums to %.17g, host %.17g", g, got[g], want)
		}
	}
	return nil
}

// checkProblem compares the values of a problem at three points with its host reference, if it has one.
func checkProblem(ctx context.Context, d *cl.Device, p problems.Problem, prec problems.Precision) error {
	h, ok := p.(problems.Referenced)
	if !ok {
		return nil
	}
	g, err := alone(d)
	if err != nil {
		return err
	}
	var points [][]float64
	for k := range uint32(3) {
		points = append(points, host.Drawn(p, prec, rng.Key{Seed: 1}, k, 0, rng.Check, 0, p.Domain().N))
	}
	got, err := shard.Evaluate(ctx, g, p, prec, points)
	if err != nil {
		return err
	}
	for i, x := range points {
		want, err := problems.Eval(h, x)
		if err != nil {
			return err
		}
		size := max(1, math.Abs(want)) // terms may cancel
		if tol := p.Tolerance(prec); !(math.Abs(got[i]-want) <= tol*size) {
			return fmt.Errorf("point %d has value %.17g, host %.17g (tolerance %g)", i, got[i], want, tol)
		}
	}
	return nil
}

// alone returns a device as the devices of a run. They are not closed, because the device belongs to the caller.
func alone(d *cl.Device) (*shard.Devices, error) {
	return shard.NewDevices([]*cl.Device{d}, shard.Options{})
}
