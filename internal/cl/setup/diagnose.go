// Package setup examines how OpenCL is set up on this machine: vendor files, libraries, permissions, and the folder
// where a driver stores the kernels that it has compiled. It calls no driver.
package setup

import "strings"

// VendorDir is the folder of vendor files, unless the environment names another.
const VendorDir = "/etc/OpenCL/vendors"

// Finding is what OpenCL has answered where there is no device.
type Finding struct {
	Library   string   // why the library of OpenCL cannot be used; "": it can
	Platforms []string // without devices
	Failure   string   // of the query for platforms, such as CL_OUT_OF_HOST_MEMORY; "": it has answered
}

// answer describes the answer of OpenCL itself.
func (f Finding) answer() string {
	switch n := len(f.Platforms); {
	case f.Library != "":
		return "no library of OpenCL: " + f.Library
	case f.Failure != "":
		return "clGetPlatformIDs: " + f.Failure
	case n == 1:
		return "no device in platform " + f.Platforms[0]
	case n > 1:
		return "no device in platforms " + strings.Join(f.Platforms, ", ")
	}
	return "no platform"
}
