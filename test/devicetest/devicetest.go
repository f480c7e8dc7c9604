// Package devicetest keeps a device open while the tests of a package run.
package devicetest

import "github.com/clopt/clopt/cl"

var kept []*cl.Device // a finalizer would close what nothing refers to

// Keep opens a device of the kind that a run takes by default, and never closes it. A package whose tests open and
// close devices of their own calls it in TestMain: PoCL drops its library of built-in functions with the last context
// of a device, and takes three quarters of a second to read it again for the next program. Without a device Keep does
// nothing.
func Keep() {
	infos, err := cl.Discover()
	if err == nil {
		infos, err = cl.Select(infos, "")
	}
	if err != nil {
		return
	}
	if d, err := cl.Open(infos[0]); err == nil {
		kept = append(kept, d)
	}
}
