package facts

import (
	"fmt"

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
	rows := rules.Find(g, root)
	var found []rule
	number := map[rule]int{}
	for k, ones := range rows.Counts(g, root) {
		row := rows.Rows[k]
		if ones <= 0 || ones == len(row.Members) {
			continue // nobody asks for that: products have such rows
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
	return list
}
