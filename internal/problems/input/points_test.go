package input

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	npyio "github.com/sbinet/npyio/npy"

	"github.com/clopt/clopt/test/battery"
)

func readText(text string, dim int) (Points, *Error) {
	return readPoints(bufio.NewReader(strings.NewReader(text)), "x.txt", int64(len(text)), dim)
}

// npyFile returns a .npy file with the given dictionary and elements.
func npyFile(version byte, dict, elements string) string {
	if version == 1 {
		return fmt.Sprintf("%s\x01\x00%c\x00%s\n%s", NpyMagic, rune(len(dict)+1), dict, elements)
	}
	return fmt.Sprintf("%s%c\x00%c\x00\x00\x00%s\n%s", NpyMagic, version, rune(len(dict)+1), dict, elements)
}

// npyDict returns the dictionary of an array. It is short enough for one byte of
// header length.
func npyDict(descr, order, shape string) string {
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, order, shape)
}

func TestReadPoints(t *testing.T) {
	for _, test := range []struct {
		text string
		dim  int
		want string
	}{
		{"1 2 3", 0, "[[1 2 3]]"},
		{"1 2 3\n4 5 6\n", 0, "[[1 2 3] [4 5 6]]"},
		{"1 2 3\n4 5 6\n", 3, "[[1 2 3] [4 5 6]]"},
		{"1\n2\n3\n", 0, "[[1 2 3]]"},
		{"1\n2\n3\n", 3, "[[1 2 3]]"},
		{"1\n2\n3\n", 1, "[[1] [2] [3]]"},
		{"7", 0, "[[7]]"},
		{"\ufeff# a, b\r\n\r\n  1\t-2e-1 \r\n#\n\n +.5 1e3 \n\n", 0, "[[1 -0.2] [0.5 1000]]"},
		{"   # indented\n1 2", 2, "[[1 2]]"},
		{"-0 0", 0, "[[-0 0]]"},
		{npyFile(1, npyDict("|u1", "False", "(2, 3)"), "\x00\x01\x02\x03\x04\xff"), 0, "[[0 1 2] [3 4 255]]"},
		{npyFile(1, npyDict("|u1", "True", "(2, 3)"), "\x00\x01\x02\x03\x04\xff"), 0, "[[0 2 4] [1 3 255]]"},
		{npyFile(2, npyDict("<f4", "False", "(1,)"), "\x00\x00\x80\x3f"), 1, "[[1]]"},
		{npyFile(3, npyDict(">f4", "False", "(1,2)"), "\x3f\x80\x00\x00\xbf\x80\x00\x00"), 0, "[[1 -1]]"},
		{npyFile(1, npyDict("<i2", "False", "(2,)"), "\x03\x00\xff\xff"), 0, "[[3 -1]]"},
		{npyFile(1, npyDict("|i1", "False", "(3, 1)"), "\x01\x02\x03"), 3, "[[1 2 3]]"},
		{npyText(t, 1.5, -2, 0.25), 3, "[[1.5 -2 0.25]]"},
	} {
		p, err := readText(test.text, test.dim)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if got := fmt.Sprint(p.X); got != test.want || p.Dim != len(p.X[0]) {
			t.Errorf("%q: %s of %d, want %s", test.text, got, p.Dim, test.want)
		}
	}
}

