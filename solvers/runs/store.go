package runs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/checkpoint"
	"github.com/clopt/clopt/solvers/runs/disk"
	"github.com/clopt/clopt/solvers/runs/grid"
)

// The checkpoints of a run are in the folders checkpoint/000001 and so on. Each has host.ck, a file for each shard, and
// manifest.json. A checkpoint is written under a temporary name, and renamed when all of it is on the disk.

// progress is the state of the files of a run.
type progress struct {
	Written  bool // the latest sample is in the trace
	Grid     grid.State
	Resumed  int // how often the run was resumed
	Official int // milestones of the problem that are not reached yet
	Shards   int // files of shards
}

const (
	loopSection     = "loop"
	progressSection = "progress"

	tmpPrefix = ".tmp-" // of the names of folders that are not whole
)

// CheckpointsName is the folder of the checkpoints in a run folder.
const CheckpointsName = "checkpoint"

// store writes and finds the checkpoints of a run.
type store struct {
	dir   *folder // of the run
	keep  int
	hosts shard.Hosts     // the other ranks, which write their shards; nil: there are none
	bad   map[string]bool // damaged checkpoints, which are removed first
}

// Checkpoints returns the names of the checkpoints in a run folder, the newest first.
func Checkpoints(dir string) ([]string, error) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.checkpoints()
}

var storedName = regexp.MustCompile(`^\d{6,}$`)

// checkpoints returns the names of the checkpoints, the newest first.
func (f *folder) checkpoints() ([]string, error) {
	entries, err := f.ReadDir(CheckpointsName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if storedName.MatchString(e.Name()) && len(e.Name()) < 19 {
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int { return number64(b) - number64(a) })
	return names, nil
}

// any reports whether there is a checkpoint.
func (s *store) any() bool {
	names, err := s.dir.checkpoints()
	return err == nil && len(names) > 0
}

func number64(name string) int { n, _ := strconv.Atoi(name); return n }

// none sends the other ranks the news that there is no checkpoint.
func (s *store) none() error {
	if s.hosts == nil {
		return nil
	}
	return shard.Announce(s.hosts, "")
}

// write stores a checkpoint and returns its name and size. If it fails, the older checkpoints are unchanged.
func (s *store) write(m manifest, st *solvers.State, at solvers.Progress, p progress) (name string, bytes int64,
	err error) {
	told := false
	defer func() {
		if !told {
			err = errors.Join(err, s.none())
		}
	}()
	if err = s.dir.Mkdir(CheckpointsName); err == nil {
		err = s.dir.SyncFolder(".")
	} else if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	if err != nil {
		return "", 0, err
	}
	names, err := s.dir.checkpoints()
	if err != nil {
		return "", 0, err
	}
	next := 1
	if len(names) > 0 {
		next = number64(names[0]) + 1
	}
	name = fmt.Sprintf("%06d", next)
	tmp := path.Join(CheckpointsName, tmpPrefix+name)
	if err := s.dir.RemoveAll(tmp); err != nil {
		return "", 0, err
	}
	if err := s.dir.Mkdir(tmp); err != nil {
		return "", 0, err
	}
	defer func() {
		if err != nil {
			s.dir.RemoveAll(tmp)
		}
	}()
	if len(st.Vectors) > 0 {
		p.Shards = st.Pieces
	}
	m.Files = make([]manifestFile, 1+p.Shards)
	host, err := createHashed(s.dir, tmp, hostName, func(f manifestFile) { m.Files[0] = f })
	if err != nil {
		return "", 0, err
	}
	if err = errors.Join(writeHost(host, st, &at, &p), host.Close()); err != nil {
		return "", 0, err
	}
	if s.hosts != nil {
		told = true
		if err = shard.Announce(s.hosts, filepath.Join(Absolute(s.dir.Path), tmp)); err != nil {
			return "", 0, err
		}
	}
	pieces, err := savePieces(s.hosts, st, func(i int, done func(manifestFile)) (io.WriteCloser, error) {
		return createHashed(s.dir, tmp, shardName(i), done)
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
	text, err := disk.Sealed(&m, &m.Check)
	if err != nil {
		return "", 0, err
	}
	f, err := s.dir.OpenFile(path.Join(tmp, manifestName), os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return "", 0, err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", 0, err
	}
	if err = s.dir.SyncFolder(tmp); err != nil {
		return "", 0, err
	}
	if err = s.dir.Rename(tmp, path.Join(CheckpointsName, name)); err != nil {
		return "", 0, err
	}
	if err = s.dir.SyncFolder(CheckpointsName); err != nil {
		return "", 0, err
	}
	s.prune(append([]string{name}, names...))
	return name, bytes, nil
}

// writeHost writes the file of the host: the state of the run, and the progress of the loop and of the files.
func writeHost(w io.Writer, st *solvers.State, at *solvers.Progress, p *progress) error {
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
func (s *store) prune(names []string) {
	kept := 0
	for _, name := range names {
		if kept < s.keep && !s.bad[name] {
			kept++
			continue
		}
		s.dir.Rename(path.Join(CheckpointsName, name), path.Join(CheckpointsName, tmpPrefix+name))
	}
	s.dir.sweep()
}

// sweep removes the temporary folders of pruning and of killed processes.
func (f *folder) sweep() {
	entries, _ := f.ReadDir(CheckpointsName)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tmpPrefix) {
			f.RemoveAll(path.Join(CheckpointsName, e.Name()))
		}
	}
}
