package test

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// kernels/README.md lists every kernel. It is made of the sources:
//
//	go test ./test -run KernelTable -update
//
// writes it, and without -update the test compares it with them.

var update = flag.Bool("update", false, "write kernels/README.md, or the files of testdata/ioh, anew")

const kernelTable = "kernels/README.md"

const kernelTableHead = `# Kernels

This page is made of the sources by ` + "`go test ./test -run KernelTable -update`" + `; a test compares the two.

- *computes* is the first sentence of the comment above the kernel, in the text that is named in the last column.
- *Go function* is where the host takes the kernel from a program and says what its arguments are.
- *variants* are the defines that ` + "`#if`" + ` asks for in the kernel, around it, and in the functions and macros
  that it uses in the texts of its folder, in ` + "`lib/`" + ` in its own text. The banner of each text says what they
  mean.
`

// kernelRow is one kernel of the table.
type kernelRow struct {
	name, text, computes string
	callers, variants    []string
}

// clUnit is a function or macro of a text: the words that it uses, and the defines in the conditions around it and in
// it.
type clUnit struct{ words, defines map[string]bool }

var (
	clWord      = regexp.MustCompile(`[A-Za-z_]\w*`)
	clDefine    = regexp.MustCompile(`^[A-Z][A-Z0-9_]+$`)
	clCondition = regexp.MustCompile(`^#\s*(if|ifdef|ifndef|elif|endif)\b(.*)`)
	clMacro     = regexp.MustCompile(`^#\s*define\s+(\w+)`)
	clFunction  = regexp.MustCompile(`(\w+)\s*\(`)
	clAttribute = regexp.MustCompile(`__attribute__\s*\(\(.*?\)\)(\)\))?`)
	sentence    = regexp.MustCompile(`^.*?\.(?:\s|$)`)
)

// readUnits adds the units of a text to those of its folder. Functions begin and
// end at the left margin, as everywhere below kernels/.
func readUnits(text string, units map[string]*clUnit) {
	lines := strings.Split(clComment.ReplaceAllString(text, " "), "\n")
	var around [][]string // words of the conditions that are open
	var unit *clUnit
	var name string
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if m := clCondition.FindStringSubmatch(line); m != nil {
			words := clWord.FindAllString(m[2], -1)
			switch m[1] {
			case "endif":
				around = around[:len(around)-1]
			case "elif":
				around[len(around)-1] = append(around[len(around)-1], words...)
			default:
				around = append(around, words)
			}
			if unit != nil {
				unit.conditions(words)
			}
			continue
		}
		macro := clMacro.FindStringSubmatch(line)
		if macro == nil && strings.TrimSpace(line) == "" || macro == nil && strings.HasPrefix(line, "#") {
			continue
		}
		this := unit
		if macro != nil || unit == nil {
			this = &clUnit{map[string]bool{}, map[string]bool{}}
			for _, words := range around {
				this.conditions(words)
			}
		}
		if macro != nil {
			for strings.HasSuffix(line, "\\") && i+1 < len(lines) {
				i++
				line = strings.TrimSuffix(line, "\\") + lines[i]
			}
			this.add(units, macro[1], line)
			continue
		}
		if unit == nil {
			unit, name = this, ""
		}
		if m := clFunction.FindStringSubmatch(clAttribute.ReplaceAllString(line, "")); m != nil && name == "" {
			name = m[1]
		}
		unit.add(units, name, line)
		margin := !strings.HasPrefix(line, " ")
		if margin && (strings.HasPrefix(line, "}") || strings.HasSuffix(line, "}") || strings.HasSuffix(line, ";")) {
			unit = nil
		}
	}
}

// conditions notes the defines among the words of a condition.
func (u *clUnit) conditions(words []string) {
	for _, w := range words {
		if clDefine.MatchString(w) {
			u.defines[w] = true
		}
	}
}

// add adds a line to the unit called name. Units of the same name are variants of one.
func (u *clUnit) add(units map[string]*clUnit, name, line string) {
	for _, w := range clWord.FindAllString(line, -1) {
		u.words[w] = true
	}
	if old := units[name]; old != nil && old != u {
		maps.Copy(old.words, u.words)
		maps.Copy(old.defines, u.defines)
	} else {
		units[name] = u
	}
}

// variantsOf returns the defines of a kernel and of all that it uses. A condition on a macro of the folder counts as a
// condition on the defines in the macro.
func variantsOf(kernel string, units map[string]*clUnit) []string {
	defines, seen := map[string]bool{}, map[string]bool{}
	var follow func(name string)
	follow = func(name string) {
		u := units[name]
		if u == nil || seen[name] {
			return
		}
		seen[name] = true
		for w := range u.words {
			follow(w)
		}
		for d := range u.defines {
			if macro := units[d]; macro != nil {
				for w := range macro.words {
					if units[w] == nil && clDefine.MatchString(w) {
						defines[w] = true
					}
				}
				follow(d)
			} else {
				defines[d] = true
			}
		}
	}
	follow(kernel)
	return slices.Sorted(maps.Keys(defines))
}

// commentAbove returns the comment that ends at a byte of a text, as one line. It ignores the banner of the text.
func commentAbove(text string, end int) string {
	lines := strings.Split(strings.TrimSuffix(text[:end], "\n"), "\n")
	first := len(lines)
	for first > 0 && strings.HasPrefix(lines[first-1], "//") {
		first--
	}
	if first == 0 {
		return ""
	}
	var b strings.Builder
	for _, l := range lines[first:] {
		b.WriteString(strings.TrimPrefix(l, "//"))
	}
	return strings.TrimSpace(b.String())
}

