package report

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/status"
)

// grid is a table of texts as clopt compare shows it.
type grid struct {
	title, caption string
	groups         []string // names of groups of columns, for each column; nil: there are none
	head           []string // nil: there are notes only
	rows           [][]string
	names          int // the first columns hold names, the others numbers
	notes          []string
}

// text shows g as text.
func (g grid) text(out *status.Output) {
	out.Show(g.title)
	if g.caption != "" {
		out.Show("  " + g.caption)
	}
	if g.head != nil {
		status.Table{Groups: g.groups, Rows: slices.Concat([][]string{g.head}, g.rows), Names: g.names, Right: true,
			Indent: 2}.Print(out)
	}
	for _, n := range g.notes {
		out.Show("  " + n)
	}
}

// heads returns the heads of the columns with the names of their groups.
func (g grid) heads() []string {
	heads := slices.Clone(g.head)
	for i := range g.groups {
		heads[i] = strings.TrimSpace(g.groups[i] + " " + heads[i])
	}
	return heads
}

// markdown writes g as Markdown.
func (g grid) markdown(w io.Writer) {
	fmt.Fprintf(w, "**%s**\n\n", markdown.Replace(g.title))
	if g.caption != "" {
		fmt.Fprintf(w, "%s\n\n", markdown.Replace(g.caption))
	}
	if g.head != nil {
		g.markdownRows(w)
	}
	for _, n := range g.notes {
		fmt.Fprintf(w, "- %s\n", markdown.Replace(strings.TrimSpace(n)))
	}
}

// markdownRows writes the rows of g as Markdown, and an empty line if notes follow.
func (g grid) markdownRows(w io.Writer) {
	line := func(cells []string) {
		escaped := make([]string, len(cells))
		for i, c := range cells {
			escaped[i] = markdown.Replace(c)
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(escaped, " | "))
	}
	line(g.heads())
	rules := slices.Repeat([]string{"---"}, len(g.head))
	for i := g.names; i < len(rules); i++ {
		rules[i] = "---:"
	}
	line(rules)
	for _, r := range g.rows {
		line(r)
	}
	if g.notes != nil {
		fmt.Fprintln(w)
	}
}

// latex writes g as a table of LaTeX, which needs no package.
func (g grid) latex(w io.Writer) {
	fmt.Fprintf(w, "\\begin{table}\n\\caption{%s}\n", inLatex(strings.Trim(g.title+". "+g.caption, ". ")))
	if g.head != nil {
		g.latexRows(w)
	}
	for _, n := range g.notes {
		fmt.Fprintf(w, "\\par %s\n", inLatex(strings.TrimSpace(n)))
	}
	fmt.Fprintln(w, `\end{table}`)
}

// latexRows writes the rows of g as a tabular of LaTeX.
func (g grid) latexRows(w io.Writer) {
	fmt.Fprintf(w, "\\begin{tabular}{%s%s}\n\\hline\n", strings.Repeat("l", g.names),
		strings.Repeat("r", len(g.head)-g.names))
	line := func(cells []string) {
		escaped := make([]string, len(cells))
		for i, c := range cells {
			escaped[i] = inLatex(c)
		}
		fmt.Fprintf(w, "%s \\\\\n", strings.Join(escaped, " & "))
	}
	for i := 0; i < len(g.groups); { // the name of a group stands over all its columns
		n := 1
		for g.groups[i] != "" && i+n < len(g.groups) && g.groups[i+n] == g.groups[i] {
			n++
		}
		fmt.Fprintf(w, "\\multicolumn{%d}{c}{%s} %s\n", n, inLatex(g.groups[i]),
			map[bool]string{true: `\\`, false: "&"}[i+n == len(g.groups)])
		i += n
	}
	line(g.head)
	fmt.Fprintln(w, `\hline`)
	for _, r := range g.rows {
		line(r)
	}
	fmt.Fprintln(w, "\\hline\n\\end{tabular}")
}

var (
	power = regexp.MustCompile(`^(-?[\d.]+)e([+-])0*(\d+)$`)
	latex = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
		"{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `\textless{}`,
		">", `\textgreater{}`, "|", `\textbar{}`)
	markdown = strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", `\<`, "*", `\*`, "$", `\$`, "`", "\\`")
)

// inLatex writes a text for LaTeX, and a number such as 1.2e+05 as a power of ten.
func inLatex(text string) string {
	if m := power.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf(`$%s\cdot 10^{%s%s}$`, m[1], strings.TrimPrefix(m[2], "+"), m[3])
	}
	return latex.Replace(text)
}
