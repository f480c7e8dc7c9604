package cut_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cut"
)

// program is a random quadratic program of binary variables with linear constraints.
type program struct {
	n        int
	maximize bool
	linear   []int
	pairs    map[[2]int]int
	rows     []row
}

// row is lo ≤ Σ c·x ≤ hi.
type row struct {
	c      []int
	lo, hi int
}

func randomProgram(r *rand.Rand) program {
	p := program{n: 3 + r.IntN(4), maximize: r.IntN(2) == 0, pairs: map[[2]int]int{}}
	for j := range p.n {
		p.linear = append(p.linear, r.IntN(19)-9)
		for i := range j {
			if r.IntN(3) == 0 {
				p.pairs[[2]int{i, j}] = 2 * (r.IntN(9) - 4)
			}
		}
	}
	for range 1 + r.IntN(3) {
		w := row{lo: r.IntN(4) - 1}
		for range p.n {
			w.c = append(w.c, (r.IntN(4))*(1-r.IntN(4)/3*2))
		}
		w.c[r.IntN(p.n)], w.c[0] = 1, 1 // two variables at least, unless they are the same
		w.c[p.n-1] = 2
		w.hi = w.lo + r.IntN(3)
		p.rows = append(p.rows, w)
	}
	return p
}

// holds reports whether a point fulfils all constraints, and value is its value.
func (p program) holds(x int) bool {
	for _, w := range p.rows {
		sum := 0
		for i, c := range w.c {
			sum += c * (x >> i & 1)
		}
		if sum < w.lo || sum > w.hi {
			return false
		}
	}
	return true
}

func (p program) value(x int) (f int) {
	for i, c := range p.linear {
		f += c * (x >> i & 1)
	}
	for ij, c := range p.pairs {
		f += c * (x >> ij[0] & 1) * (x >> ij[1] & 1)
	}
	return f
}

// lp writes the program as an LP file.
func (p program) lp() string {
	var b strings.Builder
	b.WriteString(map[bool]string{true: "Maximize\n obj:", false: "Minimize\n obj:"}[p.maximize])
	for i, c := range p.linear {
		fmt.Fprintf(&b, " %+d v%d", c, i)
	}
	b.WriteString(" + [ 0 v0 ^ 2")
	for ij, c := range p.pairs {
		fmt.Fprintf(&b, " %+d v%d * v%d", 2*c, ij[0], ij[1])
	}
	b.WriteString(" ] / 2\nSubject To\n")
	for k, w := range p.rows {
		sum := ""
		for i, c := range w.c {
			sum += fmt.Sprintf(" %+d v%d", c, i)
		}
		switch {
		case w.lo == w.hi:
			fmt.Fprintf(&b, " c%d:%s = %d\n", k, sum, w.hi)
		case k%2 == 0:
			fmt.Fprintf(&b, " c%d: %d <=%s <= %d\n", k, w.lo, sum, w.hi)
		default:
			fmt.Fprintf(&b, "%s >= %d\n u%d:%s <= %d\n", sum, w.lo, k, sum, w.hi)
		}
	}
	b.WriteString("Binaries\n")
	for i := range p.n {
		fmt.Fprintf(&b, " v%d", i)
	}
	return b.String() + "\nEnd\n"
}

// mps writes the program as an MPS file.
func (p program) mps() string {
	var b strings.Builder
	fmt.Fprintf(&b, "NAME p\nOBJSENSE\n %s\nROWS\n N obj\n", map[bool]string{true: "MAX", false: "MIN"}[p.maximize])
	rhs, ranges, columns := "", "", make([]string, p.n)
	for k, w := range p.rows {
		kind, right := "L", w.hi
		if k%2 == 1 {
			kind, right = "G", w.lo
		}
		if w.lo == w.hi {
			kind = "E"
		} else {
			ranges += fmt.Sprintf(" rng c%d %d\n", k, w.hi-w.lo)
		}
		fmt.Fprintf(&b, " %s c%d\n", kind, k)
		rhs += fmt.Sprintf(" rhs c%d %d\n", k, right)
		for i, c := range w.c {
			columns[i] += fmt.Sprintf(" v%d c%d %d\n", i, k, c)
		}
	}
	b.WriteString("COLUMNS\n")
	for i, c := range p.linear {
		fmt.Fprintf(&b, " v%d obj %d\n%s", i, c, columns[i])
	}
	fmt.Fprintf(&b, "RHS\n%sRANGES\n%sBOUNDS\n", rhs, ranges)
	for i := range p.n {
		fmt.Fprintf(&b, " BV b v%d\n", i)
	}
	section := map[bool]string{true: "QMATRIX", false: "QUADOBJ"}[len(p.pairs)%2 == 1]
	fmt.Fprintf(&b, "%s\n", section)
	for ij, c := range p.pairs {
		fmt.Fprintf(&b, " v%d v%d %d\n", ij[0], ij[1], c)
		if section == "QMATRIX" {
			fmt.Fprintf(&b, " v%d v%d %d\n", ij[1], ij[0], c)
		}
	}
	return b.String() + "ENDATA\n"
}

