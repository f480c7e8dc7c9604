package job

import "os"

// OwnStdout returns the standard output of the process.
func OwnStdout() *os.File { return os.Stdout }

// divert returns the standard error of the process, in which objectives and drivers print, too.
func divert(func(line string)) (stderr *os.File, end func(), err error) {
	return os.Stderr, func() {}, nil
}
