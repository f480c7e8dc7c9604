package meta_test

import (
	"fmt"

	"github.com/clopt/clopt/internal/problems/formats/meta"
)

// The example writes facts as comments, and reads them from these comments.
func Example() {
	m := meta.Data{Sense: "max", Offset: "12.5", Names: map[string]string{"3": "inlet temperature", "10": " left "}}
	var back meta.Data
	for _, line := range m.Lines() {
		fmt.Println(line)
		if ok, err := back.Comment([]byte(line)); !ok || err != nil {
			fmt.Println(ok, err)
		}
	}
	fmt.Printf("%+v\n", back)
	_, err := back.Comment([]byte("clopt: speed=3"))
	fmt.Println(err)
	// Output:
	// clopt: sense=max offset=12.5
	// clopt: name 3 inlet temperature
	// clopt: name 10 " left "
	// {Kind: N:0 Sense:max Offset:12.5 Factor: Root: Names:map[10: left  3:inlet temperature] Fixed:[]}
	// "speed=3" is not known after "clopt:". Write n, sense, offset, factor or root
}
