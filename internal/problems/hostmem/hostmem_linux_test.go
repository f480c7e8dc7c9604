package hostmem

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The least of the limits counts, also of the groups around that of the process.
func TestRooms(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"proc/meminfo":                                   "MemAvailable: 5000 kB\nSwapFree: 1000 kB\n",
		"proc/self/statm":                                "100 50 20 0 0 0 0\n",
		"proc/self/cgroup":                               "4:memory:/a/b\n0::/c/d\n",
		"sys/fs/cgroup/c/memory.max":                     "4000000\n",
		"sys/fs/cgroup/c/memory.current":                 "1500000\n",
		"sys/fs/cgroup/c/memory.stat":                    "anon 7\ninactive_file 500000\n",
		"sys/fs/cgroup/c/d/memory.max":                   "max\n",
		"sys/fs/cgroup/c/d/memory.current":               "1\n",
		"sys/fs/cgroup/memory/a/b/memory.stat":           "total_inactive_file 10\n",
		"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "3000000\n",
		"sys/fs/cgroup/memory/a/b/memory.usage_in_bytes": "2000000\n",
		"sys/fs/cgroup/memory/memory.limit_in_bytes":     "9223372036854771712\n",
		"sys/fs/cgroup/memory/memory.usage_in_bytes":     "5\n",
	} {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := map[int64]bool{}
	for _, r := range roomsBelow(root, heap{idle: 3}) {
		got[r.Bytes] = true
	}
	for _, want := range []int64{6000<<10 + 3, 3_000_003, 1_000_013} {
		if !got[want] {
			t.Errorf("no limit leaves %d bytes: %v", want, got)
		}
	}
}

// A limit of virtual memory is seen, and what does not fit is refused in words.
func TestCheck(t *testing.T) {
	if Left().Bytes <= 0 || Left().Limit == "" {
		t.Fatalf("%+v are left", Left())
	}
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &before); err != nil {
		t.Fatal(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_AS, &before)
	const most = 1 << 40
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: most, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
	r := addresses("/", heap{})
	if r.Bytes <= 0 || r.Bytes >= most || r.Limit != "the limit of ulimit -v" {
		t.Errorf("%+v", r)
	}
	err := Check("the table a.csv", most)
	if e, ok := errors.AsType[*Error](err); !ok || e.Need != most ||
		!strings.Contains(err.Error(), "the table a.csv needs 1.0 TiB of memory, and ") {
		t.Errorf("error %v", err)
	}
	if err := Check("a number", 8); err != nil {
		t.Error(err)
	}
}
