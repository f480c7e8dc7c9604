package rng

import (
	"math/bits"
)

// philox returns the four words of Philox4x32-10 for a counter and a key.
func philox(counter [4]uint32, key [2]uint32) [4]uint32 {
	const (
		m0, m1 = 0xD2511F53, 0xCD9E8D57
		w0, w1 = 0x9E3779B9, 0xBB67AE85
	)
	c, k := counter, key
	for range 10 {
		h0, l0 := bits.Mul32(m0, c[0])
		h1, l1 := bits.Mul32(m1, c[2])
		c = [4]uint32{h1 ^ c[1] ^ k[0], l1, h0 ^ c[3] ^ k[1], l0}
		k[0] += w0
		k[1] += w1
	}
	return c
}

// Words returns the four words of counter (index, who, when, purpose).
func (k Key) Words(index, who, when uint32, p Purpose) [4]uint32 {
	return philox([4]uint32{index, who, when, uint32(p)}, [2]uint32{k.Seed, k.Run})
}

// Word returns the word of variable i: word i mod 4 of quad i/4.
func (k Key) Word(i, who, when uint32, p Purpose) uint32 {
	return k.Words(i>>2, who, when, p)[i&3]
}

// Uniform turns a word into a number inside (0, 1): its upper 23 bits plus a half,
// divided by 2^23. This is exact in float32 and float64.
func Uniform(word uint32) float64 {
	return (float64(word>>9) + 0.5) * (1.0 / (1 << 23))
}

// Int turns a word into an integer below n, the upper half of word·n.
func Int(word, n uint32) uint32 {
	hi, _ := bits.Mul32(word, n)
	return hi
}

// Fine turns two words into a number inside (0, 1): 52 bits plus a half, divided by
// 2^52. This is exact in float64.
func Fine(high, low uint32) float64 {
	return (float64(uint64(high)<<20|uint64(low>>12)) + 0.5) * 0x1p-52
}
