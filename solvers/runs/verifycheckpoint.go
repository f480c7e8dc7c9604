package runs

import (
	"fmt"
	"path/filepath"

	"github.com/clopt/clopt/solvers/methods"
)

// VerifyCheckpoint checks a checkpoint: its manifest, the hashes of its files, and every block of every section.
func VerifyCheckpoint(dir string) error {
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	if err := m.verify(dir); err != nil {
		return err
	}
	saved := &Saved{Name: filepath.Base(dir), dir: dir, Manifest: m}
	if err := saved.readHost(); err != nil {
		return err
	}
	if l := saved.Loop.Last; l.Step != m.Step || l.Evaluations != m.Evaluations {
		return fmt.Errorf("step %d with %d evaluations; the manifest says %d and %d",
			l.Step, l.Evaluations, m.Step, m.Evaluations)
	}
	if _, err := methods.New(m.Identity.Solver, nil); err != nil {
		return err
	}
	for _, f := range m.Files {
		if err := checkSections(f, dir); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

// checkSections reads all sections of a file, which verifies their checksums.
func checkSections(mf manifestFile, dir string) error {
	f, file, err := mf.open(dir)
	if err != nil {
		return err
	}
	defer file.Close()
	buf := make([]byte, 1<<20)
	for _, name := range f.Names() {
		s, err := f.Section(name)
		if err != nil {
			return err
		}
		for at := int64(0); at < s.Size(); at += int64(len(buf)) {
			if _, err := s.ReadAt(buf[:min(int64(len(buf)), s.Size()-at)], at); err != nil {
				return err
			}
		}
	}
	return nil
}
