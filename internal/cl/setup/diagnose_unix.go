//go:build unix && !darwin

package setup

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

// Diagnose examines this machine and says why there is no device, and what to do. loads returns the reason why a shared
// library does not load, or "" if it does.
func (f Finding) Diagnose(loads func(library string) string) (cause, cure string) {
	return f.on(newSystem(loads))
}

// system is the machine that is examined; tests replace it.
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

func newSystem(loads func(string) string) system {
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
// distribution has, with the library of OpenCL.
func (s system) install() string {
	const apt = "apt-get install ocl-icd-libopencl1 pocl-opencl-icd"
	for _, m := range []struct{ program, command string }{
		{"apt-get", apt},
		{"dnf", "dnf install ocl-icd pocl"},
		{"zypper", "zypper install libOpenCL1 pocl"},
		{"pacman", "pacman -S ocl-icd pocl"},
	} {
		if s.has(m.program) {
			return s.admin(m.command)
		}
	}
	return s.admin(apt)
}

// on is Diagnose for the system s.
func (f Finding) on(s system) (cause, cure string) {
	if f.Library != "" || f.Failure != "" {
		return f.answer(), s.install()
	}
	// A device node without permission is the best explanation of empty platforms:
	// drivers then report the chip as absent.
	if cause, cure := denied(s); cause != "" {
		return cause, cure
	}
	if len(f.Platforms) > 0 {
		if v := s.getenv("POCL_DEVICES"); v != "" {
			return f.answer() + " with POCL_DEVICES=" + v, "Run: unset POCL_DEVICES"
		}
		if slices.Contains(f.Platforms, PoCL) { // it always has the processor otherwise
			return f.answer() + "; PoCL has none if it cannot write its cache",
				"Run: export POCL_CACHE_DIR=/tmp/pocl, or another folder that can be written"
		}
		return f.answer(), s.install()
	}
	pattern, origin, unset := vendorFiles(s.getenv)
	files := s.files(pattern)
	if len(files) == 0 {
		cure := s.install()
		if unset != "" {
			cure = unset
		}
		return "no vendor file (*.icd) in " + origin, cure
	}
	for _, file := range files {
		library := strings.TrimSpace(s.read(file))
		library, _, _ = strings.Cut(library, "\n")
		if library = strings.TrimSpace(library); library == "" {
			return "vendor file " + file + " names no library", s.admin("rm " + file)
		}
		if why := s.loads(library); why != "" {
			return fmt.Sprintf("vendor file %s names %s, which does not load (%s)", file, library, why),
				s.install()
		}
	}
	return "the drivers of " + strings.Join(files, ", ") + " offer no platform", s.install()
}

// vendorFiles returns the pattern of the vendor files, where they are, and how to have the usual ones if the
// environment names others.
func vendorFiles(getenv func(string) string) (pattern, origin, unset string) {
	for _, name := range []string{"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"} {
		v := getenv(name)
		if v == "" {
			continue
		}
		if pattern = filepath.Join(v, "*.icd"); strings.HasSuffix(v, ".icd") {
			pattern = v
		}
		return pattern, name + "=" + v, "Run: unset " + name
	}
	return filepath.Join(VendorDir, "*.icd"), VendorDir, ""
}

// HasPoCL reports whether a vendor file names PoCL.
func HasPoCL() bool {
	pattern, _, _ := vendorFiles(os.Getenv)
	files, _ := filepath.Glob(pattern)
	return slices.ContainsFunc(files, func(file string) bool {
		b, _ := os.ReadFile(file)
		return strings.Contains(string(b), "pocl")
	})
}

// denied names a device file that this user must not open; "": there is none.
func denied(s system) (cause, cure string) {
	for _, pattern := range []string{"/dev/dri/renderD*", "/dev/kfd", "/dev/nvidia[0-9]*", "/dev/nvidiactl"} {
		for _, f := range s.files(pattern) {
			if !errors.Is(s.opens(f), os.ErrPermission) {
				continue
			}
			if g := s.group(f); g != "" {
				return "no permission on " + f, s.admin("usermod -aG "+g+" $USER") + " and log in again"
			}
			return "no permission on " + f, s.admin("chmod a+rw " + f)
		}
	}
	return "", ""
}
