package masw_test

import (
	"fmt"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/masw"
)

func ExampleMASW() {
	m, err := solvers.Configure(&masw.MASW{}, map[string]string{"population": "50", "alpha": "0.4"})
	fmt.Println(m.Traits().Name, solvers.Spell(m), err)
	// Output:
	// masw population=50,iterations=500,alpha=0.4,mutation=0.125,mates=3,portions=auto,portion=1000 <nil>
}
