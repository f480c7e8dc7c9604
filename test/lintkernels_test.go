package test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems/rng"
)

// The rules for texts below kernels/.

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
var clBuiltins = strings.Fields(`
	abs abs_diff acos acosh acospi add_sat all any asin asinh asinpi async_work_group_copy atan atan2 atan2pi atanh
	atanpi atomic_add atomic_and atomic_cmpxchg atomic_dec atomic_inc atomic_max atomic_min atomic_or atomic_sub
	atomic_xchg atomic_xor barrier bitselect cbrt ceil clamp clz convert copysign cos cosh cospi cross ctz degrees
	distance dot erf erfc exp exp10 exp2 expm1 fabs fast_distance fast_length fast_normalize fdim floor fma fmax fmin
	fmod fract frexp get_global_id get_global_offset get_global_size get_group_id get_local_id get_local_size
	get_num_groups get_work_dim hadd hypot ilogb isequal isfinite isgreater isinf isless isnan isnormal isordered
	ldexp length lgamma lgamma_r log log10 log1p log2 logb mad mad24 mad_hi mad_sat main max maxmag mem_fence min
	minmag mix modf mul24 mul_hi nan nextafter normalize popcount pow pown powr prefetch printf radians
	read_mem_fence remainder remquo rhadd rint rootn rotate round rsqrt sample select shuffle shuffle2 sign signbit
	sin sincos sinh sinpi smoothstep sqrt step sub_sat tan tanh tanpi tgamma trunc upsample vload vload2 vload4
	vstore vstore2 vstore4 wait_group_events write_mem_fence`)

// lintCL checks one text below kernels/, named like "solvers/masw/child.cl".
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
	family, of := path.Base(path.Dir(name)), "folder"
	if path.Dir(name) == "lib" {
		family, of = strings.TrimSuffix(path.Base(name), ".cl"), "file"
	} else if strings.Count(name, "/") != 2 {
		say(0, "is not in lib/, problems/FAMILY/ or solvers/FAMILY/")
	}
	for _, m := range clKernel.FindAllStringSubmatchIndex(code, -1) {
		kernel := code[m[2]:m[3]]
		if slices.Contains(clBuiltins, kernel) {
			say(m[0], "kernel %s has the name of an OpenCL built-in", kernel)
		}
		if !strings.HasPrefix(kernel, family+"_") {
			say(m[0], "kernel %s is not named <%s>_<verb>: %s_…", kernel, of, family)
		}
	}
	for _, m := range clForeign.FindAllStringIndex(code, -1) {
		say(m[0], "%s; parts are put together by kernels.Assemble", strings.TrimSpace(code[m[0]:m[1]]))
	}
	for _, m := range clDraw.FindAllStringSubmatchIndex(code, -1) {
		if _, ok := rng.Names[code[m[2]:m[3]]]; !ok {
			say(m[0], "purpose %s is not in problems/rng", code[m[0]:m[1]])
		}
	}
	if name == "lib/prelude.cl" {
		return bad
	}
	for _, m := range clDouble.FindAllStringIndex(code, -1) {
		say(m[0], "%s; write real or sum", code[m[0]:m[1]])
	}
	for _, m := range clVendor.FindAllStringIndex(code, -1) {
		say(m[0], "%q; words of vendors belong into lib/prelude.cl alone", code[m[0]:m[1]])
	}
	return bad
}

// familyText is a Go string that names a text of a family, or its folder.
var familyText = regexp.MustCompile(`^((?:problems|solvers)/\w+)/(?:.*\.cl)?$`)

// lintTexts checks that every text of a folder below kernels/problems and kernels/solvers is read by the package of the
// same path, one below it or the one above it, and by no other. texts has names below kernels/, and goFiles texts of Go
// by name.
func lintTexts(texts []string, goFiles map[string]string) (bad []string) {
	read := map[string]bool{}
	for name, text := range goFiles {
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return []string{err.Error()}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			s, _ := strconv.Unquote(lit.Value)
			m := familyText.FindStringSubmatch(s)
			if m == nil {
				return true
			}
			dir := strings.TrimPrefix(path.Dir(name), "internal/")
			if !strings.HasPrefix(dir+"/", m[1]+"/") && dir != path.Dir(m[1]) {
				bad = append(bad, fmt.Sprintf("%s reads %s of another family", name, s))
			}
			found := false
			for _, t := range texts {
				if t == s || strings.HasSuffix(s, "/") && path.Dir(t)+"/" == s {
					read[t], found = true, true
				}
			}
			if !found {
				bad = append(bad, fmt.Sprintf("%s reads %s, which is not there", name, s))
			}
			return true
		})
	}
	for _, t := range texts {
		if !read[t] && !strings.HasPrefix(t, "lib/") {
			bad = append(bad, fmt.Sprintf("kernels/%s is read by no Go file", t))
		}
	}
	return bad
}

// TestLintDraws compares the purposes of draws with their table in CONTRIBUTING.md.
func TestLintDraws(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## Draws\n")
	table, _, _ = strings.Cut(table, "\n## ")
	listed := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` ").FindAllStringSubmatch(table, -1) {
		listed[strings.ToUpper(row[1])] = true
	}
	for name := range rng.Names {
		if !listed[name] {
			t.Errorf("CONTRIBUTING.md does not list the purpose %s", name)
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("CONTRIBUTING.md lists %s, which is no purpose of a draw", name)
	}
}
