package runs

import (
	"fmt"
	"path"
	"path/filepath"

	"github.com/clopt/clopt/solvers/methods"
)

// IsCheckpoint reports whether a folder looks like a checkpoint, good or damaged.
func IsCheckpoint(dir string) bool {
	return Exists(filepath.Join(dir, manifestName)) || storedName.MatchString(filepath.Base(dir))
}

// VerifyCheckpoint checks the checkpoint in the folder dir: its manifest, the hashes of its files, and every block of
// every section.
func VerifyCheckpoint(dir string) error {
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.verifyCheckpoint(".")
	return err
}

// VerifyCheckpointOf checks the checkpoint with this name in the run folder dir, and whether it belongs to the run.
// start is the first line of its trace; if it is nil, only the checkpoint itself is checked.
func VerifyCheckpointOf(dir, name string, start *StartLine) error {
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	m, err := f.verifyCheckpoint(path.Join(CheckpointsName, name))
	if err != nil || start == nil {
		return err
	}
	if d := m.Identity.differs(start); d != "" {
		return fmt.Errorf("belongs to another run: %s", d)
	}
	return f.checkPrefix(m.Trace)
}

// verifyCheckpoint is VerifyCheckpoint of the folder at. It returns the manifest if all is good.
func (f *folder) verifyCheckpoint(at string) (*manifest, error) {
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
	if _, err := methods.New(m.Identity.Solver, nil); err != nil {
		return nil, err
	}
	for _, mf := range m.Files {
		if err := mf.checkSections(f, at); err != nil {
			return nil, fmt.Errorf("%s: %w", mf.Name, err)
		}
	}
	return m, nil
}

// checkSections reads all sections of a file, which verifies their checksums.
func (f manifestFile) checkSections(dir *folder, at string) error {
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
