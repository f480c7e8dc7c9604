package cl

// libraries are where the library of OpenCL may be. CUDA and ROCm have one in their folders, which the system may not
// know.
var libraries = []string{"libOpenCL.so.1", "libOpenCL.so", "/usr/local/cuda/lib64/libOpenCL.so.1",
	"/opt/rocm/lib/libOpenCL.so.1"}
