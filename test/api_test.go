package test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The exported names of the public packages are in api.txt, which shows what a change adds or takes away:
//
//	go test ./test -run TestAPI -update
//
// writes it. Fields of structs and methods of interfaces are not in it.

const (
	apiFile = "testdata/api.txt"

	mostPackages = 26
	mostNames    = 940
)

// public reports whether programs of others can import a package that is not a test or a command.
func public(room string) bool {
	return !inTest(room) && !strings.HasPrefix(room, "cmd/") && !strings.Contains("/"+room+"/", "/internal/")
}

// exported lists the exported names of a package, each with its declaration in one line.
func exported(t *testing.T, room string, files []*ast.File, fset *token.FileSet) (lines []string) {
	p, err := doc.NewFromFiles(fset, files, module+room)
	if err != nil {
		t.Fatal(err)
	}
	spaces := regexp.MustCompile(`\s+`)
	add := func(decl ast.Node) {
		var b bytes.Buffer
		if err := printer.Fprint(&b, fset, decl); err != nil {
			t.Fatal(err)
		}
		line := strings.TrimPrefix(spaces.ReplaceAllString(b.String(), " "), "func ")
		lines = append(lines, path.Join("clopt", room)+" "+line)
	}
	values := func(all []*doc.Value) {
		for _, v := range all {
			for _, name := range v.Names {
				if ast.IsExported(name) {
					lines = append(lines, fmt.Sprintf("%s %s %s", path.Join("clopt", room), v.Decl.Tok, name))
				}
			}
		}
	}
	funcs := func(all []*doc.Func) {
		for _, f := range all {
			f.Decl.Doc, f.Decl.Body = nil, nil
			add(f.Decl)
		}
	}
	values(p.Consts)
	values(p.Vars)
	funcs(p.Funcs)
	for _, typ := range p.Types {
		lines = append(lines, path.Join("clopt", room)+" type "+typ.Name)
		values(typ.Consts)
		values(typ.Vars)
		funcs(typ.Funcs)
		funcs(typ.Methods)
	}
	return lines
}

func TestAPI(t *testing.T) {
	packages, fset := map[string][]*ast.File{}, token.NewFileSet()
	for _, name := range files(t) {
		room := strings.TrimPrefix(path.Dir(name), ".")
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || !public(room) {
			continue
		}
		f, err := parser.ParseFile(fset, filepath.Join(root, name), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		packages[room] = append(packages[room], f)
	}
	var lines []string
	for _, room := range slices.Sorted(maps.Keys(packages)) {
		lines = append(lines, exported(t, room, packages[room], fset)...)
	}
	slices.Sort(lines)
	if len(packages) > mostPackages || len(lines) > mostNames {
		t.Errorf("%d public packages with %d exported names; the limits are %d and %d", len(packages), len(lines),
			mostPackages, mostNames)
	}
	got := strings.Join(lines, "\n") + "\n"
	want, err := os.ReadFile(apiFile)
	switch {
	case *update:
		err = os.WriteFile(apiFile, []byte(got), 0o666)
	case err == nil && got != string(want):
		t.Error("the exported names are not those of ", apiFile, ":\n", difference(string(want), got),
			"write it with -update, if a user is to have them")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// difference lists the lines that only one of two sorted texts has.
func difference(old, now string) string {
	var b strings.Builder
	before, after := strings.Split(old, "\n"), strings.Split(now, "\n")
	for _, l := range before {
		if _, there := slices.BinarySearch(after, l); !there && l != "" {
			b.WriteString("- " + l + "\n")
		}
	}
	for _, l := range after {
		if _, there := slices.BinarySearch(before, l); !there && l != "" {
			b.WriteString("+ " + l + "\n")
		}
	}
	return b.String()
}
