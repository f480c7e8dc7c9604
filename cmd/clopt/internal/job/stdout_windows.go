package job

import "os"

// OwnStdout returns the standard output of the process.
func OwnStdout() *os.File { return os.Stdout }
