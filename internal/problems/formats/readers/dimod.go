package readers

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/big"
	"strconv"

	"github.com/clopt/clopt/internal/problems/input"
)

// DimodMagic begins the files that to_file of a model of dimod writes.
const DimodMagic = "DIMODBQM"

// dimodHeader is the header of such a file.
type dimodHeader struct {
	Shape     [2]int          `json:"shape"` // variables and pairs
	Dtype     string          `json:"dtype"`
	Itype     string          `json:"itype"`
	Ntype     string          `json:"ntype"`
	Vartype   string          `json:"vartype"`
	Variables json.RawMessage `json:"variables"` // a list of labels in version 1; true or false in version 2
}

// dimodSizes are the sizes of the types in bytes.
var dimodSizes = map[string]int{"float64": 8, "float32": 4, "int8": 1, "int16": 2, "int32": 4, "int64": 8,
	"uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8}

// Dimod reads a binary file of dimod: a header in JSON, the offset, the beginning of the neighbours and the linear term
// of each variable, all neighbours with their terms, and the labels. So a pair is there twice, and is told once.
func Dimod(text []byte, to Sink) (f Facts, err error) {
	s := &dimod{text: text}
	if err := s.header(); err != nil {
		return f, err
	}
	h := &s.dimodHeader
	n, pairs := h.Shape[0], h.Shape[1]
	if f.Offset, err = s.float(s.at); err != nil {
		return f, err
	}
	linear := s.at + s.bias
	quadratic := linear + n*(s.count+s.bias)
	names, err := s.labels(quadratic + 2*pairs*(s.index+s.bias))
	if err != nil {
		return f, err
	}
	if err := to.Size(n, 0, names, 0); err != nil {
		return f, err
	}
	told := 0
	for u := range n {
		at := linear + u*(s.count+s.bias)
		if err := s.term(to, u, u, at+s.count); err != nil {
			return f, err
		}
		begin, end := s.whole(at, s.count), uint64(2*pairs)
		if u < n-1 {
			end = s.whole(at+s.count+s.bias, s.count)
		}
		if begin > end || end > uint64(2*pairs) {
			return f, fault(at, "the neighbours of variable %d begin at %d and end at %d of %d. Write the file "+
				"again.", u, begin, end, 2*pairs)
		}
		for k := begin; k < end; k++ {
			at := quadratic + int(k)*(s.index+s.bias)
			v := s.whole(at, s.index)
			if v >= uint64(n) || int(v) == u {
				return f, fault(at, "variable %d has the neighbour %d of %d variables. Write the file again.", u, v, n)
			}
			if int(v) > u {
				continue
			}
			told++
			if err := s.term(to, u, int(v), at+s.index); err != nil {
				return f, err
			}
		}
	}
	if told != pairs {
		return f, fault(quadratic, "%d pairs, and the header announces %d. Write the file again.", told, pairs)
	}
	return f, nil
}

// dimod is such a file.
type dimod struct {
	dimodHeader
	text               []byte
	version            byte
	at                 int // where the data begin
	bias, index, count int // sizes of the types
}

// header reads the header, and compares its numbers with the size of the file.
func (s *dimod) header() error {
	const fixed = len(DimodMagic) + 6
	if len(s.text) < fixed || !bytes.HasPrefix(s.text, []byte(DimodMagic)) {
		return fault(0, "a file of dimod that ends in its header. Write it again.")
	}
	s.version = s.text[len(DimodMagic)]
	length := binary.LittleEndian.Uint32(s.text[fixed-4:])
	switch {
	case s.version < 1 || s.version > 2:
		return fault(len(DimodMagic), "version %d of the files of dimod. Versions 1 and 2 are read.", s.version)
	case uint64(length) > uint64(len(s.text)-fixed):
		return fault(fixed-4, "a header of %d bytes in a file of %d. Write it again.", length, len(s.text))
	}
	s.at = fixed + int(length)
	if err := json.Unmarshal(s.text[fixed:s.at], &s.dimodHeader); err != nil {
		return fault(fixed, "a header that is not read: %v. Write the file again.", err)
	}
	s.bias, s.index, s.count = dimodSizes[s.Dtype], dimodSizes[s.Itype], dimodSizes[s.Ntype]
	if s.bias < 4 || s.Dtype[0] != 'f' || s.index == 0 || s.count == 0 || s.Itype[0] == 'f' || s.Ntype[0] == 'f' {
		return fault(fixed, "biases of the type %.20q and indices of the types %.20q and %.20q. Write the model with "+
			"biases of float64, dimod.BQM(model, dtype=float).", s.Dtype, s.Itype, s.Ntype)
	}
	n, pairs := s.Shape[0], s.Shape[1]
	room := len(s.text) - s.at
	if n < 0 || pairs < 0 || n > room || pairs > room ||
		s.bias+n*(s.count+s.bias)+2*pairs*(s.index+s.bias) > room {
		return fault(fixed, "%d variables and %d pairs, for which the file has too few bytes. Write it again.", n,
			pairs)
	}
	return nil
}

// whole reads a whole number of a size, which is not negative in files of dimod.
func (s *dimod) whole(at, size int) (v uint64) {
	for k := size - 1; k >= 0; k-- {
		v = v<<8 | uint64(s.text[at+k])
	}
	return v
}

// value returns a bias as a text, the shortest that stands for it.
func (s *dimod) value(at int) ([]byte, error) {
	v := math.Float64frombits(s.whole(at, s.bias))
	if s.bias == 4 {
		v = float64(math.Float32frombits(uint32(s.whole(at, 4))))
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil, fault(at, "a bias of %v. Correct the model.", v)
	}
	return strconv.AppendFloat(nil, v, 'g', -1, 8*s.bias), nil
}

// float reads a bias in full.
func (s *dimod) float(at int) (*big.Rat, error) {
	w, err := s.value(at)
	if err != nil {
		return nil, err
	}
	return rational(word{w, at})
}

// term tells a term whose bias is at an offset.
func (s *dimod) term(to Sink, u, v, at int) error {
	w, err := s.value(at)
	if err != nil {
		return err
	}
	c, digits, err := number(w, at)
	if err != nil || c == 0 {
		return err
	}
	return to.Term(u, v, c, digits, at)
}

// labels returns the names of the variables, which version 2 has at the end of the file. Labels that are no strings are
// kept as JSON.
func (s *dimod) labels(end int) ([]string, error) {
	list := s.Variables
	switch {
	case s.version == 2 && string(list) != "true":
		return nil, nil
	case s.version == 2:
		if len(s.text) < end+8 || string(s.text[end:end+4]) != "VARS" {
			return nil, fault(end, "the labels are missing. Write the file again.")
		}
		length := s.whole(end+4, 4)
		if length > uint64(len(s.text)-end-8) {
			return nil, fault(end, "labels of %d bytes, for which the file is too short. Write it again.", length)
		}
		list = s.text[end+8 : end+8+int(length)]
	}
	var labels []json.RawMessage
	if err := json.Unmarshal(list, &labels); err != nil || len(labels) != s.Shape[0] {
		return nil, fault(end, "%d labels of %d variables. Write the file again.", len(labels), s.Shape[0])
	}
	names := make([]string, len(labels))
	seen := map[string]bool{}
	for i, l := range labels {
		if json.Unmarshal(l, &names[i]) != nil {
			names[i] = string(l)
		}
		if seen[names[i]] {
			return nil, fault(end, "the variable %s is there twice. Rename one.", input.Shown([]byte(names[i])))
		}
		seen[names[i]] = true
	}
	return names, nil
}
