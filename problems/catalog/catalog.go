// Package catalog finds problems of all families by their specs.
package catalog

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/clopt/clopt/internal/problems/command"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/cec2013"
	"github.com/clopt/clopt/problems/classic"
	"github.com/clopt/clopt/problems/cut"
	"github.com/clopt/clopt/problems/opencl"
)

// registry holds the families. A file that is given without the name of a family belongs to the first that owns it.
var registry = struct {
	sync.RWMutex
	families []problems.Family
}{families: []problems.Family{
	cec2013.Family,
	classic.Family,
	cut.MaxCut,
	cut.QUBO,
	cut.Ising,
	command.Unnamed,
	opencl.Family,
}}

// Register adds a family. Its Owns is called before that of objectives in OpenCL C. Register panics if a family of that
// name exists, or if no spec could reach the family.
func Register(f problems.Family) {
	if f.Parse == nil || f.List == nil && !f.Files && f.Owns == nil {
		panic(fmt.Sprintf("catalog: family %s needs Parse, and one of List, Files and Owns", f.Name))
	}
	registry.Lock()
	defer registry.Unlock()
	if slices.ContainsFunc(registry.families, func(g problems.Family) bool { return g.Name == f.Name }) {
		panic(fmt.Sprintf("catalog: a family %s exists already", f.Name))
	}
	last := len(registry.families) - 1 // opencl owns every file, so it stays the last
	registry.families = slices.Insert(registry.families, last, f)
}

// Families returns all families, in the order in which Parse asks them. The caller owns the slice.
func Families() []problems.Family {
	registry.RLock()
	defer registry.RUnlock()
	return slices.Clone(registry.families)
}

// List returns the problems that Parse knows by name.
func List() (all []problems.Entry) {
	for _, f := range Families() {
		if f.List != nil {
			all = append(all, f.List()...)
		}
	}
	return all
}

// Describe returns a few lines about a problem or a family. The error is an *input.Error with the nearest name.
func Describe(name string) (string, error) {
	for _, f := range Families() {
		if f.Describe == nil {
			f.Describe = func(problems.Entry) string { return f.Name + "  " + f.Title + "\n" }
		}
		if f.Files && strings.EqualFold(f.Name, name) {
			return f.Describe(problems.Entry{}), nil
		}
		if f.List == nil {
			continue
		}
		for _, e := range f.List() {
			if strings.EqualFold(e.Name, name) || f.Short && strings.EqualFold(e.Name, f.Name+"/"+name) {
				return f.Describe(e), nil
			}
		}
	}
	return "", problems.Unknown(name, Families())
}

// Parse makes a problem from a text in one of the forms of problems.Spec and from options. Errors are *input.Error.
func Parse(text string, opt problems.Options) (problems.Problem, error) {
	s, f, err := problems.ParseSpec(text, Families())
	if err != nil {
		return nil, err
	}
	return f.Make(s, opt)
}

// Spec reads a text without making its problem. The error is an *input.Error.
func Spec(text string) (problems.Spec, error) {
	s, _, err := problems.ParseSpec(text, Families())
	return s, err
}
