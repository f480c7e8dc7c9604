package runs

import (
	"os"
	"path/filepath"
	"strings"
)

// maxLog is the number of bytes at which a new log is begun.
const maxLog = 64 << 20

// logFile is log.txt. It has all messages, also those that were not shown. When it is full, it is renamed to log.1.txt
// and a new one is begun.
type logFile struct {
	path string
	f    *os.File
	size int
}

func openLog(dir string) (*logFile, error) {
	l := &logFile{path: filepath.Join(dir, "log.txt")}
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fault(Output, "log: %w", err)
	}
	l.f = f
	return l, nil
}

// Write never fails, because a run must not end for its log.
func (l *logFile) Write(b []byte) (int, error) {
	if l.size+len(b) > maxLog {
		l.f.Close()
		os.Rename(l.path, strings.TrimSuffix(l.path, ".txt")+".1.txt")
		if f, err := os.Create(l.path); err == nil {
			l.f, l.size = f, 0
		}
	}
	n, _ := l.f.Write(b)
	l.size += n
	return len(b), nil
}

func (l *logFile) Close() error { return l.f.Close() }
