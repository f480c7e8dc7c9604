//go:build unix && !darwin

package cl

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// diagnose examines this machine and says why Discover found nothing.
func diagnose(platforms []string, err error) *NoDeviceError {
	return noDevice(newSystem(), platforms, err)
}

// vendorDir is the folder of vendor files, unless the environment names another.
const vendorDir = "/etc/OpenCL/vendors"

// system is the machine that noDevice examines; tests replace it.
type system struct {
	getenv  func(string) string
	files   func(pattern string) []string
	read    func(file string) string
	loads   func(library string) string // the reason why it does not load, or ""
	opens   func(file string) error
	group   func(file string) string // the group that may use the file, or ""
	has     func(program string) bool
	isAdmin bool
}

func newSystem() system {
	return system{
		getenv: os.Getenv,
		files: func(pattern string) []string {
			files, _ := filepath.Glob(pattern)
			return files
		},
		read: func(file string) string {
			b, _ := os.ReadFile(file)
			return string(b)
		},
		loads: loads,
		opens: func(file string) error {
			f, err := os.OpenFile(file, os.O_RDWR, 0)
			if err == nil {
				f.Close()
			}
			return err
		},
		group: fileGroup,
		has: func(program string) bool {
			_, err := exec.LookPath(program)
			return err == nil
		},
		isAdmin: os.Geteuid() == 0,
	}
}

func fileGroup(file string) string {
	st, err := os.Stat(file)
	if err != nil || st.Mode()&0o060 != 0o060 {
		return ""
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok || sys.Gid == 0 {
		return ""
	}
	g, err := user.LookupGroupId(strconv.Itoa(int(sys.Gid)))
	if err != nil {
		return ""
	}
	return g.Name
}

func (s system) admin(command string) string {
	if s.isAdmin {
		return "Run: " + command
	}
	return "Run: sudo " + command
}

// install returns the command that installs PoCL, the CPU runtime that every
// distribution has.
func (s system) install() string {
	for _, m := range []struct{ program, command string }{
		{"apt-get", "apt-get install pocl-opencl-icd"},
		{"dnf", "dnf install pocl"},
		{"zypper", "zypper install pocl"},
		{"pacman", "pacman -S pocl"},
	} {
		if s.has(m.program) {
			return s.admin(m.command)
		}
	}
	return s.admin("apt-get install pocl-opencl-icd")
}

// noDevice is like diagnose for the system s.
func noDevice(s system, platforms []string, err error) *NoDeviceError {
	if err != nil && !errors.Is(err, PlatformNotFound) {
		return &NoDeviceError{causeOf(platforms, err), s.install()}
	}
	// A device node without permission is the best explanation of empty platforms:
	// drivers then report the chip as absent.
	if e := denied(s); e != nil {
		return e
	}
	if len(platforms) > 0 {
		if v := s.getenv("POCL_DEVICES"); v != "" {
			return &NoDeviceError{causeOf(platforms, err) + " with POCL_DEVICES=" + v, "Run: unset POCL_DEVICES"}
		}
		if slices.Contains(platforms, "Portable Computing Language") { // it always has the processor otherwise
			return &NoDeviceError{causeOf(platforms, err) + "; PoCL has none if it cannot write its cache",
				"Run: export POCL_CACHE_DIR=/tmp/pocl, or another folder that can be written"}
		}
		return &NoDeviceError{causeOf(platforms, err), s.install()}
	}
	pattern, origin := filepath.Join(vendorDir, "*.icd"), vendorDir
	unset := ""
	for _, name := range []string{"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"} {
		v := s.getenv(name)
		if v == "" {
			continue
		}
		origin, unset = name+"="+v, "Run: unset "+name
		pattern = filepath.Join(v, "*.icd")
		if strings.HasSuffix(v, ".icd") {
			pattern = v
		}
		break
	}
	files := s.files(pattern)
	if len(files) == 0 {
		cure := s.install()
		if unset != "" {
			cure = unset
		}
		return &NoDeviceError{"no vendor file (*.icd) in " + origin, cure}
	}
	for _, f := range files {
		library := strings.TrimSpace(s.read(f))
		library, _, _ = strings.Cut(library, "\n")
		if library = strings.TrimSpace(library); library == "" {
			return &NoDeviceError{"vendor file " + f + " names no library", s.admin("rm " + f)}
		}
		if why := s.loads(library); why != "" {
			return &NoDeviceError{fmt.Sprintf("vendor file %s names %s, which does not load (%s)", f, library, why),
				s.install()}
		}
	}
	return &NoDeviceError{"the drivers of " + strings.Join(files, ", ") + " offer no platform", s.install()}
}

func denied(s system) *NoDeviceError {
	for _, pattern := range []string{"/dev/dri/renderD*", "/dev/kfd", "/dev/nvidia[0-9]*", "/dev/nvidiactl"} {
		for _, f := range s.files(pattern) {
			if !errors.Is(s.opens(f), os.ErrPermission) {
				continue
			}
			if g := s.group(f); g != "" {
				return &NoDeviceError{"no permission on " + f, s.admin("usermod -aG "+g+" $USER") + " and log in again"}
			}
			return &NoDeviceError{"no permission on " + f, s.admin("chmod a+rw " + f)}
		}
	}
	return nil
}
