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

// Per is the unit for which a vector has Rows elements.
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
	// elements of a part or unit are adjacent. 0 means that there is no vector.
	Rows int
	Per  Per
	// Wide, with Per Part or Unit, is the number of elements of a part or unit in a row, if the vector is stored row
	// after row; it has Rows of them for each part or unit. 0: the elements of a part or unit are adjacent.
	Wide int
	// Before is the number of elements before the first row. Checkpoints do not have them.
	Before int
	// Data is the initial content, from the first element on: []float64 for reals, []T for a buffer of T. nil
	// means zeros.
	Data any
	// Kept is the name of its section in checkpoints, at most 16 bytes. "" means that checkpoints do not have
	// it. Vectors per Device cannot be kept.
	Kept string
}

// Share is what one shard or one device keeps.
type Share struct {
	Precision problems.Precision
	Variables int // number of stored variables
	FirstPart int // number of the first part, if there are vectors per part
	Parts     int
	// The first PartsBefore and the last PartsAfter of them are copies of parts of other shards.
	PartsBefore, PartsAfter int
	FirstUnit               int // number of the first unit, if there are vectors per unit
	Units                   int
	Vectors                 []Vector
	Values                  Values // other arguments of kernels, such as the number of the first variable

	args Values // Values and Vectors as arguments, once they are allocated
}

// count returns the number of elements of a vector.
func (s *Share) count(v Vector) int {
	per := [...]int{Device: 1, Variable: s.Variables, Part: s.Parts, Unit: s.Units}[v.Per]
	return v.Before + v.Rows*max(1, v.Wide)*per
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
		size, _ := v.storage(s.Precision)
		items[k].Bytes += int64(max(1, s.count(v))) * int64(size)
	}
	return items
}

// allocate allocates all vectors on d. If one fails, it frees those before it.
func (s *Share) allocate(d *cl.Device) error {
	for _, v := range s.Vectors {
		if v.Rows == 0 {
			continue
		}
		_, allocate := v.storage(s.Precision)
		if err := allocate(d, s.count(v)); err != nil {
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
		v.release()
	}
}

// value returns the value of the field.
func (v Vector) value() any { return reflect.ValueOf(v.To).Elem().Interface() }

// release frees the vector and sets its field to nil. A second call does nothing.
func (v Vector) release() {
	v.value().(interface{ Close() }).Close()
	reflect.ValueOf(v.To).Elem().SetZero()
}

// raw returns the allocated vector as bytes.
func (v Vector) raw() shard.Raw {
	if r, ok := v.value().(interface{ Raw() shard.Raw }); ok {
		return r.Raw()
	}
	return v.value().(shard.Raw)
}

// storage returns the bytes of an element, and the function that allocates n elements with the initial content. It
// panics if To has a type that a vector cannot have, which is an error of the program.
func (v Vector) storage(prec problems.Precision) (size int, allocate func(d *cl.Device, n int) error) {
	switch to := v.To.(type) {
	case **shard.Reals:
		return prec.Bits() / 8, func(d *cl.Device, n int) (err error) {
			*to, err = shard.AllocReals(d, prec, n)
			if err != nil || v.Data == nil {
				return err
			}
			return (*to).Write(0, v.Data.([]float64))
		}
	case **shard.Sums:
		if v.Data != nil {
			panic("device: sums begin as zeros")
		}
		return 8, func(d *cl.Device, n int) (err error) {
			*to, err = shard.AllocSums(d, n)
			return err
		}
	case **cl.Buffer[uint8]:
		return buffer(to, v.Data)
	case **cl.Buffer[uint16]:
		return buffer(to, v.Data)
	case **cl.Buffer[uint32]:
		return buffer(to, v.Data)
	case **cl.Buffer[int32]:
		return buffer(to, v.Data)
	case **cl.Buffer[uint64]:
		return buffer(to, v.Data)
	case **cl.Buffer[int64]:
		return buffer(to, v.Data)
	case **cl.Buffer[float32]:
		return buffer(to, v.Data)
	case **cl.Buffer[float64]:
		return buffer(to, v.Data)
	}
	panic(fmt.Sprintf("device: vector %s cannot be held by a %T", v.Name, v.To))
}

// buffer is storage for a buffer.
func buffer[T cl.Elem](to **cl.Buffer[T], data any) (size int, allocate func(d *cl.Device, n int) error) {
	return int(reflect.TypeFor[T]().Size()), func(d *cl.Device, n int) (err error) {
		*to, err = cl.Alloc[T](d, n)
		if err != nil || data == nil {
			return err
		}
		return (*to).Write(0, data.([]T))
	}
}
