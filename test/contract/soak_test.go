//go:build linux

package contract

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/test/battery"
	"github.com/clopt/clopt/test/shorttest"
)

// resources are what a process may lose bit by bit.
type resources struct {
	objects             int64 // of drivers
	goroutines, handles int   // handles: open files
	resident            int   // memory of the process, in KiB
}

func (r resources) String() string {
	return fmt.Sprintf("%d objects of drivers, %d goroutines, %d open files, %d KiB", r.objects, r.goroutines,
		r.handles, r.resident)
}

// measure returns what the process holds.
func measure(t *testing.T) resources {
	t.Helper()
	runtime.GC()
	debug.FreeOSMemory()
	handles, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(status, []byte("VmRSS:"))
	resident, err := strconv.Atoi(string(bytes.Fields(rest)[0]))
	if err != nil {
		t.Fatal(err)
	}
	return resources{cl.Objects(), runtime.NumGoroutine(), len(handles), resident}
}

// TestR20Soak makes many runs, one after the other. One of three devices dies in each. Nothing may grow.
func TestR20Soak(t *testing.T) {
	count := battery.Begin(t)
	warm, drops := 20, 40 // memory grows to its final size in the first 20
	if testing.Short() {
		warm, drops = 5, 8
	}
	eachFaultyRun(t, shorttest.Rows(1, forms), func(r faultyRun, want made) {
		launches := want.calls["clEnqueueNDRangeKernel"]
		var before resources
		for k := range drops {
			if k == warm {
				before = measure(r.t)
			}
			got := r.on(3, shard.Options{}, dies((k+1)*launches/(drops+1), faultCodes[k%len(faultCodes)]))
			err := r.same(got, want.res)
			count.Check(err == nil, "%s, device %d: %v", r.method.Traits().Name, k, err)
		}
		after := measure(r.t)
		r.t.Logf("%v after %d drops, %v after %d", before, warm, after, drops)
		const slack = 16 << 10 // by how much the allocators of Go and of the driver go up and down
		count.Check(after.objects <= before.objects && after.goroutines <= before.goroutines &&
			after.handles <= before.handles && after.resident <= before.resident+slack,
			"%s: %v before, %v after %d drops", r.method.Traits().Name, before, after, drops-warm)
	})
}
