package test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems/draw"
)

// The rules of ARCHITECTURE.md and CONTRIBUTING.md that a program can check.
// Each rule is a function from names and texts to complaints, so that
// TestLintCatches can show that it catches what it is for.

const (
	module  = "github.com/clopt/clopt/"
	binding = "github.com/jgillich/go-opencl"
)

// rooms are the packages, and what each may import of ours: the picture in
// ARCHITECTURE.md.
var rooms = map[string][]string{
	"cl":               {},
	"docs":             {},
	"kernels":          {},
	"problems/draw":    {},
	"problems":         {"problems/draw", "problems/graph"},
	"problems/graph":   {"problems/draw"},
	"problems/linkage": {"problems/draw", "problems/graph"},
	"shard":            {"cl", "kernels", "problems", "problems/draw"},
	"test":             {},

	"solvers/checkpoint": {},
	"solvers/stats":      {},
	"solvers":            {"cl", "kernels", "problems", "problems/draw", "problems/graph", "problems/linkage", "shard", "solvers/checkpoint"},
	"cmd/clopt":          {"cl", "docs", "kernels", "problems", "problems/draw", "problems/graph", "shard", "solvers", "solvers/checkpoint", "solvers/stats"},
}

// inTest says whether a room is test/ or below it: what crosses rooms, and
// suites for it. They import anything but the command; nothing else imports them.
func inTest(room string) bool { return room == "test" || strings.HasPrefix(room, "test/") }

// goPackage is what `go list -json` says of a package.
type goPackage struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

func lintArrows(p goPackage) (bad []string) {
	name := strings.TrimPrefix(p.ImportPath, module)
	allowed, known := rooms[name]
	if !known && !inTest(name) {
		return []string{name + " is a new room: draw its arrows in ARCHITECTURE.md, then in test/lint_test.go"}
	}
	for _, i := range p.Imports {
		if room, ours := strings.CutPrefix(i, module); ours && !inTest(name) && !slices.Contains(allowed, room) {
			bad = append(bad, fmt.Sprintf("%s imports %s; it may import %v", name, room, allowed))
		}
	}
	for _, i := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
		if strings.HasPrefix(i, binding) && name != "cl" {
			bad = append(bad, name+" imports the OpenCL binding; only cl may")
		}
		if room, ours := strings.CutPrefix(i, module); ours && (inTest(room) && !inTest(name) || strings.HasPrefix(room, "cmd/")) {
			bad = append(bad, name+" imports "+room+"; nothing may")
		}
	}
	return bad
}

// clocks are what package time can do beside naming durations.
var clocks = []string{"Now", "Since", "Until", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer", "Sleep"}

// lintGo checks one Go file that is not a test.
func lintGo(name, text string) (bad []string) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	room := path.Dir(name)
	at := func(n ast.Node, format string, args ...any) {
		bad = append(bad, fmt.Sprintf("%s:%d: ", name, fset.Position(n.Pos()).Line)+fmt.Sprintf(format, args...))
	}
	command := strings.HasPrefix(room, "cmd/")
	clock := command || inTest(room) || room == "shard" || room == "cl" || name == "solvers/minimize.go"
	imported := map[string]string{} // local name to path
	for _, i := range f.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		local := strings.TrimSuffix(path.Base(p), "/v2")
		if i.Name != nil {
			local = i.Name.Name
		}
		imported[local] = p
		switch {
		case strings.HasPrefix(p, "math/rand") || p == "crypto/rand" && !command:
			at(i, "imports %s; draws are functions of counters (problems/draw)", p)
		case (p == "log" || p == "log/slog") && !command:
			at(i, "imports %s; libraries are silent", p)
		case (p == "C" || p == "unsafe") && room != "cl":
			at(i, "imports %s; only cl may", p)
		}
		if i.Name != nil && i.Name.Name == "." {
			at(i, "dot import")
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
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
		case !command && slices.Contains([]string{"fmt.Print", "fmt.Printf", "fmt.Println", "os.Stdout", "os.Stderr"}, what):
			at(s, "%s; libraries are silent", what)
		case !command && what == "os.Exit":
			at(s, "os.Exit; libraries return errors")
		}
		return true
	})
	return bad
}

