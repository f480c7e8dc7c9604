package cut

import (
	"io"
	"math"
	"os"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
)

// ReadBinaryPoints reads points of a binary domain: a .npy file as ReadPoints does, or a text in one of the forms of
// input.ReadAssignments, with one point or one point a line, or of input.ReadNamed. Another number than 0 and 1 is an
// *input.Error.
func ReadBinaryPoints(path string, d problems.Domain) (input.Points, error) {
	dim := d.N
	if isNpy(path) {
		p, err := input.ReadPoints(path, dim)
		if err != nil {
			return input.Points{}, err
		}
		for i, x := range p.X {
			for j, v := range x {
				if v != 0 && v != 1 {
					return input.Points{}, input.Errorf(path, 0, 0,
						"point %d, variable %d is %v. Variables are 0 or 1.", i+1, j+1, v)
				}
			}
		}
		return p, nil
	}
	sides, err := readSides(path, d)
	if err != nil {
		return input.Points{}, input.AsError(err)
	}
	p := input.Points{Dim: dim, X: make([][]float64, len(sides))}
	for i, s := range sides {
		x := make([]float64, dim)
		for j, v := range s {
			x[j] = float64(v)
		}
		p.X[i] = x
	}
	return p, nil
}

// readSides reads the sides of one or more points from a text.
func readSides(path string, d problems.Domain) ([][]uint8, error) {
	if d.Names != nil {
		if sides, err := input.ReadNamed(path, d.Names, d.Fixed); err != nil || sides != nil {
			return [][]uint8{sides}, err
		}
	}
	return input.ReadAssignments(path, d.N)
}

func isNpy(path string) bool {
	if !input.IsRegular(path) {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(input.NpyMagic))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == input.NpyMagic
}

// WriteBinaryPoint writes a point of a binary domain as one line of digits, or, if variables have names, as lines
// "NAME VALUE".
func WriteBinaryPoint(w io.Writer, d problems.Domain, x []float64) error {
	sides := make([]uint8, len(x))
	for i, v := range x {
		sides[i] = uint8(math.Round(v))
	}
	if d.Names != nil {
		return input.WriteNamed(w, d.Names, sides, d.Fixed)
	}
	for i := range sides {
		sides[i] += '0'
	}
	_, err := w.Write(append(sides, '\n'))
	return err
}
