package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/internal/solvers/runs/record"
)

// bowl is a program that gives (a-1)² + (b+2)² for whole thousandths, of which the shell has none: awk does.
const bowl = `{ s = 0; for (i = 1; i <= NF; i++) s += ($i - i) ^ 2; printf "%.17g\n", s; fflush() }`

// program writes a program and returns the flag that names it.
func program(t *testing.T, text string) string {
	t.Helper()
	file(t, "f.awk", text)
	words := "awk -f f.awk"
	if mawk() {
		words = "awk -W interactive -f f.awk"
	}
	return "--command=" + words
}

// mawk reports whether awk is mawk, which reads ahead.
func mawk() bool {
	path, err := filepath.EvalSymlinks("/usr/bin/awk")
	return err == nil && strings.HasSuffix(path, "mawk")
}

// numbers returns a result without what differs between two equal runs.
func numbers(t *testing.T, dir string) string {
	t.Helper()
	r := readResult(t, dir)
	text, err := json.Marshal([]any{r.Best.F, r.Best.Confirmed, r.Evaluations, r.Steps, r.Stop.Reason, r.Best.XSHA256})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A program is minimized where there is no device, by any number of copies with the same bits, from its run.toml, and
// after a stop. Its value is that of the same function as a text.
func TestCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	f := program(t, bowl)
	common := []string{"run", f, "-n", "3", "--bounds=-5,5", "--seed", "1", "--evals", "600", "-s", "cmaes",
		"--devices", "name:nothing"}
	for _, more := range [][]string{{"--name", "one"}, {"--name", "three", "--jobs", "3"},
		{"--name", "some", "--evals", "200"}} {
		code, out, errs := call(t, append(slices.Clone(common), more...)...)
		if code != 0 || !strings.Contains(out, "confirmed: a second call gave the same value") {
			t.Fatalf("exit %d\n%s%s", code, out, errs)
		}
	}
	r := readResult(t, "runs/one")
	if float64(r.Best.F) > 1e-6 || r.Best.Confirmer != record.ByFunction || len(r.Devices) != 0 ||
		!r.Determinism.Repeat {
		t.Errorf("%+v", r)
	}
	if a, b := numbers(t, "runs/one"), numbers(t, "runs/three"); a != b {
		t.Errorf("one copy gives %s, and three %s", a, b)
	}
	for name, args := range map[string][]string{
		"again": {"run", "runs/one/run.toml", "--name", "again", "--allow-command"},
		"some":  {"resume", "runs/some", "--evals", "600", "--allow-command"},
	} {
		if code, out, errs := call(t, args...); code != 0 {
			t.Fatalf("%s: exit %d\n%s%s", name, code, out, errs)
		}
		if a, b := numbers(t, "runs/one"), numbers(t, "runs/"+name); a != b {
			t.Errorf("%s: %s, want %s", name, b, a)
		}
	}
	for _, args := range [][]string{{"run", "runs/one/run.toml"}, {"resume", "runs/some", "--evals", "900"}} {
		if code, _, errs := call(t, args...); code != 2 || !strings.Contains(errs, "Add --allow-command") {
			t.Errorf("%v: exit %d, %s", args, code, errs)
		}
	}
}

// Each way in which a program can fail has its exit code and message.
func TestCommandFaults(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, c := range map[string]struct {
		text, flags string
		code        int
		want        string
	}{
		"no number":  {`{ print "x" $1; fflush() }`, "", 4, "which is no number"},
		"no value":   {`BEGIN { print "no licence" > "/dev/stderr"; exit 3 }`, "", 4, "no licence"},
		"two values": {`{ print 1; print 2; fflush() }`, "", 4, "more values than it was given points"},
		"hang":       {`{ while (1); }`, "--value-time 20ms", 4, "no value in 20ms"},
		"some crash": {`{ if ($1 < 0) exit 1; print $1; fflush() }`, "", 0, "values were not finite"},
		"only NaN":   {`{ print "nan"; fflush() }`, "--evals 3000", 9, "no finite value"},
		"noise":      {`{ n++; print $1 + n; fflush() }`, "", 8, "NOT REPEATABLE"},
	} {
		args := append([]string{"run", program(t, c.text), "-n", "2", "--bounds=-1,1", "--seed", "1", "--evals", "100",
			"--name", strings.ReplaceAll(name, " ", "-")}, strings.Fields(c.flags)...)
		code, out, errs := call(t, args...)
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: exit %d, want %d and %q\n%s%s", name, code, c.code, c.want, out, errs)
		}
	}
}

// Wrong flags are refused before the program starts.
func TestCommandMisuse(t *testing.T) {
	t.Chdir(t.TempDir())
	for want, args := range map[string]string{
		"-n N":                     "--command=true --bounds=-1,1",
		"bounds":                   "--command=true -n 2",
		"cannot be started":        "--command=no-such-program -n 2 --bounds=-1,1",
		"no closing":               "--command='a -n 2 --bounds=-1,1",
		"leave one of them out":    "ackley --command=true -n 2 --bounds=-1,1",
		"computes on devices":      "--command=true -n 2 --bounds=-1,1 -s masw",
		"--precision fp64":         "--command=true -n 2 --bounds=-1,1 --precision fp32",
		"neither text nor npy":     "--command=true -n 2 --bounds=-1,1 --exchange csv",
		"--command 'PROGRAM ARGS'": "command:n=2,lo=0,hi=1",
		"say which program":        "command -n 2",
		"PROBLEM":                  "-n 2",
		"--allow-command":          "evil.toml",
	} {
		file(t, "evil.toml", "problem = \"command\"\ndim = 2\nbounds = \"0,1\"\ncommand = \"touch started\"\n")
		code, out, errs := call(t, append([]string{"run"}, strings.Fields(args)...)...)
		if code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, want %q\n%s%s", args, code, want, out, errs)
		}
	}
	if _, err := os.Stat("started"); err == nil {
		t.Error("a run file has started a program")
	}
}

// A run that is stopped while the program works ends soon, with its best point.
func TestCommandStopped(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	f := program(t, `{ if (NR == 20 && (getline x < "slow") < 0) { print "" > "slow"; close("slow"); `+
		`system("sleep 60") } `+bowl[1:])
	go func() {
		for range 1000 {
			if _, err := os.Stat("slow"); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	code, out, errs := callWith(t, ctx, "", "run", f, "-n", "2", "--bounds=-5,5", "--seed", "1", "--name", "a")
	r := readResult(t, "runs/a")
	if code != 0 || r.Stop.Reason != "cancelled" || r.Evaluations < 1 || r.Evaluations > 30 || !r.Best.Confirmed {
		t.Errorf("exit %d, %d evaluations, %v\n%s%s", code, r.Evaluations, r.Best.Confirmed, out, errs)
	}
}
