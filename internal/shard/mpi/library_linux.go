package mpi

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// library is a loaded MPI library. Its methods are calls of MPI, of which only one may be made at a time.
type library struct {
	family
	path      string
	version   string // what it says about itself
	functions map[string]uintptr
	// Communicators, each for calls that may meet none of another kind.
	exchanges, questions, ends uintptr
}

// calls lists the functions of MPI that are used.
var calls = []string{"Init_thread", "Comm_rank", "Comm_size", "Comm_dup", "Isend", "Irecv", "Ibarrier", "Test",
	"Cancel", "Test_cancelled", "Get_count", "Recv", "Iprobe", "Abort", "Finalize", "Get_library_version"}

// load loads the first library that can be loaded and has a known interface.
func load(lib string, launch Launch) (*library, error) {
	failed := &LibraryError{Launch: launch}
	for _, path := range candidates(lib, launch.Launcher) {
		l, err := open(path)
		if err == nil {
			return l, nil
		}
		failed.Tried = append(failed.Tried, path+": "+err.Error())
	}
	return nil, failed
}

// longestVersion is the largest number of bytes of the text of MPI_Get_library_version, in any library.
const longestVersion = 8192

// open loads a library. Its symbols are global, since the plugins of Open MPI expect that.
func open(path string) (*library, error) {
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("cannot be loaded: %w", err)
	}
	has := func(symbol string) bool {
		_, err := purego.Dlsym(handle, symbol)
		return err == nil
	}
	l := &library{path: path, functions: map[string]uintptr{}}
	for _, name := range calls {
		l.functions[name], err = purego.Dlsym(handle, "MPI_"+name)
		if err != nil {
			return nil, fmt.Errorf("has no MPI_%s", name)
		}
	}
	text, length := make([]byte, longestVersion), int32(0)
	if err := l.call("Get_library_version", pointer(text), address(&length)); err != nil {
		return nil, err
	}
	version, _, _ := strings.Cut(string(text[:max(0, min(int(length), len(text)))]), "\n")
	l.version = strings.Join(strings.Fields(strings.Trim(version, "\x00")), " ")
	var major, minor int32 // of the standard ABI; a library with another one says -1
	if f, err := purego.Dlsym(handle, "MPI_Abi_get_version"); err == nil {
		purego.SyscallN(f, address(&major), address(&minor))
	}
	var known bool
	l.family, known = familyOf(l.version, has, int(major))
	if !known {
		return nil, fmt.Errorf("has an interface that clopt does not know (%s)", l.version)
	}
	for symbol, to := range map[string]*uintptr{l.worldSymbol: &l.world, l.byteSymbol: &l.byteType} {
		if symbol == "" {
			continue
		}
		*to, err = purego.Dlsym(handle, symbol)
		if err != nil {
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

// escape has held all variables that MPI knows. It is written by one call at a time.
//
//lint:ignore U1000 it is only written
var escape any

// start begins MPI, and returns the rank of the process and their number.
func (l *library) start() (rank, size int, err error) {
	var provided, r, n int32
	if err := l.call("Init_thread", 0, 0, l.serialized, address(&provided)); err != nil {
		return 0, 0, err
	}
	if uintptr(provided) < l.serialized {
		return 0, 0, fmt.Errorf("%s is built without support for threads", l.version)
	}
	if err := l.call("Comm_rank", l.world, address(&r)); err != nil {
		return 0, 0, err
	}
	if err := l.call("Comm_size", l.world, address(&n)); err != nil {
		return 0, 0, err
	}
	for _, to := range []*uintptr{&l.exchanges, &l.questions, &l.ends} {
		if err := l.call("Comm_dup", l.world, address(to)); err != nil {
			return 0, 0, err
		}
	}
	return int(r), int(n), nil
}

// request is a call that has not been completed, and the memory that MPI uses until then.
type request struct {
	handle uintptr // of 32 or 64 bits
	data   []byte
	status [8]uint64 // longer than any MPI_Status
}

// dataTag is the tag of the data of exchanges.
const dataTag = 1

// send begins to send data to a rank.
func (l *library) send(rank int, data []byte) (*request, error) {
	return l.begin(rank, data, dataTag, l.exchanges)
}

// begin begins to send data to a rank. A call that waits would hang if the rank does.
func (l *library) begin(rank int, data []byte, tag int, through uintptr) (*request, error) {
	q := &request{data: data}
	return q, l.call("Isend", pointer(data), uintptr(len(data)), l.byteType, uintptr(rank), uintptr(tag), through,
		address(&q.handle))
}

// receive begins to receive data from a rank.
func (l *library) receive(rank int, data []byte) (*request, error) {
	q := &request{data: data}
	return q, l.call("Irecv", pointer(data), uintptr(len(data)), l.byteType, uintptr(rank), dataTag, l.exchanges,
		address(&q.handle))
}

// barrier begins to wait for all processes.
func (l *library) barrier() (*request, error) {
	q := &request{}
	return q, l.call("Ibarrier", l.ends, address(&q.handle))
}

// done reports whether a request has been completed. It also lets MPI work on it.
func (l *library) done(q *request) (bool, error) {
	var flag int32
	err := l.call("Test", address(&q.handle), address(&flag), address(&q.status))
	return flag != 0, err
}

// received returns the number of bytes that have come with a receive that is done.
func (l *library) received(q *request) (int, error) {
	var n int32
	err := l.call("Get_count", address(&q.status), l.byteType, address(&n))
	return int(n), err
}

// cancel gives up a receive, which must then be done. It reports whether the receive is cancelled, or completed.
func (l *library) cancel(q *request) (cancelled bool, err error) {
	if err := l.call("Cancel", address(&q.handle)); err != nil {
		return false, err
	}
	for done := false; !done; {
		if done, err = l.done(q); err != nil {
			return false, err
		}
	}
	var flag int32
	err = l.call("Test_cancelled", address(&q.status), address(&flag))
	return flag != 0, err
}

// come returns the size of the next data from a rank; ok is false if there is none yet.
func (l *library) come(rank int) (n int, ok bool, err error) {
	var flag int32
	q := &request{}
	if err := l.call("Iprobe", uintptr(rank), dataTag, l.exchanges, address(&flag), address(&q.status)); err != nil ||
		flag == 0 {
		return 0, false, err
	}
	n, err = l.received(q)
	return n, true, err
}

// tell begins to send an empty message to a rank.
func (l *library) tell(rank, tag int) (*request, error) { return l.begin(rank, nil, tag, l.questions) }

// told reports whether an empty message of a rank has come, and takes it.
func (l *library) told(rank, tag int) (bool, error) {
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
