package test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/test/shorttest"
)

// listed is a package as `go list -deps -test -json` prints it.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// TestOtherSystems: all packages and their tests have types on Windows and macOS, without cgo. They are read from
// their sources, since to compile the standard library for each system takes a minute; `make vet-other` does.
func TestOtherSystems(t *testing.T) {
	for _, system := range shorttest.Rows(1, []string{"windows", "darwin"}) {
		t.Run(system, func(t *testing.T) {
			list := exec.Command("go", "list", "-deps", "-test", "-json=ImportPath,Dir,GoFiles,ImportMap",
				"./...")
			list.Dir = ".."
			list.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
			out, err := list.Output()
			if err != nil {
				t.Fatal(err)
			}
			fset, done, ours := token.NewFileSet(), map[string]*types.Package{"unsafe": types.Unsafe}, 0
			for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
				var p listed
				if err := dec.Decode(&p); err != nil {
					t.Fatal(err)
				}
				// Names that end in .test are the main packages that go test writes.
				if p.ImportPath == "unsafe" || strings.HasSuffix(p.ImportPath, ".test") {
					continue
				}
				var files []*ast.File
				for _, name := range p.GoFiles {
					f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
					if err != nil {
						t.Fatal(err)
					}
					files = append(files, f)
				}
				isOurs := strings.HasPrefix(p.ImportPath, strings.TrimSuffix(module, "/"))
				conf := types.Config{
					IgnoreFuncBodies: !isOurs, Sizes: types.SizesFor("gc", "amd64"),
					Importer: importerFunc(func(path string) (*types.Package, error) {
						if real, ok := p.ImportMap[path]; ok {
							path = real
						}
						return done[path], nil
					}),
				}
				path, _, _ := strings.Cut(p.ImportPath, " ") // "a [a.test]" is a with its tests
				if done[p.ImportPath], err = conf.Check(path, fset, files, nil); err != nil {
					t.Errorf("%v", err)
				}
				if isOurs {
					ours++
				}
			}
			if ours < 40 {
				t.Errorf("%d packages", ours)
			}
		})
	}
}

// TestRootModules: a program that imports the root compiles no module for flags, terminals, run files or pictures, and
// without cgo no C.
func TestRootModules(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".")
	list.Dir = ".."
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := slices.Compact(slices.Sorted(slices.Values(strings.Fields(string(out)))))
	want := []string{"github.com/clopt/clopt", "github.com/ebitengine/purego", "github.com/klauspost/compress",
		"github.com/ulikunitz/xz", "gonum.org/v1/gonum"}
	if !slices.Equal(modules, want) {
		t.Errorf("modules %q, want %q", modules, want)
	}
}