func TestR1Points(t *testing.T) {
	count := battery.Begin(t)
	for _, test := range []struct {
		text string
		dim  int
		at   string
		want string
	}{
		{"", 0, "", "no points"},
		{"# nothing\n\n", 0, "", "no points"},
		{"1 2\n3\n", 0, "2:2", "numbers in the line: 1, expected 2"},
		{"1 2\n3 4 5\n", 0, "2:5", "number 3 of the line is 5, but the first point has 2"},
		{"1\n3 4\n", 0, "2:3", "number 2 of the line is 4, but the first point has 1"},
		{"1 2 3\n", 2, "1:5", "number 3 of the line is 3, but a point has 2"},
		{"1 2\n", 3, "1:4", "numbers in the line: 2, expected 3"},
		{"1 2", 3, "1:4", "numbers in the line: 2, expected 3"},
		{"1\n2\n", 3, "2:0", "lines of one number: 2, expected 3"},
		{"1 nan\n", 0, "1:3", `"nan" is not a decimal number`},
		{"1 2\n1 -Inf\n", 0, "2:3", `"-Inf" is not a decimal number`},
		{"1e400", 0, "1:1", `"1e400" is too large`},
		{"0x10", 0, "1:1", `"0x10" is not`},
		{"0x1p4", 0, "1:1", `"0x1p4" is not`},
		{"1_0", 0, "1:1", `"1_0" is not`},
		{"1 2x", 0, "1:3", `"2x" is not a decimal number`},
		{"1, 2", 0, "1:1", "not commas"},
		{"1 2 # end", 0, "1:5", `"#" is not a decimal number`},
		{"1 2\x00", 0, "1:3", `"2\x00" is not a decimal number`},
		{"\xff\xfe1\x00", 0, "1:1", "is not a decimal number"},
		{strings.Repeat("1", 5000), 0, "1:1", "a word of more than 4096 bytes"},
		{NpyMagic, 0, "", "not a .npy file"},
		{npyFile(9, "{}", ""), 0, "", ".npy version 9.0"},
		{npyFile(1, "{}", ""), 0, "", ".npy header"},
		{NpyMagic + "\x02\x00\xff\xff\xff\xff{}", 0, "", ".npy header of 4294967295 bytes in a file of 14"},
		{NpyMagic + "\x02\x00", 0, "", "not a .npy file"},
		{NpyMagic + "\x01\x00\x40\x00{}", 0, "", ".npy header of 64 bytes in a file of 12"},
		{npyFile(1, npyDict("<c8", "False", "(1,)"), "12345678"), 0, "", `dtype "<c8". Use one of f4, f8, b1, u1`},
		{npyFile(1, npyDict("|O", "False", "(1,)"), "12345678"), 0, "", `dtype "|O"`},
		{npyFile(1, "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", "12345678"), 0, "",
			"without a plain dtype"},
		{npyFile(1, npyDict("<f8", "False", "(2,)"), "12345678"), 0, "", "cut off"},
		{npyFile(1, npyDict("<f8", "False", "(1,)"), "123456789"), 0, "", "takes 8 bytes, but 9 follow"},
		{npyFile(1, npyDict("<f8", "False", "(4611686018427387904, 4)"), "12345678"), 0, "", "cut off"},
		{npyFile(1, npyDict("<f8", "False", "(99999999999999999999,)"), "12345678"), 0, "", "array of shape"},
		{npyFile(1, npyDict("<f8", "False", "(-1,)"), "12345678"), 0, "", "array of shape (-1,)"},
		{npyFile(1, npyDict("<f8", "False", "()"), "12345678"), 0, "", "array of shape ()"},
		{npyFile(1, npyDict("<f8", "False", "(0,)"), ""), 0, "", "has no elements"},
		{npyFile(1, npyDict("<f8", "False", "(1, 0)"), ""), 0, "", "has no elements"},
		{npyFile(1, npyDict("|u1", "False", "(1, 1, 1)"), "1"), 0, "", "array of 3 dimensions"},
		{npyFile(1, npyDict("|u1", "False", "(2, 2)"), "1234"), 3, "", "points of 2 numbers, expected 3"},
		{npyFile(1, npyDict("<f4", "False", "(1, 2)"), "\x00\x00\x80\x3f\x00\x00\xc0\x7f"), 0, "",
			"element [0, 1] is NaN"},
		{npyFile(1, npyDict("<f4", "False", "(1,)"), "\x00\x00\x80\xff"), 0, "", "element [0] is -Inf"},
	} {
		_, err := readText(test.text, test.dim)
		if err == nil {
			t.Errorf("%.60q: no error, want %s", test.text, test.want)
			continue
		}
		checkInput(t, fmt.Sprintf("%.60s", test.text), err, "x.txt", test.at, test.want)
		count.Count(!t.Failed())
	}
	dir := writeFiles(t, "x.txt", "1 2\n")
	_, err := ReadPoints(dir, 0)
	checkInput(t, "folder", err, filepath.Base(dir), "", "is a folder")
	_, err = ReadPoints(filepath.Join(dir, "y.txt"), 0)
	checkInput(t, "missing", err, "y.txt", "", "no such file")
	if p, err := ReadPoints(filepath.Join(dir, "x.txt"), 2); err != nil || len(p.X) != 1 {
		t.Error(p, err)
	}
}