// kernelRows reads texts, by their names below kernels/, and Go files, by their
// names in the repository.
func kernelRows(texts, goFiles map[string]string) (rows []kernelRow, bad []string) {
	asked := map[string][]string{} // word to functions
	for _, name := range slices.Sorted(maps.Keys(goFiles)) {
		for word, functions := range kernelWords(name, goFiles[name]) {
			asked[word] = append(asked[word], functions...)
		}
	}
	folders := map[string]map[string]*clUnit{}
	home := func(name string) string {
		if dir := path.Dir(name); dir != "lib" {
			return dir
		}
		return name
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if folders[home(name)] == nil {
			folders[home(name)] = map[string]*clUnit{}
		}
		readUnits(texts[name], folders[home(name)])
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name]
		for _, m := range clKernel.FindAllStringSubmatchIndex(text, -1) {
			if begin := strings.LastIndexByte(text[:m[0]], '\n') + 1; strings.HasPrefix(text[begin:], "//") {
				continue
			}
			r := kernelRow{name: text[m[2]:m[3]], text: name}
			r.computes = strings.TrimSpace(sentence.FindString(commentAbove(text, m[0])))
			if r.computes == "" {
				bad = append(bad, fmt.Sprintf("kernels/%s: no sentence above kernel %s says what it computes", name,
					r.name))
			}
			if r.callers = asked[r.name]; len(r.callers) == 0 {
				bad = append(bad, fmt.Sprintf("kernels/%s: no Go function asks for kernel %s", name, r.name))
			}
			r.variants = variantsOf(r.name, folders[home(name)])
			rows = append(rows, r)
		}
	}
	return rows, bad
}

// kernelWords returns the strings in functions of a Go file that call a method Kernel, each with links to these
// functions.
func kernelWords(name, text string) map[string][]string {
	words := map[string][]string{}
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return words
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		asks, here := false, map[string]bool{}
		ast.Inspect(fn, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				asks = asks || n.Sel.Name == "Kernel"
			case *ast.BasicLit:
				if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
					here[s] = true
				}
			}
			return true
		})
		label := fn.Name.Name
		if fn.Recv != nil {
			t := fn.Recv.List[0].Type
			if star, ok := t.(*ast.StarExpr); ok {
				t = star.X
			}
			if id, ok := t.(*ast.Ident); ok {
				label = id.Name + "." + label
			}
		}
		for s := range here {
			if asks {
				words[s] = append(words[s], fmt.Sprintf("[`%s.%s`](../%s)", f.Name.Name, label, name))
			}
		}
	}
	return words
}

// kernelPage returns the text of kernels/README.md.
func kernelPage(rows []kernelRow) string {
	var b strings.Builder
	b.WriteString(kernelTableHead)
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b kernelRow) int { return cmp.Compare(path.Dir(a.text), path.Dir(b.text)) })
	folder := ""
	for _, r := range rows {
		if dir := path.Dir(r.text); dir != folder {
			folder = dir
			fmt.Fprintf(&b, "\n## %s\n\n| kernel | computes | Go function | variants | text |\n|---|---|---|---|---|\n",
				dir)
		}
		variants := ""
		if len(r.variants) > 0 {
			variants = "`" + strings.Join(r.variants, "` `") + "`"
		}
		cell := func(s string) string { return strings.ReplaceAll(s, "|", "\\|") }
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | [%s](%s) |\n",
			r.name, cell(r.computes), strings.Join(r.callers, ", "), variants, path.Base(r.text), r.text)
	}
	return b.String()
}

func TestKernelTable(t *testing.T) {
	texts, goFiles := map[string]string{}, map[string]string{}
	for _, name := range files(t) {
		below, ours := strings.CutPrefix(name, "kernels/")
		cl := ours && path.Ext(name) == ".cl"
		if !cl && (path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || inTest(path.Dir(name))) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if cl {
			texts[below] = string(text)
		} else {
			goFiles[name] = string(text)
		}
	}
	rows, bad := kernelRows(texts, goFiles)
	complain(t, bad)
	page, file := kernelPage(rows), filepath.Join(root, filepath.FromSlash(kernelTable))
	if *update {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if have, err := os.ReadFile(file); err != nil || string(have) != page {
		t.Errorf("%s is not that of the sources (%v): go test ./test -run KernelTable -update", kernelTable, err)
	}
}

func TestKernelTableCatches(t *testing.T) {
	const text = `// banner
#define TWICE (WIDER || 0)
#if FLAT
static void toy_help(void) {}
#endif

// Adds. Once more.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void toy_add(global real *a)
{
#if TWICE
    toy_help();
#elif LATE > 1
#endif
}

kernel void toy_bare(global real *a) {}
`
	rows, bad := kernelRows(map[string]string{"solvers/toy/toy.cl": text}, map[string]string{
		"toy/a.go": "package toy\nfunc (r *run) make() { r.p.Kernel(\"toy_add\") }\nfunc label() string { return " +
			"\"toy_bare\" }\n",
	})
	if len(rows) != 2 || len(bad) != 2 ||
		!strings.Contains(bad[0], "no sentence above kernel toy_bare") ||
		!strings.Contains(bad[1], "no Go function asks for kernel toy_bare") {
		t.Fatalf("rows %+v, complaints %q", rows, bad)
	}
	want := "| `toy_add` | Adds. | [`toy.run.make`](../toy/a.go) | " +
		"`FLAT` `LATE` `WIDER` | [toy.cl](solvers/toy/toy.cl) |"
	if page := kernelPage(rows); !strings.Contains(page, want) {
		t.Errorf("got\n%s\nwithout\n%s", page, want)
	}
}
