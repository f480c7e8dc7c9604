package stages

import (
	"testing"
	"time"
)

// The times of stages add up to the time since the first one, also where one is in the middle of another.
func TestLog(t *testing.T) {
	l := Begin(Read)
	time.Sleep(2 * time.Millisecond)
	l.Next(Build)
	end := l.During(Check)
	time.Sleep(2 * time.Millisecond)
	if l.Now() != Check {
		t.Errorf("stage %q", l.Now())
	}
	end()
	if l.Now() != Build {
		t.Errorf("stage %q after that in the middle", l.Now())
	}
	l.Next("")
	all := l.Elapsed()
	l.During(Check)() // no stage runs
	took, sum := l.Take(), time.Duration(0)
	for _, d := range took {
		sum += d
	}
	if len(took) != 3 || min(took[Read], took[Check]) < 2*time.Millisecond || sum > all || sum < 4*time.Millisecond {
		t.Errorf("%v of %v", took, all)
	}
	if again := l.Take(); len(again) != 0 {
		t.Errorf("the times were taken twice: %v", again)
	}
	var none *Log
	none.Next(Build)
	none.During(Check)()
	if none.Now() != "" || none.Take() != nil {
		t.Error("a log that is nil measures")
	}
}