// Large input, more than any buffer, as rows, as one row and as one column.
func TestReadPointsLarge(t *testing.T) {
	const n = 100_000
	for _, sep := range []string{" ", "\n"} {
		p, err := readText(strings.Repeat("0.5"+sep, n), n)
		if err != nil || len(p.X) != 1 || p.X[0][n-1] != 0.5 {
			t.Errorf("separated by %q: %v", sep, err)
		}
	}
	x := make([]float64, 3*n)
	for i := range x {
		x[i] = float64(i)
	}
	p, err := readText(npyText(t, x...), 3*n)
	if err != nil || p.X[0][3*n-1] != 3*n-1 {
		t.Error(err)
	}
}

// An independent reader agrees with WriteNpy.
func TestWriteNpy(t *testing.T) {
	want := []float64{1, -2.5, 1e300}
	text := npyText(t, want...)
	if i := strings.IndexByte(text, '\n'); (i+1)%64 != 0 || len(text) != i+1+24 {
		t.Errorf("elements start at %d of %d bytes", i+1, len(text))
	}
	var got []float64
	if err := npyio.Read(strings.NewReader(text), &got); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("read %v, %v", got, err)
	}
}

func FuzzPoints(f *testing.F) {
	battery.Target(f)
	for _, s := range []string{"1 2\n3 4\n", "\ufeff# c\r\n1\n2", "1,2", "1e400 nan", "nan 1\n", "inf",
		npyText(f, 1, 2), npyText(f, 1, math.NaN()), npyText(f, math.Inf(-1), 2),
		npyFile(1, npyDict("<f8", "False", "(2, -1)"), "")} {
		f.Add(s, 0)
		f.Add(s, 2)
	}
	f.Fuzz(func(t *testing.T, text string, dim int) {
		p, err := readText(text, max(dim, 0))
		if err == nil && (p.Dim < 1 || len(p.X) < 1 || dim > 0 && p.Dim != dim || p.Dim*len(p.X) > len(text)) {
			t.Fatalf("%d points of %d from %d bytes", len(p.X), p.Dim, len(text))
		}
		for _, v := range slices.Concat(p.X...) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("a point is not finite: %v", p.X)
			}
		}
	})
}

func FuzzNpy(f *testing.F) {
	battery.Target(f)
	f.Add(npyText(f, 1, 2))
	f.Add(npyFile(2, npyDict(">i4", "False", "(2, 1)"), "12345678"))
	f.Add(npyFile(1, npyDict("<f8", "True", "(4611686018427387904, 4)"), ""))
	f.Add(npyFile(1, npyDict("<f8", "False", "(-1, -1)"), "12345678"))
	f.Add(npyFile(1, npyDict("<f8", "False", "(1,)"), "1234567812345678"))
	f.Fuzz(func(t *testing.T, text string) {
		r := strings.NewReader(text)
		a, err := ReadNpyHeader(r, int64(len(text)), dtypes...)
		if err != nil {
			return
		}
		if a.Count < 1 || a.Count > len(text) || slices.Min(a.shape) < 1 {
			t.Fatalf("%d elements of shape %v in %d bytes", a.Count, a.shape, len(text))
		}
		seen := 0
		if err := a.Each(r, func(i int, v float64) error { seen++; return nil }); err != nil || seen != a.Count ||
			r.Len() != 0 {
			t.Fatalf("%d of %d elements, %d bytes left: %v", seen, a.Count, r.Len(), err)
		}
		var again bytes.Buffer
		if err := WriteNpy(&again, make([]float64, a.Count%1000)); err != nil {
			t.Fatal(err)
		}
	})
}
