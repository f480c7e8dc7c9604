package cl

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/clopt/clopt/internal/cl/setup"
)

// Type is the type of a device, as its driver reports it.
type Type int

// The types of devices.
const (
	CPU Type = iota + 1
	GPU
	Accelerator
	Other
)

func (t Type) String() string {
	switch t {
	case CPU:
		return "CPU"
	case GPU:
		return "GPU"
	case Accelerator:
		return "accelerator"
	}
	return "other"
}

// Info describes a device. Discover makes it. Fields that the driver does not
// report are empty, zero or false.
type Info struct {
	Index                         int    // position among all devices of all platforms
	Host                          string // name of the computer; "" if a run has devices of one process
	Rank                          int    // of the process that uses the device, if Host is set
	Address                       string // PCI bus and slot; "" if the driver does not report them
	Platform, PlatformVersion     string
	Vendor, Name                  string
	Version, Driver               string // OpenCL version and driver version, as text
	Type                          Type
	ComputeUnits, ClockMHz        int
	GlobalMem, MaxAlloc, LocalMem int64 // bytes; MaxAlloc is the largest single buffer promised
	MaxGroup                      int   // largest number of work-items of a group
	FP64                          bool
	CorrectSqrt                   bool        // float32 divisions and square roots can be correctly rounded
	Twin                          int         // index of the same chip on an earlier platform, or -1
	Fault                         *QueryError // of a query that the driver has refused; Open returns it; nil: none

	handle clDevice
}

// QueryError means that a driver has refused a query about a device, which can then not be used.
type QueryError struct {
	Device string // "device 1 (NAME)"
	Query  string // CL_DEVICE_…
	Code   Code
}

func (e *QueryError) Error() string {
	return fmt.Sprintf("%s: clGetDeviceInfo: %s: %v. Leave the device out, or see whether its driver works", e.Device,
		e.Query, e.Code)
}

func (e *QueryError) Unwrap() error { return e.Code }

// Kind returns a text that is equal for devices with the same device name, driver
// version and platform. Such devices give the same bits for the same program text
// and build options.
func (i Info) Kind() string {
	return strings.Join([]string{i.Platform, i.PlatformVersion, i.Name, i.Driver}, " / ")
}

// Kinds returns the kinds of devices, each once.
func Kinds(infos []Info) (kinds []string) {
	for _, i := range infos {
		if k := i.Kind(); !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

func (i Info) String() string {
	if i.Host != "" {
		return fmt.Sprintf("device %d of rank %d on %s (%s)", i.Index, i.Rank, i.Host, i.Name)
	}
	return fmt.Sprintf("device %d (%s)", i.Index, i.Name)
}

// Discover lists all devices of all platforms, in the order in which the drivers
// list them. It skips platforms without devices and drivers that fail. If no
// device is left, the error is a *NoDeviceError. It is a
// *setup.CacheError if there is no GPU, and PoCL cannot store kernels. Discover may be called from any goroutine.
func Discover() (infos []Info, err error) {
	discovering.Lock()
	defer discovering.Unlock()
	cache := cacheOf() // before PoCL sets itself up
	found, err := platforms()
	if err != nil {
		return nil, diagnose(nil, err)
	}
	var seen []string
	for _, p := range found {
		name := p.name()
		version := p.version()
		seen = append(seen, name)
		if name == setup.PoCL && cache != nil {
			continue // it could end the process
		}
		for _, d := range p.devices() {
			i, refused, err := d.describe(asked)
			i.Index = len(infos)
			i.handle = d
			if err != nil {
				code, _ := errors.AsType[Code](err)
				i.Fault = &QueryError{i.String(), refused, code}
			}
			i.Platform, i.PlatformVersion = name, version
			i.Address = d.pciAddress(i.Vendor)
			infos = append(infos, i)
		}
	}
	if cache != nil && !slices.ContainsFunc(infos, func(i Info) bool { return i.Type == GPU }) {
		return nil, cache
	}
	if len(infos) == 0 {
		return nil, diagnose(seen, nil)
	}
	markTwins(infos)
	return infos, nil
}

// discovering lets one goroutine at a time ask the drivers. They set themselves up when they are asked first, some
// without a lock of their own: PoCL 3.1 crashes, or has no device.
var discovering sync.Mutex

// goodCache is true once PoCL has a cache, or there is no PoCL.
var goodCache bool

// cacheOf returns why PoCL cannot store kernels, nil if it can. The function of OnBadCache may name another folder.
func cacheOf() *setup.CacheError {
	if goodCache = goodCache || !setup.HasPoCL(); goodCache {
		return nil
	}
	bad, _ := errors.AsType[*setup.CacheError](setup.CheckCache(setup.CacheDir(os.Getenv)))
	if bad != nil && onBadCache != nil {
		if dir := onBadCache(bad); dir != "" {
			os.Setenv(setup.CacheVariable, dir)
			if setup.CheckCache(dir) == nil {
				bad = nil
			}
		}
	}
	goodCache = bad == nil
	return bad
}

var onBadCache func(*setup.CacheError) string

// OnBadCache sets a function that Discover calls if PoCL cannot store the kernels that it compiles. It returns another
// folder, which PoCL then has in this process (POCL_CACHE_DIR), or "". Without one PoCL has no devices.
func OnBadCache(f func(*setup.CacheError) (dir string)) {
	discovering.Lock()
	defer discovering.Unlock()
	onBadCache = f
}

// markTwins finds chips that two platforms list. If both drivers report PCI
// addresses, these decide. Otherwise two CPU runtimes have the same host, and the
// k-th GPU of a name on one platform is the k-th GPU of that name on another.
func markTwins(infos []Info) {
	key := func(i Info) string {
		if i.Type == CPU {
			return "CPU"
		}
		return fmt.Sprint(i.Type, " ", strings.ToLower(i.Name))
	}
	rank := make([]int, len(infos)) // among the devices of one key on one platform
	for a := range infos {
		for b := range infos[:a] {
			if infos[b].Platform == infos[a].Platform && key(infos[b]) == key(infos[a]) {
				rank[a]++
			}
		}
	}
	for a := range infos {
		infos[a].Twin = -1
		for b := range infos[:a] {
			if infos[b].Platform == infos[a].Platform || infos[b].Twin >= 0 {
				continue
			}
			same := key(infos[a]) == key(infos[b]) && (infos[a].Type == CPU || rank[a] == rank[b])
			if infos[a].Address != "" && infos[b].Address != "" {
				same = infos[a].Address == infos[b].Address
			}
			if same {
				infos[a].Twin = b
				break
			}
		}
	}
}
