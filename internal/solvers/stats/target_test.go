package stats

import (
	"math"
	"testing"
)

func TestTimeToTarget(t *testing.T) {
	seconds := []float64{1, 2, 3, 10}
	r := TimeToTarget(seconds, []bool{true, true, true, false})
	p := 3.5 / 5
	if want := 10 * math.Log(0.01) / math.Log(1-p); r.Runs != 4 || r.Hits != 3 || r.Cutoff != 10 || r.Median != 2.5 ||
		math.Abs(r.TTS99-want) > 1e-12 {
		t.Errorf("%+v, want %v", r, want)
	}
	if !(r.Low <= r.TTS99 && r.TTS99 <= r.High && r.Low < r.High) {
		t.Errorf("the bounds %v, %v of %v", r.Low, r.High, r.TTS99)
	}
	if again := TimeToTarget(seconds, []bool{true, true, true, false}); again != r {
		t.Errorf("%+v, then %+v", r, again)
	}
	if r := TimeToTarget([]float64{5, 5, 5}, []bool{false, false, false}); !math.IsInf(r.Median, 1) || r.Hits != 0 {
		t.Errorf("no hits: %+v", r)
	}
	one := TimeToTarget([]float64{2}, []bool{true})
	if one.Low != one.TTS99 || one.High != one.TTS99 {
		t.Errorf("one run: %+v", one)
	}
	// With many runs that last until a time T of an exponential distribution of mean 1, TTS99 is ln 100.
	const n = 100000
	many, hit := make([]float64, n), make([]bool, n)
	for i := range many {
		at := -math.Log((float64(i) + 0.5) / n)
		many[i], hit[i] = min(at, 0.5), at < 0.5
	}
	p = 1 - math.Exp(-0.5)
	if got := tts99(0.5, int(p*n), n); math.Abs(got-math.Log(100)) > 1e-3 {
		t.Errorf("TTS99 is %v, want %v", got, math.Log(100))
	}
}

func TestShiftedExponential(t *testing.T) {
	quantile := func(p float64) float64 { return 3 - 2*math.Log1p(-p) }
	if start, mean := ShiftedExponential(quantile(0.25), quantile(0.75)); math.Abs(start-3) > 1e-12 ||
		math.Abs(mean-2) > 1e-12 {
		t.Errorf("%v, %v", start, mean)
	}
}
