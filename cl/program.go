package cl

import (
	"fmt"
	"slices"
	"strings"
)

// Line maps a line of an assembled text (1-based) to the file it came from, the
// line there, and the text of that line.
type Line func(line int) (file string, at int, text string)

// Program is a text built for one device. The owner closes it.
type Program struct {
	d       *Device
	built   *built
	kernels []clKernel
}

// built is what the driver made of a text. A device keeps those it used last for
// Programs to come: methods, repetitions and checks ask for the same texts, and to
// load one costs a driver tens of milliseconds even where it has it on disk.
type built struct {
	text, options string
	program       clProgram
	users         int  // Programs that are not closed
	dropped       bool // the device keeps it no more: the last user releases it
}

// maxKept bounds what a device keeps, a few megabytes each.
const maxKept = 16

// Build compiles text, which has no #line directives: where maps the lines of the
// driver's messages; nil leaves them as they are. A text that does not build is a
// *BuildError. What the device has built lately is not built again.
func (d *Device) Build(text, options string, where Line) (*Program, error) {
	d.check()
	if at := strings.IndexByte(text, 0); at >= 0 {
		return nil, fmt.Errorf("%s: program text holds a NUL byte at offset %d", d, at)
	}
	for i, b := range d.kept {
		if b.text == text && b.options == options {
			copy(d.kept[1:i+1], d.kept[:i]) // the one used last is the first
			d.kept[0] = b
			b.users++
			return &Program{d: d, built: b}, nil
		}
	}
	program, err := d.context.program(text)
	if err != nil {
		return nil, d.fail("clCreateProgramWithSource", "", err)
	}
	const argInfo = "-cl-kernel-arg-info" // lets Kernel compare parameter types
	code, log := program.build(d.info.handle, strings.TrimSpace(options+" "+argInfo))
	if code == InvalidBuildOptions {
		code, log = program.build(d.info.handle, options)
	}
	if code != 0 {
		program.release()
		return nil, newBuildError(d.String(), code, log, where)
	}
	b := &built{text: text, options: options, program: program, users: 1}
	d.kept = slices.Insert(d.kept, 0, b)
	d.keep(maxKept)
	return &Program{d: d, built: b}, nil
}

// keep drops all but the n programs that were used last.
func (d *Device) keep(n int) {
	for len(d.kept) > n {
		last := len(d.kept) - 1
		b := d.kept[last]
		d.kept[last] = nil
		d.kept = d.kept[:last]
		b.dropped = true
		b.release()
	}
}

// release gives it back where nobody needs it any more.
func (b *built) release() {
	if b.dropped && b.users == 0 {
		b.program.release()
	}
}

// Close gives the program and its kernels back, after waiting for what is
// queued. A second Close does nothing; use afterwards panics.
func (p *Program) Close() {
	if p.built == nil {
		return
	}
	if p.d.context != nil && len(p.d.inflight) > 0 {
		p.d.queue.finish() // a failure shows again in the next call that reports
		p.d.done()
	}
	for _, k := range p.kernels {
		k.release()
	}
	p.built.users--
	p.built.release()
	p.built, p.kernels = nil, nil
}

func (p *Program) check() {
	p.d.check()
	if p.built == nil {
		panic("cl: program is closed")
	}
}
