package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"sync"
)

// hashed is a file that is hashed while it is written.
type hashed struct {
	f    File
	h    hash.Hash
	n    int64
	bad  bool // a Write has failed
	done func(n int64, sum string)
}

// Hash returns a writer to f. Its Close syncs and closes f, and then passes the size and the SHA-256 of what was
// written to done, unless there was an error.
func Hash(f File, done func(n int64, sum string)) io.WriteCloser {
	return &hashed{f: f, h: sha256.New(), done: done}
}

// Write hashes b while it is written.
func (f *hashed) Write(b []byte) (int, error) {
	var hashing sync.WaitGroup
	hashing.Go(func() { f.h.Write(b) })
	n, err := f.f.Write(b)
	hashing.Wait()
	f.n += int64(n)
	f.bad = f.bad || err != nil
	return n, err
}

func (f *hashed) Close() error {
	err := errors.Join(f.f.Sync(), f.f.Close())
	if err == nil && !f.bad {
		f.done(f.n, hex.EncodeToString(f.h.Sum(nil)))
	}
	return err
}
