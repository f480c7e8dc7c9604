package test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems/rng"
)

// The rules of ARCHITECTURE.md and CONTRIBUTING.md that a program can check.
// Each rule is a function from names and texts to complaints, so that
// TestLintCatches can show that it finds an example of each.

// clocks are the functions of package time that read or wait for the clock.
var clocks = []string{"Now", "Since", "Until", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer", "Sleep"}

// lintGo checks one Go file that is not a test.
func lintGo(name, text string) (bad []string) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	room := strings.TrimPrefix(path.Dir(name), "internal/")
	at := func(n ast.Node, format string, args ...any) {
		bad = append(bad, fmt.Sprintf("%s:%d: ", name, fset.Position(n.Pos()).Line)+fmt.Sprintf(format, args...))
	}
	command := f.Name.Name == "main" || strings.HasPrefix(room, "cmd/")
	clock := command || inTest(room) || slices.Contains([]string{"cl", "cl/binaries", "problems/command", "shard",
		"shard/trial",
		"shard/trial/child", "shard/partial", "shard/mpi", "shard/stages", "solvers/runs",
		"solvers/runs/disk"}, room) ||
		slices.Contains([]string{"solvers/minimize.go", "solvers/attempt.go", "solvers/clock.go"}, name)
	imported := map[string]string{} // local name to path
	for _, i := range f.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		local := strings.TrimSuffix(path.Base(p), "/v2")
		if i.Name != nil {
			local = i.Name.Name
		}
		imported[local] = p
		switch {
		case strings.HasPrefix(p, "math/rand") || p == "crypto/rand" && !command && room != "shard/trial/child":
			at(i, "imports %s; draws are functions of counters (problems/rng)", p)
		case (p == "log" || p == "log/slog") && !command:
			at(i, "imports %s; libraries are silent", p)
		case p == "C" && room != "cl" && room != "cl/crash",
			p == "unsafe" && room != "cl" && room != "cl/crash" && room != "shard/mpi":
			at(i, "imports %s; only cl may, and shard/mpi may import unsafe", p)
		}
		if i.Name != nil && i.Name.Name == "." {
			at(i, "dot import")
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.IfStmt); ok && assignsField(s.Init) {
			at(s, "the head of an if assigns to a field or an element; that is a statement of its own")
		}
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := s.X.(*ast.Ident)
		if !ok {
			return true
		}
		switch what := imported[x.Name] + "." + s.Sel.Name; {
		case imported[x.Name] == "time" && slices.Contains(clocks, s.Sel.Name) && !clock:
			at(s, "%s; the clock belongs to the loop (solvers/minimize.go)", what)
		case !command && slices.Contains([]string{"fmt.Print", "fmt.Printf", "fmt.Println", "os.Stdout", "os.Stderr"},
			what):
			at(s, "%s; libraries are silent", what)
		case what == module+"shard.Evaluate" && strings.HasPrefix(room, "solvers") && room != "solvers/bench":
			at(s, "%s in a run, which has the devices; use Accumulate", s.Sel.Name)
		case !command && what == "os.Exit":
			at(s, "os.Exit; libraries return errors")
		}
		return true
	})
	return bad
}

// assignsField reports whether a statement assigns to a field, an element or what a pointer points to.
func assignsField(s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	return ok && a.Tok == token.ASSIGN && !slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
		_, name := e.(*ast.Ident)
		return name
	})
}

const root = ".."

func complain(t *testing.T, bad []string) {
	t.Helper()
	for _, b := range bad {
		t.Error(b)
	}
}

