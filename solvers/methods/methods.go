// Package methods finds methods by name, chooses one if no name is given, and makes one of a search in Go (FromHost).
package methods

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/clopt/clopt/internal/solvers/cmaes"
	"github.com/clopt/clopt/internal/solvers/relay"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/anneal"
	"github.com/clopt/clopt/solvers/cgrasp"
	"github.com/clopt/clopt/solvers/graybox"
	"github.com/clopt/clopt/solvers/lbfgs"
	"github.com/clopt/clopt/solvers/lm"
	"github.com/clopt/clopt/solvers/masw"
	"github.com/clopt/clopt/solvers/maswseq"
	"github.com/clopt/clopt/solvers/mixing"
	"github.com/clopt/clopt/solvers/random"
)

// registry has a function for each method, by its name in lower case. The function returns the method with
// all defaults.
var registry = struct {
	sync.RWMutex
	make map[string]func() solvers.Solver
}{make: map[string]func() solvers.Solver{
	"relay":       func() solvers.Solver { return descentsAndCrossings() },
	"lbfgs":       func() solvers.Solver { return &lbfgs.LBFGS{} },
	"lm":          func() solvers.Solver { return &lm.LM{} },
	"random":      func() solvers.Solver { return &random.Random{} },
	"masw":        func() solvers.Solver { return &masw.MASW{} },
	"graybox":     func() solvers.Solver { return &graybox.Graybox{} },
	"masw-seq":    func() solvers.Solver { return &maswseq.MASWSeq{} },
	"gomea":       func() solvers.Solver { return &mixing.GOMEA{} },
	"mixing":      func() solvers.Solver { return &mixing.GOMEA{Local: "sa"} },
	"annealgraph": func() solvers.Solver { return &mixing.AnnealGraph{} },
	"sa":          func() solvers.Solver { return &anneal.SA{} },
	"cgrasp":      func() solvers.Solver { return &cgrasp.CGRASP{} },
	"cmaes":       func() solvers.Solver { return &cmaes.CMAES{} },
}}

// descentsAndCrossings returns the relay of a method that descends to the bottom of a valley, and a method that crosses
// from one valley to the next.
func descentsAndCrossings() solvers.Solver {
	return relay.New("relay", `L-BFGS descents and annealing by sweeps in turn, each from the best point so far, and
graybox where parts share components. Where components may read every variable, a population takes the place of the
sweeps, and up to 1024 variables graybox works, too. For sums of squares, lm takes turns as well and graybox takes the
place of the sweeps. If their parts share no components, or components read many variables, only lm and graybox work.
Each round takes about twice the time of the one before. Functions of the host have descents by differences and a
population.`, rounds)
}

