package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// versus compares the default method with two programs of test/peers on the families of quadratic functions. The goal
// is the known optimum, and where none is known, the better value of the two programs. A run ends when it meets it.
type versus struct {
	bin, device string
	peers       string // the folder in which tabu_qubo and anneal_qubo are, built
	dir         string // where the files are written, and what the peers found, for the next time
	time        time.Duration
	long        time.Duration // of the peers
	held        bool
	small, more uint32   // seeds of instances of fewer than 100 variables, and of others
	only        []string // names of instances, or beginnings of names; none: all
}

var peerNames = []string{"tabu_qubo", "anneal_qubo"}

const fewVariables = 100 // variables of an instance of which many seeds are run

// study writes a row for each instance, as soon as it is known.
func (v *versus) study(ctx context.Context, w io.Writer) error {
	fmt.Fprintf(w, "| instance | variables | known | tabu %v | annealing %v | met in %v | median | worst |\n", v.long,
		v.long, v.time)
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|")
	met, runs := 0, 0
	err := instances(v.held, func(i instance) error {
		if !v.wanted(i.name) {
			return nil
		}
		row, err := v.row(ctx, i)
		if err != nil {
			return err
		}
		met, runs = met+row.met, runs+len(row.seconds)
		fmt.Fprintln(w, row)
		return nil
	})
	fmt.Fprintf(w, "\n%d of %d runs meet the goal.\n", met, runs)
	return err
}

// versusRow is what is known of an instance.
type versusRow struct {
	instance
	theirs  [2]float64
	met     int
	seconds []float64 // of each run
	worst   float64
}

func (v *versus) row(ctx context.Context, i instance) (*versusRow, error) {
	file := filepath.Join(v.dir, i.name+".qubo")
	to := &folder{dir: v.dir, err: os.MkdirAll(v.dir, 0o777)}
	to.write(i.name+".qubo", i.q.qbsolv)
	if to.err != nil {
		return nil, to.err
	}
	row := &versusRow{instance: i, worst: math.Inf(-1)}
	var err error
	if row.theirs, err = v.ofPeers(ctx, file); err != nil {
		return nil, err
	}
	goal := min(row.theirs[0], row.theirs[1])
	if !math.IsNaN(i.answer) {
		goal = i.answer
	}
	goal += 1e-9 * math.Abs(goal) // sums of the peers are rounded
	seeds := v.more
	if i.q.n < fewVariables {
		seeds = v.small
	}
	for seed := uint32(1); seed <= seeds; seed++ {
		f, seconds, err := v.ours(ctx, file, seed, goal)
		if err != nil {
			return nil, err
		}
		row.worst = max(row.worst, f)
		if f <= goal {
			row.met++
		}
		row.seconds = append(row.seconds, seconds)
	}
	return row, nil
}

func (r *versusRow) String() string {
	known := ""
	if !math.IsNaN(r.answer) {
		known = fmt.Sprint(r.answer)
	}
	times := slices.Sorted(slices.Values(r.seconds))
	return fmt.Sprintf("| %s | %d | %s | %.9g | %.9g | %d of %d | %.2g s | %.9g |", r.name, r.q.n, known, r.theirs[0],
		r.theirs[1], r.met, len(times), times[len(times)/2], r.worst)
}

func (v *versus) wanted(name string) bool {
	for _, o := range v.only {
		if strings.HasPrefix(name, o) {
			return true
		}
	}
	return len(v.only) == 0
}

var bestOf = regexp.MustCompile(`best (\S+)`)

// ofPeers returns what the peers find, both at the same time on a core each, or what they found before.
func (v *versus) ofPeers(ctx context.Context, file string) (values [2]float64, err error) {
	path := fmt.Sprintf("%s.%v.peers", file, v.long)
	if data, err := os.ReadFile(path); err == nil {
		return values, json.Unmarshal(data, &values)
	}
	var outs [2]strings.Builder
	var running [2]*exec.Cmd
	for k, name := range peerNames {
		c := exec.CommandContext(ctx, filepath.Join(v.peers, name), file, fmt.Sprint(v.long.Seconds()))
		c.Stdout = &outs[k]
		if err := c.Start(); err != nil {
			return values, err
		}
		running[k] = c
	}
	for k, c := range running {
		if err := c.Wait(); err != nil {
			return values, err
		}
		m := bestOf.FindStringSubmatch(outs[k].String())
		if m == nil {
			return values, fmt.Errorf("%s printed %q", peerNames[k], outs[k].String())
		}
		if values[k], err = strconv.ParseFloat(m[1], 64); err != nil {
			return values, err
		}
	}
	data, err := json.Marshal(values)
	if err != nil {
		return values, err
	}
	return values, os.WriteFile(path, data, 0o666)
}

// ours returns the value that the default method finds, and the seconds of its search, which ends at a goal.
func (v *versus) ours(ctx context.Context, file string, seed uint32, goal float64) (f, seconds float64, err error) {
	c := exec.CommandContext(ctx, v.bin, "run", "qubo:"+file, "-d", v.device, "--seed", fmt.Sprint(seed), "--time",
		v.time.String(), "--target", strconv.FormatFloat(goal, 'g', -1, 64), "--json", "-q", "-o",
		filepath.Join(v.dir, "runs"))
	out, err := c.Output()
	var result struct {
		Best    struct{ F float64 }
		Seconds float64
	}
	if json.Unmarshal(out, &result) != nil { // a target that is not met has an exit code of its own
		return 0, 0, fmt.Errorf("%s: %w\n%s", file, err, out)
	}
	return result.Best.F, result.Seconds, nil
}
