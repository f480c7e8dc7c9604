package job

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// TestWhatFits checks the changes of the command that are offered for a run that needs more memory than there is.
func TestWhatFits(t *testing.T) {
	p, err := catalog.Parse("rastrigin:n=1000000", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for memory, want := range map[int64]string{
		300 << 20: "What would fit: -n 1.6e5, or --set population=18",
		900 << 20: "What would fit: -n 5e5, or --set population=55, or --precision fp32",
		1:         "No number of variables and no setting makes it fit",
	} {
		fs := pflag.NewFlagSet("run", pflag.ContinueOnError)
		flags.Add(fs, flags.RunOptions)
		if err := fs.Parse([]string{"--solver", "masw"}); err != nil {
			t.Fatal(err)
		}
		s, err := flags.NewSettings(flags.New(flags.RunOptions, fs, func(string) string { return "" }, nil))
		if err != nil {
			t.Fatal(err)
		}
		m := misfit{settings: s, problem: p, devices: []cl.Info{{GlobalMem: memory, FP64: true}}, weights: []float64{1}}
		if got := m.advised(errors.New("does not fit")).Error(); !strings.Contains(got, want) {
			t.Errorf("%d bytes: %s, want %s", memory, got, want)
		}
	}
}
