package input

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A .npy file of numpy has a magic string, a version, the length of the header, a
// Python dictionary as header, and the elements.
const (
	NpyMagic     = "\x93NUMPY"
	maxNpyHeader = 64 << 10 // bytes; numpy writes 128 for plain arrays
)

var (
	npyDescr   = regexp.MustCompile(`['"]descr['"]\s*:\s*['"]([^'"]*)['"]`)
	npyFortran = regexp.MustCompile(`['"]fortran_order['"]\s*:\s*(True|False)\b`)
	npyShape   = regexp.MustCompile(`['"]shape['"]\s*:\s*\(([^()]*)\)`)
)

// dtypes are the types of real numbers.
var dtypes = []string{"f4", "f8", "b1", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8"}

// NpyArray is the header of a .npy file of numbers.
type NpyArray struct {
	Dtype   string // kind and size: "f8", "u1", …
	order   binary.ByteOrder
	shape   []int
	fortran bool // the file has the first index change fastest, and not the last one
	Count   int  // elements: the product of shape
}

// ReadNpyHeader reads the header from r, which must be at the start of a file of
// size bytes, and leaves r at the first element. It allocates memory for the header
// only, and requires that the elements fill the file exactly. The dtype
// must be one of dtypes. A negative size means a stream, whose elements may be followed by others.
func ReadNpyHeader(r io.Reader, size int64, dtypes ...string) (NpyArray, error) {
	var a NpyArray
	var head [12]byte
	if _, err := io.ReadFull(r, head[:10]); err != nil || string(head[:6]) != NpyMagic {
		return a, errors.New("not a .npy file: its first bytes are not \\x93NUMPY and a version")
	}
	data := int64(10)
	length := int64(binary.LittleEndian.Uint16(head[8:]))
	switch head[6] {
	case 1:
	case 2, 3:
		if _, err := io.ReadFull(r, head[10:]); err != nil {
			return a, errors.New(".npy header cut off")
		}
		data, length = 12, int64(binary.LittleEndian.Uint32(head[8:]))
	default:
		return a, fmt.Errorf(".npy version %d.%d. Use version 1.0, 2.0 or 3.0", head[6], head[7])
	}
	if size < 0 {
		size = math.MaxInt64
	}
	if length > maxNpyHeader || data+length > size {
		return a, fmt.Errorf(".npy header of %d bytes in a file of %d. The file is damaged", length, size)
	}
	buf := make([]byte, length)
	if _, err := io.ReadFull(r, buf); err != nil {
		return a, errors.New(".npy header cut off")
	}
	header := string(buf)
	descr := npyDescr.FindStringSubmatch(header)
	fortran := npyFortran.FindStringSubmatch(header)
	shape := npyShape.FindStringSubmatch(header)
	if descr == nil || fortran == nil || shape == nil {
		return a, fmt.Errorf(".npy header %.80q without a plain dtype, order and shape. Save an array of numbers",
			strings.TrimSpace(header))
	}
	a.fortran = fortran[1] == "True"
	if err := a.setType(descr[1], dtypes); err != nil {
		return a, err
	}
	return a, a.setShape(shape[1], size-data-length)
}

func (a *NpyArray) setType(descr string, dtypes []string) error {
	a.order = binary.LittleEndian
	a.Dtype = strings.TrimLeft(descr, "<>|=")
	if strings.HasPrefix(descr, ">") {
		a.order = binary.BigEndian
	}
	for _, t := range dtypes {
		if a.Dtype == t {
			return nil
		}
	}
	return fmt.Errorf("array of dtype %.20q. Use one of %s", descr, strings.Join(dtypes, ", "))
}

// setShape reads "3, 4" or "5," and compares it with the bytes that follow.
func (a *NpyArray) setShape(text string, bytes int64) error {
	for i, field := range strings.Split(text, ",") {
		field = strings.TrimSpace(field)
		if field == "" && i > 0 {
			continue
		}
		n, err := strconv.Atoi(field)
		if err != nil || n < 0 {
			return fmt.Errorf("array of shape (%.40s). Use a shape of at least one length", text)
		}
		a.shape = append(a.shape, n)
	}
	if slices.Contains(a.shape, 0) {
		return fmt.Errorf("array of shape (%.40s) has no elements. Write one that has", text)
	}
	item := int64(a.Dtype[1] - '0')
	room := bytes / item
	count := int64(1)
	for _, n := range a.shape {
		if int64(n) > room/count {
			return fmt.Errorf("array of shape (%.40s) and dtype %s is cut off: only %d bytes follow the header. Write "+
				"it again", text, a.Dtype, bytes)
		}
		count *= int64(n)
	}
	if count*item != bytes && bytes < math.MaxInt64-2*maxNpyHeader {
		return fmt.Errorf("array of shape (%.40s) and dtype %s takes %d bytes, but %d follow the header. Write it "+
			"again", text, a.Dtype, count*item, bytes)
	}
	a.Count = int(count)
	return nil
}

// Each reads all elements in the order of the file and calls f for each, with its number
// in C order. An error of f stops it and is returned. 64-bit integers beyond 2^53 are rounded.
func (a NpyArray) Each(r io.Reader, f func(i int, v float64) error) error {
	return a.each(r, func(i int, item []byte) error { return f(i, a.value(item)) })
}

// EachWord is Each for the elements as texts: whole numbers in full, and others as the shortest number that stands for
// the float of their size. f must not keep the text.
func (a NpyArray) EachWord(r io.Reader, f func(i int, word []byte) error) error {
	var word []byte
	return a.each(r, func(i int, item []byte) error {
		switch v := a.value(item); a.Dtype {
		case "u8":
			word = strconv.AppendUint(word[:0], a.order.Uint64(item), 10)
		case "i8":
			word = strconv.AppendInt(word[:0], int64(a.order.Uint64(item)), 10)
		case "f4":
			word = strconv.AppendFloat(word[:0], v, 'g', -1, 32)
		default:
			word = strconv.AppendFloat(word[:0], v, 'g', -1, 64)
		}
		return f(i, word)
	})
}

// each calls f with the bytes of each element.
func (a NpyArray) each(r io.Reader, f func(i int, item []byte) error) error {
	item := int(a.Dtype[1] - '0')
	buf := make([]byte, 64<<10)
	number := a.numbers()
	for i := 0; i < a.Count; {
		part := buf[:min(len(buf), (a.Count-i)*item)]
		if _, err := io.ReadFull(r, part); err != nil {
			return fmt.Errorf("array cut off at element %d of %d: %w", i, a.Count, err)
		}
		for ; len(part) > 0; part = part[item:] {
			if err := f(number(), part); err != nil {
				return err
			}
			i++
		}
	}
	return nil
}

// numbers returns a function that returns the numbers in C order of the elements of the file, one after the other.
func (a NpyArray) numbers() func() int {
	if !a.fortran {
		i := -1
		return func() int { i++; return i }
	}
	index, strides := make([]int, len(a.shape)), make([]int, len(a.shape))
	stride := 1
	for d := len(a.shape) - 1; d >= 0; d-- {
		strides[d], stride = stride, stride*a.shape[d]
	}
	next := 0
	return func() int {
		i := next
		for d := range index {
			if index[d]++; index[d] < a.shape[d] {
				next += strides[d]
				break
			}
			next -= (a.shape[d] - 1) * strides[d]
			index[d] = 0
		}
		return i
	}
}

func (a NpyArray) value(b []byte) float64 {
	switch a.Dtype {
	case "f8":
		return math.Float64frombits(a.order.Uint64(b))
	case "f4":
		return float64(math.Float32frombits(a.order.Uint32(b)))
	case "u1", "b1":
		return float64(b[0])
	case "i1":
		return float64(int8(b[0]))
	case "u2":
		return float64(a.order.Uint16(b))
	case "i2":
		return float64(int16(a.order.Uint16(b)))
	case "u4":
		return float64(a.order.Uint32(b))
	case "i4":
		return float64(int32(a.order.Uint32(b)))
	case "u8":
		return float64(a.order.Uint64(b))
	case "i8":
		return float64(int64(a.order.Uint64(b)))
	}
	panic("input: value of an unknown dtype")
}

// Position returns the index of element i as text: "7", or "2, 3" in a matrix.
func (a NpyArray) Position(i int) string {
	text := ""
	for d := len(a.shape) - 1; d >= 0; d-- {
		text = strconv.Itoa(i%a.shape[d]) + text
		if d > 0 {
			text = ", " + text
		}
		i /= a.shape[d]
	}
	return text
}

// Matrix returns the numbers of rows and columns. A vector has one column, and an array of more dimensions has its
// elements a row.
func (a NpyArray) Matrix() (rows, cols int) { return a.shape[0], a.Count / a.shape[0] }

// IsSquare reports whether the array is a matrix with as many rows as columns.
func (a NpyArray) IsSquare() bool { return len(a.shape) == 2 && a.shape[0] == a.shape[1] }

// WriteNpy writes x to w as a .npy file of shape (len(x),) and dtype f8,
// little-endian. It does not copy x.
func WriteNpy(w io.Writer, x []float64) error {
	buffer := bufio.NewWriterSize(w, 64<<10) // it keeps the first error for Flush
	out := NewNpyWriter(buffer, len(x))
	for _, v := range x {
		if err := out.Write(v); err != nil {
			return err
		}
	}
	return buffer.Flush()
}

// NpyWriter writes the elements of an array, after a header.
type NpyWriter struct{ out io.Writer }

// NewNpyWriter writes the header of an array of float64 of a shape, little-endian, in C order. The caller writes as
// many elements.
func NewNpyWriter(out io.Writer, shape ...int) NpyWriter {
	text := ""
	for _, n := range shape {
		text += strconv.Itoa(n) + ","
	}
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }", text)
	// Elements start at a multiple of 64 bytes; the header ends in a newline.
	length := (10+len(header)+1+63)/64*64 - 10
	header += strings.Repeat(" ", length-len(header)-1) + "\n"

	buf := append([]byte(NpyMagic), 1, 0)
	buf = binary.LittleEndian.AppendUint16(buf, uint16(length))
	out.Write(append(buf, header...))
	return NpyWriter{out}
}

// Write writes the next element.
func (w NpyWriter) Write(v float64) error {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
	_, err := w.out.Write(b[:])
	return err
}