// rounds returns the methods of the relay for p:
//
//   - functions of the host: L-BFGS, and an evolution strategy or, for many variables, local search chains
//   - sums of squares over parts that share no components, or of which components read many variables: lm, and graybox
//     or another method that crosses from valley to valley
//   - other functions of which a change of one variable changes few components: L-BFGS follows slopes, and sweeps
//     cross. Where parts share components graybox has turns, too, and it begins where the value is not linear in its
//     sums but follows its slopes. Squares are in turn with lm, and there graybox takes the place of the sweeps. With a
//     penalty for a limit the sweeps begin, since a descent creeps along the limit
//   - the rest: a population or, for few variables, an evolution strategy; L-BFGS and, for a function that is small
//     enough, the searches of graybox. Where gradients are exact L-BFGS begins, and the others have a quarter of its
//     work unless they gain
//
// A turn takes twice the time of the one before, but those of lm beside L-BFGS do not, since its steps may take a
// hundred times as long.
func rounds(p problems.Problem) relay.Rounds {
	longer := func(turn int) int { return 1 << min(turn, 15) }
	halves := func(steps int) relay.Pace { return relay.Pace{Steps: steps, Fall: 0.5} } // of squares, never below 0
	sweeps := anneal.SA{Variant: "sweeps", N: 5}
	switch d := p.Domain(); {
	case problems.CallOf(p) != nil:
		return func(turn int) []relay.Leg {
			descents := 1 // and from then on one from the best point, which ends soon, and some kicks
			if turn > 0 {
				descents += longer(turn)
			}
			return []relay.Leg{{Solver: &lbfgs.LBFGS{Pairs: wholePairs, Descents: descents},
				Pace: relay.Pace{Steps: 16, Fall: leastFall}, Stays: true},
				{Solver: population(p), Lasts: 1, Own: true}}
		}
	case separateSquares(p), wideSquares(p):
		crossings := crossing(p)
		// For many variables a gradient takes far less time than the products of derivatives.
		gradients := p.Structure().Whole() && d.N > mostByShape && hasSlopes(p)
		return func(turn int) []relay.Leg {
			// An evaluation of lm takes two to eight times as long as one of graybox, so both get about the same time.
			legs := []relay.Leg{{Solver: &lm.LM{Descents: longer(turn)}, Optional: gradients},
				{Solver: crossings, Lasts: 4}}
			if gradients {
				first := relay.Leg{Solver: &lbfgs.LBFGS{Pairs: wholePairs, Descents: longer(turn)},
					Pace: halves(64 * longer(turn)), Stays: true}
				legs = append([]relay.Leg{first}, legs...)
			}
			return legs
		}
	case !p.Structure().Whole() && solvers.Suits(&sweeps, p, problems.FP64) == nil:
		squares := squaresBeside(p)
		beside := p.Linear() == nil || squares || d.N <= mostBeside // graybox may be
		inParts := beside && solvers.Suits(&graybox.Graybox{}, p, problems.FP64) == nil
		shares := inParts && problems.SeparateParts(p) == 0
		exact := hasSlopes(p)
		return func(turn int) []relay.Leg {
			cooling := math.Pow(0.5, 0.25/float64(longer(turn)))
			slower := sweeps
			slower.Rho = &cooling
			descents, crossings := &lbfgs.LBFGS{Descents: longer(turn)}, slower.InTime()
			if limited(p) {
				legs := []relay.Leg{{Solver: crossings, Share: 0.5}, {Solver: descents}}
				if d.N <= mostByShape { // along a limit a descent creeps
					legs[1].Pace, legs[1].Stays = relay.Pace{Steps: 64 * longer(turn), Fall: leastFall}, true
					legs = append(legs, relay.Leg{Solver: &cmaes.CMAES{}, Lasts: 1, Own: true})
				}
				return legs
			}
			crossing := relay.Leg{Solver: crossings}
			if p.Linear() == nil && inParts {
				return []relay.Leg{{Solver: &graybox.Graybox{}}, {Solver: descents}, crossing}
			}
			if !squares || exact && d.N <= mostBeside {
				descent := relay.Leg{Solver: descents}
				if d.N > mostBeside {
					return []relay.Leg{descent, crossing}
				}
				descent.Stays = true
				switch {
				case squares: // what it creeps along, lm may fall through
					descent.Pace = halves(64 * longer(turn))
				case !exact: // the end of a descent with exact gradients is worth its steps
					descent.Pace = relay.Pace{Steps: 64 * longer(turn), Fall: leastFall}
				}
				legs := []relay.Leg{descent, crossing}
				if shares {
					legs = append(legs, relay.Leg{Solver: &graybox.Graybox{}, Lasts: 1, Stays: true})
				}
				if squares {
					legs = slices.Insert(legs, 1, relay.Leg{Solver: &lm.LM{Descents: 1}, Pace: halves(8),
						Optional: true})
					legs = append(legs, relay.Leg{Solver: &lm.LM{}, Lasts: seldom, Own: true, Optional: true})
				}
				return legs
			}
			if shares && d.N <= mostInParts {
				crossing = relay.Leg{Solver: &graybox.Graybox{}, Pace: halves(2 * longer(turn)), Stays: true}
			}
			// What one of the two descents creeps along, the other one may fall through.
			return []relay.Leg{{Solver: descents, Pace: halves(64 * longer(turn)), Stays: true},
				{Solver: &lm.LM{Descents: 1}, Pace: halves(8)}, crossing}
		}
	case hasSlopes(p):
		small := d.N <= graybox.MostVars && solvers.Suits(&graybox.Graybox{}, p, problems.FP64) == nil
		kinked := hasKinks(p)
		return func(turn int) []relay.Leg {
			descents := &lbfgs.LBFGS{Pairs: wholePairs, Patience: min(max(8*d.N, 64), 512)}
			descent := relay.Leg{Solver: descents, Stays: true}
			if kinked {
				descents.Descents = longer(turn)
			} else {
				descent.Pace = relay.Pace{Steps: 64 * longer(turn), Fall: leastFall}
			}
			legs := []relay.Leg{descent, {Solver: population(p), Lasts: seldom, Own: true}}
			if small {
				legs = append(legs, relay.Leg{Solver: &graybox.Graybox{}, Lasts: seldom, Stays: true})
			}
			return legs
		}
	case d.N <= graybox.MostVars && solvers.Suits(&graybox.Graybox{}, p, problems.FP64) == nil:
		return func(turn int) []relay.Leg {
			// A descent falls most in its first gradients.
			gradients := max(2, math.Ldexp(8, -turn))
			return []relay.Leg{{Solver: population(p), Lasts: 1, Own: true},
				{Solver: &lbfgs.LBFGS{Pairs: wholePairs}, Lasts: gradients, Stays: true},
				{Solver: &graybox.Graybox{}, Lasts: 1, Stays: true}}
		}
	}
	n := p.Domain().N
	return func(turn int) []relay.Leg {
		if n <= mostByShape {
			return []relay.Leg{{Solver: population(p), Lasts: 1, Own: true},
				{Solver: &lbfgs.LBFGS{Pairs: wholePairs}, Lasts: max(2, math.Ldexp(8, -turn)), Stays: true}}
		}
		return []relay.Leg{{Solver: population(p), Lasts: 1},
			{Solver: &lbfgs.LBFGS{Pairs: wholePairs, Patience: 8 * longer(turn), Descents: 24 * longer(turn)}}}
	}
}

