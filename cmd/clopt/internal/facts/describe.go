package facts

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/campaign"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/recipe"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/solvers/methods"
)

// Description is what "clopt describe" shows: a text, or facts below a name. As JSON it is an object.
type Description struct {
	kind  string // solver, problem, suite, graph or objective
	name  string
	text  string // for a reader, instead of the facts
	facts []fact
}

// fact is one fact of a description. Its value is in --json only if a key is given, and for a reader there is a text.
type fact struct {
	label, text string
	key         string
	value       any
}

// Print writes the description for a reader.
func (d Description) Print(w io.Writer) {
	if d.text != "" {
		fmt.Fprintln(w, strings.TrimRight(d.text, "\n"))
		return
	}
	fmt.Fprintln(w, d.name)
	for _, f := range d.facts {
		if f.text != "" {
			fmt.Fprintf(w, "  %-11s %s\n", f.label, f.text)
		}
	}
}

// MarshalJSON writes the description as an object with the keys of its facts.
func (d Description) MarshalJSON() ([]byte, error) {
	all := map[string]any{"kind": d.kind, "name": d.name}
	for _, f := range d.facts {
		if f.key != "" {
			all[f.key] = f.value
		}
	}
	return json.Marshal(all)
}

// Describe finds out what a name stands for, and describes it. An objective in a file is read with opt.
func Describe(name string, opt problems.Options) (Description, error) {
	if solver, err := flags.SolverName(name); err == nil {
		return describeSolver(solver)
	}
	if text, err := catalog.Describe(name); err == nil {
		return describeProblem(name, text), nil
	}
	if path, ok := recipe.Find(name); ok && filepath.Base(path) == recipe.Name {
		return Description{}, exit.Usagef("%s is a run. clopt check shows its state, clopt compare its result", name)
	}
	if s, err := catalog.Spec(name); err != nil && s.File {
		return Description{}, exit.With(exit.Usage, err)
	} else if err == nil && flags.IsGraph(s) {
		return describeGraph(name, opt)
	} else if err == nil && s.File {
		if d, ok := unsized(s, opt); ok {
			return d, nil
		}
		p, err := flags.ParseProblem(name, opt, problems.FP64, false)
		if err != nil {
			return Description{}, err
		}
		return Objective(p)
	}
	if slices.Contains(campaign.Names(), strings.ToLower(name)) {
		return describeSuite(name)
	}
	return Description{}, flags.Unknown("problem, method or suite", name, Names(),
		"clopt list problems|methods|suites shows the names.")
}

// Names returns the names that Describe knows.
func Names() []string {
	return slices.Concat(flags.SolverNames(), flags.ProblemNames(), campaign.Names())
}

// describeSolver describes a method and its settings.
func describeSolver(name string) (Description, error) {
	d := Description{kind: "solver", name: name}
	if name == "auto" {
		d.text = "auto: " + methods.AutoSummary + "\n\nclopt help auto has the table from which it is chosen."
		d.facts = []fact{{key: "title", value: methods.AutoSummary}}
		return d, nil
	}
	text, err := methods.Describe(name)
	if err != nil {
		return d, err
	}
	m, err := methods.New(name, nil)
	if err != nil {
		return d, err
	}
	type setting struct {
		Key     string   `json:"key"`
		Title   string   `json:"title"`
		Default string   `json:"default"`
		Words   []string `json:"words"` // that it takes; null: it takes a number
	}
	settings := []setting{}
	for _, s := range m.Traits().Settings {
		settings = append(settings, setting{s.Key, s.Doc, s.Get(), s.Words})
	}
	about, rest, _ := strings.Cut(text, "\n\n")
	d.text = flags.Wrapped(about) + "\n\n" + rest
	d.facts = []fact{{key: "title", value: strings.Join(strings.Fields(m.Traits().About), " ")},
		{key: "settings", value: settings}}
	return d, nil
}