var (
	clComment = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	clKernel  = regexp.MustCompile(`\b(?:__)?kernel\s+(?:__attribute__\s*\(\(.*?\)\)\s+)*void\s+(\w+)\s*\(`)
	clDouble  = regexp.MustCompile(`\bdouble\d*\b`)
	clVendor  = regexp.MustCompile(`(?i)nvidia|\bcl_(nv|amd|intel|arm|qcom)_|__NV_|__AMD|\bpocl|\bmesa\b`)
	clDraw    = regexp.MustCompile(`\bDRAW_([A-Z]+)\b`)
	clForeign = regexp.MustCompile(`(?m)^\s*#\s*(include|line)\b`)
)

// clBuiltins are functions and words of OpenCL C that a kernel must not be
// called: such a program builds, and the kernel cannot be created.
var clBuiltins = strings.Fields(`abs abs_diff acos acosh acospi add_sat all any asin asinh asinpi async_work_group_copy atan
	atan2 atan2pi atanh atanpi atomic_add atomic_and atomic_cmpxchg atomic_dec atomic_inc atomic_max atomic_min atomic_or
	atomic_sub atomic_xchg atomic_xor barrier bitselect cbrt ceil clamp clz convert copysign cos cosh cospi cross ctz
	degrees distance dot erf erfc exp exp10 exp2 expm1 fabs fast_distance fast_length fast_normalize fdim floor fma fmax
	fmin fmod fract frexp get_global_id get_global_offset get_global_size get_group_id get_local_id get_local_size
	get_num_groups get_work_dim hadd hypot ilogb isequal isfinite isgreater isinf isless isnan isnormal isordered ldexp
	length lgamma lgamma_r log log10 log1p log2 logb mad mad24 mad_hi mad_sat main max maxmag mem_fence min minmag mix
	modf mul24 mul_hi nan nextafter normalize popcount pow pown powr prefetch printf radians read_mem_fence remainder
	remquo rhadd rint rootn rotate round rsqrt sample select shuffle shuffle2 sign signbit sin sincos sinh sinpi
	smoothstep sqrt step sub_sat tan tanh tanpi tgamma trunc upsample vload vload2 vload4 vstore vstore2 vstore4
	wait_group_events write_mem_fence`)

// lintCL checks one text below kernels/, named like "solvers/masw_child.cl".
func lintCL(name, text string) (bad []string) {
	code := clComment.ReplaceAllStringFunc(text, func(c string) string {
		return strings.Repeat("\n", strings.Count(c, "\n")) + " " // lines keep their numbers
	})
	say := func(offset int, format string, args ...any) {
		line := 1 + strings.Count(code[:offset], "\n")
		bad = append(bad, fmt.Sprintf("kernels/%s:%d: ", name, line)+fmt.Sprintf(format, args...))
	}
	if !strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "/*") {
		say(0, "has no banner: say what it computes, shapes, layout and launch")
	}
	base := strings.TrimSuffix(path.Base(name), ".cl")
	for _, m := range clKernel.FindAllStringSubmatchIndex(code, -1) {
		kernel := code[m[2]:m[3]]
		if slices.Contains(clBuiltins, kernel) {
			say(m[0], "kernel %s has the name of an OpenCL built-in", kernel)
		}
		if !slices.ContainsFunc(prefixes(base), func(p string) bool { return strings.HasPrefix(kernel, p+"_") }) {
			say(m[0], "kernel %s is not named <file>_<verb>", kernel)
		}
	}
	for _, m := range clForeign.FindAllStringIndex(code, -1) {
		say(m[0], "%s; parts are put together by kernels.Assemble", strings.TrimSpace(code[m[0]:m[1]]))
	}
	for _, m := range clDraw.FindAllStringSubmatchIndex(code, -1) {
		if _, ok := draw.Names[code[m[2]:m[3]]]; !ok {
			say(m[0], "purpose %s is not in problems/draw", code[m[0]:m[1]])
		}
	}
	if name == "lib/prelude.cl" {
		return bad
	}
	for _, m := range clDouble.FindAllStringIndex(code, -1) {
		say(m[0], "%s; write real or sum", code[m[0]:m[1]])
	}
	for _, m := range clVendor.FindAllStringIndex(code, -1) {
		say(m[0], "%q; what vendors need is in lib/prelude.cl alone", code[m[0]:m[1]])
	}
	return bad
}

