package jsontext_test

import (
	"fmt"

	"github.com/clopt/clopt/internal/problems/formats/jsontext"
)

// The example reads an array of strings, one of which is none.
func Example() {
	t, top, err := jsontext.New("names.json", []byte("{\n \"names\": [\"a\", 7]\n}\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	at, err := t.Offsets(top, "names")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range at {
		fmt.Println(t.Str(i))
	}
	// Output:
	// a <nil>
	//  names.json:2:17: error: "7" is not a string.
}
