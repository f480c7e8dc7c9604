package runs

import (
	"bytes"
	"io"
	"strconv"

	"github.com/clopt/clopt/problems/input"
	"github.com/clopt/clopt/solvers/runs/disk"
)

// WriteWhole writes a file under a temporary name and renames it, so that path is never half written. It returns the
// SHA-256 of the file. The error is a Fault.
func WriteWhole(path string, write func(io.Writer) error) (sum string, err error) {
	if sum, err = disk.WriteWhole(path, write); err != nil {
		return "", fault(Output, "%w", err)
	}
	return sum, nil
}

// writePoint writes a point in the format "npy" or "txt". It returns the name of the file and its SHA-256, or "" in
// another format.
func writePoint(dir *folder, format string, x []float64) (name, sum string, err error) {
	switch format {
	case "npy":
		name = "best.npy"
		sum, err = dir.write(name, func(w io.Writer) error { return input.WriteNpy(w, x) })
	case "txt":
		name = "best.txt"
		sum, err = dir.write(name, func(w io.Writer) error { return writeText(w, x) })
	}
	return name, sum, err
}

// writeText writes a point on one line, with enough digits to read it back exactly.
func writeText(w io.Writer, x []float64) error {
	var b bytes.Buffer
	for i, v := range x {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.Write(strconv.AppendFloat(b.AvailableBuffer(), v, 'g', -1, 64))
		if b.Len() > 1<<16 {
			if _, err := b.WriteTo(w); err != nil {
				return err
			}
		}
	}
	b.WriteByte('\n')
	_, err := b.WriteTo(w)
	return err
}
