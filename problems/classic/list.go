package classic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/clopt/clopt/problems"
)

const family = "classic"

// Family has the functions. Their names may be written without "classic/".
var Family = problems.Family{
	Name: family, Title: "classic test functions", Short: true, Parse: parse, List: Entries, Describe: describe,
}

func parse(s problems.Spec, _ string) (problems.Problem, error) {
	n, err := s.Dim()
	if err != nil {
		return nil, err
	}
	c, err := New(s.Name, n)
	if err != nil {
		return nil, err
	}
	return c, nil
}

const (
	annealingReference = "A. M. Ferreiro, J. A. García, J. G. López-Salas, C. Vázquez: An efficient " +
		"implementation of parallel simulated annealing algorithm in GPUs, J. Glob. Optim. 57:863-890, 2013, " +
		"doi:10.1007/s10898-012-9979-z (formulas corrected)"
	graspReference = "L. M. M. dos Santos Andrade, R. B. Xavier, L. dos A. F. Cabral, A. de A. Formiga: Parallel " +
		"construction for continuous GRASP optimization on GPUs, XLIV SBPO, 2012 (formulas corrected)"
)

// Entries lists the functions in alphabetical order, then the papers'
// configurations in their order.
func Entries() (all []problems.Entry) {
	var names []string
	for name := range classicKinds {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, f := range classicConfigs {
		names = append(names, f.name)
	}
	for _, name := range names {
		c := listed(name)
		e := problems.Entry{Name: family + "/" + name, Title: c.title, Dim: c.n}
		e.Lo, e.Hi = c.Domain().Box()
		for _, f := range classicConfigs {
			reference := annealingReference
			if f.name[0] == 'G' {
				reference = graspReference
			}
			if (f.name == name || f.kind == name) && !slices.Contains(e.References, reference) {
				e.References = append(e.References, reference)
			}
		}
		all = append(all, e)
	}
	return all
}

// listed returns a function of the list.
func listed(name string) *Classic {
	c, err := New(name, 0)
	if err != nil {
		panic("problems: a listed classic function that cannot be made")
	}
	return c
}

// describe returns the page of a function.
func describe(e problems.Entry) string {
	name := strings.TrimPrefix(e.Name, family+"/")
	c := listed(name)
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", e.Name, e.Title)
	if name == c.classicKind.name {
		fmt.Fprintf(&b, "  n      default %d; %s\n", c.n, c.sizes())
	} else {
		fmt.Fprintf(&b, "  n      %d; other numbers as classic/%s\n", c.n, c.classicKind.name)
	}
	fmt.Fprintf(&b, "  box    [%g, %g]", c.lo[0], c.hi[0])
	for i := 1; i < len(c.lo); i++ {
		fmt.Fprintf(&b, " x [%g, %g]", c.lo[i], c.hi[i])
	}
	b.WriteByte('\n')
	if f, ok := c.Info().BestKnown(); ok {
		fmt.Fprintf(&b, "  best   %.16g", f)
		if at := c.Minimizers(); len(at) > 1 {
			fmt.Fprintf(&b, " at %d points", len(at))
		}
		b.WriteByte('\n')
	}
	reads := "one variable a term"
	if c.reach > 0 {
		reads = fmt.Sprintf("%d neighbouring variables a term", c.reach+1)
	}
	if a := c.Accumulators(); a > 1 {
		reads += fmt.Sprintf(", %d accumulators", a)
	}
	fmt.Fprintf(&b, "  terms  %d: %s\n", c.components(), reads)
	for _, f := range classicConfigs {
		if f.kind == name {
			fmt.Fprintf(&b, "  also   classic/%s with n = %d\n", f.name, f.n)
		}
	}
	for _, r := range e.References {
		fmt.Fprintf(&b, "  from   %s\n", r)
	}
	return b.String()
}
