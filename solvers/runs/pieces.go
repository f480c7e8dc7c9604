package runs

import (
	"errors"
	"io"
	"sync"

	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
)

// savePieces saves the pieces of a state that this rank has in files, which create opens, and returns the files of the
// pieces of all ranks. hosts is nil if there are no others. The error is that of this rank, or else of another one.
func savePieces(hosts shard.Hosts, st *solvers.State,
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
		return nil, &shard.HostsError{Err: e}
	}
	ranks, e := shard.Messages(hosts, own)
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
