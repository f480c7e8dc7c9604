package checkpoints

import (
	"fmt"
	"path"

	"github.com/clopt/clopt/internal/solvers/runs/disk"
)

// Verify checks the checkpoint in the folder at: its manifest, the hashes of its files, and every block of every
// section. It returns the manifest if all is good.
func Verify(f *disk.Folder, at string) (*Manifest, error) {
	m, err := readManifest(f, at)
	if err != nil {
		return nil, err
	}
	if err := m.verify(f, at); err != nil {
		return nil, err
	}
	saved := &Saved{Name: path.Base(at), Manifest: m}
	if err := saved.readHost(f, at); err != nil {
		return nil, err
	}
	if l := saved.Loop.Last; l.Step != m.Step || l.Evaluations != m.Evaluations {
		return nil, fmt.Errorf("step %d with %d evaluations; the manifest says %d and %d",
			l.Step, l.Evaluations, m.Step, m.Evaluations)
	}
	for _, mf := range m.Files {
		if err := mf.checkSections(f, at); err != nil {
			return nil, fmt.Errorf("%s: %w", mf.Name, err)
		}
	}
	return m, nil
}

// checkSections reads all sections of a file, which verifies their checksums.
func (f File) checkSections(dir *disk.Folder, at string) error {
	ck, file, err := f.open(dir, at)
	if err != nil {
		return err
	}
	defer file.Close()
	buf := make([]byte, 1<<20)
	for _, name := range ck.Names() {
		s, err := ck.Section(name)
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
