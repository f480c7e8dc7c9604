package cl

// diagnose says why Discover found nothing.
func diagnose(platforms []string, err error) *NoDeviceError {
	return &NoDeviceError{causeOf(platforms, err),
		"Install the driver of the graphics card from its vendor; it brings OpenCL"}
}
