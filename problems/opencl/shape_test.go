package opencl

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
)

// shaped returns an objective of three sums with a directive f.
func shaped(t *testing.T, f string) *Objective {
	t.Helper()
	o, err := Parse(strings.NewReader("//@ bounds 0 1\n//@ n 4\n//@ sums 3\n//@ f "+f+"\n"+
		"static void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k); }\n"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// A penalty for a limit bends up, whatever the size and the sign of the limit are, and is not searched along slopes.
func TestLimitsBendUp(t *testing.T) {
	for e := -300.0; e <= 300; e += 20 {
		for _, sign := range []string{"-", "+"} {
			limit := sign + fmt.Sprintf(" %g", math.Pow(10, e))
			for _, f := range []string{"s0 + 1000*max(0, s1 LIMIT)", "s0 + max(0, s1 LIMIT)^2", "-s0 + abs(s1 LIMIT)",
				"s0 + 10*(s1 LIMIT)^2", "s0 + max(0, s1 LIMIT) + 5*max(0, -s2 LIMIT)", "s0 - log(1 LIMIT - s1)",
				"s0 + 1/(1 LIMIT - s1)", "s0 + exp(s1 LIMIT)", "max(s0, s1 LIMIT)", "s0*(s1 LIMIT)",
				"s0 + max(0, abs(s1 LIMIT) - 1)", "s0 + (s1 LIMIT)*(s1 LIMIT)", "s0 + hypot(s1 LIMIT, s2)",
				"s0 + pow(max(0, s1 LIMIT), 1.5)", "s0/(s1 LIMIT)", "s0 - min(0, s1 LIMIT)",
				"sqrt(s0) + cosh(s1 LIMIT)"} {
				f = strings.ReplaceAll(f, "LIMIT", limit)
				p := shaped(t, f)
				if !problems.BendsUp(p) || problems.FollowsSlopes(p) {
					t.Errorf("%s: bends up %v, follows slopes %v", f, problems.BendsUp(p), problems.FollowsSlopes(p))
				}
			}
		}
	}
}

// Objectives that bend down and are smooth are told from those with kinks, and from those without a value somewhere.
func TestFollowsSlopes(t *testing.T) {
	for _, c := range []struct {
		f                    string
		up, slopes, everyone bool
	}{
		{"-20*exp(-0.2*sqrt(s0/n)) - exp(s1/n) + 20 + e", false, true, false}, // Ackley
		{"s0/200 - exp(s1) + 1", false, true, true},
		{"sqrt(s0) + s1", false, true, false},
		{"log(s0) + log(1 + s1) - s2", false, true, false},
		{"-exp(s0/2) - cosh(s1)", false, true, true},
		{"s0 - s1*s1", false, true, true},
		{"2*s0 + s1", false, true, true},
		{"min(s0, s1)", false, false, true},
		{"s0 - 1000*max(0, s1 - 20000)", false, false, true},
		{"sqrt(s0 - 5) + s1", false, false, false},
		{"log(1000 - s0) + s1", false, false, false},
		{"1 - cos(2*pi*sqrt(s0)) + sqrt(s0)/10", true, false, false}, // Salomon
		{"s0/4000 - exp(s1)*(1 - 2*(s2 - 2*floor(s2/2))) + 1", true, false, true},
		{"s0^2 + s1", true, false, true},
		{"s0 + s1*s2", true, false, true},
		{"floor(s0) + s1", true, false, true},
		{"s0/s1", true, false, false},
	} {
		p := shaped(t, c.f)
		if up, slopes := problems.BendsUp(p), problems.FollowsSlopes(p); up != c.up || slopes != c.slopes {
			t.Errorf("%s: bends up %v, follows slopes %v", c.f, up, slopes)
		}
		if got := problems.ShapeOf(p).Everywhere; got != c.everyone {
			t.Errorf("%s: has a value everywhere %v", c.f, got)
		}
		negative, err := problems.Maximized(p)
		if err != nil {
			t.Fatal(err)
		}
		if got := problems.BendsUp(negative); got == problems.ShapeOf(p).Convex {
			t.Errorf("-(%s): bends up %v", c.f, got)
		}
	}
	o, err := Parse(strings.NewReader("//@ bounds 0 1\n//@ n 4\n//@ f exp(s0^3)/2\n"+
		"static void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k); }\n"), nil, 0)
	if err != nil || !problems.FollowsSlopes(o) {
		t.Errorf("a value that never falls with its only sum: %v", err)
	}
}
