package cec2013

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/clopt/clopt/internal/problems/input"
)

// Data is the data of one CEC'2013 function, official or generated with the same structure.
type Data struct {
	F      int    // the function, 1 to 15
	Source string // "official" or "generated"

	// Shift has 1000 entries in the order of the variables; F13 has 905; F14
	// has 1000 in the order of the positions of its groups.
	Shift []float64
	Perm  []int // 0-based, 1000 or (F13, F14) 905; F4 to F11, F13, F14
	Sizes []int // of the rotated groups, 7 or 20
	// Weights of the rotated groups.
	Weights []float64
	// R[s] is the rotation of all groups of size s, s×s by rows: y_i = Σ_j R[i·s+j] z_j.
	R map[int][]float64
}

const cecMaxFile = 4 << 20 // bytes; the largest official file has 202 kB

var cecSizes = []int{25, 50, 100} // that groups may have

// Load reads the official data of function f, the files F*.txt in dir/cec2013lsgo or in dir. Errors are *input.Error.
func Load(dir string, f int) (*Data, error) {
	if f < 1 || f > 15 {
		return nil, input.Errorf("", 0, 0, "cec2013 has functions f1 to f15, not f%d", f)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, input.Errorf(dir, 0, 0, "no such directory. Give the one that holds cec2013lsgo/ or the "+
			"F*.txt files.")
	}
	if info, err := os.Stat(filepath.Join(dir, "cec2013lsgo")); err == nil && info.IsDir() {
		dir = filepath.Join(dir, "cec2013lsgo")
	}
	return parseCEC2013(f, func(name string) (string, []byte, error) {
		path := filepath.Join(dir, name)
		text, err := readCapped(path)
		return path, text, err
	})
}

func readCapped(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, input.Errorf(path, 0, 0, "is not a regular file. Copy its content into a file.")
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, input.Errorf(path, 0, 0,
			"the file is missing. Complete the official data, or leave the data directory out to use the generated "+
				"instance.")
	}
	if err != nil {
		return nil, input.Errorf(path, 0, 0, "%v", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, cecMaxFile+1))
	if err != nil {
		return nil, input.Errorf(path, 0, 0, "%v", err)
	}
	if len(text) > cecMaxFile {
		return nil, input.Errorf(path, 0, 0, "more than %d bytes. This is no data file of cec2013.", cecMaxFile)
	}
	return text, nil
}

// parseCEC2013 reads the files that function f needs. read returns the text of a file and the name that errors show.
func parseCEC2013(f int, read func(name string) (file string, text []byte, err error)) (*Data, error) {
	table := func(what string, rows, cols int) (*numbers, error) {
		file, text, err := read(fmt.Sprintf("F%d-%s.txt", f, what))
		if err != nil {
			return nil, err
		}
		return parseNumbers(file, text, rows, cols)
	}
	kind := kinds[f]
	d := &Data{F: f, Source: "official"}
	vars := defaultDim(f)
	rows := vars
	if f == 14 {
		rows = cecBlock
	}
	t, err := table("xopt", rows, 1)
	if err != nil {
		return nil, err
	}
	for i, v := range t.value {
		if f != 12 && math.Abs(v) > kind.Box { // two official entries of F12 lie outside
			return nil, t.errorf(i, "shift %v lies outside the box ±%v.", v, kind.Box)
		}
	}
	d.Shift = t.value
	if kind.groups == 0 {
		return d, nil
	}
	if t, err = table("p", 1, vars); err != nil {
		return nil, err
	}
	d.Perm, err = t.permutation()
	if err != nil {
		return nil, err
	}
	if t, err = table("s", kind.groups, 1); err != nil {
		return nil, err
	}
	d.Sizes, err = t.sizes()
	if err != nil {
		return nil, err
	}
	if t, err = table("w", kind.groups, 1); err != nil {
		return nil, err
	}
	for i, v := range t.value {
		if v <= 0 {
			return nil, t.errorf(i, "weight %v is not positive.", v)
		}
	}
	d.Weights = t.value
	d.R = map[int][]float64{}
	for _, s := range cecSizes {
		if t, err = table(fmt.Sprintf("R%d", s), s, s); err != nil {
			return nil, err
		}
		if err := t.orthogonal(s); err != nil {
			return nil, err
		}
		d.R[s] = t.value
	}
	return d, nil
}

