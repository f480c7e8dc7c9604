package test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Some packages are read from the first file to the last one: the comment of the package lists its files in an order in
// which each needs only those before it. mostLater is the largest number of exceptions, pairs of a file and a later one
// that it uses.
const mostLater = 5

// ordered are the packages whose files have an order.
var ordered = []string{"solvers/graybox", "solvers/mixing", "solvers/mixing/internal/engine"}

// fileOrder matches the list of files in the comment of a package.
var fileOrder = regexp.MustCompile(`(?s)each of which needs only those before it:\s+((?:\w+\.go[,.]\s+)+)`)

// absent is an importer without packages: the uses of other packages are not looked at.
type absent struct{}

func (absent) Import(path string) (*types.Package, error) {
	return nil, fmt.Errorf("%s is not read", path)
}

// lintOrder returns the uses of a later file of a package, one for each pair of files, or complaints about its list of
// files. texts has its files without tests, by name.
func lintOrder(dir string, texts map[string]string) (later, bad []string) {
	fset, comment := token.NewFileSet(), ""
	var parsed []*ast.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f, err := parser.ParseFile(fset, name, texts[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, []string{err.Error()}
		}
		parsed, comment = append(parsed, f), comment+f.Doc.Text()
	}
	m := fileOrder.FindStringSubmatch(comment)
	if m == nil {
		return nil, []string{dir + ": the comment of the package does not list its files in order"}
	}
	order := regexp.MustCompile(`\w+\.go`).FindAllString(m[1], -1)
	if listed := slices.Sorted(slices.Values(order)); !slices.Equal(listed, slices.Sorted(maps.Keys(texts))) {
		return nil, []string{fmt.Sprintf("%s: its comment lists the files %v, and it has %v", dir, listed,
			slices.Sorted(maps.Keys(texts)))}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: absent{}, Error: func(error) {}} // what other packages have is unknown
	pkg, _ := config.Check(dir, fset, parsed, info)
	seen := map[string]bool{}
	for id, what := range info.Uses {
		if what.Pkg() != pkg || !what.Pos().IsValid() {
			continue
		}
		from, to := fset.Position(id.Pos()).Filename, fset.Position(what.Pos()).Filename
		if slices.Index(order, from) < slices.Index(order, to) && !seen[from+to] {
			seen[from+to] = true
			later = append(later, fmt.Sprintf("%s/%s uses %s of %s, a later file", dir, from, what.Name(), to))
		}
	}
	return later, nil
}

func TestLintOrder(t *testing.T) {
	texts := map[string]map[string]string{}
	for _, name := range files(t) {
		if dir := path.Dir(name); slices.Contains(ordered, dir) && path.Ext(name) == ".go" &&
			!strings.HasSuffix(name, "_test.go") {
			text, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				t.Fatal(err)
			}
			if texts[dir] == nil {
				texts[dir] = map[string]string{}
			}
			texts[dir][path.Base(name)] = string(text)
		}
	}
	for _, dir := range ordered {
		later, bad := lintOrder(dir, texts[dir])
		complain(t, bad)
		if len(later) > mostLater {
			t.Errorf("%s has %d uses of later files, and the most are %d:\n%s", dir, len(later), mostLater,
				strings.Join(later, "\n"))
		}
	}
}

func TestLintOrderCatches(t *testing.T) {
	texts := map[string]string{
		"a.go": "// Package x has files,\n// each of which needs only those before it: a.go,\n// b.go.\npackage x\n" +
			"func low() { new(kind).high() }",
		"b.go": "package x\nimport \"fmt\"\ntype kind struct{}\nfunc (k *kind) high() { fmt.Println(); low() }",
	}
	if later, bad := lintOrder("x", texts); len(later) != 1 || len(bad) > 0 ||
		!strings.HasPrefix(later[0], "x/a.go uses ") {
		t.Errorf("%q, %q", later, bad)
	}
	texts["c.go"] = "package x"
	if _, bad := lintOrder("x", texts); len(bad) != 1 {
		t.Errorf("a file that is not listed: %q", bad)
	}
}