// describeProblem describes a problem that is known by name, or a family, whose text the catalog has.
func describeProblem(name, text string) Description {
	d := Description{kind: "problem", name: name, text: text}
	d.facts = []fact{{key: "text", value: strings.Split(strings.TrimRight(text, "\n"), "\n")}}
	p, err := catalog.Parse(name, problems.Options{})
	if err != nil {
		return d // a family has no size
	}
	lo, hi := p.Domain().Box()
	d.name = p.Spec().String()
	d.facts = append(d.facts, fact{key: "title", value: p.Info().Title}, fact{key: "variables", value: p.Domain().N},
		fact{key: "lo", value: lo}, fact{key: "hi", value: hi}, bestKnown(p))
	return d
}

// bestKnown returns the best known value of p, null if there is none.
func bestKnown(p problems.Problem) fact {
	f, ok := p.Info().BestKnown()
	if !ok {
		return fact{key: "best_known"}
	}
	f *= p.Info().Sign()
	if x, ok := p.Info().Optimum(); ok {
		if digits := problems.Digits(p, x, f); digits != "" {
			return fact{"best known", digits, "best_known", json.Number(digits)}
		}
	}
	return fact{"best known", exact.Format(f), "best_known", f}
}

// describeSuite describes a built-in suite.
func describeSuite(name string) (Description, error) {
	c, err := campaign.Open(name)
	if err != nil {
		return Description{}, err
	}
	var text strings.Builder
	if err := campaign.Describe(&text, name); err != nil {
		return Description{}, err
	}
	type table struct {
		Name    string `json:"name"`
		Caption string `json:"caption"`
	}
	var tables []table
	for _, t := range c.Tables {
		tables = append(tables, table{t.Name, t.Caption})
	}
	return Description{"suite", c.Name, text.String(), []fact{{key: "title", value: c.Title},
		{key: "reference", value: c.Reference}, {key: "tables", value: tables}}}, nil
}

// describeGraph describes a graph problem.
func describeGraph(spec string, opt problems.Options) (d Description, err error) {
	p, err := catalog.Parse(spec, opt)
	if err != nil {
		return d, exit.With(exit.Usage, err)
	}
	cut, ok := p.(problems.Cut)
	if !ok {
		return d, exit.Usagef("%s is not a graph", spec)
	}
	g, n := cut.Graph(), p.Domain().N
	edges := fmt.Sprint(g.M())
	if g.N() > n {
		edges += " (with those of the root, which stands for the linear terms)"
	}
	d = Description{kind: "graph", name: p.Spec().String()}
	if c, ok := p.(interface{ InWords() string }); ok {
		d.facts = append(d.facts, fact{"problem", c.InWords(), "problem", c.InWords()})
	}
	d.facts = append(d.facts, []fact{
		{"variables", fmt.Sprint(n), "variables", n}, {"edges", edges, "edges", g.M()}}...)
	if g.M() > 0 {
		most, isolated := 0, 0
		for v := range g.N() {
			degree := g.Offsets[v+1] - g.Offsets[v]
			most = max(most, int(degree))
			if degree == 0 {
				isolated++
			}
		}
		lo := g.Scale(slices.Min(g.Weights))
		hi := g.Scale(slices.Max(g.Weights))
		what := "weights"
		if c, ok := p.(interface{ Coefficients() (lo, hi float64) }); ok && g.N() > n {
			lo, hi = c.Coefficients()
			what = "terms"
		}
		mean := 2 * float64(g.M()) / float64(g.N())
		d.facts = append(d.facts,
			fact{what, exact.Format(lo) + " to " + exact.Format(hi), "weights", []float64{lo, hi}},
			fact{"degree", fmt.Sprintf("%.4g on average, at most %d; %d isolated vertices", mean, most, isolated),
				"mean_degree", mean},
			fact{key: "largest_degree", value: most}, fact{key: "isolated", value: isolated})
	}
	if g.N() > n && n <= mostOfRules {
		d.facts = append(d.facts, foundRules(cut)...)
	}
	d.facts = append(d.facts, bestKnown(p), fact{key: "notes", value: p.Info().Notes})
	for _, note := range p.Info().Notes {
		d.facts = append(d.facts, fact{label: "note", text: note})
	}
	return d, nil
}
