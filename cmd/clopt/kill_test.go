package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/test/battery"
	"github.com/clopt/clopt/test/shorttest"
)

// killed are runs of the methods whose states are stored, in every form.
var killed = []struct{ name, args string }{
	{"masw", "cec2013/f12:mode=paper -n 7000 -s masw --set population=8 --set iterations=60 --evals 10k"},
	{"random", "cec2013/f2 -n 2000 -s random --set batch=37 --evals 25k"},
	{"graybox", "cec2013/f8 -n 2000 -s graybox --evals 8000"},
	{"open parts", "cec2013/f12:mode=paper -n 7000 -s graybox --set search=mts --evals 20k"},
	{"masw-seq", "cec2013/f1 -n 1000 -s masw-seq --set population=8 --set iterations=60 --evals 5k"},
	{"chains", "classic/griewank -n 60 -s sa --set T0=5 --set Tmin=1e-3 --set rho=0.97 --set N=60 --set chains=1024 " +
		"--evals 10e6"},
	{"hybrid", "classic/rosenbrock -n 60 -s sa --set variant=hybrid --set T0=5 --set Tmin=0.5 --set rho=0.8 --set " +
		"N=5 --set chains=512 --set hops=1000 --set localn=2e6 --evals 1500k"},
	{"sweeps", "chain.cl -n 1500 -s sa --set variant=sweeps --evals 6000"},
	{"cgrasp", "classic/levy_chain -n 100 -s cgrasp --set starts=8 --evals 3e6"},
	{"lbfgs", "cec2013/f12:mode=paper -n 7000 -s lbfgs --set pairs=3 --evals 5000"},
	{"lm", "cec2013/f13 -n 3000 -s lm --evals 20k"},
	{"relay", "chain.cl -n 40 -s relay --evals 30k"},
	{"mixing", "maxcut:torus=60x60,weights=pm1,seed=1 -s mixing --evals 100k"},
	{"gomea", "maxcut:torus=40x40,weights=pm1,seed=1 -s gomea --evals 60k"},
	{"gomea on the host", "maxcut:torus=30x30,weights=pm1,seed=1 -s gomea --set variant=serial --evals 20k"},
	{"annealgraph", "maxcut:gnp=500,p=0.1,weights=1..99,seed=1 -s annealgraph --set chains=32 --evals 200k"},
	{"runs that share launches", "classic/rastrigin -n 20 -s sa --set chains=256 --set N=60 --set T0=10 --set " +
		"Tmin=0.01 --set rho=0.9 --runs 5"},
}

// TestR5Killed kills runs at random moments, and resumes them each time on another number of devices. Each must equal
// the run that was not killed. A run that ends before enough kills is made again.
func TestR5Killed(t *testing.T) {
	count, kills := battery.Begin(t), 4
	if !testing.Short() {
		kills = 100
	}
	chain, err := os.ReadFile("../../test/testdata/chain.cl")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range shorttest.Rows(1, killed) {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			file(t, "chain.cl", string(chain))
			killOften(t, count, kills, strings.Fields("run "+c.args+" --seed 9 --x-format npy"))
		})
	}
}

// killOften makes the run or the runs of a command, kills them that many times, and counts the kills after which they
// have the same bits as without.
func killOften(t *testing.T, count *battery.Row, kills int, args []string) {
	if code, _, errs := call(t, append(args, "--name", "whole", "--checkpoint", "off", "-q")...); code != 0 {
		t.Fatalf("exit %d\n%s", code, errs)
	}
	const dir = "runs/cut"
	parts, last := []string{"."}, "result.json" // folders of runs, and the file that is written last
	if several, _ := filepath.Glob("runs/whole/run-*"); len(several) > 0 {
		parts, last = nil, "summary.json"
		for _, part := range several {
			parts = append(parts, filepath.Base(part))
		}
	}
	for _, part := range parts {
		if newestOf(filepath.Join("runs/whole", part)) != "" {
			t.Error("a checkpoint in spite of --checkpoint off")
		}
	}
	watched := filepath.Join(dir, parts[len(parts)/2])
	begin := append(args, "--name", "cut", "--checkpoint", "30ms", "-q")
	draw := rand.New(rand.NewPCG(5, uint64(kills)))
	since := 0 // kills of this run
	compare := func() {
		for _, part := range parts {
			sameRun(t, part+" killed and resumed", filepath.Join("runs/whole", part), filepath.Join(dir, part))
			if left, _ := filepath.Glob(filepath.Join(dir, part, "checkpoint", ".tmp*")); len(left) > 0 {
				t.Errorf("left %v", left)
			}
		}
		for ; since > 0; since-- {
			count.Count(!t.Failed())
		}
	}
	for next := begin; kills > 0 && !t.Failed(); {
		before := newestOf(watched)
		cmd, errs := startChild(t, next...)
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		// Most kills come after some progress. Some come anywhere, also before there is a checkpoint.
		for k := 0; k < 2000 && newestOf(watched) == before && draw.IntN(400) > 0; k++ {
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(time.Duration(draw.IntN(100)) * time.Millisecond)
		cmd.Process.Kill()
		<-done
		if _, err := os.Stat(filepath.Join(dir, last)); err == nil {
			compare()
			os.RemoveAll(dir)
			next = begin
		} else if cmd.ProcessState.ExitCode() >= 0 { // it was not killed
			t.Fatalf("clopt %s: %v\n%s", strings.Join(next, " "), cmd.ProcessState, errs)
		} else if newestOf(watched) == "" {
			os.RemoveAll(dir)
			next = begin
		} else {
			kills--
			since++
			next = []string{"resume", dir, "-q", "-d", []string{"0*3", "0", "0*2"}[kills%3]}
		}
	}
	if since == 0 {
		return
	}
	if code, out, errs := call(t, "resume", dir, "-d", "0*2"); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	if r := readResult(t, watched); r.Events.Resumed < 1 || !r.Determinism.Repeat {
		t.Errorf("%+v, %+v", r.Events, r.Determinism)
	}
	compare()
}
