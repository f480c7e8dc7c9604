package input

import "os"

// IsRegular says whether path is a regular file.
func IsRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
