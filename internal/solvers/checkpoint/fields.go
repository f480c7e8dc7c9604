package checkpoint

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strings"
)

// Encode returns the struct that v points to as bytes: a text that lists its fields
// and their types, then their values in that order, little-endian. Fields must be
// exported, and be numbers, bools, structs and slices of these; other types panic.
// Every bit of a float64 is kept.
func Encode(v any) []byte {
	x := reflect.ValueOf(v).Elem()
	list := layout(x.Type())
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(list)))
	return appendValue(append(b, list...), x)
}

// Decode reads the bytes that Encode returned into the struct that v points to. If
// they have other fields, as with another version of the method, the error has both
// lists of fields.
func Decode(b []byte, v any) error {
	x := reflect.ValueOf(v).Elem()
	want := layout(x.Type())
	d := &decoder{b: b}
	if got := string(d.take(uint64(d.u32()))); d.err == nil && got != want {
		return fmt.Errorf("the state has the fields %s; this clopt has %s", got, want)
	}
	fresh := reflect.New(x.Type()).Elem() // on an error v stays as it is
	d.value(fresh)
	if d.err == nil && len(d.b) > 0 {
		d.err = damaged("%d bytes after the state", len(d.b))
	}
	if d.err == nil {
		x.Set(fresh)
	}
	return d.err
}

func layout(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct:
		var fields []string
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() {
				panic("checkpoint: field " + f.Name + " of a state is not exported")
			}
			fields = append(fields, f.Name+" "+layout(f.Type))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case reflect.Slice:
		return "[]" + layout(t.Elem())
	case reflect.Bool, reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16,
		reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return t.Kind().String()
	}
	panic("checkpoint: a state of type " + t.String())
}

func appendValue(b []byte, x reflect.Value) []byte {
	le := binary.LittleEndian
	switch x.Kind() {
	case reflect.Struct:
		for i := range x.NumField() {
			b = appendValue(b, x.Field(i))
		}
	case reflect.Slice:
		// nil and empty differ: a population that does not exist yet is nil.
		if x.IsNil() {
			return le.AppendUint64(b, math.MaxUint64)
		}
		b = le.AppendUint64(b, uint64(x.Len()))
		for i := range x.Len() {
			b = appendValue(b, x.Index(i))
		}
	case reflect.Bool:
		if x.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Int, reflect.Int32, reflect.Int64:
		b = le.AppendUint64(b, uint64(x.Int()))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		b = le.AppendUint64(b, x.Uint())
	case reflect.Float32, reflect.Float64:
		b = le.AppendUint64(b, math.Float64bits(x.Float()))
	}
	return b
}

type decoder struct {
	b   []byte
	err error
}

func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.b)) {
		if d.err == nil {
			d.err = damaged("the state is cut off")
		}
		d.b = nil
		return make([]byte, min(n, 8))
	}
	part := d.b[:n]
	d.b = d.b[n:]
	return part
}

func (d *decoder) u32() uint32 { return binary.LittleEndian.Uint32(d.take(4)) }
func (d *decoder) u64() uint64 { return binary.LittleEndian.Uint64(d.take(8)) }

func (d *decoder) value(x reflect.Value) {
	if d.err != nil {
		return
	}
	switch x.Kind() {
	case reflect.Struct:
		for i := range x.NumField() {
			d.value(x.Field(i))
		}
	case reflect.Slice:
		n := d.u64()
		if n == math.MaxUint64 {
			return
		}
		if n > uint64(len(d.b)) { // an element takes at least a byte
			d.take(n)
			return
		}
		s := reflect.MakeSlice(x.Type(), int(n), int(n))
		for i := range int(n) {
			d.value(s.Index(i))
		}
		x.Set(s)
	case reflect.Bool:
		x.SetBool(d.take(1)[0] != 0)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v := int64(d.u64())
		if x.OverflowInt(v) {
			d.err = damaged("%d does not fit a field of the state", v)
		}
		x.SetInt(v)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v := d.u64()
		if x.OverflowUint(v) {
			d.err = damaged("%d does not fit a field of the state", v)
		}
		x.SetUint(v)
	case reflect.Float32, reflect.Float64:
		x.SetFloat(math.Float64frombits(d.u64()))
	}
}
