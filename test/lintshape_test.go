package test

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// The rules for the shape of kernels: numbers that go together are a struct, conditions are shallow, loops are seen.
const (
	maxParams = 10 // parameters of a function, and of a kernel those that are no memory
	maxDepth  = 2  // #if in #if
)

var (
	clMacroBody = regexp.MustCompile(`(?m)^[ \t]*#\s*define\s+(\w+)((?:[^\n]*\\\n)*[^\n]*)`)
	clHead      = regexp.MustCompile(`(?m)^(\w+)\b[^;{}#=]*?\b(\w+)\s*\(((?:[^()]|\([^()]*\))*)\)\s*\{`)
	clMemory    = regexp.MustCompile(`\b(global|constant|local)\b[^,]*\*`)
	clLoop      = regexp.MustCompile(`\b(for|while)\s*\(`)
	clUpper     = regexp.MustCompile(`\b[A-Z][A-Z_]+\b`)
)

// lintShapes checks all texts below kernels/, by name. A macro among parameters counts as what it stands for in the
// texts of the same folder, or else of all, the longest there.
func lintShapes(texts map[string]string) (bad []string) {
	code, macros := map[string]string{}, map[string]map[string]string{} // by folder, "" for all
	define := func(folder, name, body string) {
		if macros[folder] == nil {
			macros[folder] = map[string]string{}
		}
		if len(body) > len(macros[folder][name]) {
			macros[folder][name] = body
		}
	}
	names := slices.Sorted(maps.Keys(texts))
	for _, name := range names {
		code[name] = clComment.ReplaceAllStringFunc(texts[name], func(c string) string {
			return strings.Repeat("\n", strings.Count(c, "\n")) + " "
		})
		for _, m := range clMacroBody.FindAllStringSubmatch(code[name], -1) {
			if body := strings.ReplaceAll(m[2], "\\\n", " "); !strings.HasPrefix(body, "(") {
				define(path.Dir(name), m[1], body)
				define("", m[1], body)
			}
			if clLoop.MatchString(m[2]) {
				bad = append(bad, fmt.Sprintf("kernels/%s: the macro %s is a loop; write it where it is", name, m[1]))
			}
		}
	}
	for _, name := range names {
		depth, line := 0, 0
		for text := range strings.Lines(code[name]) {
			line++
			switch m := clCondition.FindStringSubmatch(strings.TrimSpace(text)); {
			case m == nil:
			case strings.HasPrefix(m[1], "if"):
				if depth++; depth > maxDepth {
					bad = append(bad, fmt.Sprintf("kernels/%s:%d: #if in %d others; split the function", name, line,
						depth-1))
				}
			case m[1] == "endif":
				depth--
			}
		}
		for _, m := range clHead.FindAllStringSubmatch(code[name], -1) {
			n := 0
			for _, p := range strings.Split(expand(m[3], macros[path.Dir(name)], macros[""], 0), ",") {
				if strings.TrimSpace(p) != "" && (m[1] != "kernel" || !clMemory.MatchString(p)) {
					n++
				}
			}
			if n > maxParams {
				bad = append(bad, fmt.Sprintf("kernels/%s: %s has %d parameters, and the most are %d; numbers that go "+
					"together are a struct", name, m[2], n, maxParams))
			}
		}
	}
	return bad
}

// expand replaces the macros in a list of parameters.
func expand(params string, own, all map[string]string, level int) string {
	return clUpper.ReplaceAllStringFunc(params, func(name string) string {
		body := own[name]
		if body == "" {
			body = all[name]
		}
		if level > 3 || !strings.ContainsAny(body, ",*") && !strings.HasSuffix(name, "PARAMS") {
			return name
		}
		return expand(body, own, all, level+1)
	})
}
