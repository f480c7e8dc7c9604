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

// source is what a program is built from.
type source struct{ text, options string }

// built is the driver's program for a source. A context keeps the most recent ones for
// later Programs, because openings, methods, repetitions and checks build the same
// texts again. A driver needs tens of milliseconds to load one, even from its cache on
// disk.
type built struct {
	source
	program clProgram
	record  *record

	// Guarded by the context.
	users   int  // Programs that are not closed
	dropped bool // the context no longer keeps it; the last user releases it
}

// maxKept is the number of programs that a context keeps, of a few megabytes each.
const maxKept = 64

// Build compiles text, which must have no #line directives. where maps the lines
// of the driver's messages; nil leaves them as they are. If the text does not
// build, the error is a *BuildError. A text that an opening of the device has built
// recently is not built again, and one that another is building is waited for.
func (d *Device) Build(text, options string, where Line) (*Program, error) {
	d.check()
	if at := strings.IndexByte(text, 0); at >= 0 {
		return nil, fmt.Errorf("%s: program text holds a NUL byte at offset %d", d, at)
	}
	s := source{text, options}
	for {
		b, other := d.context.take(s)
		if b == nil && other == nil {
			break
		}
		if b != nil {
			return &Program{d: d, built: b}, nil
		}
		if err := d.await(other); err != nil {
			return nil, err
		}
	}
	var b *built
	var err error
	defer func() { d.context.put(s, b) }()
	if b, err = d.build(s, where); err != nil {
		return nil, err
	}
	return &Program{d: d, built: b}, nil
}

// await waits until another opening has built a program, which is time of a build here, too.
func (d *Device) await(built <-chan struct{}) error {
	d.built.begin()
	defer d.built.end(nil, 0)
	return d.call(clBuildProgram, func() error {
		select {
		case <-built:
		case <-d.context.lost:
		}
		return nil
	})
}

// build builds a program that has one user.
func (d *Device) build(s source, where Line) (*built, error) {
	if err := d.mayBuild(); err != nil {
		return nil, err
	}
	var of *record
	d.built.begin()
	defer func() { d.built.end(of, 0) }()
	if program := d.load(s); program != nil {
		of = d.newRecord(s, where)
		of.Loaded = true
		d.built.add(of)
		callAfterBuild()
		return &built{source: s, program: program, record: of, users: 1}, nil
	}
	program, err := d.create(s.text)
	if err != nil {
		return nil, err
	}
	of = d.newRecord(s, where)
	d.built.add(of)
	code, log := d.compile(program, s.options)
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
	d.store(s, program)
	return &built{source: s, program: program, record: of, users: 1}, nil
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
	code, log := d.compileWith(program, options)
	callAfterBuild()
	d.discard(program)
	if code != 0 {
		return nil, newBuildError(d.String(), code, log, where)
	}
	return slices.DeleteFunc(parseLog(log, where), func(m Message) bool { return m.Severity != "warning" }), nil
}

// create makes a program of a text, which is not compiled yet.
func (d *Device) create(text string) (program clProgram, err error) {
	if err = d.call(clCreateProgramWithSource, func() (err error) {
		program, err = d.context.program(text)
		return err
	}); err != nil {
		return nil, d.fail(clCreateProgramWithSource, "", err)
	}
	return program, nil
}

// discard releases a program that nobody uses.
func (d *Device) discard(program clProgram) {
	if d.Abandoned() {
		leak(program)
		return
	}
	program.release()
}

// compile builds a program without showing warnings.
func (d *Device) compile(program clProgram, options string) (code Code, log string) {
	// The first option lets Kernel compare parameter types. The second one keeps PoCL from writing "8 warnings
	// generated." to the standard error of the process. If there is an error, its log has the warnings as well.
	const more = "-cl-kernel-arg-info -w"
	code, log = d.compileWith(program, strings.TrimSpace(options+" "+more))
	if code == InvalidBuildOptions || code == BuildProgramFailure {
		code, log = d.compileWith(program, options)
	}
	return code, log
}

// compileWith builds a program.
func (d *Device) compileWith(program clProgram, options string) (code Code, log string) {
	err := d.call(clBuildProgram, func() error {
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

// Close waits for everything queued and releases the program and its kernels. A
// second Close does nothing. Other use afterwards panics.
func (p *Program) Close() {
	if p.built == nil {
		return
	}
	if !p.d.closed && len(p.d.inflight) > 0 {
		p.d.call(clFinish, p.d.queue.finish) // a failure shows again in the next call that reports
		p.d.done()
	}
	if p.d.Abandoned() {
		leak(p.built)
		leak(p.kernels)
		p.built, p.kernels = nil, nil
		return
	}
	for _, k := range p.kernels {
		k.release()
	}
	p.d.context.give(p.built)
	p.built, p.kernels = nil, nil
}

func (p *Program) check() {
	p.d.check()
	if p.built == nil {
		panic("cl: program is closed")
	}
}
