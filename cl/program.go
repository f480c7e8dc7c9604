package cl

import (
	"fmt"
	"strings"

	binding "github.com/jgillich/go-opencl/cl"
)

// Line maps a line of an assembled text (1-based) to the file it came from, the
// line there, and the text of that line.
type Line func(line int) (file string, at int, text string)

// Program is a text built for one device. The owner closes it.
type Program struct {
	d       *Device
	program *binding.Program
	kernels []*binding.Kernel
}

// Build compiles text, which has no #line directives: where maps the lines of the
// driver's messages; nil leaves them as they are. A text that does not build is a
// *BuildError.
func (d *Device) Build(text, options string, where Line) (*Program, error) {
	d.check()
	if at := strings.IndexByte(text, 0); at >= 0 {
		return nil, fmt.Errorf("%s: program text holds a NUL byte at offset %d", d, at)
	}
	program, err := d.context.CreateProgramWithSource([]string{text})
	if err != nil {
		return nil, d.fail("clCreateProgramWithSource", "", codeOf(err))
	}
	const argInfo = "-cl-kernel-arg-info" // lets Kernel compare parameter types
	code, log := build(program, d.info.handle, strings.TrimSpace(options+" "+argInfo))
	if code == InvalidBuildOptions {
		code, log = build(program, d.info.handle, options)
	}
	if code != 0 {
		program.Release()
		return nil, newBuildError(d.String(), code, log, where)
	}
	return &Program{d: d, program: program}, nil
}

// Close gives the program and its kernels back, after waiting for what is
// queued. A second Close does nothing; use afterwards panics.
func (p *Program) Close() {
	if p.program == nil {
		return
	}
	if p.d.context != nil && len(p.d.inflight) > 0 {
		p.d.queue.Finish() // a failure shows again in the next call that reports
		p.d.done()
	}
	for _, k := range p.kernels {
		k.Release()
	}
	p.program.Release()
	p.program, p.kernels = nil, nil
}

func (p *Program) check() {
	p.d.check()
	if p.program == nil {
		panic("cl: program is closed")
	}
}
