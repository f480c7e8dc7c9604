package job

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/solvers"
)

// mostOfAuto is the value from which on smaller ones are tried, for a setting that the method chooses.
const mostOfAuto = 4096

// misfit is a run that does not fit the memory of its devices.
type misfit struct {
	settings *flags.Settings
	problem  problems.Problem
	devices  []cl.Info
	weights  []float64
	until    time.Time // when to look no further
}

// searchTime is how long to look for what would fit. A plan of a large problem may take seconds.
const searchTime = 3 * time.Second

// advised returns the error of a run that does not fit, with changes of the command after which it does.
func (m misfit) advised(err error) error {
	m.until = time.Now().Add(searchTime)
	ways := slices.Concat(m.fewerVariables(), m.smallerSettings(), m.singlePrecision())
	if ways == nil {
		return fmt.Errorf("%w. No number of variables and no setting makes it fit: choose other devices (-d) or "+
			"another method (-s)", err)
	}
	return fmt.Errorf("%w. What would fit: %s", err, strings.Join(ways, ", or "))
}

// fits reports whether a run of p fits, with changes to the settings of the method.
func (m misfit) fits(p problems.Problem, prec problems.Precision, changes map[string]string) bool {
	if time.Now().After(m.until) {
		return false
	}
	method, err := m.settings.MethodFor(p, changes, m.devices)
	if err != nil || solvers.Suits(method, p, prec) != nil {
		return false
	}
	_, err = solvers.Plan(method, p, prec).Fit(p.Tiling(), m.devices, m.weights, m.settings.Mem)
	return err == nil
}

// fewerVariables returns the largest round number of variables that fits.
func (m misfit) fewerVariables() []string {
	if m.problem.Domain().Binary {
		return nil // a graph has its size
	}
	var sizes []int
	for scale := 10.0; scale < float64(m.problem.Domain().N); scale *= 10 {
		for _, digits := range []float64{1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.4, 8} {
			if n := int(digits * scale); n < m.problem.Domain().N {
				sizes = append(sizes, n)
			}
		}
	}
	spec := m.problem.Spec().Without("n")
	sized := func(n int) (problems.Problem, error) {
		return flags.ParseProblem(spec.With("n", strconv.Itoa(n)).String(),
			problems.Options{Data: m.settings.Options.Data}, m.settings.Precision, false)
	}
	at := sort.Search(len(sizes), func(i int) bool {
		p, err := sized(sizes[i])
		return err == nil && !m.fits(p, m.settings.Precision, nil) // some problems have no small sizes
	}) - 1
	if at < 0 {
		return nil
	}
	if p, err := sized(sizes[at]); err != nil || !m.fits(p, m.settings.Precision, nil) {
		return nil
	}
	if sizes[at] < 1e5 {
		return []string{fmt.Sprint("-n ", sizes[at])}
	}
	return []string{"-n " + strings.Replace(strconv.FormatFloat(float64(sizes[at]), 'e', -1, 64), "e+0", "e", 1)}
}

// smallerSettings returns the largest value of each setting with which the run fits.
func (m misfit) smallerSettings() (ways []string) {
	method, err := m.settings.MethodFor(m.problem, nil, m.devices)
	if err != nil {
		return nil
	}
	for _, s := range method.Traits().Settings {
		now, err := strconv.Atoi(s.Get())
		if s.Words != nil || err != nil && s.Get() != "auto" {
			continue
		}
		if err != nil {
			now = mostOfAuto
		}
		takes := func(v int) bool {
			if time.Now().After(m.until) {
				return false
			}
			_, err := m.settings.MethodFor(m.problem, map[string]string{s.Key: strconv.Itoa(v)}, m.devices)
			return err == nil
		}
		fits := func(v int) bool {
			return m.fits(m.problem, m.settings.Precision, map[string]string{s.Key: strconv.Itoa(v)})
		}
		least := 1 + sort.Search(min(now, 1000)-1, func(i int) bool { return takes(i + 1) })
		if least >= now || !fits(least) {
			continue
		}
		most := least + sort.Search(now-least, func(i int) bool { return !fits(least + i) }) - 1
		ways = append(ways, fmt.Sprintf("--set %s=%d", s.Key, most))
	}
	return ways
}

// singlePrecision returns the flag with which the run fits, if it does.
func (m misfit) singlePrecision() []string {
	if m.settings.Precision == problems.FP64 && m.fits(m.problem, problems.FP32, nil) {
		return []string{"--precision fp32"}
	}
	return nil
}
