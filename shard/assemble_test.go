package shard

import (
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/kernels"
	"github.com/clopt/clopt/problems"
)

// Programs of stored and of drawn points serve any number of variables, but for views and texts that need constants.
func TestOneTextForAllSizes(t *testing.T) {
	replaced := View{Parts: []kernels.Part{kernels.Get("lib/view_replaced.cl")}, Single: true}
	for _, view := range []View{Plain(), Drawn(), replaced} {
		for _, name := range []string{"classic/rosenbrock", "classic/ackley"} {
			var texts []string
			for _, n := range []string{"20", "37", "3000"} {
				p := parse(t, name+":n="+n)
				text, err := p.Text(problems.FP64, problems.Item)
				if err != nil {
					t.Fatal(err)
				}
				source, _ := assembly(view, p, text).source(cl.Info{})
				texts = append(texts, source.Text)
				text.Fixed = "somewhere"
				if source, _ := assembly(view, p, text).source(cl.Info{}); source.Text == texts[0] {
					t.Errorf("%s: a text that needs constants has none", p.Spec())
				}
			}
			if texts[0] != texts[1] || texts[0] != texts[2] {
				t.Errorf("%s has several texts", name)
			}
		}
	}
}

// assembly is what Place builds.
func assembly(view View, p problems.Problem, text problems.Text) Assembly {
	return view.assemble(p, text, problems.FP64, groups{1, 64, false}, true, nil, nil, cl.Info{})
}
