// Package disk reads and writes the files below one folder. It follows no symbolic link and opens regular files only,
// so that a folder from a stranger cannot lead elsewhere.
package disk
