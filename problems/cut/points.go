package cut

import (
	"bufio"
	"io"
	"math"
	"os"

	"github.com/clopt/clopt/problems/input"
)

// ReadBinaryPoints reads points of dim variables 0 and 1: a .npy file as ReadPoints does, or a text in one of the forms
// of input.ReadAssignments, with one point or one point a line. Another number than 0 and 1 is an *input.Error.
func ReadBinaryPoints(path string, dim int) (input.Points, error) {
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
	sides, err := input.ReadAssignments(path, dim)
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

// WriteBinaryPoint writes a point of zeros and ones as one line of digits.
func WriteBinaryPoint(w io.Writer, x []float64) error {
	out := bufio.NewWriterSize(w, 64<<10)
	for _, v := range x {
		if err := out.WriteByte('0' + byte(math.Round(v))); err != nil {
			return err
		}
	}
	out.WriteByte('\n')
	return out.Flush()
}
