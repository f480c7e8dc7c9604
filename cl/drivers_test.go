package cl

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	binding "github.com/jgillich/go-opencl/cl"
)

// children run in a process of their own, as drivers read the environment once.
var children = map[string]func() int{
	"discover": func() int {
		infos, err := Discover()
		var none *NoDeviceError
		if errors.As(err, &none) {
			fmt.Println(none)
			return 3
		}
		fmt.Print(Table(infos))
		for _, i := range infos {
			fmt.Println(i.Kind())
		}
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

func TestVendorWithoutLibrary(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/broken.icd", []byte("libnosuchdriver.so.7\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, code := child(t, "discover", "OCL_ICD_VENDORS="+dir)
	if code != 3 || !strings.Contains(out, "vendor file "+dir+"/broken.icd names libnosuchdriver.so.7, which does not load (") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// deviceTests are those that run on whatever CL_TEST_DEVICE selects.
const deviceTests = "^Test(Add|Buffer|MemoryError|KeepAlive|BuildErrorOnDevice|LongLog|BadOptions|Arguments|LaunchSizes|Thrice)$"

// elsewhere runs the device tests in a process of their own.
func elsewhere(t *testing.T, env ...string) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run="+deviceTests, "-test.v")
	c.Env = append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestThrice") {
		t.Errorf("%v\n%s", err, out)
	}
}

// A second vendor: no float64, another compiler, another form of build log.
func TestRusticl(t *testing.T) {
	if _, err := os.Stat(vendorDir + "/rusticl.icd"); err != nil {
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

// Two devices of one platform are of one kind, and not each other's twin.
func TestTwoPoCL(t *testing.T) {
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

// The names of the binding's unexported fields that handle relies on.
func TestHandles(t *testing.T) {
	d := open(t)
	p := must(d.Build("kernel void test_k(global int *a) { a[0] = 1; }", "", nil))
	k := must(p.Kernel("test_k", Mem[int32]()))
	if handle(d.info.handle, "id") == nil || handle(p.built.program, "clProgram") == nil || handle(k.kernel, "clKernel") == nil {
		t.Error("a handle is nil")
	}
}

// fakeSystem is a machine for diagnoses: files with their contents.
func fakeSystem(files map[string]string, env map[string]string, broken, forbidden string) system {
	return system{
		getenv: func(name string) string { return env[name] },
		files: func(pattern string) []string {
			var found []string
			for f := range files {
				if ok, _ := path.Match(pattern, f); ok {
					found = append(found, f)
				}
			}
			slices.Sort(found)
			return found
		},
		read: func(f string) string { return files[f] },
		loads: func(library string) string {
			if library == broken {
				return "no such file"
			}
			return ""
		},
		opens: func(f string) error {
			if f == forbidden {
				return &os.PathError{Op: "open", Path: f, Err: os.ErrPermission}
			}
			return nil
		},
		group: func(f string) string {
			if strings.HasPrefix(f, "/dev/dri") {
				return "render"
			}
			return ""
		},
		has: func(program string) bool { return program == "apt-get" },
	}
}

func TestDiagnosis(t *testing.T) {
	const install = "Run: sudo apt-get install pocl-opencl-icd"
	icd := map[string]string{"/etc/OpenCL/vendors/a.icd": "libgood.so\n", "/etc/OpenCL/vendors/b.icd": "/opt/libbad.so.1\n",
		"/dev/dri/renderD128": "", "/dev/dri/renderD129": "", "/dev/nvidia0": "", "/v/x.icd": ""}
	for _, tc := range []struct {
		name              string
		s                 system
		platforms         []string
		err               error
		wantCause, wantDo string
	}{
		{"nothing", fakeSystem(nil, nil, "", ""), nil, PlatformNotFound, "no vendor file (*.icd) in /etc/OpenCL/vendors", install},
		{"variable", fakeSystem(icd, map[string]string{"OCL_ICD_VENDORS": "/x"}, "", ""), nil, PlatformNotFound, "no vendor file (*.icd) in OCL_ICD_VENDORS=/x", "Run: unset OCL_ICD_VENDORS"},
		{"one file", fakeSystem(icd, map[string]string{"OCL_ICD_VENDORS": "/v/x.icd"}, "", ""), nil, PlatformNotFound, "vendor file /v/x.icd names no library", "Run: sudo rm /v/x.icd"},
		{"library", fakeSystem(icd, nil, "/opt/libbad.so.1", ""), nil, PlatformNotFound, "vendor file /etc/OpenCL/vendors/b.icd names /opt/libbad.so.1, which does not load (no such file)", install},
		{"mute", fakeSystem(icd, nil, "", ""), nil, PlatformNotFound, "the drivers of /etc/OpenCL/vendors/a.icd, /etc/OpenCL/vendors/b.icd offer no platform", install},
		{"empty platforms", fakeSystem(icd, nil, "", ""), []string{"rusticl", "Clover"}, nil, "no device in platforms rusticl, Clover", install},
		{"render node", fakeSystem(icd, nil, "", "/dev/dri/renderD129"), []string{"rusticl"}, nil, "no permission on /dev/dri/renderD129", "Run: sudo usermod -aG render $USER and log in again"},
		{"nvidia", fakeSystem(icd, nil, "", "/dev/nvidia0"), nil, PlatformNotFound, "no permission on /dev/nvidia0", "Run: sudo chmod a+rw /dev/nvidia0"},
		{"other failure", fakeSystem(icd, nil, "", ""), nil, OutOfHostMemory, "clGetPlatformIDs: CL_OUT_OF_HOST_MEMORY", install},
	} {
		e := noDevice(tc.s, tc.platforms, tc.err)
		if e.Cause != tc.wantCause || e.Cure != tc.wantDo {
			t.Errorf("%s: %q, %q", tc.name, e.Cause, e.Cure)
		}
	}
}

func TestCode(t *testing.T) {
	for code := range codeNames {
		if code.Error() == "" {
			t.Errorf("code %d has no name", code)
		}
	}
	for err, code := range codes {
		if codeOf(err) != code || codeNames[code] == "" {
			t.Errorf("%v gives %v", err, codeOf(err))
		}
	}
	if codeOf(nil) != nil || codeOf(binding.ErrOther(-1001)) != PlatformNotFound || codeOf(binding.ErrUnknown) != unknown {
		t.Error("codes without a value in the binding")
	}
	if s := Code(-9).Error() + " " + Code(-5000).Error(); s != "CL_IMAGE_FORMAT_MISMATCH CL error -5000" {
		t.Error(s)
	}
}
