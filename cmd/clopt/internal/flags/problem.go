package flags

import (
	"fmt"
	"os"
	"slices"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cut"
)

// ReadPoints reads points of p from a file.
func ReadPoints(path string, p problems.Problem) (input.Points, error) {
	if p.Domain().Binary {
		return cut.ReadBinaryPoints(path, p.Domain())
	}
	return input.ReadPoints(path, p.Domain().N)
}

// ReadX0 reads the start points of p from a file; "" means none. A point outside the box is an error.
func ReadX0(path string, p problems.Problem) ([][]float64, error) {
	if path == "" {
		return nil, nil
	}
	points, err := ReadPoints(path, p)
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	for i, x := range points.X {
		if where := Outside(p.Domain(), x); where != "" {
			return nil, exit.Usagef("%s: error: point %d, %s. Start points must lie inside it.", path, i+1, where)
		}
	}
	return points.X, nil
}

// Outside says which variable of a point is the first outside of its interval; "" if there is none.
func Outside(d problems.Domain, x []float64) string {
	for j, v := range x {
		if lo, hi := d.Interval(j); v < lo || v > hi {
			return fmt.Sprintf("variable %d is %g, outside the box [%g, %g]", j+1, v, lo, hi)
		}
	}
	return ""
}

// ParseProblem reads a problem. Unless it is for the host alone, it also checks that devices can compute it in prec.
func ParseProblem(spec string, opt problems.Options, prec problems.Precision, host bool) (problems.Problem, error) {
	if opt.Data != "" {
		if info, err := os.Stat(opt.Data); err != nil {
			return nil, exit.Usagef("--data or CLOPT_DATA: %s cannot be read. Check the path.", opt.Data)
		} else if !info.IsDir() {
			return nil, exit.Usagef("--data or CLOPT_DATA: %s is not a folder", opt.Data)
		}
	}
	p, err := catalog.Parse(spec, opt)
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	if host {
		return p, nil
	}
	if c, ok := p.(problems.Cut); ok {
		err = c.Refuses(prec)
	} else {
		_, err = p.Text(prec, problems.Tile)
	}
	return p, exit.With(exit.Usage, err)
}

// ReadProblemOptions reads the flags that say how a problem is read. Flags that the command does not have are left at
// zero.
func ReadProblemOptions(c *Config) problems.Options {
	bounds, file := Read(c, "bounds", parseBounds), ""
	if bounds == nil && c.given("bounds") {
		file = c.Path("bounds")
	}
	return problems.Options{
		Dim:        int(Read(c, "dim", ParseDim)),
		Data:       c.Path("data"),
		Bounds:     bounds,
		BoundsFile: file,
		Maximize:   Read(c, "maximize", ParseSwitch),
		Minimize:   Read(c, "minimize", ParseSwitch),
		DropLoops:  Read(c, "drop-loops", ParseSwitch),
		MergeEdges: Read(c, "merge-edges", ParseSwitch),
		Sign:       Read(c, "sign", parseSign),
		Pairs:      Read(c, "pairs", parsePairs),
		Fix:        c.Text("fix"),
	}
}

// parsePairs reads once or twice.
func parsePairs(s string) (string, error) {
	if s != "once" && s != "twice" {
		return "", fmt.Errorf("use once or twice")
	}
	return s, nil
}

// parseSign reads 1 or -1.
func parseSign(s string) (int, error) {
	switch s {
	case "1", "+1":
		return 1, nil
	case "-1":
		return -1, nil
	}
	return 0, fmt.Errorf("%q is neither 1 nor -1", s)
}

// IsGraph reports whether s is a graph, a QUBO or an Ising problem. These know their number of variables.
func IsGraph(s problems.Spec) bool {
	return slices.Contains([]string{cut.MaxCut.Name, cut.QUBO.Name, cut.Ising.Name}, s.Family)
}
