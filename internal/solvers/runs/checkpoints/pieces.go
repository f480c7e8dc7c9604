package checkpoints

import (
	"errors"
	"io"
	"os"
	"path"
	"sync"

	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// written is what a rank says about its pieces of a checkpoint.
type written struct {
	Files map[int]File // by piece
	Err   string
}

// Follow writes the pieces that this rank has of a checkpoint that rank 0 writes.
func Follow(hosts ranks.Hosts, st *solvers.State) error {
	var tmp string
	if err := ranks.Announced(hosts, &tmp); err != nil || tmp == "" {
		return err
	}
	dir, err := disk.OpenFolder(tmp)
	if err == nil {
		defer dir.Close()
	}
	_, err = savePieces(hosts, st, func(piece int, done func(File)) (io.WriteCloser, error) {
		if err != nil {
			return nil, err
		}
		return createHashed(dir, ".", shardName(piece), done)
	})
	if shard.Lost(err) || errors.As(err, new(*ranks.Error)) {
		return err
	}
	return nil // rank 0 says it
}

// savePieces saves the pieces of a state that this rank has in files, which create opens, and returns the files of the
// pieces of all ranks. hosts is nil if there are no others. The error is that of this rank, or else of another one.
func savePieces(hosts ranks.Hosts, st *solvers.State,
	create func(piece int, done func(File)) (io.WriteCloser, error)) (map[int]File, error) {
	own := written{Files: map[int]File{}}
	var mu sync.Mutex
	err := st.SavePieces(func(piece int) (io.WriteCloser, error) {
		if hosts != nil && hosts.Rank() > 0 && piece >= st.Pieces-st.Common {
			return nowhere{io.Discard}, nil // rank 0 has it, too
		}
		return create(piece, func(f File) {
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
	all := map[int]File{}
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

// createHashed opens a new file of a checkpoint in a folder. done gets its size and hash when it is closed.
func createHashed(dir *disk.Folder, in, name string, done func(File)) (io.WriteCloser, error) {
	f, err := dir.OpenFile(path.Join(in, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, err
	}
	return disk.Hash(f, func(n int64, sum string) { done(File{name, n, sum}) }), nil
}
