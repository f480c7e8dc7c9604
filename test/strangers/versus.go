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
	"strconv"
	"strings"
	"time"
)

// versus compares the default method with two programs of test/peers on the families of quadratic functions.
type versus struct {
	bin, device string
	peers       string // the folder in which tabu_qubo and anneal_qubo are, built
	dir         string // where the files are written, and what the peers found, for the next time
	time        time.Duration
	long        time.Duration // of the peers
	held        bool
	seeds       uint32
	only        []string // names of instances, or beginnings of names; none: all
}

var peerNames = []string{"tabu_qubo", "anneal_qubo"}

// study writes a row for each instance, as soon as it is known.
func (v *versus) study(ctx context.Context, w io.Writer) error {
	fmt.Fprintf(w, "| instance | variables | known | clopt %v, %d seeds | tabu %v | annealing %v | |\n", v.time,
		v.seeds, v.long, v.long)
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
	better, equal, worse := 0, 0, 0
	err := instances(v.held, func(i instance) error {
		if !v.wanted(i.name) {
			return nil
		}
		file := filepath.Join(v.dir, i.name+".qubo")
		to := &folder{dir: v.dir, err: os.MkdirAll(v.dir, 0o777)}
		to.write(i.name+".qubo", i.q.qbsolv)
		if to.err != nil {
			return to.err
		}
		theirs, err := v.ofPeers(ctx, file)
		if err != nil {
			return err
		}
		least := min(theirs[0], theirs[1])
		if least < i.answer {
			least = i.answer // sums of the peers are rounded
		}
		var ours []string
		verdict := "="
		for seed := uint32(1); seed <= v.seeds; seed++ {
			f, err := v.ours(ctx, file, seed)
			if err != nil {
				return err
			}
			ours = append(ours, strconv.FormatFloat(f, 'g', 9, 64))
			slack := 1e-9 * math.Abs(least)
			switch {
			case f > least+slack || f > i.answer+slack:
				worse++
				verdict = "worse"
			case f < least-slack:
				better++
				if verdict == "=" {
					verdict = "better"
				}
			default:
				equal++
			}
		}
		known := "?"
		if !math.IsNaN(i.answer) {
			known = fmt.Sprint(i.answer)
		}
		fmt.Fprintf(w, "| %s | %d | %s | %s | %.9g | %.9g | %s |\n", i.name, i.q.n, known, strings.Join(ours, " "),
			theirs[0], theirs[1], verdict)
		return nil
	})
	fmt.Fprintf(w, "\n%d runs better, %d equal, %d worse.\n", better, equal, worse)
	return err
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

// ours returns the value that the default method finds.
func (v *versus) ours(ctx context.Context, file string, seed uint32) (float64, error) {
	c := exec.CommandContext(ctx, v.bin, "run", "qubo:"+file, "-d", v.device, "--seed", fmt.Sprint(seed), "--time",
		v.time.String(), "--json", "-q", "-o", filepath.Join(v.dir, "runs"))
	out, err := c.Output() // exit code 0 or that of a limit
	if err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", file, err, out)
	}
	var result struct{ Best struct{ F float64 } }
	return result.Best.F, json.Unmarshal(out, &result)
}
