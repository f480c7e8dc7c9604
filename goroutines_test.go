package clopt_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/clopt/clopt"
	"github.com/clopt/clopt/cl"
)

// children are what a process of its own does: what has to be the first call of a driver, or ends the process.
var children = map[string]func() int{
	// Eight goroutines make the first calls of the driver, for four runs of each seed.
	"together": func() int {
		values := make([]float64, 8)
		var all sync.WaitGroup
		for i := range values {
			all.Go(func() {
				opt := clopt.Options{Evals: 1000, Seed: uint32(i % 2), Method: "random"}
				r, err := clopt.Minimize(context.Background(), clopt.Source(sphere).N(100), opt)
				if err != nil {
					fmt.Println(err)
					return
				}
				values[i] = r.F
			})
		}
		all.Wait()
		for i := range values {
			if values[i] == 0 || values[i] != values[i%2] {
				fmt.Println(values)
				return 1
			}
		}
		return 0
	},
	// A text does not end, and the context does.
	"endless": func() int {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		began := time.Now()
		res, err := clopt.Minimize(ctx, clopt.Source(endless).N(3), clopt.Options{Evals: 1000})
		_, hung := errors.AsType[*cl.HangError](err)
		if res != nil || !hung || !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > time.Minute {
			fmt.Println(res, err, time.Since(began))
			return 1
		}
		return 0
	},
}

// TestMinimizeTogether calls Minimize in eight goroutines, as the first use of the driver of a process.
func TestMinimizeTogether(t *testing.T) {
	const file = "/etc/OpenCL/vendors/pocl.icd"
	if _, err := os.Stat(file); err != nil {
		t.Skip("needs PoCL")
	}
	if out, code := child(t, "together", "OCL_ICD_VENDORS="+file); code != 0 || out != "" {
		t.Errorf("exit %d: %s", code, out)
	}
}
