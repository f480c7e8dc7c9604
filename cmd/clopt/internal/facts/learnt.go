package facts

import (
	"fmt"
	"io"
	"strings"
)

// Learnt is what "clopt structure --learn" shows. The field names are those of --json.
type Learnt struct {
	Problem   string   `json:"problem"`
	Points    int      `json:"points"`           // at which reads were noted; 0: they are those of the text
	Reads     string   `json:"reads"`            // of a component
	Directive string   `json:"directive"`        // the line that declares it; "": nothing to declare
	Groups    [][]int  `json:"groups,omitempty"` // of variables that interact, if components read everything
	Files     []string `json:"files,omitempty"`  // that were written
}

// Print writes the report for a person.
func (r *Learnt) Print(w io.Writer) {
	where := "in the text"
	if r.Points > 0 {
		where = fmt.Sprintf("at %d points", r.Points)
	}
	fmt.Fprintf(w, "%s\n  reads       %s, %s\n", r.Problem, r.Reads, where)
	switch {
	case r.Directive == "":
		fmt.Fprintf(w, "  declare     nothing: a component reads all variables\n")
	case len(r.Files) > 0:
		fmt.Fprintf(w, "  declare     %s\n  written to  %s\n", r.Directive, strings.Join(r.Files, ", "))
	case strings.HasPrefix(r.Directive, "//@ reads lists"):
		fmt.Fprintf(w, "  declare     lists in a file: write them with -o FILE.cl\n")
	default:
		fmt.Fprintf(w, "  declare     %s\n", r.Directive)
	}
	if r.Groups == nil {
		return
	}
	const shown = 20
	alone, several := 0, [][]int(nil)
	for _, group := range r.Groups {
		if len(group) == 1 {
			alone++
		} else {
			several = append(several, group)
		}
	}
	fmt.Fprintf(w, "  groups      %d of variables that interact, and %d variables alone\n", len(several), alone)
	for i, group := range several {
		if i == shown {
			fmt.Fprintf(w, "              and %d more (--json shows all)\n", len(several)-shown)
			break
		}
		text, more := group, ""
		if len(group) > shown {
			text, more = group[:shown], fmt.Sprintf(" and %d more", len(group)-shown)
		}
		fmt.Fprintf(w, "              %s%s\n", strings.Trim(fmt.Sprint(text), "[]"), more)
	}
	if len(r.Groups) > 1 {
		fmt.Fprintf(w, "              Write one component for each group, and declare what it reads.\n")
	}
}
