//go:build cgo

package cl

import (
	"errors"

	binding "github.com/jgillich/go-opencl/cl"
)

// codes maps the error values of the binding back to the numbers of OpenCL.
var codes = map[error]Code{
	binding.ErrDeviceNotFound:                     -1,
	binding.ErrDeviceNotAvailable:                 -2,
	binding.ErrCompilerNotAvailable:               -3,
	binding.ErrMemObjectAllocationFailure:         -4,
	binding.ErrOutOfResources:                     -5,
	binding.ErrOutOfHostMemory:                    -6,
	binding.ErrProfilingInfoNotAvailable:          -7,
	binding.ErrMemCopyOverlap:                     -8,
	binding.ErrImageFormatMismatch:                -9,
	binding.ErrImageFormatNotSupported:            -10,
	binding.ErrBuildProgramFailure:                -11,
	binding.ErrMapFailure:                         -12,
	binding.ErrMisalignedSubBufferOffset:          -13,
	binding.ErrExecStatusErrorForEventsInWaitList: -14,
	binding.ErrCompileProgramFailure:              -15,
	binding.ErrLinkerNotAvailable:                 -16,
	binding.ErrLinkProgramFailure:                 -17,
	binding.ErrDevicePartitionFailed:              -18,
	binding.ErrKernelArgInfoNotAvailable:          -19,
	binding.ErrInvalidValue:                       -30,
	binding.ErrInvalidDeviceType:                  -31,
	binding.ErrInvalidPlatform:                    -32,
	binding.ErrInvalidDevice:                      -33,
	binding.ErrInvalidContext:                     -34,
	binding.ErrInvalidQueueProperties:             -35,
	binding.ErrInvalidCommandQueue:                -36,
	binding.ErrInvalidHostPtr:                     -37,
	binding.ErrInvalidMemObject:                   -38,
	binding.ErrInvalidImageFormatDescriptor:       -39,
	binding.ErrInvalidImageSize:                   -40,
	binding.ErrInvalidSampler:                     -41,
	binding.ErrInvalidBinary:                      -42,
	binding.ErrInvalidBuildOptions:                -43,
	binding.ErrInvalidProgram:                     -44,
	binding.ErrInvalidProgramExecutable:           -45,
	binding.ErrInvalidKernelName:                  -46,
	binding.ErrInvalidKernelDefinition:            -47,
	binding.ErrInvalidKernel:                      -48,
	binding.ErrInvalidArgIndex:                    -49,
	binding.ErrInvalidArgValue:                    -50,
	binding.ErrInvalidArgSize:                     -51,
	binding.ErrInvalidKernelArgs:                  -52,
	binding.ErrInvalidWorkDimension:               -53,
	binding.ErrInvalidWorkGroupSize:               -54,
	binding.ErrInvalidWorkItemSize:                -55,
	binding.ErrInvalidGlobalOffset:                -56,
	binding.ErrInvalidEventWaitList:               -57,
	binding.ErrInvalidEvent:                       -58,
	binding.ErrInvalidOperation:                   -59,
	binding.ErrInvalidGlObject:                    -60,
	binding.ErrInvalidBufferSize:                  -61,
	binding.ErrInvalidMipLevel:                    -62,
	binding.ErrInvalidGlobalWorkSize:              -63,
	binding.ErrInvalidProperty:                    -64,
	binding.ErrInvalidImageDescriptor:             -65,
	binding.ErrInvalidCompilerOptions:             -66,
	binding.ErrInvalidLinkerOptions:               -67,
	binding.ErrInvalidDevicePartitionCount:        -68,
}

// codeOf returns the Code of an error of the binding; nil stays nil.
func codeOf(err error) error {
	if err == nil {
		return nil
	}
	if c, ok := codes[err]; ok {
		return c
	}
	var other binding.ErrOther
	if errors.As(err, &other) {
		return Code(other)
	}
	return unknown
}
