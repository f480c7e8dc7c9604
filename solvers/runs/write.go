package runs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/clopt/clopt/problems/input"
)

// WriteWhole writes a file under a temporary name and renames it, so that path is never half written. It returns the
// SHA-256 of the file.
func WriteWhole(path string, write func(io.Writer) error) (sum string, err error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return "", fault(Output, "%s: %w", path, err)
	}
	defer root.Close()
	return (&folder{rootDisk{root}, filepath.Dir(path)}).write(filepath.Base(path), write)
}

// sealed returns v as JSON. check is its field "check", which gets the SHA-256 of the text in which it is "".
func sealed(v any, check *string) ([]byte, error) {
	*check = ""
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(append(text, '\n'))
	*check = hex.EncodeToString(sum[:])
	text, err = json.MarshalIndent(v, "", "  ")
	return append(text, '\n'), err
}

// checkSeal returns an error unless check is what sealed wrote into the text.
func checkSeal(text []byte, check string) error {
	field := func(value string) []byte { return fmt.Appendf(nil, "\"check\": %q", value) }
	sum := sha256.Sum256(bytes.Replace(text, field(check), field(""), 1))
	if check != hex.EncodeToString(sum[:]) {
		return errors.New("is damaged: it does not agree with its check")
	}
	return nil
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
