// Package device is the part of working with devices that methods have in common.
//
//	Vector, Share ──► Items         the plan of memory
//	              ──► Allocate      a Memory: rollback, release, SplitUntilFits
//	              ──► Memory.State  checkpoints
//	              ──► Memory.Kernel kernels whose arguments are found by name
//
// A method describes each of its vectors once, in a function that returns a Share. Everything else follows
// from it.
package device

import (
	"cmp"
	"fmt"
	"reflect"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// Per says what a vector has Rows elements for.
type Per uint8

const (
	Device   Per = iota // a shard or a device: the length is the same on all
	Variable            // a variable that the shard stores
	Part                // a part of the problem that the shard decides about
	Unit                // a unit, such as a chain, that was dealt to the device
)

// Vector describes one vector that a run keeps on a device. The plan of the memory, its allocation and
// release, and checkpoints all follow from it.
type Vector struct {
	// To points to the field that holds the vector. Its type determines the elements: a **shard.Reals, a
	// **shard.Sums or a **cl.Buffer[T]. The field is nil while the vector is not allocated.
	To any
	// Name is the name of the kernel parameter that takes the vector.
	Name string
	// What describes the vector in memory plans and errors. Vectors with the same text are one item of a plan.
	// "" means Name.
	What string
	// Rows is the number of elements for each variable, part or unit. With Per Variable, the vector is stored
	// row after row. With Per Part or Unit, the kernels decide on the layout; if the vector is kept, the
	// elements of a part are adjacent. 0 means that there is no vector.
	Rows int
	Per  Per
	// Wide, with Per Part, is the number of elements of a part in a row, if the vector is stored row after row; it has
	// Rows of them for each part. 0: the elements of a part are adjacent.
	Wide int
	// Before is the number of elements before the first row. Checkpoints do not have them.
	Before int
	// Data is the initial content, from the first element on: []float64 for reals, []T for a buffer of T. nil
	// means zeros.
	Data any
	// Kept is the name of its section in checkpoints, at most 16 bytes. "" means that checkpoints do not have
	// it. Only vectors per Variable or per Part can be kept.
	Kept string
}

// Share is what one shard or one device keeps.
type Share struct {
	Precision problems.Precision
	Variables int // number of stored variables
	FirstPart int // number of the first part, if there are vectors per part
	Parts     int
	Units     int
	Vectors   []Vector
	Values    Values // other arguments of kernels, such as the number of the first variable

	args Values // Values and Vectors as arguments, once they are allocated
}

// count returns the number of elements of a vector.
func (s *Share) count(v Vector) int {
	return v.Before + v.Rows*max(1, v.Wide)*[...]int{Device: 1, Variable: s.Variables, Part: s.Parts, Unit: s.Units}[v.Per]
}

// Items plans the memory of a share that has the whole problem, in the order of Vectors.
func (s Share) Items() (items []shard.PlanItem) {
	at := map[shard.PlanItem]int{} // by What and Fixed
	for _, v := range s.Vectors {
		if v.Rows == 0 {
			continue
		}
		item := shard.PlanItem{What: v.what(), Fixed: v.Per == Device}
		k, ok := at[item]
		if !ok {
			k = len(items)
			at[item], items = k, append(items, item)
		}
		items[k].Bytes += int64(max(1, s.count(v))) * int64(stored(v).size(s.Precision))
	}
	return items
}

// allocate allocates all vectors on d. If one fails, it frees those before it.
func (s *Share) allocate(d *cl.Device) error {
	for _, v := range s.Vectors {
		if v.Rows == 0 {
			continue
		}
		if err := stored(v).allocate(d, s.Precision, s.count(v), v.Data); err != nil {
			s.release()
			return fmt.Errorf("%s: %w", v.what(), err)
		}
	}
	s.args = s.arguments()
	return nil
}

func (v Vector) what() string { return cmp.Or(v.What, v.Name) }

// release frees all vectors that are allocated.
func (s *Share) release() {
	for _, v := range s.Vectors {
		stored(v).release()
	}
}

// storage is the field to which a Vector points.
type storage interface {
	size(prec problems.Precision) int // bytes of an element
	allocate(d *cl.Device, prec problems.Precision, n int, data any) error
	release()
	raw() shard.Raw
	arg() any // of a launch
}

// stored returns the storage of a vector. It panics if To has another type, which is an error of the
// program.
func stored(v Vector) storage {
	switch to := v.To.(type) {
	case **shard.Reals:
		return reals{to}
	case **shard.Sums:
		return sums{to}
	case **cl.Buffer[uint8]:
		return buffer[uint8]{to}
	case **cl.Buffer[uint16]:
		return buffer[uint16]{to}
	case **cl.Buffer[uint32]:
		return buffer[uint32]{to}
	case **cl.Buffer[int32]:
		return buffer[int32]{to}
	case **cl.Buffer[uint64]:
		return buffer[uint64]{to}
	case **cl.Buffer[int64]:
		return buffer[int64]{to}
	case **cl.Buffer[float32]:
		return buffer[float32]{to}
	case **cl.Buffer[float64]:
		return buffer[float64]{to}
	}
	panic(fmt.Sprintf("device: vector %s cannot be held by a %T", v.Name, v.To))
}

type reals struct{ to **shard.Reals }

func (r reals) size(prec problems.Precision) int { return prec.Bits() / 8 }

func (r reals) allocate(d *cl.Device, prec problems.Precision, n int, data any) (err error) {
	if *r.to, err = shard.AllocReals(d, prec, n); err != nil || data == nil {
		return err
	}
	return (*r.to).Write(0, data.([]float64))
}

func (r reals) release() {
	(*r.to).Close()
	*r.to = nil
}

func (r reals) raw() shard.Raw { return (*r.to).Raw() }

func (r reals) arg() any { return (*r.to).Arg() }

type sums struct{ to **shard.Sums }

func (sums) size(problems.Precision) int { return 8 }

func (s sums) allocate(d *cl.Device, _ problems.Precision, n int, data any) (err error) {
	if data != nil {
		panic("device: sums begin as zeros")
	}
	*s.to, err = shard.AllocSums(d, n)
	return err
}

func (s sums) release() {
	(*s.to).Close()
	*s.to = nil
}

func (s sums) raw() shard.Raw { return (*s.to).Raw() }

func (s sums) arg() any { return (*s.to).Arg() }

type buffer[T cl.Elem] struct{ to **cl.Buffer[T] }

func (buffer[T]) size(problems.Precision) int { return int(reflect.TypeFor[T]().Size()) }

func (b buffer[T]) allocate(d *cl.Device, _ problems.Precision, n int, data any) (err error) {
	if *b.to, err = cl.Alloc[T](d, n); err != nil || data == nil {
		return err
	}
	return (*b.to).Write(0, data.([]T))
}

func (b buffer[T]) release() {
	(*b.to).Close()
	*b.to = nil
}

func (b buffer[T]) raw() shard.Raw { return *b.to }

func (b buffer[T]) arg() any { return *b.to }
