package runs

import (
	"os"

	"github.com/clopt/clopt/solvers/runs/disk"
)

// maxLog is the number of bytes at which a new log is begun.
const maxLog = 64 << 20

const logName, oldLogName = "log.txt", "log.1.txt"

// logFile is log.txt. It has all messages, also those that were not shown. When it is full, it is renamed to log.1.txt
// and a new one is begun.
type logFile struct {
	dir  *folder
	f    disk.File
	size int
}

func openLog(dir *folder) (*logFile, error) {
	f, err := dir.OpenFile(logName, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return nil, fault(Output, "log: %w", err)
	}
	return &logFile{dir: dir, f: f}, nil
}

// Write never fails, because a run must not end for its log.
func (l *logFile) Write(b []byte) (int, error) {
	if l.size+len(b) > maxLog {
		l.f.Close()
		l.dir.Rename(logName, oldLogName)
		if f, err := l.dir.OpenFile(logName, os.O_WRONLY|os.O_CREATE|os.O_TRUNC); err == nil {
			l.f, l.size = f, 0
		}
	}
	n, _ := l.f.Write(b)
	l.size += n
	return len(b), nil
}

func (l *logFile) Close() error { return l.f.Close() }
