package report

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/status"
)

// Table is a table of results, in the terminal, in a paper or on a page.
type Table struct {
	Title, Caption string
	Columns        []Column // none: there are notes only
	Rows           [][]Cell // each row has a cell for each column
	Notes          []string
}

// Column is a column of words, or of numbers, which stand at its right. Neighbours of one group have its name above
// their heads; "" is no group.
type Column struct {
	Group, Head string
	Number      bool
}

// Cell is a text in a table. On a page Title is shown when a pointer rests on it; good cells are the best of their row
// or group.
type Cell struct {
	Text, Title string
	Good, Bad   bool
}

// Words returns columns of words.
func Words(heads ...string) (columns []Column) {
	for _, h := range heads {
		columns = append(columns, Column{Head: h})
	}
	return columns
}

// Numbers returns columns of numbers.
func Numbers(heads ...string) []Column { return group("", heads...) }

// group returns columns of numbers of a group.
func group(name string, heads ...string) (columns []Column) {
	for _, h := range heads {
		columns = append(columns, Column{name, h, true})
	}
	return columns
}

// Texts returns cells of texts.
func Texts(texts ...string) (cells []Cell) {
	for _, t := range texts {
		cells = append(cells, Cell{Text: t})
	}
	return cells
}

// names returns how many columns name a row: the first ones, of words.
func (t Table) names() int {
	if n := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Number }); n >= 0 {
		return n
	}
	return len(t.Columns)
}

// each calls do with what write makes of the texts of each row.
func (t Table) each(write func(string) string, do func(cells []string)) {
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = write(c.Text)
		}
		do(cells)
	}
}

// heads returns the heads of the columns, and with their groups the names of these before the heads. grouped is set if
// there are groups.
func (t Table) heads(write func(string) string) (groups, heads, both []string, grouped bool) {
	for _, c := range t.Columns {
		groups, heads = append(groups, c.Group), append(heads, write(c.Head))
		both = append(both, write(strings.TrimSpace(c.Group+" "+c.Head)))
		grouped = grouped || c.Group != ""
	}
	return groups, heads, both, grouped
}

// text shows the table in a terminal.
func (t Table) text(out *status.Output) {
	out.Show(t.Title)
	if t.Caption != "" {
		out.Show("  " + t.Caption)
	}
	if t.Columns != nil {
		plain := func(text string) string { return text }
		groups, heads, _, grouped := t.heads(plain)
		shown := status.Table{Rows: [][]string{heads}, Names: t.names(), Right: true, Indent: 2}
		if grouped {
			shown.Groups = groups
		}
		t.each(plain, func(cells []string) { shown.Rows = append(shown.Rows, cells) })
		shown.Print(out)
	}
	for _, n := range t.Notes {
		out.Show("  " + n)
	}
}

// markdown writes the table as Markdown.
func (t Table) markdown(w io.Writer) {
	fmt.Fprintf(w, "**%s**\n\n", markdown.Replace(t.Title))
	if t.Caption != "" {
		fmt.Fprintf(w, "%s\n\n", markdown.Replace(t.Caption))
	}
	if t.Columns != nil {
		line := func(cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
		_, _, heads, _ := t.heads(markdown.Replace)
		line(heads)
		line(slices.Concat(slices.Repeat([]string{"---"}, t.names()),
			slices.Repeat([]string{"---:"}, len(t.Columns)-t.names())))
		t.each(markdown.Replace, line)
		if t.Notes != nil {
			fmt.Fprintln(w)
		}
	}
	for _, n := range t.Notes {
		fmt.Fprintf(w, "- %s\n", markdown.Replace(strings.TrimSpace(n)))
	}
}

// latex writes the table for LaTeX, which needs no package.
func (t Table) latex(w io.Writer) {
	fmt.Fprintf(w, "\\begin{table}\n\\caption{%s}\n", inLatex(strings.Trim(t.Title+". "+t.Caption, ". ")))
	if t.Columns != nil {
		line := func(cells []string) { fmt.Fprintf(w, "%s \\\\\n", strings.Join(cells, " & ")) }
		fmt.Fprintf(w, "\\begin{tabular}{%s%s}\n\\hline\n", strings.Repeat("l", t.names()),
			strings.Repeat("r", len(t.Columns)-t.names()))
		groups, heads, _, grouped := t.heads(inLatex)
		var above []string
		for i, n := 0, 0; grouped && i < len(groups); i += n { // the name of a group stands over all its columns
			for n = 1; groups[i] != "" && i+n < len(groups) && groups[i+n] == groups[i]; {
				n++
			}
			above = append(above, fmt.Sprintf("\\multicolumn{%d}{c}{%s}", n, inLatex(groups[i])))
		}
		if grouped {
			fmt.Fprintf(w, "%s \\\\\n", strings.Join(above, " &\n"))
		}
		line(heads)
		fmt.Fprintln(w, `\hline`)
		t.each(inLatex, line)
		fmt.Fprintln(w, "\\hline\n\\end{tabular}")
	}
	for _, n := range t.Notes {
		fmt.Fprintf(w, "\\par %s\n", inLatex(strings.TrimSpace(n)))
	}
	fmt.Fprintln(w, `\end{table}`)
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
