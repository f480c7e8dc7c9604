package setup

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestCacheDir finds the folder of PoCL.
func TestCacheDir(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"POCL_CACHE_DIR": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"}, "/a"},
		{map[string]string{"XDG_CACHE_HOME": "/b", "HOME": "/c"}, "/b/pocl/kcache"},
		{map[string]string{"HOME": "/c"}, "/c/.cache/pocl/kcache"},
		{nil, filepath.Join(os.TempDir(), "pocl/kcache")},
	} {
		if got := CacheDir(func(name string) string { return c.env[name] }); got != filepath.FromSlash(c.want) {
			t.Errorf("%v: %s, want %s", c.env, got, c.want)
		}
	}
}

// TestCheckCache looks at a folder that can be written, and at places that are none.
func TestCheckCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if err := CheckCache(dir); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("the folder has %v, %v", left, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{file, filepath.Join(file, "below")} {
		e, ok := errors.AsType[*CacheError](CheckCache(bad))
		if !ok || e.Dir != bad {
			t.Errorf("%s: %v", bad, e)
		}
	}
}
