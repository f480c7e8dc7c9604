package opencl

import (
	"os"
	"path/filepath"

	"github.com/clopt/clopt/internal/problems/input"
)

// Declaration is a directive "//@ Word Value" of an objective file, without its comment.
type Declaration struct{ Word, Value string }

// Declared returns the directives of the objective file at path in their order. sized reports whether the file gives
// its number of variables. Where it does not, Declared is all that can be found out without that number: faults in what
// depends on it are not found. A fault in the rest is an *input.Error, as of ParseFile.
func Declared(path string) (all []Declaration, sized bool, err error) {
	f, e := openMain(path)
	if e != nil {
		return nil, false, e
	}
	defer f.Close()
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, false, input.FileError(path, err)
	}
	defer root.Close()
	l := newLoader(path, filepath.Base(path))
	l.files = root.FS()
	raw, e := l.readText(f, l.main)
	if e != nil {
		return nil, false, e
	}
	_, directives, e := l.declare(raw, 0)
	if e != nil {
		return nil, false, e
	}
	for _, d := range directives {
		all = append(all, Declaration{d.word, d.rest(0)})
	}
	return all, find(directives, "n") != nil || find(directives, "grid") != nil, nil
}
