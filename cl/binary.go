package cl

import (
	"slices"

	"github.com/clopt/clopt/internal/cl/binaries"
)

// loadsFaster lists the platforms whose programs are kept on disk, because that was measured to save time although the
// driver has a cache of its own. PoCL is none of them: it compiles all kernels, for any size of groups, before it gives
// a binary away, which takes 0.2 to 3 s, and a binary saves 0.02 s.
var loadsFaster = []string{"rusticl", "NVIDIA CUDA"}

// folder returns where the programs of a device are kept.
func (d *Device) folder() binaries.Folder {
	if !slices.Contains(loadsFaster, d.info.Platform) {
		return binaries.Folder{}
	}
	return binaries.Default()
}

// key returns the name of a program on disk.
func (d *Device) key(s source) string {
	return binaries.Key(d.info.Platform, d.info.PlatformVersion, d.info.Name, d.info.Driver, s.options, s.text)
}

// load makes a program of its binary on disk. It returns nil if there is none, or the driver refuses it.
func (d *Device) load(s source) (program clProgram) {
	folder, key := d.folder(), d.key(s)
	binary := folder.Load(key)
	if binary == nil {
		return nil
	}
	err := d.call(clCreateProgramWithBinary, func() (err error) {
		program, err = d.context.binary(d.info.handle, binary)
		return err
	})
	if err != nil {
		folder.Remove(key)
		return nil
	}
	if code, _ := d.compile(program, s.options); code != 0 {
		d.discard(program)
		folder.Remove(key)
		return nil
	}
	return program
}

// store keeps the binary of a program on disk, if the driver gives it away.
func (d *Device) store(s source, program clProgram) {
	folder := d.folder()
	if folder == (binaries.Folder{}) {
		return
	}
	var binary []byte
	if d.call(clGetProgramInfo, func() (err error) {
		binary, err = program.binary()
		return err
	}) == nil {
		folder.Store(d.key(s), binary)
	}
}
