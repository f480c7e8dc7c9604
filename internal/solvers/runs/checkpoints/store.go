package checkpoints

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/solvers"
)

// Store writes the checkpoints of a run.
type Store struct {
	Dir   *disk.Folder    // of the run
	Keep  int             // number of checkpoints to keep
	Hosts ranks.Hosts     // the other ranks, which write their shards; nil: there are none
	Bad   map[string]bool // damaged checkpoints, which are removed first
}

// Any reports whether there is a checkpoint.
func (s *Store) Any() bool {
	names, err := List(s.Dir)
	return err == nil && len(names) > 0
}

// None sends the other ranks the news that there is no checkpoint.
func (s *Store) None() error {
	if s.Hosts == nil {
		return nil
	}
	return ranks.Announce(s.Hosts, "")
}

// Write stores a checkpoint with the properties of the run in m, and returns its name and size. If it fails,
// the older checkpoints are unchanged.
func (s *Store) Write(m Manifest, st *solvers.State, at solvers.Progress, p Position) (name string, bytes int64,
	err error) {
	told := false
	defer func() {
		if !told {
			err = errors.Join(err, s.None())
		}
	}()
	name, older, err := s.next()
	if err != nil {
		return "", 0, err
	}
	tmp := path.Join(Name, tmpPrefix+name)
	if err := s.Dir.Mkdir(tmp); err != nil {
		return "", 0, err
	}
	defer func() {
		if err != nil {
			s.Dir.RemoveAll(tmp)
		}
	}()
	if len(st.Vectors) > 0 {
		p.Shards = st.Pieces
	}
	m.Format, m.FormatVersion = format, checkpoint.Version
	m.Files = make([]File, 1+p.Shards)
	host, err := createHashed(s.Dir, tmp, hostName, func(f File) { m.Files[0] = f })
	if err != nil {
		return "", 0, err
	}
	if err = errors.Join(writeHost(host, st, &at, &p), host.Close()); err != nil {
		return "", 0, err
	}
	if s.Hosts != nil {
		told = true
		where := filepath.Join(s.Dir.Path, tmp)
		if abs, err := filepath.Abs(where); err == nil {
			where = abs
		}
		if err = ranks.Announce(s.Hosts, where); err != nil {
			return "", 0, err
		}
	}
	pieces, err := savePieces(s.Hosts, st, func(i int, done func(File)) (io.WriteCloser, error) {
		return createHashed(s.Dir, tmp, shardName(i), done)
	})
	if err != nil {
		return "", 0, err
	}
	for i, f := range pieces {
		m.Files[1+i] = f
	}
	for _, f := range m.Files {
		bytes += f.Bytes
	}
	if err = s.publish(m, tmp, name); err != nil {
		return "", 0, err
	}
	s.prune(append([]string{name}, older...))
	return name, bytes, nil
}

// next makes the folder of the checkpoints if there is none. It returns the name of the next checkpoint, of which
// nothing is left under its temporary name, and those of the older ones.
func (s *Store) next() (name string, older []string, err error) {
	if err = s.Dir.Mkdir(Name); err == nil {
		err = s.Dir.SyncFolder(".")
	} else if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	if err == nil {
		older, err = List(s.Dir)
	}
	if err != nil {
		return "", nil, err
	}
	number := 1
	if len(older) > 0 {
		number = numberOf(older[0]) + 1
	}
	name = fmt.Sprintf("%06d", number)
	return name, older, s.Dir.RemoveAll(path.Join(Name, tmpPrefix+name))
}

// publish writes the manifest of the checkpoint in the folder tmp, and gives the folder its name when all of it is on
// the disk.
func (s *Store) publish(m Manifest, tmp, name string) error {
	text, err := disk.Sealed(&m, &m.Check)
	if err != nil {
		return err
	}
	f, err := s.Dir.OpenFile(path.Join(tmp, manifestName), os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err = s.Dir.SyncFolder(tmp); err != nil {
		return err
	}
	if err = s.Dir.Rename(tmp, path.Join(Name, name)); err != nil {
		return err
	}
	return s.Dir.SyncFolder(Name)
}

// writeHost writes the file of the host: the state of the run, and the progress of the loop and of the files.
func writeHost(w io.Writer, st *solvers.State, at *solvers.Progress, p *Position) error {
	f := checkpoint.NewWriter(w)
	if err := st.SaveHost(f); err != nil {
		return err
	}
	if err := f.WriteSection(loopSection, checkpoint.Encode(at)); err != nil {
		return err
	}
	if err := f.WriteSection(progressSection, checkpoint.Encode(p)); err != nil {
		return err
	}
	return f.Close()
}

// prune removes damaged checkpoints, the oldest ones if there are more than are kept, and temporary folders. A
// checkpoint is renamed before its files are removed, so that no half of one is left under its name. Errors are
// ignored, since a checkpoint that cannot be removed does no harm.
func (s *Store) prune(names []string) {
	kept := 0
	for _, name := range names {
		if kept < s.Keep && !s.Bad[name] {
			kept++
			continue
		}
		s.Dir.Rename(path.Join(Name, name), path.Join(Name, tmpPrefix+name))
	}
	Sweep(s.Dir)
}
