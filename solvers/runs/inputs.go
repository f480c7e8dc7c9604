package runs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/clopt/clopt/problems/input"
)

const (
	inputsName = "inputs"
	sumsName   = inputsName + "/SHA256SUMS"

	// maxInputs is the largest size in bytes of all files of a problem together that are copied to a run folder.
	maxInputs = 64 << 20
)

// inputs are the files from which a problem was read.
type inputs struct {
	base  string   // folder of the main file
	files []string // the main one first
	whole bool     // they are copied; otherwise the run folder has only their hashes
}

// inputs returns the files of the problem. There are none if it is known by name.
func (r *Run) inputs() *inputs {
	if r.files != nil {
		return r.files
	}
	in := &inputs{whole: true}
	r.files = in
	if !r.Problem.Spec().File {
		return in
	}
	in.files = slices.Clone(r.Problem.Info().Files)
	main := in.files[0]
	in.base = filepath.Dir(main)
	// The best known value of a graph, and what its format cannot hold.
	for _, beside := range []string{strings.TrimSuffix(main, filepath.Ext(main)) + ".bkv", main + ".bkv",
		main + ".meta.json"} {
		if input.IsRegular(beside) && !slices.Contains(in.files, beside) {
			in.files = append(in.files, beside)
		}
	}
	total := int64(0)
	for _, file := range in.files {
		info, err := os.Stat(file)
		rel, err2 := filepath.Rel(in.base, file)
		if err != nil || err2 != nil || !filepath.IsLocal(rel) {
			in.whole = false
			break
		}
		total += info.Size()
	}
	in.whole = in.whole && total <= maxInputs
	return in
}

// Whole reports whether run folders have copies of all files from which the problem is read.
func (r *Run) Whole() bool { return r.inputs().whole }

// writeInputs copies the files of the problem to inputs/, or only their hashes if they are too large. They are listed
// in inputs/SHA256SUMS as the command sha256sum does.
func (f *folder) writeInputs(in *inputs) error {
	own := filepath.Join(f.path, inputsName)
	if here, err := filepath.Rel(Absolute(own), Absolute(in.base)); in.files == nil || err == nil && here == "." {
		return nil // there are none, or the run is resumed from them
	}
	if err := f.mkdirAll(inputsName); err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, from := range in.files {
		if !in.whole {
			sum, err := sumOfFile(from)
			if err != nil {
				return err
			}
			fmt.Fprintf(&sums, "%s  %s\n", sum, Absolute(from))
			continue
		}
		rel, err := filepath.Rel(in.base, from)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if err := f.mkdirAll(path.Join(inputsName, path.Dir(rel))); err != nil {
			return err
		}
		sum, err := f.write(path.Join(inputsName, rel), func(w io.Writer) error {
			file, err := os.Open(from)
			if err != nil {
				return err
			}
			defer file.Close()
			_, err = io.Copy(w, file)
			return err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%s  %s\n", sum, rel)
	}
	_, err := f.write(sumsName, func(w io.Writer) error {
		_, err := w.Write(sums.Bytes())
		return err
	})
	return err
}

// sumOfFile returns the SHA-256 of a file anywhere.
func sumOfFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	return sumOf(file, info.Size())
}

// mkdirAll makes a folder and those above it, if they do not exist.
func (f *folder) mkdirAll(name string) error {
	if name == "." {
		return nil
	}
	if err := f.mkdirAll(path.Dir(name)); err != nil {
		return err
	}
	if err := f.Mkdir(name); err != nil && !errors.Is(err, fs.ErrExist) {
		return fault(Output, "%w", err)
	}
	return nil
}

// CheckInputs compares the files from which the problem of a run folder is read with their hashes. A folder without
// hashes is good. The error is a Fault.
func CheckInputs(dir string) error {
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.checkInputs()
}

func (f *folder) checkInputs() error {
	text, err := f.read(sumsName, maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return fault(Input, "%w", err)
	}
	for n, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		want, name, ok := strings.Cut(line, "  ")
		if !ok {
			return fault(Input, "%s:%d:1: error: %s is not a SHA-256 and a name", filepath.Join(f.path, sumsName), n+1,
				input.Shown([]byte(line)))
		}
		var sum string
		shown := name
		switch {
		case !filepath.IsAbs(name):
			shown = filepath.Join(f.path, inputsName, name)
			sum, err = f.sum(path.Join(inputsName, name))
		case input.IsRegular(name):
			sum, err = sumOfFile(name)
		default:
			err = fs.ErrNotExist
		}
		if err != nil {
			return fault(Input, "%s: %w", shown, err)
		}
		if sum != want {
			return fault(Foreign, "%s has changed since the run: its SHA-256 is not that of %s", shown,
				filepath.Join(f.path, sumsName))
		}
	}
	return nil
}
