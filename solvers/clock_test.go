package solvers

import (
	"testing"
	"time"

	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/test/battery"
)

// machine is a clock that passes a second at each look. Before some looks it jumps.
type machine struct {
	at    time.Time
	looks int
	jumps map[int]time.Duration
}

func (m *machine) now() time.Time {
	m.looks++
	m.at = m.at.Add(time.Second + m.jumps[m.looks])
	return m.at
}

// times is a Recorder of the times of samples.
type times []time.Duration

func (ts *times) Record(s Sample) error {
	*ts = append(*ts, s.Elapsed)
	return nil
}

// TestR21Jumps sets the clock of the machine back and forward during a run with a limit of time. The times of samples
// never go back. The run ends at the first sample after the limit: time that is set back is not waited for again, and
// a machine that was suspended has used its time.
func TestR21Jumps(t *testing.T) {
	count := battery.Begin(t)
	const limit = 200 * time.Second
	for name, jumps := range map[string]map[int]time.Duration{
		"steady":          nil,
		"set back":        {20: -time.Hour},
		"set back often":  {20: -time.Hour, 21: -time.Minute, 40: -24 * time.Hour, 60: -time.Second},
		"suspended":       {50: time.Hour},
		"back, forward":   {20: -time.Hour, 40: time.Minute, 60: -time.Hour},
		"forward, back":   {20: time.Minute, 30: -2 * time.Minute},
		"before the loop": {1: -time.Hour},
	} {
		m := &machine{at: time.Unix(1e9, 0), jumps: jumps}
		c := noDevices()
		c.clock.watch = stopwatch{now: m.now, at: m.at}
		var got times
		s := Settings{Recorder: &got, Budget: Budget{Time: limit}}
		res, err := proceed(t.Context(), line{}, s, nil, &short{fails: 1000}, c)
		if err != nil {
			t.Fatal(name, err)
		}
		forward := time.Duration(0)
		for _, d := range jumps {
			forward += max(0, d)
		}
		good := res.Status == Time && res.Elapsed >= limit && res.Elapsed <= limit+forward+10*time.Second &&
			res.StartUp >= 0 && res.Steps <= 210
		for i := range got[1:] {
			good = good && got[i+1] >= got[i]
		}
		count.Check(good, "%s: %v after %v and %v, %d steps: %v", name, res.Status, res.StartUp, res.Elapsed, res.Steps,
			got)
	}
}

// The clock of a run stands still, and does not go back, when drivers have compiled for longer than the run has worked.
func TestClockAfterBuilds(t *testing.T) {
	m := &machine{at: time.Unix(1e9, 0)}
	c := openClock(&shard.Devices{})
	c.watch = stopwatch{now: m.now, at: m.at}
	c.begin(time.Minute)
	before := c.Elapsed()
	c.built -= time.Hour // the devices have compiled
	if after := c.Elapsed(); before != time.Minute+time.Second || after != before || c.startUp() < time.Second {
		t.Errorf("%v, then %v, start-up %v", before, after, c.startUp())
	}
}
