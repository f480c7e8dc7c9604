package setup

// Diagnose says why there is no device, and what to do.
func (f Finding) Diagnose(func(string) string) (cause, cure string) {
	return f.answer(), "Install the driver of the graphics card from its vendor; it brings OpenCL"
}

// HasPoCL reports whether PoCL is installed, which is not looked at on this system.
func HasPoCL() bool { return false }
