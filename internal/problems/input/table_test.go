package input

import (
	"bufio"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/hostmem"
)

// tableText reads a table from a text.
func tableText(text string) (*Table, error) {
	t, err := ReadTable(bufio.NewReader(strings.NewReader(text)), "t", int64(len(text)))
	if err != nil {
		return nil, err
	}
	return t, nil
}

func TestReadTable(t *testing.T) {
	const mm = "%%MatrixMarket matrix "
	for _, test := range []struct{ text, want string }{
		{"1 2 3", "1x3 [1 2 3]"},
		{"1\n2\n3\n", "3x1 [1 2 3]"},
		{"\ufeff# c\r\n1\t-2e-1 \r\n\r\n% x\r\n +.5 1e3", "2x2 [1 -0.2 0.5 1000]"},
		{"a,b\n1, 2\n3 ,4\n", "2x2 [1 2 3 4]"},
		{"\"a\";\"b\"\n1;2\n", "1x2 [1 2]"},
		{"\"a\",\"b\"\n\"1.5\",\"-2e3\"\n", "1x2 [1.5 -2000]"},
		{",2nd,x 3\n0,1,2\n", "1x3 [0 1 2]"},
		{"inf,-Inf\n+infinity,2\n", "2x2 [+Inf -Inf +Inf 2]"},
		{"inf\n1\n", "2x1 [+Inf 1]"},
		{mm + "array real general\n1 1\n-inf\n", "1x1 [-Inf]"},
		{npyFile(1, npyDict("<i4", "False", "(1, 2)"), "\x01\x00\x00\x00\xff\xff\xff\xff"), "1x2 whole [1 -1]"},
		{npyFile(1, npyDict("<u2", "False", "(2,)"), "\x01\x00\x02\x00"), "2x1 whole [1 2]"},
		{npyFile(1, npyDict("|u1", "True", "(2, 3)"), "\x00\x01\x02\x03\x04\x05"), "2x3 whole [0 2 4 1 3 5]"},
		{npyFile(1, npyDict("|u1", "True", "(2, 2, 2)"), "\x00\x01\x02\x03\x04\x05\x06\x07"),
			"2x4 whole [0 4 2 6 1 5 3 7]"},
		{mm + "array real general\n% c\n2 3\n1\n2\n3\n4\n5\n6\n", "2x3 [1 3 5 2 4 6]"},
		{mm + "array integer symmetric\n2 2\n1\n2\n3\n", "2x2 [1 2 2 3]"},
		{mm + "array real skew-symmetric\n2 2\n5\n", "2x2 [0 -5 5 0]"},
		{mm + "coordinate real general\n3 4 3\n3 1 7\n1 4 -1.5\n1 2 2\n", "3x4 [2 -1.5 7] rows [0 2 2 3] cols [1 3 0]"},
		{mm + "coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n", "2x2 [1 1 1] rows [0 2 3] cols [0 1 0]"},
		{"%%matrixmarket MATRIX Coordinate Real Skew-Symmetric\n2 2 1\n2 1 3\n", "2x2 [-3 3] rows [0 1 2] cols [1 0]"},
	} {
		got, err := tableText(test.text)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		whole, sparse := "", ""
		if got.Whole {
			whole = " whole"
		}
		if got.RowStart != nil {
			sparse = fmt.Sprintf(" rows %v cols %v", got.RowStart, got.Col)
		}
		if text := fmt.Sprintf("%dx%d%s %v%s", got.Rows, got.Cols, whole, got.Values, sparse); text != test.want {
			t.Errorf("%q: %s, want %s", test.text, text, test.want)
		}
	}
}

