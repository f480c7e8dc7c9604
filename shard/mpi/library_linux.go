package mpi

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// library is a loaded MPI library. Its methods are calls of MPI, and belong to the thread that calls start.
type library struct {
	candidate
	version   string
	functions map[string]uintptr
	// Communicators, each for calls that may meet none of another kind.
	exchanges, barriers, questions, ends uintptr
}

// calls lists the functions of MPI that are used.
var calls = []string{"Init_thread", "Comm_rank", "Comm_size", "Comm_dup", "Iallgatherv", "Ibarrier", "Test", "Send",
	"Recv", "Iprobe", "Abort", "Finalize", "Get_library_version"}

// load loads the first library that has the interface that it is expected to have.
func load(lib string, launch Launch) (*library, error) {
	failed := &LibraryError{Launch: launch}
	for _, c := range candidates(lib, launch.Launcher) {
		l, err := open(c)
		if err == nil {
			return l, nil
		}
		if text := c.path + ": " + err.Error(); len(failed.Tried) == 0 || lib == "" {
			failed.Tried = append(failed.Tried, text)
		}
	}
	return nil, failed
}

// open loads a library. Its symbols are global, since the plugins of Open MPI expect that.
func open(c candidate) (*library, error) {
	handle, err := purego.Dlopen(c.path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("cannot be loaded: %w", err)
	}
	has := func(symbol string) bool {
		_, err := purego.Dlsym(handle, symbol)
		return err == nil
	}
	l := &library{candidate: c, functions: map[string]uintptr{}}
	for _, name := range calls {
		if l.functions[name], err = purego.Dlsym(handle, "MPI_"+name); err != nil {
			return nil, fmt.Errorf("has no MPI_%s", name)
		}
	}
	text, length := make([]byte, l.versionBytes), int32(0)
	if err := l.call("Get_library_version", pointer(text), address(&length)); err != nil {
		return nil, err
	}
	l.version, _, _ = strings.Cut(string(text[:max(0, min(int(length), len(text)))]), "\n")
	l.version = strings.Trim(l.version, "\x00 ")
	if !l.fits(l.version, has) {
		return nil, fmt.Errorf("does not have the interface of %s (%s)", l.family.name, l.version)
	}
	for symbol, to := range map[string]*uintptr{l.worldSymbol: &l.world, l.byteSymbol: &l.byteType} {
		if symbol == "" {
			continue
		}
		if *to, err = purego.Dlsym(handle, symbol); err != nil {
			return nil, fmt.Errorf("has no %s", symbol)
		}
	}
	return l, nil
}

// call calls a function of MPI.
func (l *library) call(name string, args ...uintptr) error {
	if code, _, _ := purego.SyscallN(l.functions[name], args...); int32(code) != 0 {
		return fmt.Errorf("MPI_%s of %s failed with code %d", name, l.version, int32(code))
	}
	return nil
}

// address returns the address of a variable for MPI, which keeps it for the time of a call or request. Go moves only
// variables on stacks; what escape has held is on the heap.
func address[T any](v *T) uintptr {
	escape = v
	return uintptr(unsafe.Pointer(v))
}

// pointer returns the address of the first element of a slice, or 0.
func pointer[T any](v []T) uintptr {
	if len(v) == 0 {
		return 0
	}
	return address(&v[0])
}

// escape has held all variables that MPI knows. Only the thread of MPI writes it.
var escape any

// start begins MPI for this thread, and returns the rank of the process and their number.
func (l *library) start() (rank, size int, err error) {
	var provided, r, n int32
	if err := l.call("Init_thread", 0, 0, l.funnel, address(&provided)); err != nil {
		return 0, 0, err
	}
	if err := l.call("Comm_rank", l.world, address(&r)); err != nil {
		return 0, 0, err
	}
	if err := l.call("Comm_size", l.world, address(&n)); err != nil {
		return 0, 0, err
	}
	for _, to := range []*uintptr{&l.exchanges, &l.barriers, &l.questions, &l.ends} {
		if err := l.call("Comm_dup", l.world, address(to)); err != nil {
			return 0, 0, err
		}
	}
	return int(r), int(n), nil
}

// request is a call that has not been completed, and the memory that MPI uses until then.
type request struct {
	handle uintptr // of 32 or 64 bits
	all    []byte
	counts []int32 // of the bytes of the ranks, and then where they begin
}

// gather begins to gather all, of which the bytes of rank r end at ends[r].
func (l *library) gather(all []byte, ends []int) (*request, error) {
	q := &request{all: all, counts: make([]int32, 2*len(ends))}
	from := 0
	for r, end := range ends {
		q.counts[r], q.counts[len(ends)+r] = int32(end-from), int32(from)
		from = end
	}
	err := l.call("Iallgatherv", l.inPlace, 0, l.byteType, pointer(all), pointer(q.counts),
		pointer(q.counts[len(ends):]), l.byteType, l.exchanges, address(&q.handle))
	return q, err
}

// barrier begins to wait for all processes. Those at an end do not meet others at a barrier.
func (l *library) barrier(end bool) (*request, error) {
	q, of := &request{}, l.barriers
	if end {
		of = l.ends
	}
	return q, l.call("Ibarrier", of, address(&q.handle))
}

// done reports whether a request has been completed. It also lets MPI work on it.
func (l *library) done(q *request) (bool, error) {
	var flag int32
	err := l.call("Test", address(&q.handle), address(&flag), l.ignore)
	return flag != 0, err
}

// send sends an empty message to a rank.
func (l *library) send(rank, tag int) error {
	return l.call("Send", 0, 0, l.byteType, uintptr(rank), uintptr(tag), l.questions)
}

// receive reports whether an empty message of a rank has come, and takes it.
func (l *library) receive(rank, tag int) (bool, error) {
	var flag int32
	err := l.call("Iprobe", uintptr(rank), uintptr(tag), l.questions, address(&flag), l.ignore)
	if err != nil || flag == 0 {
		return false, err
	}
	return true, l.call("Recv", 0, 0, l.byteType, uintptr(rank), uintptr(tag), l.questions, l.ignore)
}

// abort ends all processes.
func (l *library) abort(code int) { l.call("Abort", l.world, uintptr(code)) }

// finish ends MPI.
func (l *library) finish() error { return l.call("Finalize") }
