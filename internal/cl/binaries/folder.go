// Package binaries keeps on disk what drivers have compiled, and what trials of it have found. Processes may use a
// folder at the same time: files are written whole, and one that is damaged counts as none.
package binaries

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Variable names the folder of binaries; Off there means none.
const Variable, Off = "CLOPT_CACHE", "off"

// Folder is a folder of binaries. The zero value keeps nothing.
type Folder struct {
	Dir string // it is made when it is first needed; "": none
	Max int64  // bytes of all files, from which on those that were not used for the longest time are removed
}

// Default returns the folder that the environment names, or that of the user.
func Default() Folder {
	const most = 256 << 20
	switch dir := os.Getenv(Variable); dir {
	case Off:
		return Folder{}
	case "":
		user, err := os.UserCacheDir()
		if err != nil {
			return Folder{}
		}
		return Folder{filepath.Join(user, "clopt", "binaries"), most}
	default:
		return Folder{dir, most}
	}
}

// Key returns a name for what was compiled from some texts.
func Key(from ...string) string {
	sum := sha256.New()
	for _, text := range from {
		own := sha256.Sum256([]byte(text))
		sum.Write(own[:])
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// A file is the header, the SHA-256 of the binary, and the binary.
const header, ending = "clopt binary 1\n", ".bin"

func (f Folder) file(key string) string { return filepath.Join(f.Dir, key+ending) }

// Load returns a binary, nil if there is none, or if it cannot be read or is damaged.
func (f Folder) Load(key string) []byte {
	if f.Dir == "" {
		return nil
	}
	name := f.file(key)
	b, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	b, whole := bytes.CutPrefix(b, []byte(header))
	if !whole || len(b) <= sha256.Size || sha256.Sum256(b[sha256.Size:]) != [sha256.Size]byte(b[:sha256.Size]) {
		os.Remove(name)
		return nil
	}
	now := time.Now()
	os.Chtimes(name, now, now) // it was used now; where that cannot be noted, it goes earlier
	return b[sha256.Size:]
}

// Remove removes a binary.
func (f Folder) Remove(key string) {
	if f.Dir != "" {
		os.Remove(f.file(key))
	}
}

// Store keeps a binary, if it can be written, and makes room for it.
func (f Folder) Store(key string, binary []byte) {
	if f.Dir == "" || len(binary) == 0 || os.MkdirAll(f.Dir, 0o700) != nil {
		return
	}
	temporary, err := os.CreateTemp(f.Dir, key[:8]+"-*.tmp")
	if err != nil {
		return
	}
	sum := sha256.Sum256(binary)
	_, err = temporary.Write(slices.Concat([]byte(header), sum[:], binary))
	err = cmp.Or(err, temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), f.file(key))
	}
	if err != nil {
		os.Remove(temporary.Name())
		return
	}
	f.shrink()
}

// shrink removes the files that were not used for the longest time, until the others have the room, and what a process
// that was killed has left behind.
func (f Folder) shrink() {
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return
	}
	var all []fs.FileInfo
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue // another process has removed it
		}
		switch age := time.Since(info.ModTime()); {
		case strings.HasSuffix(e.Name(), ending):
			all = append(all, info)
			total += info.Size()
		case strings.HasSuffix(e.Name(), ".tmp") && age > time.Hour:
			os.Remove(filepath.Join(f.Dir, e.Name()))
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range all {
		if total <= f.Max {
			return
		}
		os.Remove(filepath.Join(f.Dir, info.Name()))
		total -= info.Size()
	}
}
