package flags

import (
	"fmt"
	"os"
	"slices"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/input"
)

// ReadPoints reads points of p.
func ReadPoints(path string, p problems.Problem) (input.Points, error) {
	if p.Domain().Binary {
		return cut.ReadBinaryPoints(path, p.Domain().N)
	}
	return input.ReadPoints(path, p.Domain().N)
}

// ReadX0 reads the start points, which lie inside the box.
func ReadX0(path string, p problems.Problem) ([][]float64, error) {
	if path == "" {
		return nil, nil
	}
	points, err := ReadPoints(path, p)
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	d := p.Domain()
	for i, x := range points.X {
		for j, v := range x {
			if lo, hi := d.Interval(j); v < lo || v > hi {
				return nil, exit.Usagef("%s: error: point %d, variable %d is %g, outside the box [%g, %g]. Start points lie inside it.", path, i+1, j+1, v, lo, hi)
			}
		}
	}
	return points.X, nil
}

// ParseProblem reads PROBLEM before any device is touched.
func ParseProblem(spec string, opt problems.Options, prec problems.Precision, host bool) (problems.Problem, error) {
	if opt.Data != "" {
		if info, err := os.Stat(opt.Data); err != nil {
			return nil, exit.Usagef("--data or CLOPT_DATA: %w", err)
		} else if !info.IsDir() {
			return nil, exit.Usagef("--data or CLOPT_DATA: %s is no folder", opt.Data)
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

// GraphFlags say how a graph is read.
type GraphFlags struct {
	dropLoops, mergeEdges bool
	sign                  int // 0: not given
}

func ReadGraphFlags(c *Config) GraphFlags {
	return GraphFlags{
		dropLoops:  Read(c, "drop-loops", ParseSwitch),
		mergeEdges: Read(c, "merge-edges", ParseSwitch),
		sign:       Read(c, "sign", parseSign),
	}
}

// Into adds the flags to the options of a problem.
func (g GraphFlags) Into(opt problems.Options) problems.Options {
	opt.DropLoops, opt.MergeEdges, opt.Sign = g.dropLoops, g.mergeEdges, g.sign
	return opt
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

// IsGraph says whether a spec is of a graph, a QUBO or an Ising problem, which
// knows its number of variables.
func IsGraph(s problems.Spec) bool {
	return slices.Contains([]string{cut.MaxCut.Name, cut.QUBO.Name, cut.Ising.Name}, s.Family)
}
