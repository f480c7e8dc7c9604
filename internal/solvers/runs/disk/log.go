package disk

import "os"

// maxLog is the number of bytes at which a new log is begun.
const maxLog = 64 << 20

const logName, oldLogName = "log.txt", "log.1.txt"

// Log is log.txt in a folder. It has all messages, also those that were not shown. When it is full, it is renamed to
// log.1.txt and a new one is begun.
type Log struct {
	dir  *Folder
	f    File
	size int
}

// OpenLog opens the log of the folder, and makes it if there is none.
func (d *Folder) OpenLog() (*Log, error) {
	f, err := d.OpenFile(logName, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	return &Log{dir: d, f: f}, nil
}

// Write never fails, because a run must not end for its log.
func (l *Log) Write(b []byte) (int, error) {
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

// Close closes the file.
func (l *Log) Close() error { return l.f.Close() }
