package main

import (
	"bytes"
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/internal/cl/binaries"
	"github.com/clopt/clopt/internal/shard/trial/child"
	"github.com/clopt/clopt/test/battery"
	"github.com/clopt/clopt/test/devicetest"
)

// rankArgs is the variable with the command that this test program executes as a rank.
const rankArgs = "CLOPT_TEST_RANK"

// TestMain runs the tests, or the child process of a trial or of bench --first.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && slices.Contains([]string{child.Command, job.WarningsName, "run"}, os.Args[1]) {
		os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Unsetenv("CLOPT_DATA") // commands under test do not see it
	if args := os.Getenv(rankArgs); args != "" {
		os.Exit(run(context.Background(), strings.Fields(args), os.Stdin, os.Stdout, os.Stderr))
	}
	if signal.Ignored(os.Interrupt) { // as in the background of a shell; children would ignore it, too
		signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	}
	devicetest.Keep()
	if os.Getenv(binaries.Variable) != "" { // of the test that has started this process
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "clopt-cache-") // what other processes have found is not known here
	if err != nil {
		panic(err)
	}
	os.Setenv(binaries.Variable, dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// call runs the command in process in a folder of its own.
func call(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return callWith(t, context.Background(), "", args...)
}

func callWith(t *testing.T, ctx context.Context, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(ctx, args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

// file writes a file into the current folder.
func file(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

const sphereText = `//@ name sphere
//@ bounds -5 5
//@ reads k
//@ best 0
static void component(uint k, point x, data d, real *acc)
{
    acc[0] += sq(at(x, k));
}
`

// TestR1Commands checks the exit code and the message of each wrong input. The message contains the wrong value,
// nothing goes to standard output, and no folder is made.
func TestR1Commands(t *testing.T) {
	count := battery.Begin(t)
	t.Chdir(t.TempDir())
	file(t, "short.txt", "1 2 3\n")
	file(t, "word.txt", "1 2 x\n")
	file(t, "far.txt", strings.Repeat("9 ", 999)+"9\n")
	file(t, "key.toml", "problem = \"cec2013/f1\"\n\nevls = 100\n")
	file(t, "value.toml", "problem = \"cec2013/f1\"\nevals = \"many\"\n")
	file(t, "syntax.toml", "problem = \"cec2013/f1\nevals = 1\n")
	file(t, "none.toml", "evals = 1\n")
	file(t, "list.toml", "problem = \"cec2013/f1\"\nevals = [1, 2]\n")
	file(t, "flag.toml", "problem = \"cec2013/f1\"\ndry-run = true\n")
	file(t, "word.cl", strings.Replace(sphereText, "bounds", "bunds", 1))
	file(t, "afile", "x")
	file(t, "sphere.cl", sphereText)
	file(t, "folder/x.txt", "1")
	file(t, "broken/F1-xopt.txt", "1\n2\n")
	file(t, "table.toml", "problem = \"cec2013/f1\"\n[evals]\na = 1\n")
	file(t, "twice.toml", "problem = \"cec2013/f1\"\nevals = 1000\nevals = 2000\n")
	file(t, "set.toml", "problem = \"cec2013/f1\"\nsolver = \"masw\"\n[set]\npopul = 3\n")
	file(t, "ragged.txt", "1 2 3\n1 2\n")
	file(t, "comma.txt", "1,2,3\n")
	file(t, "nan.txt", "1 nan 3\n")
	file(t, "over.txt", "1e400 1\n")
	file(t, "empty.txt", "# nothing\n")
	file(t, "cut.npy", "\x93NUMPY\x01\x00\x76\x00{'descr'")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"rnu", 2, `"run"`},
		{"frobnicate", 2, `"frobnicate"`},
		{"resume x", 2, "x: error: cannot be read: no such file"},
		{"plot x", 2, "x: error: cannot be read: no such file"},
		{"run frobnicate", 2, "clopt list problems"},
		{"run cec2013/f1 -n -5", 2, `"-5" is below 0`},
		{"run cec2013/f1 -n 0", 2, `"0" is below 1`},
		{"run cec2013/f1 --time -5s", 2, `"-5s" is not above 0`},
		{"run cec2013/f1 --bounds nan,inf", 2, "two finite numbers LO,HI"},
		{"suite", 2, "NAME"},
		{"suite cano2061", 2, `"cano2016"`},
		{"suite none.toml", 2, "none.toml"},
		{"suite folder", 2, "folder"},
		{"suite cano2016 --tables IX --dry-run", 2, `"ix"`},
		{"suite cano2016 --problems f99 --dry-run", 2, `"f99"`},
		{"suite cano2016 --scale desktop", 2, `"desktop"`},
		{"suite cano2016 --seed 3", 2, "--seed"},
		{"compare a b", 2, "a: error: cannot be read: no such file"},
		{"plot --png", 2, `"--png"`},
		{"reprot", 2, `"reprot"`},
		{"export", 2, "run folders"},
		{"export . --format xls", 2, `"xls"`},
		{"bench --times 3", 2, "outside 5 to 1000"},
		{"bench --problems cec2013/f{1,99}", 2, "f99"},
		{"bench -n 1001 --problems cec2013/f2", 2, "1001"},
		{"bench --set iteratoins=3", 2, "iteratoins"},
		{"bench -d 99", 3, "99"},
		{"check", 2, "run folders"},
		{"check x.cl", 2, "x.cl: error: cannot be read: no such file"},
		{"run", 2, "PROBLEM"},
		{"run a b", 2, `"b"`},
		{"run cec2013/f1 --evls 5", 2, `"--evals"`},
		{"run cec2013/f1 -Z", 2, `"-Z"`},
		{"run cec2013/f1 --evals", 2, "--evals"},
		{"run cec2013/f1 --evals many", 2, `--evals: "many"`},
		{"run cec2013/f1 --evals 0", 2, `"0"`},
		{"run cec2013/f1 --evals -5", 2, `"-5"`},
		{"run cec2013/f1 --evals 1.5", 2, `"1.5"`},
		{"run cec2013/f1 --time 5", 2, `--time: "5"`},
		{"run cec2013/f1 --time -5s", 2, `"-5s"`},
		{"run cec2013/f1 --stall 1parsec", 2, `"1parsec"`},
		{"run cec2013/f1 --target nan", 2, `"nan"`},
		{"run cec2013/f1 --require-target", 2, "--target"},
		{"run cec2013/f1 --seed 4294967296", 2, `"4294967296"`},
		{"run cec2013/f1 --seed -1", 2, `"-1"`},
		{"run cec2013/f1 --runs 0", 2, `"0"`},
		{"run cec2013/f1 --first-run 4294967295 --runs 2", 2, "4294967295 and 2 runs"},
		{"run cec2013/f1 -s masw --first-run 4294967295 --evals 7", 2, "limited to 7"}, // the last run there is
		{"run cec2013/f1 --set population", 2, `"population"`},
		{"run cec2013/f1 --set popul=5", 2, `"popul"`},
		{"run cec2013/f1 -s masw --set population=2", 2, "population=2"},
		{"run cec2013/f1 --set population=8 --set population=9", 2, `"9"`},
		{"run cec2013/f1 -s mawss", 2, `"masw"`},
		{"run cec2013/f1 -n 0", 2, `"0"`},
		{"run cec2013/f1 -n 1e12", 2, `"1e12"`},
		{"run cec2013/f1 -n 1001", 2, "1001"},
		{"run cec2013/f99", 2, "f99"},
		{"run cec2013/f1:mood=paper", 2, "mood"},
		{"run missing.cl", 2, "missing.cl"},
		{"run missing.toml", 2, "missing.toml"},
		{"run word.cl", 2, "word.cl:2:"},
		{"run key.toml", 2, `key.toml:3:1: error: unknown key "evls". Did you mean "evals"?`},
		{"run value.toml", 2, `value.toml:2:1: error: evals: "many"`},
		{"run syntax.toml", 2, "syntax.toml:1:"},
		{"run none.toml", 2, "problem"},
		{"run list.toml", 2, "list.toml:2:"},
		{"run flag.toml", 2, "only as a flag"},
		{"run cec2013/f1 --x0 none.txt", 2, "none.txt"},
		{"run cec2013/f1 --x0 short.txt", 2, "short.txt:1"},
		{"run cec2013/f2 --x0 far.txt", 2, "is 9, outside the box [-5, 5]"},
		{"run cec2013/f1 --data nowhere", 2, "nowhere"},
		{"run cec2013/f1 --data afile", 2, "afile"},
		{"run cec2013/f1 --data .", 2, ""},
		{"run cec2013/f1 -d 99", 3, "99"},
		{"run cec2013/f1 -d frobs", 3, "frobs"},
		{"run cec2013/f1 --weights 0", 2, `"0"`},
		{"run cec2013/f1 --weights 0=-1", 2, `"0=-1"`},
		{"run cec2013/f1 --weights 77=1", 2, "77"},
		{"run cec2013/f1 --weights 0=0 -d 0", 2, "weight"},
		{"run cec2013/f1 --mem 0%", 2, `"0%"`},
		{"run cec2013/f1 --mem 101%", 2, `"101%"`},
		{"run cec2013/f1 --precision fp16", 2, `"fp16"`},
		{"run cec2013/f7 --precision fp32", 3, "fp64"},
		{"run cec2013/f1 --checkpoint often", 2, `"often"`},
		{"run cec2013/f1 --checkpoint 0s", 2, `"0s"`},
		{"run cec2013/f1 --checkpoints 0", 2, `"0"`},
		{"run sphere.cl -n 3 --bounds 5", 2, `"5"`},
		{"run sphere.cl -n 3 --bounds a,b", 2, `"a,b"`},
		{"run sphere.cl -n 3 --bounds 1,2,3", 2, `"1,2,3"`},
		{"run sphere.cl -n 3 --bounds 0,inf", 2, `"0,inf"`},
		{"run sphere.cl -n 3 --bounds 2,1", 2, "--bounds: lower bound 2"},
		{"run sphere.cl -n 3 --bounds -1e308,1e308", 2, "too far apart"},
		{"run sphere.cl:n=3,lo=0 --bounds 1,2", 2, "give them once"},
		{"run sphere.cl -n 3 --maximize=perhaps", 2, `"perhaps"`},
		{"run sphere.cl:n=3 -n 4", 2, `n is 3 in "sphere.cl:n=3" and also given as 4`},
		{"run sphere.cl:m=3", 2, `"m"`},
		{"run sphere.cl:", 2, "key=value"},
		{"run sphere.cl", 2, "-n N"},
		{"run sphere.cl -n 3e9", 2, `"3e9"`},
		{"run classic/rastrigin -n 4e9", 2, `"4e9" is above 2147483647`},
		{"run classic/rastrigin:n=4e9", 2, "n is 4000000000; use 1 to 2147483647"},
		{"run cec2013/f1:n=4e9", 2, "n is 4000000000; use 1 to 2147483647"},
		{"run sphere.cl:n=4e9", 2, "n is 4000000000; use 1 to 2147483647"},
		{"run folder", 2, "folder: error: is a folder"},
		{"run cec2013/f1 --evals 1e19", 2, "too large"},
		{"run cec2013/f1 -s masw --evals 50", 2, "limited to 50"},
		{"run cec2013/f1 --time 0s", 2, `"0s"`},
		{"run cec2013/f1 --time 1e9d", 2, `"1e9d"`},
		{"run cec2013/f1 -s masw --set population=1e9", 2, "population=1e9"},
		{"run cec2013/f1 -s masw --set portions=4 --set portion=500", 2, "contradict"},
		{"run cec2013/f1 -s masw --set acceptance=block", 2, "the method graybox"},
		{"run cec2013/f1 -s masw --set scheme=synchronous", 2, "the method graybox"},
		{"run cec2013/f1 -s graybox --set portions=8", 2, "no setting"},
		{"run salomon -n 2000 -s masw-seq --set on=device", 2, "not linear"},
		{"run salomon -n 2000 -s masw-seq --set on=device --dry-run", 2, "not linear"},
		{"run cec2013/f1 -s masw-seq --set on=host --precision fp32", 2, "fp64"},
		{"run cec2013/f1 --json=maybe", 2, `"maybe"`},
		{"run cec2013/f1 --weights 0=1,0=2", 2, "two weights"},
		{"run cec2013/f1 -d 0*0", 3, "0*0"},
		{"run cec2013/f1 -d 1-0", 3, "backwards"},
		{"run cec2013/f1 -d name:(", 3, "name:("},
		{"run cec2013/f1 --data broken", 2, "F1-xopt.txt:3:"},
		{"run cec2013/f2 --data broken", 2, "F2-xopt.txt"},
		{"run table.toml", 2, "table.toml:2:"},
		{"run twice.toml", 2, "twice.toml:3:"},
		{"run set.toml", 2, `set.toml:3:1: error: set: method masw has no setting "popul"`},
		{"eval sphere.cl --x ragged.txt", 2, "ragged.txt:2:"},
		{"eval sphere.cl --x comma.txt", 2, "comma.txt:1:1"},
		{"eval sphere.cl --x nan.txt", 2, `nan.txt:1:3: error: "nan"`},
		{"eval sphere.cl --x over.txt", 2, `"1e400"`},
		{"eval sphere.cl --x empty.txt", 2, "no points"},
		{"eval sphere.cl --x cut.npy", 2, "cut.npy"},
		{"eval sphere.cl --x folder", 2, "folder"},
		{"eval sphere.cl -n 2 --x short.txt", 2, "short.txt:1"},
		{"eval cec2013/f1 --x short.txt --host", 2, "short.txt has points of 3 variables: cec2013/f1: n is 3"},
		{"eval cec2013/f7 --x far.txt --precision fp32", 3, "fp64"},
		{"eval sphere.cl --x short.txt --set mode=paper", 2, `"mode"`},
		{"run cec2013/f1 --status loud", 2, `"loud"`},
		{"run cec2013/f1 --x-format csv", 2, `"csv"`},
		{"run cec2013/f1 --name ../up", 2, `"../up"`},
		{"run cec2013/f1 --out=", 2, "--out: is empty"},
		{"run cec2013/f1 -n x", 2, "-n, --dim: \"x\""},
		{"run cec2013/f1 -q -v", 2, "--verbose"},
		{"run cec2013/f1 --out afile/sub", 10, "afile/sub"},
		{"run cec2013/f1 --out /proc", 10, "/proc"},
		{"eval cec2013/f1", 2, "--x"},
		{"eval cec2013/f1 --x none.txt", 2, "none.txt"},
		{"eval cec2013/f1 --x word.txt --host", 2, "word.txt:1:5"},
		{"eval cec2013/f1 --x short.txt -n 1000 --host", 2, "short.txt:1"},
		{"eval cec2013/f1 --x short.txt --host -d 0", 2, "--devices"},
		{"list", 2, "problems"},
		{"list problemz", 2, `"problems"`},
		{"describe mawss", 2, `"masw"`},
		{"describe run.toml", 2, "is a run. clopt check"},
		{"describe", 2, "NAME"},
		{"devices now", 2, `"now"`},
		{"completion tcsh", 2, `"tcsh". There are bash, zsh`},
		{"run cec2013/f1 --tiem 5s", 2, `"--time"`},
		{"run cec2013/f1 -s mixing", 2, "mixing takes problems on graphs"},
		{"help objectve", 2, `"objective"`},
		{"selftest -d nothing", 3, "nothing"},
		{"version extra", 2, `"extra"`},
	} {
		code, stdout, stderr := call(t, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("clopt %s: exit %d, want %d; want %q in:\n%s", c.args, code, c.code, c.want, stderr)
		}
		if stdout != "" {
			t.Errorf("clopt %s: on standard output: %q", c.args, stdout)
		}
		if strings.Contains(stderr, "internal error") {
			t.Errorf("clopt %s: %s", c.args, stderr)
		}
		// One clear line; an unknown device is followed by the table of those there are.
		if n := strings.Count(stderr, "error: "); n != 1 || !strings.HasSuffix(stderr, "\n") {
			t.Errorf("clopt %s: %d errors in:\n%s", c.args, n, stderr)
		}
		count.Count(!t.Failed())
	}
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a folder was made for a run that was refused")
	}
}

// TestAllComplaints checks that one call reports all errors.
func TestAllComplaints(t *testing.T) {
	t.Setenv("CLOPT_STALL", "never")
	_, _, stderr := call(t, "run", "cec2013/f1", "-s", "masw", "--evals", "x", "--mem", "y", "--set", "alpha=z")
	for _, want := range []string{`--evals: "x"`, `--mem: "y"`, "alpha=z", `CLOPT_STALL: "never"`} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no %s in:\n%s", want, stderr)
		}
	}
}

