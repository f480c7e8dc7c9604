package cl

import (
	"fmt"
	"math/bits"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Arg is the type of a kernel's parameter as Go declares it, in the words of
// OpenCL C.
type Arg string

// The types of scalar parameters, and local memory.
const (
	U32      Arg = "uint"
	U64      Arg = "ulong"
	int32Arg Arg = "int"
	F32      Arg = "float"
	F64      Arg = "double"
	localArg Arg = "local memory"
)

// Mem returns the type of a pointer to global memory with elements of type T.
func Mem[T Elem]() Arg {
	return Arg("global " + scalarNames[reflect.TypeFor[T]().Kind()] + "*")
}

// LocalBytes, as an argument of Launch, is local memory of that many bytes.
type LocalBytes int

// memory is a *Buffer[T] of any T.
type memory interface {
	argument() (*Device, clMem, Arg)
}

// Kernel is a kernel of a program. It lives as long as its program.
type Kernel struct {
	d      *Device
	p      *Program
	name   string
	kernel clKernel
	args   []Arg
	names  []string // names of the parameters, "" if the driver does not report them
	last   []any    // the current value of each parameter: a number, or the clMem of a buffer
	group  int
	sizes  []launchSize // of the launches so far
}

// launchSize is what a driver may compile a kernel for at a launch. PoCL does so for each local size, once for small
// global sizes and once for large ones.
type launchSize struct {
	local [3]int
	bits  int // of the largest global size
}

// isNew reports whether no launch before had such a size, and remembers the size.
func (k *Kernel) isNew(global, local []int) bool {
	if len(global) < 1 || len(global) > 3 || slices.Min(global) < 1 {
		return false // Launch refuses it, or does nothing
	}
	if len(local) == 0 {
		local = k.groups(global)
	}
	size := launchSize{bits: bits.Len(uint(slices.Max(global)))}
	copy(size.local[:], local)
	if slices.Contains(k.sizes, size) {
		return false
	}
	k.sizes = append(k.sizes, size)
	return true
}

// Kernel finds a kernel by name. args are the types of its parameters in Go. Their
// number is compared with the device text, and so are the types if the driver
// reports them. For a typedef of the device text, the driver checks the size at a
// launch.
func (p *Program) Kernel(name string, args ...Arg) (*Kernel, error) {
	p.check()
	var kernel clKernel
	if err := p.d.call(clCreateKernel, func() (err error) {
		kernel, err = p.built.program.kernel(name)
		return err
	}); err != nil {
		return nil, p.d.fail(clCreateKernel, "kernel "+name, err)
	}
	k := &Kernel{d: p.d, p: p, name: name, kernel: kernel, args: args,
		names: make([]string, len(args)), last: make([]any, len(args))}
	fail := func(err error) (*Kernel, error) {
		kernel.release()
		return nil, err
	}
	var n int
	err := p.d.call(clGetKernelInfo, func() (err error) { n, err = kernel.arguments(); return err })
	if err != nil {
		return fail(p.d.fail(clGetKernelInfo, "kernel "+name, err))
	}
	for i := range min(n, len(args)) {
		parameter, typ, space, ok := kernel.argument(i)
		k.names[i] = parameter
		if ok && !agrees(args[i], typ, space) {
			return fail(fmt.Errorf("%s: kernel %s: %s is %s in the device text and %s in Go",
				p.d, name, k.argName(i), spaceName(space)+typ, args[i]))
		}
	}
	if n != len(args) {
		return fail(fmt.Errorf("%s: kernel %s: takes %d arguments in the device text and %d in Go",
			p.d, name, n, len(args)))
	}
	k.group, err = kernel.maxGroup(p.d.info.handle)
	if err != nil || k.group < 1 || p.d.info.Platform == "rusticl" && k.group <= 32 {
		// Old versions of rusticl report the width of a subgroup, but run larger
		// groups correctly.
		k.group = p.d.info.MaxGroup
	}
	p.kernels = append(p.kernels, kernel)
	return k, nil
}

// agrees reports whether a declaration in Go fits the type and address space that
// the driver reports. A type that is not built in is a typedef and fits anything.
func agrees(a Arg, typ string, space int) bool {
	pointer, isMem := strings.CutPrefix(string(a), "global ")
	switch {
	case a == localArg:
		return space == spaceLocal
	case isMem && space != spaceGlobal && space != spaceConstant:
		return false
	case !isMem && space != spacePrivate:
		return false
	}
	found, isPointer := strings.CutSuffix(strings.TrimSpace(typ), "*")
	if isMem != isPointer {
		// A typedef can hide the star of a pointer; a scalar never has one.
		return isMem && builtin(found, false) == ""
	}
	got := builtin(found, isMem)
	return got == "" || got == strings.TrimSuffix(pointer, "*")
}

// builtin returns the short name of a built-in type, or "" for any other type. If
// vectors is set, a vector counts as its elements.
func builtin(typ string, vectors bool) string {
	words := strings.Fields(typ)
	kept := words[:0]
	for _, w := range words {
		if w != "const" && w != "volatile" && w != "restrict" {
			kept = append(kept, w)
		}
	}
	typ = strings.Join(kept, " ")
	if short, ok := strings.CutPrefix(typ, "unsigned "); ok {
		typ = "u" + short
	}
	if typ == "unsigned" {
		typ = "uint"
	}
	if vectors {
		typ = strings.TrimRight(typ, "0123456789")
	}
	switch typ {
	case "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double":
		return typ
	}
	return ""
}

// The address spaces of kernel arguments, as OpenCL numbers them.
const (
	spaceGlobal   = 0x119B // CL_KERNEL_ARG_ADDRESS_GLOBAL
	spaceLocal    = 0x119C
	spaceConstant = 0x119D
	spacePrivate  = 0x119E
)

func spaceName(space int) string {
	switch space {
	case spaceGlobal:
		return "global "
	case spaceLocal:
		return "local "
	case spaceConstant:
		return "constant "
	}
	return ""
}

func (k *Kernel) argName(i int) string {
	if k.names[i] == "" {
		return fmt.Sprintf("argument %d", i)
	}
	return fmt.Sprintf("argument %d (%s)", i, k.names[i])
}

// Name returns the kernel's name in the device text.
func (k *Kernel) Name() string { return k.name }

// MaxGroup returns the largest number of work-items of a group for this kernel on
// its device, as the driver reports it. Launch does not check it; the driver does.
func (k *Kernel) MaxGroup() int { return k.group }

// Launch queues the kernel over global work-items in groups of local and does not
// wait; launches run in order. Each global size must be a multiple of its local
// size. If local is nil, the groups may have any size. If a global size is 0,
// Launch does nothing. args are *Buffer[T], uint32, uint64, int32, int64, float32,
// float64, LocalBytes, and structs of integers as kernels.Struct declares them, as
// declared to Program.Kernel. Buffers are kept alive until the launch is over.
//
// The first launch of a size waits, since the driver may compile the kernel then;
// see Device.BuildTime.
func (k *Kernel) Launch(global, local []int, args ...any) error {
	first := k.isNew(global, local)
	if !first && k.d.profile == nil {
		_, err := k.enqueue(k.d.queue, global, local, args)
		return err
	}
	if first {
		if err := k.d.mayBuild(); err != nil {
			return err
		}
		if err := k.d.Finish(); err != nil {
			return err
		}
		k.d.built.begin()
	}
	took, err := k.LaunchTimed(global, local, args...)
	if first {
		k.d.built.end(k.p.built.record, took)
	}
	if err == nil && k.d.profile != nil {
		k.d.profile(k.name, took)
	}
	return err
}

// LaunchTimed waits for everything queued, launches the kernel, waits for it, and
// returns the time that the device took, by the device's clock if it has one.
func (k *Kernel) LaunchTimed(global, local []int, args ...any) (time.Duration, error) {
	if err := k.d.Finish(); err != nil {
		return 0, err
	}
	if k.d.timed == nil {
		q, err := k.d.makeQueue(true)
		if err != nil {
			return 0, err
		}
		k.d.timed = q
	}
	began := time.Now()
	event, err := k.enqueue(k.d.timed, global, local, args)
	if err != nil || event == nil {
		return 0, err
	}
	defer event.release()
	if err := k.d.call(clFinish, k.d.timed.finish); err != nil {
		return 0, k.d.fail(clFinish, "kernel "+k.name, err)
	}
	wall := time.Since(began)
	k.d.done()
	start, end, err := event.times()
	if err != nil || end <= start || time.Duration(end-start) > wall {
		return wall, nil
	}
	return time.Duration(end - start), nil
}

// enqueue queues a launch. It returns the event only for the timed queue, and nil
// if there are no work-items. Other events are released at once, since they would
// hold memory in the driver.
func (k *Kernel) enqueue(queue clQueue, global, local []int, args []any) (clEvent, error) {
	k.d.check()
	k.p.check()
	if err := k.set(args); err != nil {
		return nil, err
	}
	empty, err := k.checkSizes(global, local)
	if err != nil || empty {
		return nil, err
	}
	if len(local) == 0 {
		local = k.groups(global)
	}
	k.d.hold(k)
	k.d.calls.kernel.Store(&k.name)
	var event clEvent
	err = k.d.call(clEnqueueNDRangeKernel, func() (err error) {
		event, err = queue.launch(k.kernel, global, local)
		return err
	})
	runtime.KeepAlive(k)
	if err != nil {
		what := fmt.Sprintf("kernel %s over %v by %v (at most %d in a group)", k.name, global, local, k.group)
		return nil, k.d.fail(clEnqueueNDRangeKernel, what, err)
	}
	if queue != k.d.timed {
		event.release()
		return nil, nil
	}
	return event, nil
}

// groups returns the local size of a launch that does not name one. On most devices
// it is nil, so that the driver chooses. On processors the driver would choose by
// the global size, and PoCL compiles a kernel again for each new size, in the middle
// of a run. There the local size is one of three. It is nil only where groups of one
// item, at 7 ns each, would cost more than to compile.
func (k *Kernel) groups(global []int) []int {
	if k.d.info.Type != CPU {
		return nil
	}
	local, items := []int{1, 1, 1}[:len(global)], 1
	for _, n := range global {
		items *= n
	}
	for _, n := range []int{8, 64} {
		if n <= k.group && global[0]%n == 0 {
			local[0] = n
		}
	}
	if local[0] == 1 && items > 1<<16 {
		return nil
	}
	return local
}

func (k *Kernel) checkSizes(global, local []int) (empty bool, err error) {
	fail := func(format string, v ...any) (bool, error) {
		return false, fmt.Errorf("%s: kernel %s: %s", k.d, k.name, fmt.Sprintf(format, v...))
	}
	if len(global) < 1 || len(global) > 3 || len(local) != 0 && len(local) != len(global) {
		return fail("global size %v and local size %v: 1 to 3 dimensions each, the same number", global, local)
	}
	for i, g := range global {
		if g < 0 {
			return fail("global size %v is negative", global)
		}
		empty = empty || g == 0
		if len(local) == 0 {
			continue
		}
		if local[i] < 1 || g%local[i] != 0 {
			return fail("global size %v is not a multiple of local size %v", global, local)
		}
	}
	return empty, nil
}

// zero reports whether a is 0 or -0, which are equal but have different bits.
func zero(a any) bool { return a == float32(0) || a == float64(0) }

// set checks all arguments and sets those that have changed. Setting all of them
// would take as long as the launch itself.
func (k *Kernel) set(args []any) error {
	if len(args) != len(k.args) {
		return fmt.Errorf("%s: kernel %s: launched with %d arguments, takes %d", k.d, k.name, len(args), len(k.args))
	}
	for i, a := range args {
		if v := k.last[i]; v != nil && v == a && !zero(a) {
			continue // this number is set already; last never has a buffer, only its clMem
		}
		var err error
		var mem clMem
		if v, ok := a.(memory); ok {
			var owner *Device
			if owner, mem, _ = v.argument(); owner != k.d {
				return fmt.Errorf("%s: kernel %s: %s is a buffer of %s", k.d, k.name, k.argName(i), owner)
			}
		}
		got, size, at := passed(a)
		if got != k.args[i] {
			return fmt.Errorf("%s: kernel %s: %s is %s, declared %s", k.d, k.name, k.argName(i), got, k.args[i])
		}
		if mem != nil {
			k.d.hold(mem)
			a = mem
			if k.last[i] == a {
				continue
			}
			err = k.d.call(clSetKernelArg, func() error { return k.kernel.setBuffer(i, mem) })
		} else {
			err = k.d.call(clSetKernelArg, func() error { return k.kernel.set(i, size, at) })
		}
		k.last[i] = a
		if err != nil {
			k.last[i] = nil
			return k.d.fail(clSetKernelArg, fmt.Sprintf("kernel %s: %s", k.name, k.argName(i)), err)
		}
	}
	return nil
}
