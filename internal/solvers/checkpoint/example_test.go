package checkpoint_test

import (
	"bytes"
	"fmt"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
)

func Example() {
	var b bytes.Buffer
	w := checkpoint.NewWriter(&b)
	w.WriteSection("point", []byte("1 2 3"))
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	damaged := bytes.Replace(b.Bytes(), []byte("1 2 3"), []byte("1 2 4"), 1)
	for _, text := range [][]byte{b.Bytes(), damaged} {
		f, err := checkpoint.Open(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			fmt.Println(err)
			return
		}
		point, err := f.ReadSection("point")
		fmt.Printf("%s %q %v\n", f.Names(), point, err)
	}
	// Output:
	// [point] "1 2 3" <nil>
	// [point] "\x00\x00\x00\x00\x00" chunk 0 of section "point" is damaged
}
