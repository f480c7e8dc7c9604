package cl

// diagnose says why Discover found nothing.
func diagnose(platforms []string, err error) *NoDeviceError {
	return &NoDeviceError{causeOf(platforms, err),
		"OpenCL is part of macOS; run clopt in a session that may use the graphics card"}
}
