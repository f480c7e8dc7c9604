// Package cl is the only package that calls OpenCL. It adds typed buffers,
// checked launches, and errors that name the device, the call and the code. It
// knows nothing about problems or solvers. With cgo it calls OpenCL through a thin
// binding, and without cgo it loads the library when it is needed first.
//
//	Discover ─► []Info ─► Select ─► Open ─► Device     own in-order queue; all openings of a
//	                                          │        device share a context and programs
//	                     Alloc[T] ─► Buffer[T]│ n elements, blocking Read and Write
//	                                          │
//	                        Build ─► Program ─► Kernel ─► Launch, LaunchTimed
//
// To start:
//
//	infos, err := cl.Discover()
//	infos, err = cl.Select(infos, "")            // all GPUs, else the CPUs of one platform
//	dev, err := cl.Open(infos[0])
//	x, err := cl.Alloc[float64](dev, n)          // zeroed
//	prog, err := dev.Build(src.Text, "", src.Locate)
//	scale, err := prog.Kernel("vector_scale", cl.Mem[float64](), cl.F64, cl.U32)
//	err = scale.Launch([]int{n}, nil, x, 2.0, uint32(n))
//	err = x.Read(0, host)                        // waits for everything launched before
//
// Discover, Select and Open may be called from any goroutine. A Device, with its
// buffers, programs and kernels, belongs to one goroutine at a time. Different
// devices may be used at the same time, even if they are the same chip. Launches
// are queued and return at once; Read, Write, Finish and LaunchTimed wait. Failures
// of devices, drivers and program texts are errors. Using a closed object or an
// index outside a buffer is a mistake of the caller and panics.
package cl
