package facts

import (
	"fmt"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/status"
	"github.com/clopt/clopt/internal/problems/rules"
	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/problems"
)

// mostOfRules is the largest number of variables for which rules are looked for.
const mostOfRules = 1 << 16

// rule is what a description says of rows that are alike.
type rule struct {
	Rows  int     `json:"rows"`
	Size  int     `json:"size"`
	Ones  int     `json:"ones"` // of each row
	Price float64 `json:"price"`
}

// foundRules returns facts on the rules that are found in a QUBO, nothing if there are none.
func foundRules(p problems.Cut) (list []fact) {
	g := p.Graph()
	root := g.N() - 1
	all := rules.Of(g, root)
	rows := all.Rows
	var found []rule
	number := map[rule]int{}
	for k, ones := range rows.Counts(g, root) {
		row := rows.Rows[k]
		if ones <= 0 || ones == len(row.Members) || all.Followers.Of[row.Members[0]] >= 0 {
			continue // nobody asks for that
		}
		r := rule{1, len(row.Members), ones, p.Value(0) - p.Value(row.Weight)}
		if at, ok := number[r]; ok {
			found[at].Rows++
			continue
		}
		number[r] = len(found)
		found = append(found, r)
	}
	if _, _, ok := g.Largest(0); ok && len(found) == 0 {
		list = append(list, fact{"rule", "the square of one sum: the optimum is computed", "square", true})
	}
	for k, r := range found {
		f := fact{label: "rule", text: fmt.Sprintf("%d of %d variables, as a penalty of %s", r.Ones, r.Size,
			exact.Format(r.Price))}
		if r.Rows > 1 {
			f.text = fmt.Sprintf("%d times %s", r.Rows, f.text)
		}
		if k == 0 {
			f.key, f.value = "rules", found
		}
		list = append(list, f)
	}
	return append(list, foundFollowers(all.Followers)...)
}

// following is what a description says of variables that follow others.
type following struct {
	Numbers  int `json:"numbers"` // of several bits
	Products int `json:"products"`
}

func foundFollowers(f *rules.Followers) []fact {
	var found following
	var parts []string
	for _, group := range f.Groups {
		if len(group.Members) > 1 {
			found.Numbers++
		} else {
			found.Products++
		}
	}
	if found.Numbers > 0 {
		parts = append(parts, status.Counted(int64(found.Numbers), "number")+" of several bits")
	}
	if found.Products > 0 {
		parts = append(parts, status.Counted(int64(found.Products), "product")+" of other variables, or clauses")
	}
	if parts == nil {
		return nil
	}
	return []fact{{"rule", strings.Join(parts, ", ") + ": set to their best values in one step", "following", found}}
}
