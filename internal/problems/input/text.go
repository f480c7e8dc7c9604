package input

import (
	"bytes"
	"io"
	"strconv"
)

// Numbers returns the function that calls f for each element of x.
func Numbers(x []float64) func(f func(i int, v float64) error) error {
	return func(f func(i int, v float64) error) error {
		for i, v := range x {
			if err := f(i, v); err != nil {
				return err
			}
		}
		return nil
	}
}

// WriteText writes the numbers that each passes to its argument on one line, with enough digits to read them back
// exactly.
func WriteText(w io.Writer, each func(f func(i int, v float64) error) error) error {
	var b bytes.Buffer
	if err := each(func(i int, v float64) (err error) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.Write(strconv.AppendFloat(b.AvailableBuffer(), v, 'g', -1, 64))
		if b.Len() > 1<<16 {
			_, err = b.WriteTo(w)
		}
		return err
	}); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err := b.WriteTo(w)
	return err
}
