package cl

import (
	"fmt"
	"strings"

	binding "github.com/jgillich/go-opencl/cl"
)

// Type is what a device calls itself.
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

// Info describes a device; Discover makes it. What a driver does not answer is
// empty, zero or false.
type Info struct {
	Index                         int // position among all devices of all platforms
	Platform, PlatformVersion     string
	Vendor, Name                  string
	Version, Driver               string // OpenCL version and driver version, as text
	Type                          Type
	ComputeUnits, ClockMHz        int
	GlobalMem, MaxAlloc, LocalMem int64 // bytes; MaxAlloc is the largest single buffer promised
	MaxGroup                      int   // work-items of a group at most
	FP64                          bool
	CorrectSqrt                   bool // float32 divisions and square roots can be correctly rounded
	Twin                          int  // index of the same chip seen earlier through another platform, or -1

	handle *binding.Device
}

// Kind is equal for devices that give the same bits for the same text and
// build options: same device name, driver version and platform.
func (i Info) Kind() string {
	return strings.Join([]string{i.Platform, i.PlatformVersion, i.Name, i.Driver}, " / ")
}

func (i Info) String() string { return fmt.Sprintf("device %d (%s)", i.Index, i.Name) }

// Discover lists all devices of all platforms, in the order in which the
// drivers give them. Platforms without devices are skipped; a driver that
// fails is skipped as well. Nothing left is a *NoDeviceError.
func Discover() (infos []Info, err error) {
	platforms, err := getPlatforms()
	if err != nil {
		return nil, noDevice(newSystem(), nil, err)
	}
	var seen []string
	var address []string
	for _, p := range platforms {
		name := guard(p.Name)
		version := guard(p.Version)
		seen = append(seen, name)
		for _, d := range getDevices(p) {
			i := describe(d)
			i.Index, i.Platform, i.PlatformVersion = len(infos), name, version
			infos = append(infos, i)
			address = append(address, pciAddress(d, i.Vendor))
		}
	}
	if len(infos) == 0 {
		return nil, noDevice(newSystem(), seen, nil)
	}
	markTwins(infos, address)
	return infos, nil
}

// guard returns the zero value where the binding panics instead of failing.
func guard[T any](f func() T) (v T) {
	defer func() {
		if recover() != nil {
			var zero T
			v = zero
		}
	}()
	return f()
}

func getPlatforms() (platforms []*binding.Platform, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("cl: clGetPlatformIDs: %v", p)
		}
	}()
	platforms, err = binding.GetPlatforms()
	return platforms, codeOf(err)
}

// getDevices takes an error for "none": the binding reports a platform without
// devices as one, and a driver that fails here has nothing to offer either.
func getDevices(p *binding.Platform) []*binding.Device {
	return guard(func() []*binding.Device {
		devices, err := p.GetDevices(binding.DeviceTypeAll)
		if err != nil {
			return nil
		}
		return devices
	})
}

func describe(d *binding.Device) Info {
	text := func(s string, err error) string {
		if err != nil {
			return ""
		}
		return strings.Join(strings.Fields(s), " ")
	}
	whole := func(v int64, err error) int64 {
		if err != nil {
			return 0
		}
		return v
	}
	small := func(v uint, err error) int {
		if err != nil {
			return 0
		}
		return int(v)
	}
	i := Info{
		Vendor:       text(d.GetInfoString(deviceVendor)),
		Name:         text(d.GetInfoString(deviceName)),
		Version:      text(d.GetInfoString(deviceVersion)),
		Driver:       text(d.GetInfoString(deviceDriver)),
		ComputeUnits: small(d.GetInfoUint(deviceComputeUnits)),
		ClockMHz:     small(d.GetInfoUint(deviceClock)),
		GlobalMem:    whole(d.GetInfoUlong(deviceGlobalMem)),
		MaxAlloc:     whole(d.GetInfoUlong(deviceMaxAlloc)),
		LocalMem:     whole(d.GetInfoUlong(deviceLocalMem)),
		FP64:         whole(d.GetInfoUlong(deviceDoubleFP)) != 0,
		CorrectSqrt:  whole(d.GetInfoUlong(deviceSingleFP))&fpCorrectDivideSqrt != 0,
		Type:         Other,
		Twin:         -1,
		handle:       d,
	}
	if n, err := d.GetInfoSize(deviceMaxGroup); err == nil {
		i.MaxGroup = n
	}
	switch t := whole(d.GetInfoUlong(deviceType)); {
	case t&typeGPU != 0:
		i.Type = GPU
	case t&typeCPU != 0:
		i.Type = CPU
	case t&typeAccelerator != 0:
		i.Type = Accelerator
	}
	return i
}

// pciAddress is bus and slot of a chip, or "" where the driver does not tell.
func pciAddress(d *binding.Device, vendor string) string {
	if at, ok := pciBusInfo(d); ok {
		return fmt.Sprintf("%04x:%02x:%02x", at[0], at[1], at[2])
	}
	// The number of this query means something else to other vendors.
	if !strings.Contains(strings.ToLower(vendor), "nvidia") {
		return ""
	}
	bus, err := d.GetInfoUint(devicePCIBusNV)
	slot, err2 := d.GetInfoUint(devicePCISlotNV)
	if err != nil || err2 != nil {
		return ""
	}
	domain, err := d.GetInfoUint(devicePCIDomainNV)
	if err != nil {
		domain = 0
	}
	return fmt.Sprintf("%04x:%02x:%02x", domain, bus, slot>>3)
}

// markTwins finds chips that two platforms show. PCI addresses decide where
// both drivers tell them. Otherwise two CPU runtimes show the one host, and the
// k-th GPU of a name in one platform is the k-th of that name in another.
func markTwins(infos []Info, address []string) {
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
			if address[a] != "" && address[b] != "" {
				same = address[a] == address[b]
			}
			if same {
				infos[a].Twin = b
				break
			}
		}
	}
}
