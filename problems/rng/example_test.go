package rng_test

import (
	"fmt"

	"github.com/clopt/clopt/problems/rng"
)

// A draw is a function of its arguments: no generator has to be passed on.
func ExampleKey_Words() {
	key := rng.Key{Seed: 1, Run: 0}
	for _, word := range key.Words(7, 0, 0, rng.User) { // the variables 28 to 31
		fmt.Printf("%.3f ", rng.Uniform(word))
	}
	first, again := key.Words(7, 0, 0, rng.User), key.Words(7, 0, 0, rng.User)
	fmt.Println(first == again)
	// Output:
	// 0.831 0.351 0.520 0.493 true
}