// files lists the files of the repository, with slashes: those that git tracks or would track, and all
// if there is no git.
func files(t *testing.T) (names []string) {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	if out, err := cmd.Output(); err == nil {
		for _, name := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
			if _, err := os.Stat(filepath.Join(root, name)); err == nil { // not deleted
				names = append(names, name)
			}
		}
		return names
	}
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(root, p)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestLintFiles(t *testing.T) {
	names := files(t)
	kernels := map[string]string{} // kernel to its file
	documented := map[string]bool{}
	used := map[string]bool{} // purposes, by define
	var texts []string
	goFiles, clTexts := map[string]string{}, map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		complain(t, lintFile(name, text))
		complain(t, lintWidth(name, string(text)))
		if path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			complain(t, lintGo(name, string(text)))
			if !inTest(path.Dir(name)) {
				goFiles[name] = string(text)
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly|parser.ParseComments)
			documented[path.Dir(name)] = documented[path.Dir(name)] || err == nil && f.Doc != nil
		}
		text2, below := strings.CutPrefix(name, "kernels/")
		if !below || path.Ext(name) != ".cl" {
			continue
		}
		texts = append(texts, text2)
		clTexts[text2] = string(text)
		complain(t, lintCL(text2, string(text)))
		for _, m := range clKernel.FindAllSubmatch(text, -1) {
			if other, twice := kernels[string(m[1])]; twice {
				t.Errorf("kernel %s is in %s and in %s", m[1], other, name)
			}
			kernels[string(m[1])] = name
		}
		for _, m := range clDraw.FindAllSubmatch(text, -1) {
			used[string(m[1])] = true
		}
	}
	complain(t, lintTexts(texts, goFiles))
	complain(t, lintShapes(clTexts))
	if len(texts) == 0 || len(kernels) == 0 {
		t.Errorf("found %d texts and %d kernels", len(texts), len(kernels))
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("package %s has no package comment", dir)
		}
	}
	for name, p := range rng.Names {
		if slices.Contains([]rng.Purpose{rng.Shift, rng.Check, rng.Generate}, p) {
			continue // drawn on the host
		}
		if !used[name] && !goUses(t, names, name) {
			t.Errorf("purpose %s is used nowhere", name)
		}
	}
}

