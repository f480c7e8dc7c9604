package binaries

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A binary is read back as it was stored. Texts that differ, also where one ends, have different keys.
func TestFolder(t *testing.T) {
	f := Folder{filepath.Join(t.TempDir(), "new", "folder"), 1 << 20}
	a, b := Key("driver 1", "text"), Key("driver 1t", "ext")
	if a == b || a != Key("driver 1", "text") {
		t.Errorf("keys %s and %s", a, b)
	}
	if f.Load(a) != nil {
		t.Error("there is a binary before one is stored")
	}
	f.Store(a, []byte("one"))
	f.Store(a, []byte("two"))
	f.Store(b, nil)
	if string(f.Load(a)) != "two" || f.Load(b) != nil {
		t.Errorf("%q, %q", f.Load(a), f.Load(b))
	}
	if f.Remove(a); f.Load(a) != nil {
		t.Error("a binary is not removed")
	}
	none := Folder{}
	none.Store(a, []byte("one"))
	if none.Remove(a); none.Load(a) != nil {
		t.Error("the zero value keeps binaries")
	}
}

// A file that is damaged in any place counts as none.
func TestDamaged(t *testing.T) {
	f := Folder{t.TempDir(), 1 << 20}
	key := Key("text")
	f.Store(key, []byte("what the driver made"))
	good, err := os.ReadFile(f.file(key))
	if err != nil {
		t.Fatal(err)
	}
	write := func(b []byte) {
		t.Helper()
		if err := os.WriteFile(f.file(key), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 4
		if write(bad); f.Load(key) != nil {
			t.Errorf("byte %d is wrong", i)
		}
		if write(good[:i]); f.Load(key) != nil {
			t.Errorf("the file ends after %d bytes", i)
		}
	}
	if _, err := os.Stat(f.file(key)); err == nil {
		t.Error("a damaged file stays")
	}
}

// A folder that cannot be made or written keeps nothing.
func TestUnwritable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		f := Folder{dir, 1 << 20}
		if f.Store(Key("text"), []byte("one")); f.Load(Key("text")) != nil {
			t.Errorf("%s keeps a binary", dir)
		}
	}
}

// The binaries that were not used for the longest time go first, and so do files that were never finished.
func TestShrink(t *testing.T) {
	f := Folder{t.TempDir(), 3 * 1100}
	old := filepath.Join(f.Dir, "killed-1.tmp")
	if err := os.WriteFile(old, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(-2 * time.Hour)
	age := func(name string) {
		t.Helper()
		if at = at.Add(time.Minute); os.Chtimes(name, at, at) != nil {
			t.Fatal(name)
		}
	}
	age(old)
	var keys []string
	for _, name := range []string{"a", "b", "c"} {
		keys = append(keys, Key(name))
		f.Store(Key(name), make([]byte, 1000))
		age(f.file(Key(name)))
	}
	f.Load(keys[0])
	f.Store(Key("d"), make([]byte, 1000))
	if f.Load(keys[0]) == nil || f.Load(keys[1]) != nil || f.Load(keys[2]) == nil || f.Load(Key("d")) == nil {
		t.Error("another one than the oldest is removed")
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("what a killed process has left stays")
	}
}

// Several writers and readers of a key, as of several processes, see whole binaries.
func TestTogether(t *testing.T) {
	f := Folder{t.TempDir(), 1 << 20}
	key := Key("text")
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for range 50 {
				f.Store(key, bytes.Repeat([]byte{byte(k)}, 5000))
				if b := f.Load(key); len(b) != 5000 || bytes.Count(b, b[:1]) != 5000 {
					t.Errorf("%d bytes", len(b))
				}
			}
		})
	}
	all.Wait()
	left, err := os.ReadDir(f.Dir)
	if err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestDefault(t *testing.T) {
	t.Setenv(Variable, Off)
	if f := Default(); f.Dir != "" {
		t.Errorf("off is %s", f.Dir)
	}
	t.Setenv(Variable, "/some/where")
	if f := Default(); f.Dir != "/some/where" || f.Max < 1<<20 {
		t.Errorf("%+v", f)
	}
	t.Setenv(Variable, "")
	if f := Default(); !strings.HasSuffix(filepath.ToSlash(f.Dir), "clopt/binaries") {
		t.Errorf("%+v", f)
	}
}
