package inputs

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"slices"

	"github.com/clopt/clopt/problems"
)

// SourceHash returns the SHA-256 of the user's own text, or "" if there is none.
func SourceHash(t problems.Text) string {
	if len(t.Sources) == 0 {
		return ""
	}
	h := sha256.New()
	for _, s := range t.Sources {
		hashText(h, s.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// TableHash returns the SHA-256 of all numbers of a text, and of the bounds if they differ between variables.
func TableHash(t problems.Text, box problems.Domain) string {
	if len(box.Lo) > 1 {
		t.Tables = append(slices.Clone(t.Tables), problems.Table{Name: "lo", Real: box.Lo},
			problems.Table{Name: "hi", Real: box.Hi})
	}
	h := sha256.New()
	for _, d := range t.Defines {
		hashText(h, d.Name+" "+d.Value)
	}
	for _, n := range t.Numbers {
		hashText(h, fmt.Sprint(n.Name, " ", n.Value))
	}
	var b []byte
	for _, table := range t.Tables {
		hashText(h, table.Name)
		for i := range max(len(table.Real), len(table.Uint)) {
			if table.Real != nil {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(table.Real[i]))
			} else {
				b = binary.LittleEndian.AppendUint32(b, table.Uint[i])
			}
			if len(b) > 1<<16 {
				h.Write(b)
				b = b[:0]
			}
		}
		h.Write(b)
		b = b[:0]
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hashText hashes the length of a text and the text, so that "ab", "c" differs from "a", "bc".
func hashText(h hash.Hash, s string) { fmt.Fprintf(h, "%d %s\n", len(s), s) }
