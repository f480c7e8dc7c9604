package cl

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/cl/binaries"
	"github.com/clopt/clopt/internal/cl/crash"
)

// loaded runs storeText on a new opening, and reports whether it came from a binary.
func loaded(t *testing.T, change func(*Device)) bool {
	t.Helper()
	d := alone(t, 1)[0]
	defer d.Close()
	if change != nil {
		change(d)
	}
	check(t, set(d, storeText, 7))
	all := d.Builds()
	if len(all) != 1 || all[0].Took <= 0 {
		t.Fatalf("builds %+v", all)
	}
	return all[0].Loaded
}

// A program is loaded from disk where it was built before, by the same driver. Otherwise it is built from its text:
// where the file is damaged, the driver refuses it or fails, or nothing can be written.
func TestBinaryOnDisk(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(binaries.Variable, dir)
	d := alone(t, 1)[0]
	key, platform := d.key(source{storeText, ""}), d.Info().Platform
	defer func(was []string) { loadsFaster = was }(loadsFaster)
	loadsFaster = nil
	if check(t, set(d, storeText, 1)); len(files(t, dir)) != 0 {
		t.Error("a program is kept where that is slower")
	}
	loadsFaster = []string{platform}
	for k, want := range []bool{false, true, true} {
		if got := loaded(t, nil); got != want || len(files(t, dir)) != 1 {
			t.Errorf("run %d: loaded is %v, files %v", k, got, files(t, dir))
		}
	}
	if loaded(t, func(d *Device) { d.info.Driver = "another" }) || len(files(t, dir)) != 2 {
		t.Error("another version of the driver loads the program")
	}
	name := filepath.Join(dir, key+".bin")
	whole := must(os.ReadFile(name))
	if check(t, os.WriteFile(name, whole[:len(whole)/2], 0o600)); loaded(t, nil) || !loaded(t, nil) {
		t.Error("a damaged file is loaded, or not written again")
	}
	binaries.Default().Store(key, []byte("no driver made this"))
	if loaded(t, nil) || !loaded(t, nil) {
		t.Error("a file that the driver refuses is loaded, or not written again")
	}
	for _, function := range []string{"clCreateProgramWithBinary", "clBuildProgram"} {
		end := Inject(once(function))
		if got := loaded(t, nil); got {
			t.Errorf("a binary is loaded although %s fails", function)
		}
		end()
	}
	check(t, os.Remove(name))
	end := Inject(once("clGetProgramInfo"))
	if loaded(t, nil) || loaded(t, nil) || !loaded(t, nil) {
		t.Error("a program that the driver does not give away is kept")
	}
	end()
	t.Setenv(binaries.Variable, name) // a file
	if loaded(t, nil) || loaded(t, nil) {
		t.Error("a program is loaded from a file in the place of the folder")
	}
	t.Setenv(binaries.Variable, binaries.Off)
	if loaded(t, nil) {
		t.Error("a program is loaded although this is off")
	}
}

// once makes the first call of a function fail.
func once(function string) Injector {
	return func(c Call) Fault {
		if c.Function == function && c.Number == 0 {
			return Fault{Code: OutOfHostMemory}
		}
		return Fault{}
	}
}

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, e := range must(os.ReadDir(dir)) {
		names = append(names, e.Name())
	}
	return names
}

func init() {
	// A program is built or loaded.
	children["binary"] = func() int {
		d := must(Open(must(Select(must(Discover()), os.Getenv("CL_TEST_DEVICE")))[0]))
		loadsFaster = []string{d.Info().Platform}
		fmt.Println(set(d, storeText, 7), len(d.Builds()))
		return 0
	}
	// The driver reads a program through a wrong pointer.
	children["crash"] = func() int {
		crash.On("a driver has crashed\n", 1, 4)
		must(Discover())
		fmt.Println(programHandle(8).binary())
		return 0
	}
}

// Two processes that build a program at the same time leave one file, which a third one loads.
func TestBinaryOfTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	var both []*exec.Cmd
	for range 2 {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "CL_TEST_CHILD=binary", binaries.Variable+"="+dir)
		check(t, c.Start())
		both = append(both, c)
	}
	for _, c := range both {
		check(t, c.Wait())
	}
	if names := files(t, dir); len(names) != 1 {
		t.Errorf("files %v", names)
	}
	if out, code := child(t, "binary", binaries.Variable+"="+dir); out != "<nil> 1\n" || code != 0 {
		t.Errorf("exit %d: %s", code, out)
	}
}

// A driver that crashes in a call that does not go through the binding ends the process with the text of package crash.
func TestCrashInDriver(t *testing.T) {
	out, code := child(t, "crash")
	if code != 4 || !strings.HasSuffix(out, "a driver has crashed\n") {
		t.Errorf("exit %d: %s", code, out)
	}
}
