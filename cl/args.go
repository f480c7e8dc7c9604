package cl

import (
	"fmt"
	"reflect"
	"unsafe"
)

// ArgOf is how a kernel declares the parameter that takes v in a launch.
func ArgOf(v any) Arg {
	arg, _, _ := passed(v)
	return arg
}

// passed returns the type of the parameter that takes v in a launch, and the size and the place of a number or a
// struct. The place is nil for a buffer, and for local memory, of which the size is that asked for.
func passed(v any) (arg Arg, size int, at unsafe.Pointer) {
	switch v := v.(type) {
	case uint32:
		return U32, 4, unsafe.Pointer(&v)
	case int32:
		return int32Arg, 4, unsafe.Pointer(&v)
	case float32:
		return F32, 4, unsafe.Pointer(&v)
	case uint64:
		return U64, 8, unsafe.Pointer(&v)
	case int64:
		return "long", 8, unsafe.Pointer(&v)
	case float64:
		return F64, 8, unsafe.Pointer(&v)
	case LocalBytes:
		return localArg, int(v), nil
	case memory:
		_, _, arg := v.argument()
		return arg, 0, nil
	}
	if t := reflect.TypeOf(v); t != nil && t.Kind() == reflect.Struct {
		at := reflect.New(t)
		at.Elem().Set(reflect.ValueOf(v))
		return Arg("struct " + t.String()), int(t.Size()), at.UnsafePointer()
	}
	return Arg(fmt.Sprintf("Go's %T", v)), 0, nil
}

// Parameters are the names of the kernel's parameters in the device text, "" where the driver does not keep them.
// The caller does not change the slice.
func (k *Kernel) Parameters() []string { return k.names }