// prefixes of "masw_child_x" are masw_child_x, masw_child and masw.
func prefixes(base string) []string {
	all := []string{base}
	for i := strings.LastIndexByte(base, '_'); i > 0; i = strings.LastIndexByte(base[:i], '_') {
		all = append(all, base[:i])
	}
	return all
}

var officialData = regexp.MustCompile(`(?i)(^|/)F\d+-(xopt|p|s|w|R\d+)\.txt$`)

const (
	maxLines = 500
	maxBytes = 1 << 20
)

// lintFile checks any file of the repository.
func lintFile(name string, text []byte) (bad []string) {
	if officialData.MatchString(name) {
		bad = append(bad, name+": data of others is read from where a person keeps it, never kept here")
	}
	if len(text) > maxBytes {
		bad = append(bad, fmt.Sprintf("%s: %d bytes; the limit is %d", name, len(text), maxBytes))
	}
	ext := path.Ext(name)
	if slices.Contains([]string{".go", ".cl", ".sh", ".md"}, ext) || path.Base(name) == "Makefile" {
		if lines := bytes.Count(text, []byte("\n")); lines > maxLines {
			bad = append(bad, fmt.Sprintf("%s: %d lines; a file over %d is two concepts", name, lines, maxLines))
		}
	}
	return bad
}

const root = ".."

func complain(t *testing.T, bad []string) {
	t.Helper()
	for _, b := range bad {
		t.Error(b)
	}
}

func TestLintArrows(t *testing.T) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		seen[strings.TrimPrefix(p.ImportPath, module)] = true
		complain(t, lintArrows(p))
	}
	for room := range rooms {
		if !seen[room] {
			t.Errorf("there is no package %s", room)
		}
	}
}

// files are the names of the repository's files, with slashes: what git
// tracks or would track, and everything where there is no git.
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
	texts := 0
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		complain(t, lintFile(name, text))
		if path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			complain(t, lintGo(name, string(text)))
			f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly|parser.ParseComments)
			documented[path.Dir(name)] = documented[path.Dir(name)] || err == nil && f.Doc != nil
		}
		text2, below := strings.CutPrefix(name, "kernels/")
		if !below || path.Ext(name) != ".cl" {
			continue
		}
		texts++
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
		if dir := path.Dir(text2); dir == "problems" || dir == "solvers" {
			base := strings.TrimSuffix(path.Base(name), ".cl")
			if !slices.ContainsFunc(prefixes(base), func(p string) bool { return slices.Contains(names, dir+"/"+p+".go") }) {
				t.Errorf("%s has no Go file of its name in %s", name, dir)
			}
		}
	}
	if texts == 0 || len(kernels) == 0 {
		t.Errorf("found %d texts and %d kernels", texts, len(kernels))
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("package %s has no package comment", dir)
		}
	}
	for name, p := range draw.Names {
		if slices.Contains([]draw.Purpose{draw.Shift, draw.Check, draw.Generate}, p) {
			continue // drawn on the host
		}
		if !used[name] && !goUses(t, names, name) {
			t.Errorf("purpose %s is used nowhere", name)
		}
	}
}

