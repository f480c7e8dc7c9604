package input

import (
	"math"
	"os"
	"path/filepath"
	"slices"
)

// Nearest returns the member of known with the smallest edit distance to name, the
// first among equals.
func Nearest(name string, known []string) string {
	if len(name) > 64 {
		name = name[:64]
	}
	best, dist := "", math.MaxInt
	for _, k := range known {
		if d := Distance(name, k); d < dist {
			best, dist = k, d
		}
	}
	return best
}

// NearFile returns the path of the file beside path whose name differs from that of path by a letter or two, or "" if
// there is none. It looks at the first thousand names of the folder.
func NearFile(path string) string {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return ""
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(1000)
	slices.Sort(names)
	base := filepath.Base(path)
	near := Nearest(base, names)
	stem := len(base) - len(filepath.Ext(base)) // a common extension does not make names alike
	if near == "" || Distance(base, near) > min(2, stem/3) {
		return ""
	}
	return filepath.Join(filepath.Dir(path), near)
}

// Distance returns the edit distance of a and b: the number of bytes to add, remove or replace, or of neighbours to
// exchange.
func Distance(a, b string) int {
	earlier := make([]int, len(b)+1)
	before := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		earlier, before, row = before, row, earlier
		row[0] = i + 1
		for j := range len(b) {
			replaced := before[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(replaced, before[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], earlier[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