// numbers are the values of a file with their positions.
type numbers struct {
	file  string
	value []float64
	line  []int
	col   []int
}

// damaged returns the error of an official file with a fault in a line and column.
func damaged(file string, line, col int, format string, args ...any) error {
	return input.Errorf(file, line, col, format+" Restore the official file.", args...)
}

// errorf is damaged at number i.
func (t *numbers) errorf(i int, format string, args ...any) error {
	return damaged(t.file, t.line[i], t.col[i], format, args...)
}

// parseNumbers reads rows lines of cols decimal numbers, separated by commas. It skips blank lines, and blanks around
// numbers.
func parseNumbers(file string, text []byte, rows, cols int) (*numbers, error) {
	t := &numbers{file: file}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	at, got := 0, 0
	for line := range bytes.Lines(text) {
		at++
		line = bytes.TrimRight(line, "\r\n")
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if got == rows {
			return nil, input.Errorf(file, at, 1,
				"more than the %d lines that belong here. Cut the file or restore the official one.", rows)
		}
		got++
		col, n := 1, 0
		for field := range bytes.SplitSeq(line, []byte(",")) {
			word := bytes.TrimSpace(field)
			start := col + bytes.Index(field, word)
			col += len(field) + 1
			if n == cols {
				return nil, damaged(file, at, start,
					"more than the %d numbers that belong on this line, the next is %s.", cols, input.Shown(word))
			}
			n++
			v, err := input.ParseDecimal(string(word))
			if err != nil {
				return nil, damaged(file, at, start, "%v.", err)
			}
			t.value = append(t.value, v)
			t.line = append(t.line, at)
			t.col = append(t.col, start)
		}
		if n < cols {
			return nil, damaged(file, at, col, "the line ends after %d of %d numbers.", n, cols)
		}
	}
	if got < rows {
		return nil, damaged(file, at+1, 1, "the file ends after %d of %d lines.", got, rows)
	}
	return t, nil
}

// permutation returns the numbers 1..n, in the order of the file, as indices from 0.
func (t *numbers) permutation() ([]int, error) {
	n := len(t.value)
	perm, seen := make([]int, n), make([]bool, n)
	for i, v := range t.value {
		if v != math.Trunc(v) || v < 1 || v > float64(n) {
			return nil, t.errorf(i, "%v is no index from 1 to %d.", v, n)
		}
		k := int(v) - 1
		if seen[k] {
			return nil, t.errorf(i, "index %d comes twice: this is no permutation.", k+1)
		}
		perm[i], seen[k] = k, true
	}
	return perm, nil
}

// sizes returns the sizes of 7 groups, 300 positions in all, or of 20 with 1000 positions.
func (t *numbers) sizes() ([]int, error) {
	want, sum := 300, 0
	if len(t.value) == 20 {
		want = cecBlock
	}
	var sizes []int
	for i, v := range t.value {
		if v != math.Trunc(v) || !slices.Contains(cecSizes, int(v)) {
			return nil, t.errorf(i, "group size %v is none of %v.", v, cecSizes)
		}
		sizes = append(sizes, int(v))
		sum += int(v)
	}
	if sum != want {
		return nil, damaged(t.file, 0, 0, "the group sizes add up to %d, not %d.", sum, want)
	}
	return sizes, nil
}

// orthogonal returns an error unless R Rᵀ = 1 to 1e-8, for R of s rows.
func (t *numbers) orthogonal(s int) error {
	for i := range s {
		for j := range i + 1 {
			dot, want := 0.0, 0.0
			for k := range s {
				dot += t.value[i*s+k] * t.value[j*s+k]
			}
			if i == j {
				want = 1
			}
			if !(math.Abs(dot-want) <= 1e-8) {
				return damaged(t.file, t.line[i*s], 1,
					"row %d times row %d is %.9g, not %v: this is no rotation.", i+1, j+1, dot, want)
			}
		}
	}
	return nil
}
