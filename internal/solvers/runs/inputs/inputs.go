// Package inputs copies the files from which a problem was read to a run folder, and checks them there.
package inputs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/problems"
)

const (
	// Name is the folder of the files in a run folder.
	Name = "inputs"

	sumsName = Name + "/SHA256SUMS"
	maxSums  = 4 << 20  // bytes of SHA256SUMS
	maxFiles = 64 << 20 // bytes of all files of a problem together that are copied
)

// Files are the files from which a problem was read.
type Files struct {
	Whole bool // Write copies them; otherwise they are too large, and it stores only their hashes
	base  string
	names []string // the main one first
	// below says that the others are read from the folder of the main file and those in it only, as an objective reads
	// them. One of them may have become a link that leads out.
	below bool
}

// Of returns the files of a problem. There are none if it is known by name.
func Of(p problems.Problem) *Files {
	in := &Files{Whole: true}
	if !p.Spec().File {
		return in
	}
	in.names = slices.Clone(p.Info().Files)
	main := in.names[0]
	in.base, in.below = filepath.Dir(main), p.Spec().Family == problems.OpenCL
	// The best known value of a graph, and what its format cannot hold.
	for _, beside := range []string{strings.TrimSuffix(main, filepath.Ext(main)) + ".bkv", main + ".bkv",
		main + ".meta.json"} {
		if input.IsRegular(beside) && !slices.Contains(in.names, beside) {
			in.names = append(in.names, beside)
		}
	}
	total := int64(0)
	for _, file := range in.names {
		info, err := os.Stat(file)
		rel, err2 := filepath.Rel(in.base, file)
		if err != nil || err2 != nil || !filepath.IsLocal(rel) {
			in.Whole = false
			break
		}
		total += info.Size()
	}
	in.Whole = in.Whole && total <= maxFiles
	return in
}

// Write copies the files to inputs/ in a run folder, or stores only their hashes. They are listed in inputs/SHA256SUMS
// as the command sha256sum does. Nothing is written if the problem was read from inputs/ in this folder.
func (in *Files) Write(f *disk.Folder) error {
	own, err := filepath.Abs(filepath.Join(f.Path, Name))
	if err != nil {
		return err
	}
	base, err := filepath.Abs(in.base)
	if err != nil || in.names == nil || base == own {
		return err
	}
	if err := f.MkdirAll(Name); err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, from := range in.names {
		name, err := in.nameOf(from)
		if err != nil {
			return err
		}
		sum := ""
		if in.Whole {
			sum, err = in.copy(f, from, name)
		} else {
			sum, err = in.sum(from)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%s  %s\n", sum, name)
	}
	_, err = f.Write(sumsName, func(w io.Writer) error {
		_, err := w.Write(sums.Bytes())
		return err
	})
	return err
}

// nameOf returns the name of a file in SHA256SUMS: that of its copy in inputs/, or its absolute path.
func (in *Files) nameOf(file string) (string, error) {
	if !in.Whole {
		base, err := filepath.Abs(in.base)
		return filepath.Join(base, filepath.Base(file)), err
	}
	name, err := filepath.Rel(in.base, file)
	return filepath.ToSlash(name), err
}

// copy copies a file to inputs/ under a name, and returns its SHA-256.
func (in *Files) copy(f *disk.Folder, from, name string) (sum string, err error) {
	if err := f.MkdirAll(path.Join(Name, path.Dir(name))); err != nil {
		return "", err
	}
	return f.Write(path.Join(Name, name), func(w io.Writer) error {
		file, err := in.open(from)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = io.Copy(w, file)
		return err
	})
}

// open opens one of the files, which must be regular.
func (in *Files) open(file string) (f *os.File, err error) {
	if in.below && file != in.names[0] {
		f, err = openBelow(in.base, file)
	} else {
		f, err = os.Open(file)
	}
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, errors.Join(err, fmt.Errorf("%s is not a regular file any more", file))
	}
	return f, nil
}

// openBelow opens a file in a folder or below. No link leads out of it.
func openBelow(folder, file string) (*os.File, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name, err := filepath.Rel(folder, file)
	if err != nil {
		return nil, err
	}
	return root.Open(name)
}

// sum returns the SHA-256 of one of the files.
func (in *Files) sum(file string) (string, error) {
	f, err := in.open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return sumOfOpen(f)
}

// sumOf returns the SHA-256 of a file anywhere.
func sumOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	return sumOfOpen(file)
}

func sumOfOpen(file *os.File) (string, error) {
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	return disk.SumOf(file, info.Size())
}

// Changed is the error of a file that has another hash than it had when the run was made.
type Changed struct{ File string }

func (c *Changed) Error() string {
	return fmt.Sprintf("%s has changed since the run: its SHA-256 is not that of %s", c.File, sumsName)
}

// entry is a line of SHA256SUMS.
type entry struct{ sum, name string }

// entries reads SHA256SUMS in a run folder. There are none in a folder without it.
func entries(f *disk.Folder) (all []entry, err error) {
	text, err := f.Read(sumsName, maxSums)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	for n, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		sum, name, ok := strings.Cut(line, "  ")
		if !ok || input.HasControl(name) {
			return nil, input.Errorf(filepath.Join(f.Path, sumsName), n+1, 1, "%s is not a SHA-256 and a name",
				input.Shown([]byte(line)))
		}
		all = append(all, entry{sum, name})
	}
	return all, nil
}

// Differs returns the first of the files that is not listed in a run folder with the hash that it has now. It is "" if
// there is none, or if the folder lists no files.
func (in *Files) Differs(f *disk.Folder) (file string, err error) {
	listed, err := entries(f)
	if err != nil || listed == nil {
		return "", err
	}
	for _, file := range in.names {
		name, err := in.nameOf(file)
		if err != nil {
			return "", err
		}
		sum, err := in.sum(file)
		if err != nil {
			return "", err
		}
		if !slices.Contains(listed, entry{sum, name}) {
			return file, nil
		}
	}
	return "", nil
}

// Hash returns the SHA-256 of the hashes of the files that a run folder lists, whatever their names are. It is "" if
// the folder lists none.
func Hash(f *disk.Folder) (string, error) {
	listed, err := entries(f)
	if err != nil || listed == nil {
		return "", err
	}
	slices.SortFunc(listed, func(a, b entry) int { return strings.Compare(a.sum, b.sum) })
	h := sha256.New()
	for _, e := range listed {
		hashText(h, e.sum)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Check compares the files of a run folder with their hashes. A folder without hashes is good.
func Check(f *disk.Folder) error {
	listed, err := entries(f)
	if err != nil {
		return err
	}
	for _, e := range listed {
		name, shown, sum := e.name, e.name, ""
		switch {
		case !filepath.IsAbs(name):
			shown = filepath.Join(f.Path, Name, name)
			sum, err = f.Sum(path.Join(Name, name))
		case input.IsRegular(name):
			sum, err = sumOf(name)
		default:
			err = fs.ErrNotExist
		}
		if err != nil {
			return fmt.Errorf("%s: %w", shown, err)
		}
		if sum != e.sum {
			return &Changed{shown}
		}
	}
	return nil
}
