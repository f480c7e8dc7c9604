package cl

// libraries are where the library of OpenCL may be.
var libraries = []string{"/System/Library/Frameworks/OpenCL.framework/OpenCL"}
