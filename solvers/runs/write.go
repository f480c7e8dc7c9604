package runs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/clopt/clopt/problems/input"
)

// WriteWhole writes a file under a temporary name and renames it, so that path is never half written. It returns the
// SHA-256 of the file.
func WriteWhole(path string, write func(io.Writer) error) (sum string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return "", fault(Output, "%w", err)
	}
	defer os.Remove(f.Name()) // has no effect after the rename
	hash := sha256.New()
	err = errors.Join(write(io.MultiWriter(f, hash)), f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return "", fault(Output, "%s: %w", path, err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// writePoint writes a point in the format "npy" or "txt". It returns the name of the file and its SHA-256, or "" in
// another format.
func writePoint(dir, format string, x []float64) (name, sum string, err error) {
	switch format {
	case "npy":
		name = "best.npy"
		sum, err = WriteWhole(filepath.Join(dir, name), func(w io.Writer) error { return input.WriteNpy(w, x) })
	case "txt":
		name = "best.txt"
		sum, err = WriteWhole(filepath.Join(dir, name), func(w io.Writer) error { return writeText(w, x) })
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
