package kernels

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

// Struct declares the struct NAME in OpenCL C with the fields of v, a struct of Go. A kernel takes it by value, so that
// numbers that go together are one parameter. Each field is a uint32, int32, uint64 or int64, and those of 8 bytes come
// first: then Go and OpenCL C lay them out alike, which no driver checks. The field TileLo is tile_lo in OpenCL C.
// Struct panics on other structs, since types are constants of the program.
func Struct(name string, v any) Part {
	words := map[reflect.Kind]string{reflect.Uint32: "uint", reflect.Int32: "int", reflect.Uint64: "ulong",
		reflect.Int64: "long"}
	var b strings.Builder
	b.WriteString("typedef struct {\n")
	t, before := reflect.TypeOf(v), uintptr(8)
	for i := range t.NumField() {
		f := t.Field(i)
		word := words[f.Type.Kind()]
		if word == "" || f.Type.Size() > before {
			panic(fmt.Sprintf("kernels: field %s %s of %s: not an integer of 4 or 8 bytes, or of 8 after one of 4",
				f.Name, f.Type, t))
		}
		before = f.Type.Size()
		fmt.Fprintf(&b, "    %s %s;\n", word, snake(f.Name))
	}
	fmt.Fprintf(&b, "} %s;", name)
	return Part{Name: "struct " + t.String(), Text: b.String()}
}

// snake returns the name in OpenCL C of a field in Go.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
