package clopt_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/clopt/clopt"
	"github.com/clopt/clopt/solvers"
)

// rosenbrock has its smallest value, 0, at 1 in every variable.
func rosenbrock(x []float64) (f float64) {
	for i, v := range x[:len(x)-1] {
		f += 100*math.Pow(x[i+1]-v*v, 2) + math.Pow(1-v, 2)
	}
	return f
}

// A function in Go is minimized without any OpenCL device.
func ExampleFunc() {
	f := func(x []float64) float64 { return math.Abs(x[0]-1) + math.Abs(x[1]+2) + math.Abs(x[0]*x[1]+2) }
	res, err := clopt.Minimize(context.Background(), clopt.Func(2, f).Bounds(-5, 5), clopt.Options{Evals: 5000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f %.3f %v\n", res.X[0], res.X[1], res.Confirmed)
	// Output: 1.000 -2.000 true
}

// Many points at a time may be evaluated in parallel.
func ExampleBatchFunc() {
	f := func(points [][]float64) []float64 {
		values := make([]float64, len(points))
		var all sync.WaitGroup
		for k, x := range points {
			all.Go(func() { values[k] = rosenbrock(x) })
		}
		all.Wait()
		return values
	}
	o := clopt.BatchFunc(5, f).Box([]float64{-2, -2, -2, -2, -2}, []float64{2, 2, 2, 2, 3})
	res, err := clopt.Minimize(context.Background(), o, clopt.Options{Evals: 10000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(res.X), res.F < 1e-9, res.Confirmed)
	// Output: 5 true true
}

// One point and many points at a time give the same bits, and so does a second call.
func TestFunctionRepeats(t *testing.T) {
	batch := func(points [][]float64) (values []float64) {
		for _, x := range points {
			values = append(values, rosenbrock(x))
		}
		return values
	}
	for _, method := range []string{"", "cmaes", "random"} {
		var first *clopt.Result
		for _, o := range []clopt.Objective{clopt.Func(4, rosenbrock), clopt.BatchFunc(4, batch),
			clopt.BatchFunc(4, batch)} {
			res, err := clopt.Minimize(t.Context(), o.Bounds(-3, 3), clopt.Options{Evals: 300, Method: method})
			require.NoError(t, err)
			require.True(t, res.Confirmed)
			require.LessOrEqual(t, res.Evaluations, int64(300))
			if first == nil {
				first = res
			}
			require.Equal(t, first.X, res.X)
			require.Equal(t, first.F, res.F)
		}
	}
}

// The largest value is found, and a start point and a target are used.
func TestFunctionMaximize(t *testing.T) {
	o := clopt.Func(3, func(x []float64) float64 { return -rosenbrock(x) }).Bounds(-2, 2).Maximize()
	res, err := clopt.Minimize(t.Context(), o, clopt.Options{X0: [][]float64{{1, 1, 1}}, Target: new(-1e-3)})
	require.NoError(t, err)
	require.Equal(t, "target", res.Status)
	require.Equal(t, []float64{1, 1, 1}, res.X)
	require.Equal(t, 0.0, res.F)
	require.True(t, res.Confirmed)
}

// Functions that do not repeat are not confirmed, and values that are not finite are the worst.
func TestFunctionFaults(t *testing.T) {
	calls := 0.0
	drifts := clopt.Func(2, func(x []float64) float64 { calls++; return x[0] + calls }).Bounds(0, 1)
	res, err := clopt.Minimize(t.Context(), drifts, clopt.Options{Evals: 50})
	require.NoError(t, err)
	require.False(t, res.Confirmed)

	half := clopt.Func(2, func(x []float64) float64 {
		if x[0] < 0.5 {
			return math.NaN()
		}
		return x[0] + x[1]
	}).Bounds(0, 1)
	res, err = clopt.Minimize(t.Context(), half, clopt.Options{Evals: 3000})
	require.NoError(t, err)
	require.InDelta(t, 0.5, res.F, 1e-3)

	bad := clopt.Func(2, func([]float64) float64 { return math.Inf(1) }).Bounds(0, 1)
	_, err = clopt.Minimize(t.Context(), bad, clopt.Options{})
	_, none := errors.AsType[*solvers.NonFiniteError](err)
	require.True(t, none, "%v", err)

	short := clopt.BatchFunc(2, func([][]float64) []float64 { return nil }).Bounds(0, 1)
	_, err = clopt.Minimize(t.Context(), short, clopt.Options{Evals: 50})
	require.ErrorContains(t, err, "0 values for")
}

// A function that cannot be used is refused before it is called.
func TestFunctionMisuse(t *testing.T) {
	f := func([]float64) float64 { t.Error("called"); return 0 }
	for want, c := range map[string]struct {
		o   clopt.Objective
		opt clopt.Options
	}{
		"no bounds":             {o: clopt.Func(2, f)},
		"use 1 to":              {o: clopt.Func(0, f).Bounds(0, 1)},
		"is nil":                {o: clopt.Func(2, nil).Bounds(0, 1)},
		"1 lower and 2 upper":   {o: clopt.Func(2, f).Box([]float64{0}, []float64{1, 2})},
		"computes on devices":   {clopt.Func(2, f).Bounds(0, 1), clopt.Options{Method: "masw"}},
		"use --precision fp64":  {clopt.Func(2, f).Bounds(0, 1), clopt.Options{Precision: clopt.FP32}},
		"N cannot make them 3":  {o: clopt.Func(2, f).Bounds(0, 1).N(3)},
		"outside 0 to 1":        {clopt.Func(2, f).Bounds(0, 1), clopt.Options{X0: [][]float64{{0, 2}}}},
		"Domain.Lo[1] is 1 and": {o: clopt.Func(2, f).Box([]float64{0, 1}, []float64{1, 0})},
	} {
		_, err := clopt.Minimize(t.Context(), c.o, c.opt)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// A run that is cancelled ends with its best point.
func TestFunctionCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	f := func(x []float64) float64 {
		if calls++; calls == 100 {
			cancel()
		}
		return rosenbrock(x)
	}
	res, err := clopt.Minimize(ctx, clopt.Func(3, f).Bounds(-2, 2), clopt.Options{})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, int64(100), res.Evaluations)
	require.True(t, res.Confirmed)
	require.Equal(t, rosenbrock(res.X), res.F)
}

// A search goes the same way on a function in Go as on the same function as a text, which a device computes.
func TestFunctionAsText(t *testing.T) {
	text := "//@ bounds -1 2\n//@ n 2\n//@ reads k\n" +
		"static void component(uint k, point x, data d, real *acc) { acc[0] += (1 + k) * fabs(at(x, k) - R(0.25)); }\n"
	f := func(x []float64) float64 { return math.Abs(x[0]-0.25) + 2*math.Abs(x[1]-0.25) }
	for _, method := range []string{"cmaes", "random"} {
		opt := clopt.Options{Evals: 200, Method: method, Seed: 3}
		want, err := clopt.Minimize(t.Context(), clopt.Source(text), opt)
		require.NoError(t, err)
		got, err := clopt.Minimize(t.Context(), clopt.Func(2, f).Bounds(-1, 2), opt)
		require.NoError(t, err)
		require.Equal(t, want.X, got.X, method)
		require.Equal(t, want.F, got.F, method)
	}
}
