package cl

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
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
