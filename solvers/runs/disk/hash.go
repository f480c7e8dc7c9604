package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
)

// hashed is a file that is hashed while it is written.
type hashed struct {
	f    File
	h    hash.Hash
	n    int64
	done func(n int64, sum string)
}

// Hash returns a writer to f. Its Close syncs and closes f, and then passes the size and the SHA-256 of what was
// written to done, unless there was an error.
func Hash(f File, done func(n int64, sum string)) io.WriteCloser {
	return &hashed{f: f, h: sha256.New(), done: done}
}

func (f *hashed) Write(b []byte) (int, error) {
	n, err := f.f.Write(b)
	f.h.Write(b[:n])
	f.n += int64(n)
	return n, err
}

func (f *hashed) Close() error {
	err := errors.Join(f.f.Sync(), f.f.Close())
	if err == nil {
		f.done(f.n, hex.EncodeToString(f.h.Sum(nil)))
	}
	return err
}
