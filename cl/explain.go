package cl

import "github.com/clopt/clopt/internal/cl/crash"

// ExplainCrash sets what happens when code outside of this program, such as that of a kernel on a processor, reads
// through a wrong pointer or executes a wrong instruction: at most 4096 bytes of text are written to the file with
// descriptor file, and the process ends with the exit code. After ExplainCrash("", 0, 0) it ends by the signal again.
// It does nothing but on Linux, on amd64 and arm64.
func ExplainCrash(text string, file, code int) { crash.On(text, file, code) }
