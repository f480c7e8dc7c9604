// Package kernels holds every line of OpenCL C, embedded, and assembles texts
// into programs. It knows nothing of devices, problems or solvers.
//
//	lib/              prelude, draws, views, tiles, evaluation
//	problems/FAMILY/  device texts of a family of problems
//	solvers/FAMILY/   kernels and views of a family of methods, named FAMILY_VERB
//
// README.md beside this file lists the kernels. Code outside of this module
// makes a Part of a text that it embeds itself.
//
// Assemble is a pure function from defines and parts to a Source, which keeps
// where each line came from: drivers number lines of the assembled text (some
// ignore #line), so build logs are mapped back with Source.Locate.
package kernels

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed lib problems solvers
var files embed.FS

// Part is a named piece of OpenCL C, from Get or from anywhere else. Line is the
// number of its first line in the file Name, 0 meaning 1.
type Part struct {
	Name string
	Line int
	Text string
}

// Get returns an embedded part such as "lib/prelude.cl". It panics on a name
// that is not embedded: names are constants of the program.
func Get(name string) Part {
	b, err := files.ReadFile(name)
	if err != nil {
		panic("kernels: no embedded text " + name)
	}
	return Part{Name: name, Text: string(b)}
}

// Define is one "#define Name Value".
type Define struct{ Name, Value string }

// Source is an assembled program text.
type Source struct {
	Text  string
	parts []span
}

type span struct {
	part  Part
	first int // line of Source.Text on which the part starts, 1-based
}

// Assemble puts defines and parts together in the given order. Equal arguments
// give equal text.
func Assemble(defines []Define, parts ...Part) Source {
	var b strings.Builder
	line := 1
	write := func(s string) {
		b.WriteString(s)
		line += strings.Count(s, "\n")
	}
	for _, d := range defines {
		write(fmt.Sprintf("#define %s %s\n", d.Name, d.Value))
	}
	var src Source
	for _, p := range parts {
		p.Line = max(p.Line, 1)
		src.parts = append(src.parts, span{p, line})
		write(strings.TrimRight(p.Text, "\n") + "\n")
	}
	src.Text = b.String()
	return src
}

// Locate maps a line of Text (1-based) to the part it came from and the line
// there, and returns that line's text. Lines before the first part (the
// defines) belong to a part called "defines".
func (s Source) Locate(line int) (name string, at int, text string) {
	lines := strings.Split(s.Text, "\n")
	if line >= 1 && line <= len(lines) {
		text = lines[line-1]
	}
	name, at = "defines", line
	for _, p := range s.parts {
		if line >= p.first {
			name, at = p.part.Name, line-p.first+p.part.Line
		}
	}
	return name, at, text
}
