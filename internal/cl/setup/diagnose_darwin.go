package setup

// Diagnose says why there is no device, and what to do.
func (f Finding) Diagnose(func(string) string) (cause, cure string) {
	return f.answer(), "OpenCL is part of macOS; run clopt in a session that may use the graphics card"
}

// HasPoCL reports whether PoCL is installed, which is not looked at on this system.
func HasPoCL() bool { return false }
