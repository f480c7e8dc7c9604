package runs

import (
	"testing"
	"time"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/battery"
)

// Automatic checkpoints take at most a fiftieth of the time.
func TestR21Due(t *testing.T) {
	count := battery.Begin(t)
	asked := false
	k := &keeper{asked: func() bool { return asked }}
	at := func(s float64) bool { return k.Due(sampleAt(s)) }
	if at(59) || !at(60) {
		t.Error("the first checkpoint is not due after exactly a minute")
	}
	k.at, k.cost = 100*time.Second, 4*time.Second
	if at(100+195) || !at(100+196) {
		t.Error("after one of 4 s, the next checkpoint is not due after exactly 196 s")
	}
	k.schedule.Every = 10 * time.Second
	if at(109) || !at(110) {
		t.Error("with Every, the next checkpoint is not due after exactly 10 s")
	}
	k.schedule = Schedule{Off: true}
	if at(1e6) {
		t.Error("with Off, a checkpoint is due")
	}
	if asked = true; !at(1) {
		t.Error("a checkpoint that was asked for is not due")
	}
	count.Count(!t.Failed())
}

func sampleAt(s float64) solvers.Sample {
	return solvers.Sample{Elapsed: time.Duration(s * float64(time.Second))}
}