func TestHelp(t *testing.T) {
	usual := 0
	for _, o := range flags.RunOptions {
		if o.Usual {
			usual++
		}
	}
	if usual < 15 || usual > 25 {
		t.Errorf("--help shows %d flags; about 20 are usual", usual)
	}
	for _, args := range []string{"", "--help", "help", "run --help", "run --help-all", "resume --help",
		"resume --help-all", "eval --help", "help run", "help objective",
		"help exit-codes", "help devices", "version", "version --json", "list problems", "list methods",
		"describe masw",
		"describe masw-seq",
		"describe cec2013/f1", "describe cano2016", "list suites", "suite --help", "compare --help", "plot --help",
		"bench --help", "check --help", "export --help", "help suite", "completion bash", "completion zsh",
		"completion fish", "completion powershell"} {
		code, stdout, stderr := call(t, strings.Fields(args)...)
		if code != 0 || stdout == "" || stderr != "" {
			t.Errorf("clopt %s: exit %d, %d bytes, %q", args, code, len(stdout), stderr)
		}
	}
	_, some, _ := call(t, "run", "--help")
	_, all, _ := call(t, "run", "--help-all")
	for _, o := range flags.RunOptions {
		flag := "--" + o.Name + " "
		if strings.Contains(some, flag) != o.Usual || !strings.Contains(all, flag) {
			t.Errorf("help of %s", flag)
		}
	}
}

// TestPrecedence checks that a flag wins over the environment, that over a run file, and that over the default.
func TestPrecedence(t *testing.T) {
	t.Chdir(t.TempDir())
	file(t, "sub/run.toml", "problem = \"cec2013/f1\"\nevals = 4000\nmem = \"50%\"\ntime = \"1m\"\nx0 = "+
		"\"start.txt\"\nset = [\"alpha=0.3\"]\n")
	t.Setenv("CLOPT_TIME", "2m")
	t.Setenv("CLOPT_EVALS", "5k")
	_, out, _ := call(t, "run", "sub/run.toml", "--evals", "6000", "--print-config")
	got := map[string]string{}
	for _, line := range strings.Split(out, "\n") {
		if f := strings.Fields(line); len(f) > 2 {
			got[f[0]] = f[1] + " " + strings.Join(f[2:], " ")
		}
	}
	for name, want := range map[string]string{
		"problem": "cec2013/f1 sub/run.toml:1", "evals": "6000 flag", "time": "2m env CLOPT_TIME",
		"mem":       "50% sub/run.toml:3",
		"precision": "fp64 default", "set": "alpha=0.3 sub/run.toml:6", "seed": "- default",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
}
