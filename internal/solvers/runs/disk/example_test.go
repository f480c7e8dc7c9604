package disk_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/clopt/clopt/internal/solvers/runs/disk"
)

// A file is written under another name first, so that nobody sees half of it.
func ExampleWriteWhole() {
	dir, err := os.MkdirTemp("", "disk-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	sum, err := disk.WriteWhole(filepath.Join(dir, "a.txt"), func(w io.Writer) error {
		_, err := io.WriteString(w, "abc")
		return err
	})
	fmt.Println(sum, err)
	folder, err := disk.OpenFolder(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer folder.Close()
	text, err := folder.Read("a.txt", 100)
	fmt.Println(string(text), err)
	// Output:
	// ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad <nil>
	// abc <nil>
}
