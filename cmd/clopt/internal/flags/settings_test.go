package flags

import (
	"testing"

	"github.com/spf13/pflag"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// A method that clopt chooses begins again at its end unless --restart is off, a method that is named only if it is on.
func TestRestart(t *testing.T) {
	p, err := catalog.Parse("rastrigin:n=4", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want bool
	}{
		{nil, true}, {[]string{"--restart", "on"}, true}, {[]string{"--restart", "off"}, false},
		{[]string{"-s", "lbfgs"}, false}, {[]string{"-s", "lbfgs", "--restart", "on"}, true},
	} {
		fs := pflag.NewFlagSet("run", pflag.ContinueOnError)
		Add(fs, RunOptions)
		if err := fs.Parse(c.args); err != nil {
			t.Fatal(err)
		}
		s, err := NewSettings(New(RunOptions, fs, func(string) string { return "" }, nil))
		if err == nil {
			err = s.Pick(p)
		}
		if err != nil || s.Restart != c.want || c.want && s.Config.Text("restart") != "on" {
			t.Errorf("%v: restart %v, %q in run.toml, %v", c.args, s.Restart, s.Config.Text("restart"), err)
		}
	}
}
