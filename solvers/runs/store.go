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
	"sync"

	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/shard/ranks"
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
	hosts ranks.Hosts     // the other ranks, which write their shards; nil: there are none
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
	slices.SortFunc(names, func(a, b string) int { return numberOf(b) - numberOf(a) })
	return names, nil
}

// any reports whether there is a checkpoint.
func (s *store) any() bool {
	names, err := s.dir.checkpoints()
	return err == nil && len(names) > 0
}

func numberOf(name string) int { n, _ := strconv.Atoi(name); return n }

// none sends the other ranks the news that there is no checkpoint.
func (s *store) none() error {
	if s.hosts == nil {
		return nil
	}
	return ranks.Announce(s.hosts, "")
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
	name, older, err := s.next()
	if err != nil {
		return "", 0, err
	}
	tmp := path.Join(CheckpointsName, tmpPrefix+name)
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
		if err = ranks.Announce(s.hosts, filepath.Join(Absolute(s.dir.Path), tmp)); err != nil {
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
	if err = s.publish(m, tmp, name); err != nil {
		return "", 0, err
	}
	s.prune(append([]string{name}, older...))
	return name, bytes, nil
}

// next makes the folder of the checkpoints if there is none. It returns the name of the next checkpoint, of which
// nothing is left under its temporary name, and those of the older ones.
func (s *store) next() (name string, older []string, err error) {
	if err = s.dir.Mkdir(CheckpointsName); err == nil {
		err = s.dir.SyncFolder(".")
	} else if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	if err == nil {
		older, err = s.dir.checkpoints()
	}
	if err != nil {
		return "", nil, err
	}
	number := 1
	if len(older) > 0 {
		number = numberOf(older[0]) + 1
	}
	name = fmt.Sprintf("%06d", number)
	return name, older, s.dir.RemoveAll(path.Join(CheckpointsName, tmpPrefix+name))
}

// publish writes the manifest of the checkpoint in the folder tmp, and gives the folder its name when all of it is on
// the disk.
func (s *store) publish(m manifest, tmp, name string) error {
	text, err := disk.Sealed(&m, &m.Check)
	if err != nil {
		return err
	}
	f, err := s.dir.OpenFile(path.Join(tmp, manifestName), os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err = s.dir.SyncFolder(tmp); err != nil {
		return err
	}
	if err = s.dir.Rename(tmp, path.Join(CheckpointsName, name)); err != nil {
		return err
	}
	return s.dir.SyncFolder(CheckpointsName)
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

// savePieces saves the pieces of a state that this rank has in files, which create opens, and returns the files of the
// pieces of all ranks. hosts is nil if there are no others. The error is that of this rank, or else of another one.
func savePieces(hosts ranks.Hosts, st *solvers.State,
	create func(piece int, done func(manifestFile)) (io.WriteCloser, error)) (map[int]manifestFile, error) {
	own := written{Files: map[int]manifestFile{}}
	var mu sync.Mutex
	err := st.SavePieces(func(piece int) (io.WriteCloser, error) {
		if hosts != nil && hosts.Rank() > 0 && piece >= st.Pieces-st.Common {
			return nowhere{io.Discard}, nil // rank 0 has it, too
		}
		return create(piece, func(f manifestFile) {
			mu.Lock()
			defer mu.Unlock()
			own.Files[piece] = f
		})
	})
	if hosts == nil || shard.Lost(err) {
		return own.Files, err
	}
	if err != nil {
		own.Err = err.Error()
	}
	// A disk may be slow.
	if e := hosts.Barrier(); e != nil {
		return nil, &ranks.Error{Err: e}
	}
	ranks, e := ranks.Messages(hosts, own)
	if e != nil {
		return nil, e
	}
	all := map[int]manifestFile{}
	for _, other := range ranks {
		if other.Err != "" && err == nil {
			err = errors.New(other.Err)
		}
		for piece, f := range other.Files {
			all[piece] = f
		}
	}
	return all, err
}

// nowhere is a file that keeps nothing.
type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }
