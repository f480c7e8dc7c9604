package runs

import "testing"

// A stored sense is used. Without one, the sense is that of the problem, even if its file is gone.
func TestSense(t *testing.T) {
	for _, c := range []struct {
		stored  Sense
		problem string
		want    Sense
	}{
		{Minimize, "maxcut:gone.txt", Minimize}, {Maximize, "cec2013/f1", Maximize},
		{"", "cec2013/f1:n=1000", Minimize}, {"", "maxcut:gone.txt", Maximize},
		{"", "maxcut:torus=4x4,seed=1", Maximize},
		{"", "qubo:gone.txt", Minimize}, {"", "ising:gone.txt,maximize=true", Maximize},
		{"", "gone.cl:n=3", Minimize}, {"", "gone.cl:maximize=true,n=3", Maximize},
		{"", "gone.cl:maximize=false,n=3", Minimize},
		{"max", "cec2013/f1", ""}, {"", "nothing", ""},
	} {
		got, err := c.stored.checked(c.problem)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%q of %s: %q, %v; want %q", c.stored, c.problem, got, err, c.want)
		}
	}
	if Minimize.Sign() != 1 || Maximize.Sign() != -1 || senseOf(1) != Minimize || senseOf(-1) != Maximize {
		t.Error("Sign and senseOf do not match")
	}
}
