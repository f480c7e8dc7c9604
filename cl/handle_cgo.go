//go:build cgo

package cl

import "reflect"

// field returns an unexported field of a value of the binding, which holds an object of OpenCL. The version of the
// binding is pinned, and a test checks every field used.
func field(v any, name string) reflect.Value {
	f := reflect.ValueOf(v).Elem().FieldByName(name)
	if f.Kind() != reflect.Pointer {
		panic("cl: the binding's layout has changed")
	}
	return f
}

// handle returns the OpenCL object of a value of the binding.
func handle(v any, name string) uintptr { return field(v, name).Pointer() }

// setHandle gives a value of the binding an object that the binding did not make. Nothing releases it but the value's
// own method.
func setHandle(v any, name string, object uintptr) {
	*(*uintptr)(field(v, name).Addr().UnsafePointer()) = object
}
