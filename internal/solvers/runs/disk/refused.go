package disk

import "fmt"

// Refused is the error of a file or folder that is not used: it is a link or a special file, too large, or in use.
type Refused struct{ msg string }

func (r *Refused) Error() string { return r.msg }

func refuse(format string, args ...any) error { return &Refused{fmt.Sprintf(format, args...)} }
