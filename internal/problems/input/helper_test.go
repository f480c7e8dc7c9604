package input

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeFiles writes files into a new folder, given as name, content, name, content, …
func writeFiles(t testing.TB, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func npyText(t testing.TB, x ...float64) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteNpy(&b, x); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// checkInput checks that err is an *Error in a file called file, at LINE:COL.
func checkInput(t *testing.T, what string, err error, file, at, want string) {
	t.Helper()
	fault, ok := errors.AsType[*Error](err)
	if !ok {
		t.Errorf("%q: %v, want an input error", what, err)
		return
	}
	place := ""
	if fault.Line > 0 {
		place = fmt.Sprintf("%d:%d", fault.Line, fault.Col)
	}
	if filepath.Base(fault.File) != file || place != at || !strings.Contains(fault.Msg, want) {
		t.Errorf("%q: %v\nwant %s:%s and %s", what, err, file, at, want)
	}
}
