// Package kernels embeds all OpenCL C texts and assembles them into programs.
// It knows nothing about devices, problems or solvers.
//
//	lib/              prelude, draws, views, tiles, evaluation
//	problems/FAMILY/  objectives of a family of problems
//	solvers/FAMILY/   kernels and views of a family of methods, named FAMILY_VERB
//
// README.md in this folder lists the kernels. Code outside this module makes a
// Part from a text that it embeds itself.
//
// Assemble is a pure function from defines and parts to a Source, which remembers
// where each line came from. Drivers number the lines of the assembled text (some
// ignore #line); Source.Locate maps the lines of their build logs back.
package kernels

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed lib problems solvers
var files embed.FS

// Part is a named piece of OpenCL C, from Get or from anywhere else. Line is the
// number of its first line in the file Name; 0 means 1.
type Part struct {
	Name string
	Line int
	Text string
}

// Get returns an embedded part such as "lib/prelude.cl". It panics on a name
// that is not embedded, since names are constants of the program.
func Get(name string) Part {
	b, err := files.ReadFile(name)
	if err != nil {
		panic("kernels: no embedded text " + name)
	}
	return Part{Name: name, Text: string(b)}
}

// Source is the text of an assembled program.
type Source struct {
	Text  string
	parts []span
}

type span struct {
	part  Part
	first int // first line of the part in Source.Text, 1-based
}

// Assemble joins defines and parts in the given order. Equal arguments give equal
// text.
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

// Locate maps a line of Text (1-based) to the name of its part and the line in
// that part, and returns the text of the line. Lines before the first part (the
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
