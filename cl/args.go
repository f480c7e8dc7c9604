package cl

import "fmt"

// ArgOf is how a kernel declares the parameter that takes v in a launch.
func ArgOf(v any) Arg {
	switch v := v.(type) {
	case uint32:
		return U32
	case uint64:
		return U64
	case int32:
		return I32
	case int64:
		return I64
	case float32:
		return F32
	case float64:
		return F64
	case LocalBytes:
		return Local
	case memory:
		_, _, arg := v.argument()
		return arg
	}
	return Arg(fmt.Sprintf("Go's %T", v))
}

// Parameters are the names of the kernel's parameters in the device text, "" where the driver does not keep them.
// The caller does not change the slice.
func (k *Kernel) Parameters() []string { return k.names }