// mostByShape is the largest number of variables for which an evolution strategy learns the shape of a valley in good
// time. It takes n² operations of the host for each point.
const mostByShape = 128

// seldom is the length of a turn beside descents with exact gradients, as a multiple of theirs.
const seldom = 0.25

// mostInParts is the largest number of variables for which graybox takes the place of sweeps. It needs about 1.6 KB a
// variable where parts share components, and sweeps a tenth of that.
const mostInParts = 1 << 21

// leastFall is the share of itself by which the value must fall in 64 steps of the first descent. A descent that is
// slower would need 44,000 steps to halve the value, as along kinks, and others have turns before it goes on.
const leastFall = 1e-3

// mostBeside is the largest number of variables for which descents and graybox keep their memory beside sweeps. In a
// chain of windows of three that is 1.9 KB a variable, and a descent alone needs 0.22 KB.
const mostBeside = 1 << 17

// wholePairs are those of L-BFGS where components may read every variable: a pair costs nothing beside a gradient,
// which is 2n values.
const wholePairs = 40

// separateSquares reports whether p is a sum of squares over several parts that share no components, of which lm can
// solve the equations.
func separateSquares(p problems.Problem) bool {
	return p.Structure().Squares(0) > 0 && problems.SeparateParts(p) > 1 &&
		solvers.Suits(&graybox.Graybox{}, p, problems.FP64) == nil && solvers.Suits(&lm.LM{}, p, problems.FP64) == nil
}

// squaresBeside reports whether lm has turns beside other descents: its equations are light, or have to be solved with
// differences. Many variables have to declare their squares for it.
func squaresBeside(p problems.Problem) bool {
	inferred := problems.SquaresOf(p, problems.FP64).At.Line > 0
	return solvers.Suits(&lm.LM{}, p, problems.FP64) == nil && (!inferred || p.Domain().N <= mostBeside) &&
		(!hasSlopes(p) || lightEquations(p))
}

// lightEquations reports whether the host keeps few numbers for each variable of p while lm solves its equations, so
// that a step takes about as long as the evaluations in it.
func lightEquations(p problems.Problem) bool {
	const most = 512
	return shard.SizeOf(new(lm.LM).Traits().HostPlan(p)) <= 8*most*int64(p.Domain().N)
}

// wideSquares reports whether p is a sum of squares of which lm takes about as long as other descents: all is one part,
// or components read many variables.
func wideSquares(p problems.Problem) bool {
	parts := problems.SeparateParts(p)
	return solvers.Suits(&lm.LM{}, p, problems.FP64) == nil &&
		(p.Structure().Whole() || parts == 1 || parts == 0 && meanReads(p) > fewReads)
}