// goUses reports whether Go code outside problems/rng uses a purpose.
func goUses(t *testing.T, names []string, purpose string) bool {
	use := regexp.MustCompile(`(?i)\brng\.` + purpose + `\b`)
	return slices.ContainsFunc(names, func(name string) bool {
		if path.Ext(name) != ".go" || strings.HasPrefix(name, "problems/rng/") {
			return false
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return use.Match(text)
	})
}

func TestLintCatches(t *testing.T) {
	arrow := func(name string, imports ...string) func() []string {
		return func() []string { return lintArrows(goPackage{ImportPath: module + name, Imports: imports}) }
	}
	inGo := func(name, text string) func() []string {
		return func() []string { return lintGo(name, "package x\n"+text) }
	}
	inCL := func(name, text string) func() []string {
		return func() []string { return lintCL(name, "// banner\n"+text) }
	}
	shapes := func(text string) func() []string {
		return func() []string { return lintShapes(map[string]string{"lib/a.cl": text}) }
	}
	reads := func(text, name, goText string) func() []string {
		return func() []string { return lintTexts([]string{text}, map[string]string{name: "package x\n" + goText}) }
	}
	for want, lint := range map[string]func() []string{
		"problems imports cl":         arrow("problems", module+"cl"),
		"masw imports solvers/anneal": arrow("solvers/masw", module+"solvers/anneal"),
		"cl imports test/contract":    arrow("cl", module+"test/contract"),
		"shard imports solvers":       arrow("shard", "fmt", module+"solvers"),
		"imports the OpenCL binding":  arrow("solvers", binding+"/cl"),
		"imports cmd/clopt": func() []string {
			return lintArrows(goPackage{ImportPath: module + "cl", XTestImports: []string{module + "cmd/clopt"}})
		},
		"new room":               arrow("extra"),
		"imports math/rand/v2":   inGo("solvers/a.go", `import "math/rand/v2"`),
		"time.Now; the clock":    inGo("solvers/a.go", `import "time"; var x = time.Now()`),
		"time.Since; the clock":  inGo("problems/a.go", `import t "time"; var x = t.Since`),
		"fmt.Println; libraries": inGo("shard/a.go", `import "fmt"; func f() { fmt.Println() }`),
		"imports log;":           inGo("cl/a.go", `import "log"`),
		"Evaluate in a run":      inGo("solvers/a.go", `import "`+module+`shard"; var x = shard.Evaluate`),
		"os.Exit; libraries":     inGo("cl/a.go", `import "os"; func f() { os.Exit(1) }`),
		"imports unsafe":         inGo("shard/a.go", `import "unsafe"`),
		"OpenCL built-in":        inCL("lib/atomic.cl", "kernel void atomic_add(global int *a) {}"),
		"<file>_<verb>": inCL("lib/eval.cl",
			"kernel __attribute__((reqd_work_group_size(G, 1, 1)))\nvoid sum_all(int a) {}"),
		"<folder>_<verb>":      inCL("solvers/masw/child.cl", "kernel void child_make(global int *a) {}"),
		"is not in lib/":       inCL("solvers/masw.cl", ""),
		"of another family":    reads("solvers/masw/a.cl", "solvers/anneal/a.go", `var x = "solvers/masw/a.cl"`),
		"which is not there":   reads("lib/a.cl", "solvers/masw/a.go", `var x = "solvers/masw/a.cl"`),
		"read by no Go file":   reads("problems/cut/maxcut.cl", "problems/cut/a.go", `var x = "problems/cut"`),
		"eval.cl:3: double2":   inCL("lib/eval.cl", "\nstatic double2 x;"),
		"#include":             inCL("lib/eval.cl", `# include "a.h"`),
		"purpose DRAW_NOTHING": inCL("lib/eval.cl", "int a = DRAW_NOTHING;"),
		"prelude.cl alone":     inCL("lib/eval.cl", "#ifdef cl_nv_pragma_unroll\n#endif"),
		"has no banner":        func() []string { return lintCL("lib/a.cl", "int a;") },
		"#if in 2 others":      shapes("#if A\n#if B\n#ifdef C\n#endif\n#endif\n#endif\n"),
		"macro EACH is a loop": shapes("#define EACH(i) \\\n    for (int i = 0; i < 4; i++)\n"),
		"a_sum has 11 parameters": shapes("#define TWO int a, int b\nstatic int a_sum(TWO, TWO, TWO, TWO, TWO, " +
			"global int *p)\n{\n}\n"),
		"a_run has 11 parameters": shapes("kernel void a_run(global int *p, int a, int b, int c, int d, int e, " +
			"int f, int g, int h, int i, int j, int k)\n{\n}\n"),
		"data of others":   func() []string { return lintFile("test/testdata/f10-R25.txt", nil) },
		"two concepts":     func() []string { return lintFile("a.go", bytes.Repeat([]byte("\n"), maxLines+1)) },
		"bytes; the limit": func() []string { return lintFile("a.bin", make([]byte, maxBytes+1)) },
		"a.go:2: 121 columns": func() []string {
			return lintWidth("a.go", "package a\n\t// "+strings.Repeat("é", 114)+"\n")
		},
		"a.cl:1: 121 columns": func() []string { return lintWidth("a.cl", strings.Repeat("x", 121)) },
		"a.go:1: 131 columns": func() []string {
			return lintWidth("a.go", "var s = `"+strings.Repeat("x", 121)+"`")
		},
	} {
		if bad := lint(); len(bad) != 1 || !strings.Contains(
			strings.Replace(bad[0], "# include", "#include", 1), want) {
			t.Errorf("want one complaint with %q, got %q", want, bad)
		}
	}
	for name, bad := range map[string][]string{
		"arrows": lintArrows(goPackage{ImportPath: module + "shard",
			Imports: []string{"fmt", module + "cl", module + "problems/rng"}}),
		"root": lintArrows(goPackage{ImportPath: strings.TrimSuffix(module, "/"),
			Imports: []string{module + "solvers"}}),
		"loop": lintGo("solvers/minimize.go", "package x\nimport \"time\"\nvar x = time.Now()"),
		"type": lintGo("solvers/a.go", "package x\nimport \"time\"\nvar x time.Duration"),
		"command": lintGo("cmd/clopt/a.go", "package main\nimport (\"fmt\"; \"os\")\nfunc f() { "+
			"fmt.Fprintln(os.Stderr); os.Exit(1) }"),
		"kernel": lintCL("solvers/masw/child.cl", "// double\nkernel void masw_mate(global real *a) { a[0] = "+
			"DRAW_INIT; }"), "folder": reads("problems/cut/a.cl", "problems/cut/a.go", `var x = "problems/cut/" + y`)(),
		"above":   reads("solvers/masw/a.cl", "solvers/a.go", `var x = "solvers/masw/a.cl"`)(),
		"width":   lintWidth("a.go", strings.Repeat("\t", 30)+"\n"+strings.Repeat("é", 120)),
		"address": lintWidth("a.go", "// https://"+strings.Repeat("x", 120)),
		"embed":   lintWidth("a.go", "//go:embed "+strings.Repeat("x", 120)),
		"tag":     lintWidth("a.go", "\tName string `json:\""+strings.Repeat("x", 120)+"\"`"),
		"shape": lintShapes(map[string]string{"lib/a.cl": "#if A\n#if B\n#endif\n#endif\n#if C\n#endif\n" +
			"kernel void a_run(global int *p, local int *q, int a, int b)\n{\n    for (;;) {}\n}\n"}),
		"page":    lintWidth("a.md", strings.Repeat("x", 200)),
		"prelude": lintCL("lib/prelude.cl", "// banner\ntypedef double real;"),
	} {
		if len(bad) != 0 {
			t.Errorf("%s: %q", name, bad)
		}
	}
}
