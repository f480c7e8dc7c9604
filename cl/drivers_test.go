package cl

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/clopt/clopt/internal/cl/setup"
	"github.com/clopt/clopt/test/shorttest"
)

// children run in processes of their own, since drivers read the environment only
// once.
var children = map[string]func() int{
	"discover": func() int {
		infos, err := Discover()
		if err != nil {
			fmt.Println(err)
			return 3
		}
		fmt.Print(Table(infos))
		for _, i := range infos {
			fmt.Println(i.Kind())
		}
		return 0
	},
	// There is no library of OpenCL, or it lacks a function.
	"library": func() int {
		if names := os.Getenv("CL_TEST_LIBRARIES"); names != "" {
			libraries = strings.Fields(names)
		} else {
			of("clNone")
		}
		_, err := Discover()
		fmt.Println(err)
		return 3
	},
	// The cache of PoCL becomes of no use while a device is open.
	"lose": func() int {
		infos, err := Discover()
		if err != nil {
			fmt.Println(err)
			return 3
		}
		d, err := Open(infos[0])
		dir := os.Getenv("POCL_CACHE_DIR")
		if err = errors.Join(err, os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600)); err == nil {
			_, err = d.Build("kernel void test_lose(global int *a) { a[0] = 1; }", "", nil)
		}
		fmt.Println(err)
		return 0
	},
	// The first calls of the driver are made by eight goroutines at the same time.
	"together": func() int {
		found := make([]int, 8)
		var all sync.WaitGroup
		for i := range found {
			all.Go(func() {
				infos, err := Discover()
				if found[i] = len(infos); err != nil {
					fmt.Println(err)
				}
			})
		}
		all.Wait()
		fmt.Println(found)
		return 0
	},
}

// child runs one of children and returns its standard output and exit status.
func child(t *testing.T, name string, env ...string) (string, int) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(append(os.Environ(), "CL_TEST_CHILD="+name), env...)
	out, err := c.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), c.ProcessState.ExitCode()
}

func TestNoVendors(t *testing.T) {
	out, code := child(t, "discover", "OCL_ICD_VENDORS=/nonexistent")
	want := "cl: no OpenCL device: no vendor file (*.icd) in OCL_ICD_VENDORS=/nonexistent. Run: unset OCL_ICD_VENDORS\n"
	if code != 3 || out != want {
		t.Errorf("exit %d: %s", code, out)
	}
}

// Where the library of OpenCL is missing, or lacks a function, the error names it and the command that brings one.
func TestNoLibrary(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("names libraries of Linux")
	}
	for libraries, want := range map[string]string{
		"libnone.so.1 libnone.so": "cl: no OpenCL device: no library of OpenCL: libnone.so.1: ",
		"":                        "cl: no OpenCL device: no library of OpenCL: OpenCL 1.2 is needed: ",
	} {
		out, code := child(t, "library", "CL_TEST_LIBRARIES="+libraries)
		if code != 3 || !strings.HasPrefix(out, want) || !strings.Contains(out, "Run: ") {
			t.Errorf("%s: exit %d: %s", libraries, code, out)
		}
	}
}

func TestVendorWithoutLibrary(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/broken.icd", []byte("libnosuchdriver.so.7\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, code := child(t, "discover", "OCL_ICD_VENDORS="+dir)
	if code != 3 || !strings.Contains(out,
		"vendor file "+dir+"/broken.icd names libnosuchdriver.so.7, which does not load (") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// Drivers set themselves up when they are asked first, PoCL 3.1 without a lock. Another vendor before it could make one
// goroutine wait for the other, so it is the only one here.
func TestDiscoverTogether(t *testing.T) {
	const file = setup.VendorDir + "/pocl.icd"
	if _, err := os.Stat(file); err != nil {
		t.Skip("needs PoCL")
	}
	for range 3 {
		out, code := child(t, "together", "OCL_ICD_VENDORS="+file, "POCL_DEVICES=pthread pthread")
		if code != 0 || out != "[2 2 2 2 2 2 2 2]\n" {
			t.Fatalf("exit %d: %s", code, out)
		}
	}
}

// PoCL cannot store kernels where a file stands in the place of the folder. It has no device then, and the error names
// the folder.
func TestNoCache(t *testing.T) {
	const vendor = setup.VendorDir + "/pocl.icd"
	if _, err := os.Stat(vendor); err != nil {
		t.Skip("needs PoCL")
	}
	file := t.TempDir() + "/file"
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, file + "/below"} {
		out, code := child(t, "discover", "OCL_ICD_VENDORS="+vendor, "POCL_CACHE_DIR="+dir)
		if code != 3 || !strings.Contains(out, "PoCL cannot store the kernels that it compiles in "+dir+": ") ||
			!strings.Contains(out, "export POCL_CACHE_DIR=/tmp/pocl") {
			t.Errorf("exit %d: %s", code, out)
		}
	}
}

// A text is not blamed where PoCL can no longer store its kernels.
func TestLostCache(t *testing.T) {
	const vendor = setup.VendorDir + "/pocl.icd"
	if _, err := os.Stat(vendor); err != nil {
		t.Skip("needs PoCL")
	}
	dir := t.TempDir() + "/cache"
	out, code := child(t, "lose", "OCL_ICD_VENDORS="+vendor, "POCL_CACHE_DIR="+dir)
	if code != 0 || !strings.HasPrefix(out, "PoCL cannot store the kernels that it compiles in "+dir+": ") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// deviceTests are the tests that run on the device that CL_TEST_DEVICE selects.
const deviceTests = "^Test(Add|Buffer|MemoryError|KeepAlive|BuildErrorOnDevice|LongLog|BadOptions|Arguments|" +
	"LaunchSizes|Thrice)$"

// elsewhere runs the device tests in another process with the environment env.
func elsewhere(t *testing.T, env ...string) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run="+deviceTests, "-test.v", fmt.Sprint("-test.short=", testing.Short()))
	c.Env = append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestThrice") {
		t.Errorf("%v\n%s", err, out)
	}
}

// A second vendor, without float64, with another compiler and another form of
// build log.
func TestRusticl(t *testing.T) {
	shorttest.Out(t) // make test-second-driver has runs
	if _, err := os.Stat(setup.VendorDir + "/rusticl.icd"); err != nil {
		t.Skip("needs the package mesa-opencl-icd")
	}
	const env = "RUSTICL_ENABLE=llvmpipe"
	out, _ := child(t, "discover", env)
	if !strings.Contains(out, "llvmpipe") {
		t.Fatalf("not found:\n%s", out)
	}
	if strings.Contains(out, "pthread") && !strings.Contains(out, "twin of 0") {
		t.Errorf("the host's processor is not marked as seen twice:\n%s", out)
	}
	elsewhere(t, env, "CL_TEST_DEVICE=name:llvmpipe")
}

// Two devices of one platform have the same kind, but are not twins.
func TestTwoPoCL(t *testing.T) {
	shorttest.Out(t)
	const env = "POCL_DEVICES=pthread pthread"
	out, _ := child(t, "discover", env)
	if strings.Count(out, "\n0  CPU") != 1 || strings.Count(out, "\n1  CPU") != 1 || strings.Contains(out, "twin") {
		t.Fatalf("devices:\n%s", out)
	}
	kinds := strings.Split(strings.TrimSpace(out), "\n")[3:]
	if len(kinds) != 2 || kinds[0] != kinds[1] {
		t.Errorf("kinds %q", kinds)
	}
	elsewhere(t, env, "CL_TEST_DEVICE=1")
}
