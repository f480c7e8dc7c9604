package battery_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/test/battery"
	"github.com/clopt/clopt/test/shorttest"
)

// stored is what a run has stored.
type stored struct {
	Best struct {
		F         float64
		Confirmed bool
	}
	Determinism struct {
		Kinds  []string
		Repeat bool
	}
	point string
}

// result reads what the run in a folder has stored.
func result(t *testing.T, dir string) (s stored) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "result.json"))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	point, missing := os.ReadFile(filepath.Join(dir, "best.npy"))
	if err != nil || missing != nil {
		t.Errorf("%s: %v, %v", dir, err, missing)
	}
	s.point = string(point)
	return s
}

// TestR12OtherDevices makes runs on devices of one kind and of two kinds, and resumes them on others. On one kind they
// have equal bits. On two kinds the host confirms the result, which says that it may not be repeated.
func TestR12OtherDevices(t *testing.T) {
	count := battery.Begin(t)
	env := []string{"POCL_DEVICES=pthread basic pthread"} // device 0 is the basic one
	for _, c := range shorttest.Rows(1, []struct{ method, half, all string }{
		{"cec2013/f12:mode=paper -n 7000 -s masw --set population=8 --set iterations=5", "200", "400"},
		{"cec2013/f2 -n 5000 -s random --set batch=37", "200", "400"},
		{"cec2013/f8 -n 2000 -s graybox", "200", "400"},
		{"cec2013/f12:mode=paper -n 7000 -s lbfgs", "200", "400"},
		{"cec2013/f13 -n 3000 -s lm", "4000", "8000"},
		{"classic/griewank -n 40 -s sa --set chains=600 --set N=3", "4800", "9600"},
	}) {
		t.Chdir(t.TempDir())
		method := c.method
		begin := func(name, devices, evals string) (stored, outcome) {
			o := run(t, env, append(strings.Fields("run "+method), "--seed", "3", "-q", "--evals", evals, "-d", devices,
				"--name", name)...)
			return result(t, "runs/"+name), o
		}
		one, o := begin("one", "1", c.all)
		count.Check(o.code == 0 && one.Best.Confirmed, "%s: %v", method, o)
		same, o := begin("same", "1,2", c.all)
		count.Check(o.code == 0 && same.point == one.point && len(same.Determinism.Kinds) == 1,
			"%s on two devices of one kind: %v %v", method, same.Determinism, o)
		mixed, o := begin("mixed", "0,1", c.all)
		count.Check(o.code == 0 && mixed.Best.Confirmed && len(mixed.Determinism.Kinds) == 2 &&
			!mixed.Determinism.Repeat,
			"%s on two kinds: %v %v", method, mixed.Determinism, o)
		_, first := begin("moved", "1", c.half)
		o = run(t, env, "resume", "runs/moved", "-d", "0", "--evals", c.all, "-q")
		moved := result(t, "runs/moved")
		count.Check(first.code == 0 && o.code == 0 && moved.Best.Confirmed && len(moved.Determinism.Kinds) == 2 &&
			!moved.Determinism.Repeat, "%s, resumed on another kind: %v %v", method, moved.Determinism, o)
	}
}
