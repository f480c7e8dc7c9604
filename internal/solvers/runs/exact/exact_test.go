package exact

import (
	"encoding/json"
	"math"
	"testing"
)

func TestFormat(t *testing.T) {
	for want, f := range map[string]float64{"NaN": math.NaN(), "+Inf": math.Inf(1), "-Inf": math.Inf(-1),
		"0.1": 0.1, "-3": -3, "-0.000012": -1.2e-5,
		"1.2e-06": 1.2e-6, "-9007199254740991": 1 - 1<<53, "123456789012345680000": 123456789012345678901,
		"1e+21": 1e21} {
		if got := Format(f); got != want {
			t.Errorf("%v: %s, want %s", f, got, want)
		}
	}
}

func TestNumberInJSON(t *testing.T) {
	b, err := json.Marshal([]Number{1, 0.1, 1e300, Number(math.NaN()), Number(math.Inf(1)), Number(math.Inf(-1)),
		5e-324})
	if want := "[1,0.1,1e+300,null,null,null,5e-324]"; err != nil || string(b) != want {
		t.Errorf("%s, %v", b, err)
	}
}
