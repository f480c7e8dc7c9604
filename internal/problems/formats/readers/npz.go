package readers

import (
	"archive/zip"
	"bytes"
	"io"
	"math"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
)

// mostArray is the largest number of bytes of an array in an archive, for each byte of the archive.
const mostArray = 50

// freeArray is the number of bytes that an array may always have.
const freeArray = 4 << 20

// NPZ reads the archive of a matrix: one of scipy.sparse.save_npz in the forms coo, csr and csc, or one of numpy.savez
// with a single square array. All elements are told, in the order of the file; those at the same place are added.
func NPZ(text []byte, to Sink) (Facts, error) {
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return Facts{}, fault(0, "a damaged archive: %v. Write it again.", err)
	}
	a := archive{files: map[string]*zip.File{}, size: int64(len(text))}
	for _, f := range z.File {
		a.files[strings.TrimSuffix(f.Name, ".npy")] = f
	}
	facts := Facts{Repeats: Summed}
	switch form, shape := a.files["format"], a.files["shape"]; {
	case form != nil && shape != nil:
		return facts, a.sparse(to)
	case len(z.File) == 1:
		return facts, a.dense(strings.TrimSuffix(z.File[0].Name, ".npy"), to)
	}
	return Facts{}, fault(0, "an archive of %d arrays, which are no matrix of scipy. Give one of save_npz, or of one "+
		"square array.", len(z.File))
}

// archive is a file of arrays.
type archive struct {
	files map[string]*zip.File
	size  int64
}

// array is an array of an archive: its elements as texts, one after the other.
type array struct {
	input.NpyArray
	words []byte
	ends  []int
}

func (a *array) word(k int) []byte {
	begin := 0
	if k > 0 {
		begin = a.ends[k-1]
	}
	return a.words[begin:a.ends[k]]
}

// open returns the content of an array.
func (a *archive) open(name string) ([]byte, error) {
	f := a.files[name]
	if f == nil {
		return nil, fault(0, "an archive without the array %s. Write it again.", input.Shown([]byte(name)))
	}
	most := max(freeArray, a.size*mostArray)
	if f.UncompressedSize64 > uint64(most) {
		return nil, fault(0, "a damaged archive: the array %s cannot be that large. Write it again.", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fault(0, "the array %s cannot be read: %v. Write the archive again.", name, err)
	}
	defer r.Close()
	all, err := io.ReadAll(io.LimitReader(r, most))
	if err != nil {
		return nil, fault(0, "the array %s cannot be read: %v. Write the archive again.", name, err)
	}
	return all, nil
}

// array reads an array of numbers.
func (a *archive) array(name string, dtypes ...string) (*array, error) {
	all, err := a.open(name)
	if err != nil {
		return nil, err
	}
	r := bytes.NewReader(all)
	v := new(array)
	if v.NpyArray, err = input.ReadNpyHeader(r, int64(len(all)), dtypes...); err != nil {
		return nil, fault(0, "the array %s: %v.", name, err)
	}
	v.ends = make([]int, 0, v.Count)
	err = v.EachWord(r, func(_ int, word []byte) error {
		v.words = append(v.words, word...)
		v.ends = append(v.ends, len(v.words))
		return nil
	})
	return v, err
}

// indices reads an array of whole numbers from 0 to most.
func (a *archive) indices(name string, most int) ([]int, error) {
	v, err := a.array(name, "i4", "i8", "u4", "u8", "i2", "u2", "i1", "u1")
	if err != nil {
		return nil, err
	}
	all := make([]int, v.Count)
	for k := range all {
		i, ok, _ := input.Index(v.word(k))
		if !ok || i > most {
			return nil, fault(0, "element %d of the array %s is %s, and it should be from 0 to %d. Write the matrix "+
				"again.", k, name, v.word(k), most)
		}
		all[k] = i
	}
	return all, nil
}

var matrixTypes = []string{"f8", "f4", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"}

// sparse reads a matrix of scipy.
func (a *archive) sparse(to Sink) error {
	shape, err := a.indices("shape", input.MaxIndex)
	if err != nil {
		return err
	}
	if len(shape) != 2 || shape[0] != shape[1] {
		return fault(0, "a matrix of the shape %v. Give a square one.", shape)
	}
	form, err := a.open("format")
	if err != nil {
		return err
	}
	n := shape[0]
	if err := to.Size(n, 0, nil, 0); err != nil {
		return err
	}
	data, err := a.array("data", matrixTypes...)
	if err != nil {
		return err
	}
	name := "coo"
	for _, other := range []string{"csr", "csc", "dia", "bsr"} {
		if i := bytes.IndexByte(form, '\n'); i >= 0 && bytes.Contains(form[i:], []byte(other)) {
			name = other
		}
	}
	var rows, columns []int
	switch name {
	case "coo":
		if rows, err = a.indices("row", n-1); err == nil {
			columns, err = a.indices("col", n-1)
		}
	case "csr", "csc":
		if columns, err = a.indices("indices", n-1); err == nil {
			rows, err = a.expanded(n, data.Count)
		}
	default:
		return fault(0, "a matrix in the form %s. Write it with save_npz(\"q.npz\", Q.tocoo()).", name)
	}
	if err != nil {
		return err
	}
	if len(rows) != data.Count || len(columns) != data.Count {
		return fault(0, "%d rows and %d columns for %d elements. Write the matrix again.", len(rows), len(columns),
			data.Count)
	}
	for k := range rows {
		i, j := rows[k], columns[k]
		if name == "csc" {
			i, j = j, i
		}
		if err := element(to, i, j, data.word(k)); err != nil {
			return err
		}
	}
	return nil
}

// expanded returns the row of each element from the array indptr, where each row begins.
func (a *archive) expanded(n, elements int) ([]int, error) {
	begins, err := a.indices("indptr", elements)
	if err != nil {
		return nil, err
	}
	if len(begins) != n+1 || begins[0] != 0 || begins[n] != elements {
		return nil, fault(0, "the array indptr does not fit %d rows of %d elements. Write the matrix again.", n,
			elements)
	}
	rows := make([]int, 0, elements)
	for i := range n {
		if begins[i+1] < begins[i] {
			return nil, fault(0, "the array indptr falls at row %d. Write the matrix again.", i)
		}
		for k := begins[i]; k < begins[i+1]; k++ {
			rows = append(rows, i)
		}
	}
	return rows, nil
}

// dense reads a square array.
func (a *archive) dense(name string, to Sink) error {
	v, err := a.array(name, matrixTypes...)
	if err != nil {
		return err
	}
	n := int(math.Sqrt(float64(v.Count)))
	if !v.IsSquare() {
		return fault(0, "the array %s is no square matrix.", input.Shown([]byte(name)))
	}
	if err := to.Size(n, 0, nil, 0); err != nil {
		return err
	}
	for k := range v.Count {
		if err := element(to, k/n, k%n, v.word(k)); err != nil {
			return err
		}
	}
	return nil
}

// element tells an element of a matrix that is not 0.
func element(to Sink, i, j int, word []byte) error {
	if last := word[len(word)-1]; last < '0' || last > '9' {
		return fault(0, "element (%d, %d) is %s, which is not finite. Correct it.", i, j, word)
	}
	c, digits, err := number(word, 0)
	if err != nil || c == 0 {
		return err
	}
	return to.Term(i, j, c, digits, 0)
}
