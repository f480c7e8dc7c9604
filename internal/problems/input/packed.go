package input

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// packer is a program that packs files.
type packer struct {
	begin  string // the first bytes of its files
	what   string
	growth int64 // no text of ours grows more than so many times, so that a small file cannot keep a reader busy
	open   func(io.Reader) (io.ReadCloser, error)
}

// freeGrowth is the number of bytes of text that are always allowed.
const freeGrowth = 4 << 20

// ZipMagic begins zip archives.
const ZipMagic = "PK\x03\x04"

const zipWhat = "a zip archive"

// packedExts are the extensions of packed files that are read.
var packedExts = []string{".gz", ".bz2", ".xz", ".zst", ".zstd"}

// mostWindow is the largest number of bytes that a packed text may refer back to.
const mostWindow = 128 << 20

var packers = []packer{
	{"\x1f\x8b", "gzip", 25, func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }},
	{"BZh", "bzip2", 200, func(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(bzip2.NewReader(r)), nil }},
	{"\xfd7zXZ\x00", "xz", 200, func(r io.Reader) (io.ReadCloser, error) {
		z, err := xz.NewReader(r)
		return io.NopCloser(z), err
	}},
	{"\x28\xb5\x2f\xfd", "zstd", 200, func(r io.Reader) (io.ReadCloser, error) {
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(mostWindow))
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	}},
	{ZipMagic, zipWhat, 0, nil},
	{"7z\xbc\xaf\x27\x1c", "packed by 7-Zip", 0, nil},
}

// packerOf returns the packer of a file by its first bytes, or nil.
func packerOf(head []byte) *packer {
	for i := range packers {
		if bytes.HasPrefix(head, []byte(packers[i].begin)) {
			return &packers[i]
		}
	}
	return nil
}

// bounded returns an error if a packed text grows too much.
type bounded struct {
	r    io.Reader
	left int64
	by   *packer
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, Errorf("", 0, 0, "the %s data grows more than %d-fold, as no graph does. If it is a graph, unpack "+
			"it first.", b.by.what, b.by.growth)
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// IsPacked reports whether the name of a file says that it is packed.
func IsPacked(path string) bool { return Unpacked(path) != path }

// Unpacked returns the name of a file without the extension of a packer.
func Unpacked(path string) string {
	for _, ext := range packedExts {
		if len(path) > len(ext) && strings.EqualFold(path[len(path)-len(ext):], ext) {
			return path[:len(path)-len(ext)]
		}
	}
	return path
}
