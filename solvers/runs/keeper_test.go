package runs

import (
	"testing"
	"time"

	"github.com/clopt/clopt/solvers"
)

// TestDue: by the clock, a checkpoint takes at most a fiftieth of the time.
func TestDue(t *testing.T) {
	asked := false
	k := &keeper{asked: func() bool { return asked }}
	at := func(s float64) bool { return k.Due(sampleAt(s)) }
	if at(59) || !at(60) {
		t.Error("the first one comes after a minute")
	}
	k.at, k.cost = 100*time.Second, 4*time.Second
	if at(100+195) || !at(100+196) {
		t.Error("4 seconds are a fiftieth of 200")
	}
	k.schedule.Every = 10 * time.Second
	if at(109) || !at(110) {
		t.Error("every 10 seconds")
	}
	k.schedule = Schedule{Off: true}
	if at(1e6) {
		t.Error("off")
	}
	if asked = true; !at(1) {
		t.Error("asked for")
	}
}

func sampleAt(s float64) solvers.Sample {
	return solvers.Sample{Elapsed: time.Duration(s * float64(time.Second))}
}
