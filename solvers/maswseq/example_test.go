package maswseq_test

import (
	"fmt"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/maswseq"
)

func ExampleMASWSeq() {
	m, err := solvers.Configure(&maswseq.MASWSeq{}, map[string]string{"population": "40"})
	fmt.Println(m.Traits().Name, solvers.Spell(m), err)
	// Output:
	// masw-seq population=40,iterations=500,ratio=0.5,alpha=0.5,mutation=0.125,on=auto <nil>
}
