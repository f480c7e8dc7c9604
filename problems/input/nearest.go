package input

import (
	"math"
)

// Nearest returns the member of known with the smallest edit distance to name, the
// first among equals.
func Nearest(name string, known []string) string {
	if len(name) > 64 {
		name = name[:64]
	}
	best, dist := "", math.MaxInt
	for _, k := range known {
		row := make([]int, len(k)+1)
		for j := range row {
			row[j] = j
		}
		for i := range len(name) {
			diag := row[0]
			row[0] = i + 1
			for j := range len(k) {
				d := diag
				if name[i] != k[j] {
					d++
				}
				diag = row[j+1]
				row[j+1] = min(d, row[j+1]+1, row[j]+1)
			}
		}
		if row[len(k)] < dist {
			best, dist = k, row[len(k)]
		}
	}
	return best
}
