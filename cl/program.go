package cl

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/cl/setup"
)

// Line maps a line of an assembled text (1-based) to its file, its line in that
// file, and its text.
type Line func(line int) (file string, at int, text string)

// Program is a program text built for one device. The owner closes it.
type Program struct {
	d       *Device
	built   *built
	kernels []clKernel
}

// built is the driver's program for a text. A device keeps the most recent ones for
// later Programs, because methods, repetitions and checks build the same texts
// again. A driver needs tens of milliseconds to load one, even from its cache on
// disk.
type built struct {
	text, options string
	program       clProgram
	users         int  // Programs that are not closed
	dropped       bool // the device no longer keeps it; the last user releases it
	record        *Build
}

// maxKept is the number of programs that a device keeps, of a few megabytes each.
const maxKept = 16

// Build compiles text, which must have no #line directives. where maps the lines
// of the driver's messages; nil leaves them as they are. If the text does not
// build, the error is a *BuildError. A text that the device has built recently is
// not built again.
func (d *Device) Build(text, options string, where Line) (*Program, error) {
	d.check()
	if at := strings.IndexByte(text, 0); at >= 0 {
		return nil, fmt.Errorf("%s: program text holds a NUL byte at offset %d", d, at)
	}
	for i, b := range d.kept {
		if b.text == text && b.options == options {
			copy(d.kept[1:i+1], d.kept[:i]) // move it to the front
			d.kept[0] = b
			b.users++
			return &Program{d: d, built: b}, nil
		}
	}
	if err := d.mayBuild(); err != nil {
		return nil, err
	}
	program, err := d.create(text)
	if err != nil {
		return nil, err
	}
	record := d.newBuild(text, options, where)
	d.built.add(record)
	d.built.begin()
	defer d.built.end(record, 0)
	// The first option lets Kernel compare parameter types. The second one keeps PoCL from writing "8 warnings
	// generated." to the standard error of the process. If there is an error, its log has the warnings as well.
	const more = "-cl-kernel-arg-info -w"
	code, log := d.compile(program, strings.TrimSpace(options+" "+more))
	if code == InvalidBuildOptions || code == BuildProgramFailure {
		code, log = d.compile(program, options)
	}
	callAfterBuild()
	if code != 0 {
		d.discard(program)
		if log == "" && code != BuildProgramFailure && code != InvalidBuildOptions {
			return nil, d.fail(clBuildProgram, "", code) // the driver has failed, not the text
		}
		e := newBuildError(d.String(), code, log, where)
		if len(e.Messages) == 0 && d.info.Platform == setup.PoCL {
			if err := setup.CheckCache(setup.CacheDir(os.Getenv)); err != nil {
				return nil, err // the disk is full by now, and the text may be right
			}
		}
		return nil, e
	}
	b := &built{text: text, options: options, program: program, users: 1, record: record}
	d.kept = slices.Insert(d.kept, 0, b)
	d.keep(maxKept)
	return &Program{d: d, built: b}, nil
}

// Warnings compiles text like Build, and returns the warnings of the compiler. It keeps no program. The driver may also
// write to the standard error of the process.
func (d *Device) Warnings(text, options string, where Line) ([]Message, error) {
	d.check()
	// PoCL stores the messages about a text that it has compiled before, but other drivers may not. So each text has a
	// name of its own.
	program, err := d.create(fmt.Sprintf("%s\ntypedef int at_%d;\n", text, clock.UnixNano()+now()))
	if err != nil {
		return nil, err
	}
	d.built.begin()
	defer d.built.end(nil, 0)
	code, log := d.compile(program, options)
	callAfterBuild()
	d.discard(program)
	if code != 0 {
		return nil, newBuildError(d.String(), code, log, where)
	}
	return slices.DeleteFunc(parseLog(log, where), func(m Message) bool { return m.Severity != "warning" }), nil
}

// create makes a program of a text, which is not compiled yet.
func (d *Device) create(text string) (program clProgram, err error) {
	if err = d.call(&clCreateProgramWithSource, func() (err error) {
		program, err = d.context.program(text)
		return err
	}); err != nil {
		return nil, d.fail(clCreateProgramWithSource, "", err)
	}
	return program, nil
}

// discard releases a program that nobody uses.
func (d *Device) discard(program clProgram) {
	if d.abandoned() {
		leak(program)
		return
	}
	program.release()
}

// compile builds a program.
func (d *Device) compile(program clProgram, options string) (code Code, log string) {
	err := d.call(&clBuildProgram, func() error {
		code, log = program.build(d.info.handle, options)
		return nil
	})
	if injected, ok := err.(Code); ok {
		return injected, ""
	}
	if err != nil {
		return OutOfResources, "" // abandoned
	}
	return code, log
}

// keep drops all but the n most recently used programs.
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

// release releases the program if neither the device nor a Program uses it.
func (b *built) release() {
	if b.dropped && b.users == 0 {
		b.program.release()
	}
}

// Close waits for everything queued and releases the program and its kernels. A
// second Close does nothing. Other use afterwards panics.
func (p *Program) Close() {
	if p.built == nil {
		return
	}
	if p.d.context != nil && len(p.d.inflight) > 0 {
		p.d.call(&clFinish, p.d.queue.finish) // a failure shows again in the next call that reports
		p.d.done()
	}
	if p.d.abandoned() {
		leak(p.built)
		leak(p.kernels)
		p.built, p.kernels = nil, nil
		return
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
