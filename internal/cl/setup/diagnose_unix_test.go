//go:build unix && !darwin

package setup

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/test/battery"
)

// fakeSystem is a machine with the given files and contents.
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

func TestR13Diagnosis(t *testing.T) {
	count := battery.Begin(t)
	const install = "Run: sudo apt-get install ocl-icd-libopencl1 pocl-opencl-icd"
	icd := map[string]string{"/etc/OpenCL/vendors/a.icd": "libgood.so\n",
		"/etc/OpenCL/vendors/b.icd": "/opt/libbad.so.1\n",
		"/dev/dri/renderD128":       "", "/dev/dri/renderD129": "", "/dev/nvidia0": "", "/v/x.icd": ""}
	for _, tc := range []struct {
		name              string
		s                 system
		platforms         []string
		failure           string
		wantCause, wantDo string
	}{
		{"nothing", fakeSystem(nil, nil, "", ""), nil, "",
			"no vendor file (*.icd) in /etc/OpenCL/vendors", install},
		{"variable", fakeSystem(icd, map[string]string{"OCL_ICD_VENDORS": "/x"}, "", ""), nil, "",
			"no vendor file (*.icd) in OCL_ICD_VENDORS=/x", "Run: unset OCL_ICD_VENDORS"},
		{"one file", fakeSystem(icd, map[string]string{"OCL_ICD_VENDORS": "/v/x.icd"}, "", ""), nil, "",
			"vendor file /v/x.icd names no library", "Run: sudo rm /v/x.icd"},
		{"library", fakeSystem(icd, nil, "/opt/libbad.so.1", ""), nil, "",
			"vendor file /etc/OpenCL/vendors/b.icd names /opt/libbad.so.1, which does not load (no such file)",
			install},
		{"mute", fakeSystem(icd, nil, "", ""), nil, "",
			"the drivers of /etc/OpenCL/vendors/a.icd, /etc/OpenCL/vendors/b.icd offer no platform", install},
		{"hidden by PoCL", fakeSystem(icd, map[string]string{"POCL_DEVICES": "nope"}, "", ""),
			[]string{"Portable Computing Language"}, "",
			"no device in platform Portable Computing Language with POCL_DEVICES=nope", "Run: unset POCL_DEVICES"},
		{"no cache of PoCL", fakeSystem(icd, nil, "", ""), []string{"Portable Computing Language", "Clover"}, "",
			"no device in platforms Portable Computing Language, Clover; PoCL has none if it cannot write its cache",
			"Run: export POCL_CACHE_DIR=/tmp/pocl, or another folder that can be written"},
		{"empty platforms", fakeSystem(icd, nil, "", ""), []string{"rusticl", "Clover"}, "",
			"no device in platforms rusticl, Clover", install},
		{"render node", fakeSystem(icd, nil, "", "/dev/dri/renderD129"), []string{"rusticl"}, "",
			"no permission on /dev/dri/renderD129", "Run: sudo usermod -aG render $USER and log in again"},
		{"nvidia", fakeSystem(icd, nil, "", "/dev/nvidia0"), nil, "", "no permission on /dev/nvidia0",
			"Run: sudo chmod a+rw /dev/nvidia0"},
		{"other failure", fakeSystem(icd, nil, "", ""), nil, "CL_OUT_OF_HOST_MEMORY",
			"clGetPlatformIDs: CL_OUT_OF_HOST_MEMORY", install},
	} {
		cause, do := Finding{Platforms: tc.platforms, Failure: tc.failure}.on(tc.s)
		if cause != tc.wantCause || do != tc.wantDo {
			t.Errorf("%s: %q, %q", tc.name, cause, do)
		}
		count.Count(!t.Failed())
	}
	if s := (Finding{}).answer(); s != "no platform" {
		t.Error(s)
	}
}
