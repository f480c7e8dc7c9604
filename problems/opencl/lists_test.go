package opencl

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/input"
)

// lists returns a reader of lists of 3 components of 12 variables, or of more components.
func lists(size, m int) *listReader {
	return &listReader{file: "l", size: int64(size), n: 12, m: max(m, 3), start: make([]uint32, 1)}
}

// A text that is read by block has the lists, the last line and the error that it has field by field.
func TestListText(t *testing.T) {
	long := strings.Repeat("0 11\t3  4\n", 1<<18)
	for _, text := range []string{
		"0 1\n2\n3 11\n", "0 1\n2\n3 11", "0 1\r\n2\r\n3 11\r\n", "\xef\xbb\xbf0\n1\n2\n",
		" 0\t1 \n\n  \n# 5\n2\n\t# 6\n3\n\n\n", "00007\n1\n2\n", "0\n1 12\n2\n", "0\n1 x\n2\n",
		"0\n1 -1\n2\n", "0\n1,2\n3\n", "0\n1 1e0\n3\n",
		"0 # 1\n2\n3\n", "0\n1\n", "0\n1\n2\n3\n", "", "\n\n",
		"0\n1\n99999999999999999999\n", "0\r1\n2\n3\n", "0 1\x00\n2\n3\n", "#", "# a\n0\n1\n2",
		long, long + "# a\n5\n", long + "5 6\n7 12\n", long + "5 6\n7 a",
		long + long, long + "7", strings.Repeat("1 ", 1<<20),
	} {
		m := strings.Count(text, "\n")
		if m < 1<<18 {
			m = 3
		}
		fast, slow := lists(len(text), m), lists(len(text), m)
		got, want := fast.text(strings.NewReader(text)), slow.rest(strings.NewReader(text))
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%.40q: %v, want %v", text, got, want)
		}
		if want == nil && (!slices.Equal(fast.list, slow.list) || !slices.Equal(fast.start, slow.start) ||
			fast.line != slow.line) {
			t.Errorf("%.40q: %d numbers in %d lists, %d lines, want %d in %d, %d", text, len(fast.list),
				len(fast.start), fast.line, len(slow.list), len(slow.start), slow.line)
		}
	}
}

// Rows of a .npy file are lists, without -1.
func TestListArray(t *testing.T) {
	for _, c := range []struct {
		shape  []int
		values []float64
		list   []uint32
		start  []uint32
		err    string
	}{
		{[]int{3, 2}, []float64{0, 1, -1, 2, 11, -1}, []uint32{0, 1, 2, 11}, []uint32{0, 2, 3, 4}, ""},
		{[]int{3}, []float64{5, 4, 3}, []uint32{5, 4, 3}, []uint32{0, 1, 2, 3}, ""},
		{[]int{2, 2}, []float64{0, 1, 2, 3}, nil, nil, "l: error: 2 rows for 3 components"},
		{[]int{3, 2}, []float64{0, 1, 2, 12, 4, 13}, nil, nil, "element [1, 1] is 12, and not a variable. Use 0 to 11"},
		{[]int{3, 2}, []float64{0, 1, 2, 1.5, 4, 5}, nil, nil, "element [1, 1] is 1.5"},
		{[]int{3, 2}, []float64{0, 1, -1, -1, 4, 5}, nil, nil, "row 1 has no variable"},
	} {
		var file bytes.Buffer
		w := input.NewNpyWriter(&file, c.shape...)
		for _, v := range c.values {
			if err := w.Write(v); err != nil {
				t.Fatal(err)
			}
		}
		l := lists(file.Len(), 3)
		err := l.array(&file)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v: %v, want %s", c.values, err, c.err)
			}
		} else if err != nil || !reflect.DeepEqual(l.list, c.list) || !reflect.DeepEqual(l.start, c.start) {
			t.Errorf("%v: %v, %v, %v", c.values, l.list, l.start, err)
		}
	}
}

// An objective takes its lists from either kind of file.
func TestListFiles(t *testing.T) {
	const text = "//@ bounds 0 1\n//@ components 2\n//@ reads lists "
	var file bytes.Buffer
	w := input.NewNpyWriter(&file, 2, 2)
	for _, v := range []float64{0, 1, 2, -1} {
		w.Write(v)
	}
	dir := WriteFiles(t, "l.npy", file.String(), "l.txt", "0 1\n2\n", "a.cl", text+"l.npy\n"+testComponent, "b.cl",
		text+"l.txt\n"+testComponent)
	a, err := ParseFile(dir+"/a.cl", 3)
	if err != nil {
		t.Fatal(err)
	}
	b, err := ParseFile(dir+"/b.cl", 3)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.Structure().Reads(0, nil), []int{0, 1}) || !reflect.DeepEqual(a.Structure(), b.Structure()) {
		t.Errorf("%v, %v", a.Structure(), b.Structure())
	}
}