// goUses says whether Go code outside problems/draw uses a purpose.
func goUses(t *testing.T, names []string, purpose string) bool {
	use := regexp.MustCompile(`(?i)\bdraw\.` + purpose + `\b`)
	return slices.ContainsFunc(names, func(name string) bool {
		if path.Ext(name) != ".go" || strings.HasPrefix(name, "problems/draw/") {
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
	for want, lint := range map[string]func() []string{
		"problems imports cl":        arrow("problems", module+"cl"),
		"shard imports solvers":      arrow("shard", "fmt", module+"solvers"),
		"imports the OpenCL binding": arrow("solvers", binding+"/cl"),
		"imports cmd/clopt": func() []string {
			return lintArrows(goPackage{ImportPath: module + "cl", XTestImports: []string{module + "cmd/clopt"}})
		},
		"new room":               arrow("extra"),
		"imports math/rand/v2":   inGo("solvers/a.go", `import "math/rand/v2"`),
		"time.Now; the clock":    inGo("solvers/a.go", `import "time"; var x = time.Now()`),
		"time.Since; the clock":  inGo("problems/a.go", `import t "time"; var x = t.Since`),
		"fmt.Println; libraries": inGo("shard/a.go", `import "fmt"; func f() { fmt.Println() }`),
		"imports log;":           inGo("cl/a.go", `import "log"`),
		"os.Exit; libraries":     inGo("cl/a.go", `import "os"; func f() { os.Exit(1) }`),
		"imports unsafe":         inGo("shard/a.go", `import "unsafe"`),
		"OpenCL built-in":        inCL("lib/atomic.cl", "kernel void atomic_add(global int *a) {}"),
		"<file>_<verb>":          inCL("lib/eval.cl", "kernel __attribute__((reqd_work_group_size(G, 1, 1)))\nvoid sum_all(int a) {}"),
		"eval.cl:3: double2":     inCL("lib/eval.cl", "\nstatic double2 x;"),
		"#include":               inCL("lib/eval.cl", `# include "a.h"`),
		"purpose DRAW_NOTHING":   inCL("lib/eval.cl", "int a = DRAW_NOTHING;"),
		"prelude.cl alone":       inCL("lib/eval.cl", "#ifdef cl_nv_pragma_unroll\n#endif"),
		"has no banner":          func() []string { return lintCL("lib/a.cl", "int a;") },
		"data of others":         func() []string { return lintFile("test/testdata/f10-R25.txt", nil) },
		"two concepts":           func() []string { return lintFile("a.go", bytes.Repeat([]byte("\n"), maxLines+1)) },
		"bytes; the limit":       func() []string { return lintFile("a.bin", make([]byte, maxBytes+1)) },
	} {
		if bad := lint(); len(bad) != 1 || !strings.Contains(strings.Replace(bad[0], "# include", "#include", 1), want) {
			t.Errorf("want one complaint with %q, got %q", want, bad)
		}
	}
	for name, bad := range map[string][]string{
		"arrows":  lintArrows(goPackage{ImportPath: module + "shard", Imports: []string{"fmt", module + "cl", module + "problems/draw"}}),
		"loop":    lintGo("solvers/minimize.go", "package x\nimport \"time\"\nvar x = time.Now()"),
		"type":    lintGo("solvers/a.go", "package x\nimport \"time\"\nvar x time.Duration"),
		"command": lintGo("cmd/clopt/a.go", "package x\nimport (\"fmt\"; \"os\")\nfunc f() { fmt.Fprintln(os.Stderr); os.Exit(1) }"),
		"kernel":  lintCL("solvers/masw_child.cl", "// double\nkernel void masw_mate(global real *a) { a[0] = DRAW_INIT; }"),
		"prelude": lintCL("lib/prelude.cl", "// banner\ntypedef double real;"),
	} {
		if len(bad) != 0 {
			t.Errorf("%s: %q", name, bad)
		}
	}
}