// qplib writes the program as a file of QPLIB.
func (p program) qplib() string {
	var b strings.Builder
	fmt.Fprintf(&b, "P\nQBL\n%s\n%d # variables\n%d # constraints\n%d # elements\n", map[bool]string{true: "maximize",
		false: "minimize"}[p.maximize], p.n, len(p.rows), len(p.pairs))
	for ij, c := range p.pairs {
		fmt.Fprintf(&b, "%d %d %d\n", ij[1]+1, ij[0]+1, c)
	}
	fmt.Fprintf(&b, "0\n%d\n", p.n)
	for i, c := range p.linear {
		fmt.Fprintf(&b, "%d %d\n", i+1, c)
	}
	fmt.Fprintf(&b, "0 # constant\n%d # coefficients\n", p.n*len(p.rows))
	lower, upper := "", ""
	for k, w := range p.rows {
		for i, c := range w.c {
			fmt.Fprintf(&b, "%d %d %d\n", k+1, i+1, c)
		}
		lower += fmt.Sprintf("%d %d\n", k+1, w.lo)
		upper += fmt.Sprintf("%d %d\n", k+1, w.hi)
	}
	m := len(p.rows)
	return b.String() + fmt.Sprintf("1e30 # infinity\n-1e30\n%d\n%s1e30\n%d\n%s0\n0\n0\n0\n0\n0\n0\n0\n", m, lower, m,
		upper)
}

// TestConstraints reads random programs and compares the optimum, and all points, with an enumeration.
func TestConstraints(t *testing.T) {
	t.Chdir(t.TempDir())
	r := rand.New(rand.NewPCG(5, 6))
	infeasible := 0
	for k := range 60 {
		p := randomProgram(r)
		best, found := 0, false
		for x := range 1 << p.n {
			if f := p.value(x); p.holds(x) && (!found || f != best && (f > best) == p.maximize) {
				best, found = f, true
			}
		}
		for name, text := range map[string]string{"p.lp": p.lp(), "p.mps": p.mps(), "p.qplib": p.qplib()} {
			os.WriteFile(name, []byte(text), 0o666)
			problem, err := catalog.Parse(name, problems.Options{})
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			c, info := problem.(*cut.Cut), problem.Info()
			optimum, known := info.Optimum()
			if !info.Proven || !known {
				t.Fatalf("program %d has no proven optimum", k)
			}
			_, broken := c.Settled(optimum)
			feasible := len(broken) == 0
			if feasible != found || found && *info.Best*info.Sign() != float64(best) {
				t.Fatalf("program %d, %s: best %v, feasible %v; want %d, %v\n%s", k, name, *info.Best, feasible, best,
					found, text)
			}
			if !found {
				infeasible++
			}
			for x := range 1 << p.n {
				point := make([]float64, problem.Domain().N)
				for i := range p.n {
					point[i] = float64(x >> i & 1)
				}
				settled, broken := c.Settled(point)
				f, _ := problem.(problems.Exact).ExactValue(settled).Float64()
				if holds := p.holds(x); holds != (len(broken) == 0) || holds && f != float64(p.value(x)) {
					t.Fatalf("program %d, %s: %v at %b, broken %v; want %d, %v\n%s", k, name, f, x, broken, p.value(x),
						holds, text)
				}
			}
		}
	}
	if infeasible == 0 {
		t.Error("all programs have a point that fulfils the constraints")
	}
}
