package catalog_test

import (
	"fmt"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

func ExampleParse() {
	p, err := catalog.Parse("cec2013/f4:n=5000,lo=-10", problems.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	d := p.Domain()
	fmt.Println(p.Spec(), "has", d.N, "variables")
	_, err = catalog.Parse("cec2013/f44", problems.Options{})
	fmt.Println(err)
	// Output:
	// cec2013/f4:n=5000,lo=-10,hi=100 has 5000 variables
	// "cec2013/f44" is neither a known problem nor a file; the nearest known name is cec2013/f4
}
