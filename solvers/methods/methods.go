// Package methods knows every method by name.
package methods

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/cgrasp"
	"github.com/clopt/clopt/solvers/graybox"
	"github.com/clopt/clopt/solvers/masw"
	"github.com/clopt/clopt/solvers/mixing"
	"github.com/clopt/clopt/solvers/random"
)

var methods = map[string]func() solvers.Configured{
	"random":   func() solvers.Configured { return &random.Random{} },
	"masw":     func() solvers.Configured { return &masw.MASW{} },
	"graybox":  func() solvers.Configured { return &graybox.Graybox{} },
	"masw-seq": func() solvers.Configured { return &graybox.Graybox{Parts: 1} },
	"gomea":    func() solvers.Configured { return &mixing.GOMEA{} },
	"mixing":   func() solvers.Configured { return &mixing.GOMEA{Local: "sa"} },

	"annealgraph": func() solvers.Configured { return &mixing.AnnealGraph{} },
	"sa":          func() solvers.Configured { return &anneal.SA{} },
	"cgrasp":      func() solvers.Configured { return &cgrasp.CGRASP{} },
}

// Names lists the methods that New knows.
func Names() []string { return slices.Sorted(maps.Keys(methods)) }

// New makes a method by name with settings by key; nil means all defaults. It
// reports all complaints at once, as a *SettingError.
func New(name string, set map[string]string) (solvers.Solver, error) {
	f, ok := methods[strings.ToLower(name)]
	if !ok {
		return nil, solvers.Settingf("unknown solver %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return solvers.Configure(f(), set)
}

// Describe says what a method is, what its settings mean and their defaults.
func Describe(name string) (string, error) {
	f, ok := methods[strings.ToLower(name)]
	if !ok {
		return "", solvers.Settingf("unknown solver %q; there are %s", name, strings.Join(Names(), ", "))
	}
	m := f()
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\nsettings (--set key=value):\n", m.Name(), m.About())
	for _, s := range m.Settings() {
		fmt.Fprintf(&b, "  %-12s %s (default %s)\n", s.Key, s.Doc, s.Get())
	}
	return b.String(), nil
}
