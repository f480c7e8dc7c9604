package host

import "encoding/binary"

// Partitions are rows of words, of which checkpoints store the bytes.
type Partitions struct {
	Words []uint64
	Each  int // words of a partition
}

// ReadBytes reads partitions from number off on into dst.
func (p Partitions) ReadBytes(off int, dst []byte) error {
	for k := range len(dst) / 8 {
		binary.LittleEndian.PutUint64(dst[8*k:], p.Words[off*p.Each+k])
	}
	return nil
}

// WriteBytes sets the partitions from number off on.
func (p Partitions) WriteBytes(off int, src []byte) error {
	for k := range len(src) / 8 {
		p.Words[off*p.Each+k] = binary.LittleEndian.Uint64(src[8*k:])
	}
	return nil
}
