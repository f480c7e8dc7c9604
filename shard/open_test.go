package shard

import (
	"errors"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
)

// TestSelectAndOpen opens a device twice, and checks the errors of a wrong selector and of wrong options.
func TestSelectAndOpen(t *testing.T) {
	chosen, err := Select("0*2", problems.FP32)
	if err != nil {
		t.Fatal(err)
	}
	g, err := Open(chosen, Options{Weights: []float64{1, 3}})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if len(g.All()) != 2 || len(cl.Kinds(g.Infos())) != 1 {
		t.Errorf("opened %v, want device 0 twice", g.All())
	}
	if _, err := Open(chosen, Options{Weights: []float64{1}}); err == nil {
		t.Error("one weight for two devices is accepted")
	}
	if _, err := Select("frob", problems.FP32); !errors.As(err, new(*cl.SelectionError)) {
		t.Errorf("error of a wrong selector: %v", err)
	}
}