// badTables are texts that are no tables, and their errors.
var badTables = []struct{ text, want string }{
	{"", "t: error: no numbers"},
	{"a,b\n", "t: error: no numbers"},
	{"a b\nc d\n", `t:2:1: error: "c" is not a decimal number`},
	{"1,2\n3,\n", `t:2:3: error: "" is not a decimal number`},
	{"1,2\n3\n", "t:2: error: numbers in the line: 1, in those before: 2"},
	{"1,5;2\n", `t:1:1: error: "1,5" is not a decimal number`},
	{"nan,nan\n1,2\n", `t:1:1: error: "nan" is not a decimal number. Use numbers, or begin the line with # if`},
	{"NA\n1\n", `t:1:1: error: "NA" is not a decimal number`},
	{"a,N/A\n1,2\n", `t:1:1: error: "a" is not a decimal number`},
	{"1e400\n1\n", `t:1:1: error: "1e400" is too large`},
	{"0x10 0x11\n1 2\n", `t:1:1: error: "0x10" is not a decimal number`},
	{"1.5D+00\n2\n", `t:1:1: error: "1.5D+00" is not a decimal number`},
	{"-nan(ind)\n2\n", `t:1:1: error: "-nan(ind)" is not a decimal number`},
	{"1.#INF\n2\n", `t:1:1: error: "1.#INF" is not a decimal number`},
	{"5%\n2\n", `t:1:1: error: "5%" is not a decimal number`},
	{"True,False\n1,2\n", `t:1:1: error: "True" is not a decimal number`},
	{",\n1,2\n", `t:1:1: error: "" is not a decimal number`},
	{"1_000\n2\n", `t:1:1: error: "1_000" is not a decimal number`},
	{"1 nan\n", `t:1:3: error: "nan" is not a decimal number`},
	{"1 2\n3  1e999\n", `t:2:4: error: "1e999" is too large`},
	{npyFile(1, npyDict("<f8", "False", "(1,)"), "\x00\x00\x00\x00\x00\x00\xf8\x7f"), "element [0] is NaN"},
	{"%%MatrixMarket", "t:1:1: error: the header has no end"},
	{"%%MatrixMarket matrix array complex general\n", `t:1:29: error: the field "complex" cannot be read`},
	{"%%MatrixMarket matrix array real hermitian\n", `t:1:34: error: the symmetry "hermitian" cannot be read`},
	{"%%MatrixMarket matrix array pattern general\n1 1\n1\n", "t:2: error: an array without values"},
	{"%%MatrixMarket matrix array real general\n2\n", `t:2:2: error: the sizes end after 1 of 2 numbers`},
	{"%%MatrixMarket matrix array real general\n2 0\n", `t:2:3: error: "0" is not a size`},
	{"%%MatrixMarket matrix array real general\n2 2 2\n", `t:2:5: error: the sizes have one word too many, "2"`},
	{"%%MatrixMarket matrix array real general\n2147483647 2147483647\n1\n", "for which the file has too few bytes"},
	{"%%MatrixMarket matrix array real symmetric\n1 2\n1\n", "a symmetric matrix of 1 rows and 2 columns"},
	{"%%MatrixMarket matrix array real general\n1 2\n1.5\n", "the file ends after 1 of 2 numbers"},
	{"%%MatrixMarket matrix array real general\n1 1\n1\n2\n", "t:4:1: error: \"2\" is one number more than the 1"},
	{"%%MatrixMarket matrix array integer general\n1 1\n1.5\n", "t:3:1: error: \"1.5\" in a matrix of integers"},
	{"%%MatrixMarket matrix coordinate real general\n2 2 9\n1 1 1\n", "9 entries, for which the file has too few"},
	{"%%MatrixMarket matrix coordinate real general\n2000000000 2 1\n1 1 1\n", "2000000000 rows in a file of"},
	{"%%MatrixMarket matrix coordinate real general\n2 2 0\n", "a matrix without entries"},
	{"%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n", `t:3:1: error: "3" is not a row. Use 1 to 2.`},
	{"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 0 1\n", `t:3:3: error: "0" is not a column`},
	{"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1  \n", "the line ends after 2 words"},
	{"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n", `t:3:5: error: "1" is one word too many`},
	{"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n2 2 1\n", "t:4:1: error: the sizes announce 1"},
	{"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n", "entries, for which the file has too few bytes"},
	{"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 1 2\n",
		"t:4: error: entry (1, 1) again, first in line 3"},
	{"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", "t:3:1: error: an entry above the diagonal"},
	{"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", "t:3:1: error: an entry on the diagonal"},
}

func TestReadTableBad(t *testing.T) {
	for _, test := range badTables {
		if _, err := tableText(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %s", test.text, err, test.want)
		}
	}
}

func FuzzTable(f *testing.F) {
	for _, test := range badTables {
		f.Add(test.text)
	}
	f.Add("a,b\n1, 2\n3 ,4\n")
	f.Add(npyFile(1, npyDict("|u1", "True", "(2, 2, 2)"), "\x00\x01\x02\x03\x04\x05\x06\x07"))
	f.Add("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n3 1 7\n2 2 -1.5\n")
	f.Add("%%MatrixMarket matrix array real skew-symmetric\n2 2\n5\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := tableText(text)
		switch {
		case err != nil && err.Error() == "":
			t.Error("an error without a text")
		case err != nil:
		case table.RowStart == nil && table.Rows*table.Cols != len(table.Values):
			t.Errorf("%d values of %d rows and %d columns", len(table.Values), table.Rows, table.Cols)
		case table.RowStart != nil && (len(table.RowStart) != table.Rows+1 || len(table.Col) != len(table.Values) ||
			int(table.RowStart[table.Rows]) != len(table.Values)):
			t.Errorf("%d values, rows %v, columns %v", len(table.Values), table.RowStart, table.Col)
		}
	})
}

// Reading a table of text allocates hardly more than its numbers.
func TestTableMemory(t *testing.T) {
	const rows, cols = 20000, 10
	text := strings.Repeat(strings.TrimSuffix(strings.Repeat("0.12345678901234567,", cols), ",")+"\n", rows)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	table, err := ReadTable(bufio.NewReader(strings.NewReader(text)), "a.csv", int64(len(text)))
	runtime.ReadMemStats(&after)
	if err != nil || table.Rows != rows || table.Cols != cols {
		t.Fatal(err)
	}
	if took, numbers := after.TotalAlloc-before.TotalAlloc, uint64(8*rows*cols); took > numbers+numbers/4 {
		t.Errorf("%d bytes are allocated for %d bytes of numbers", took, numbers)
	}
}

// A table for which there is too little memory is an error before it is read, and no fault of the file.
func TestTableTooLarge(t *testing.T) {
	if hostmem.Left().Limit == "" {
		t.Skip("the memory of this system is not known")
	}
	if _, err := numbers(1 << 50); err == nil {
		t.Error("a table of 2^50 numbers fits")
	}
	err := Errorf("a.csv", 1, 0, "x.").tooLarge()
	if !err.Large || !strings.Contains(err.Error(), "a.csv:1: error: x. Use a smaller") {
		t.Error(err)
	}
}
