//go:build darwin || linux

package cl

import "github.com/ebitengine/purego"

// symbol returns the address of a function in the libraries that this process has loaded. libOpenCL is one of them, as
// the binding is linked with it.
func symbol(name string) (uintptr, error) { return purego.Dlsym(purego.RTLD_DEFAULT, name) }