// crossing returns the method that crosses from valley to valley beside lm.
func crossing(p problems.Problem) solvers.Solver {
	sweeps := &anneal.SA{Variant: "sweeps"}
	switch {
	case solvers.Suits(&graybox.Graybox{}, p, problems.FP64) == nil:
		return &graybox.Graybox{}
	case !p.Structure().Whole() && solvers.Suits(sweeps, p, problems.FP64) == nil:
		return sweeps.InTime()
	}
	return population(p)
}

// mostSequential is the largest number of variables for which local search chains on one whole point after the other
// are better than a population that moves together.
const mostSequential = 5000

// mostByGroup is the largest number of components that one work-group evaluates, as in those chains. With 500,000 pairs
// of atoms an H200 makes 750 of their evaluations a second, and 13,800 by all its compute units.
const mostByGroup = 1 << 16

// population returns the method for whole points of p that keeps a population.
func population(p problems.Problem) solvers.Solver {
	if p.Structure().Whole() && p.Domain().N <= mostByShape {
		return &cmaes.CMAES{}
	}
	chains := &maswseq.MASWSeq{}
	if problems.CallOf(p) != nil {
		return chains
	}
	if p.Domain().N <= mostSequential && p.Structure().Components() <= mostByGroup &&
		solvers.Suits(chains, p, problems.FP64) == nil {
		return chains
	}
	return randomMates()
}

// randomMates returns masw with random mates. With the farthest of three, as published, children spread further than
// their parents, and evolution stalls. After 3e6 evaluations of 1000 variables F2, F7, F13 and F15 end 4 to 8 times
// lower.
func randomMates() solvers.Solver { return &masw.MASW{Mates: 1} }

// Register adds a method from outside this module. make returns a new value with all defaults. Its name,
// which must be in lower case, must not be "auto" or the name of another method; otherwise Register panics.
// It is meant for init functions. It may be called from any goroutine.
func Register(make func() solvers.Solver) {
	name := make().Traits().Name
	registry.Lock()
	defer registry.Unlock()
	if _, taken := registry.make[name]; taken || name == "" || name == "auto" || name != strings.ToLower(name) {
		panic(fmt.Sprintf("methods: %q cannot be the name of one more method", name))
	}
	registry.make[name] = make
}

// Names returns the sorted names of all methods.
func Names() []string {
	registry.RLock()
	defer registry.RUnlock()
	return slices.Sorted(maps.Keys(registry.make))
}

// New returns the method with the given name, in any case, with settings by key; nil means all defaults. It
// reports all complaints at once, as a *solvers.SettingError.
func New(name string, set map[string]string) (solvers.Solver, error) {
	m, err := plain(name)
	if err != nil {
		return nil, err
	}
	return solvers.Configure(m, set)
}

// plain returns a method with all defaults.
func plain(name string) (solvers.Solver, error) {
	registry.RLock()
	make, ok := registry.make[strings.ToLower(name)]
	registry.RUnlock()
	if !ok {
		return nil, solvers.Settingf("unknown method %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return make(), nil
}

// Changes returns the settings that New needs, each as "key=value", to make m again. They are those that differ
// from the defaults, without those that follow from others.
func Changes(m solvers.Solver) ([]string, error) {
	usual, err := plain(m.Traits().Name)
	if err != nil {
		return nil, err
	}
	defaults := map[string]string{}
	for _, s := range usual.Traits().Settings {
		defaults[s.Key] = s.Get()
	}
	set := map[string]string{}
	for _, s := range m.Traits().Settings {
		if text := s.Get(); text != defaults[s.Key] {
			set[s.Key] = text
		}
	}
	for _, key := range slices.Sorted(maps.Keys(set)) { // in order: each of two settings may follow from the other
		text := set[key]
		delete(set, key)
		if again, err := New(m.Traits().Name, set); err != nil || solvers.Spell(again) != solvers.Spell(m) {
			set[key] = text
		}
	}
	var changes []string
	for _, key := range slices.Sorted(maps.Keys(set)) {
		changes = append(changes, key+"="+set[key])
	}
	return changes, nil
}

// Describe returns a text about a method, its settings and their defaults. Its error is a
// *solvers.SettingError.
func Describe(name string) (string, error) {
	m, err := plain(name)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	t := m.Traits()
	fmt.Fprintf(&b, "%s: %s\n\nsettings (--set key=value):\n", t.Name, t.About)
	for _, s := range t.Settings {
		fmt.Fprintf(&b, "  %-12s %s (default %s)\n", s.Key, s.Doc, s.Get())
	}
	return b.String(), nil
}
