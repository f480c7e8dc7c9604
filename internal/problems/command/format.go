package command

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
)

// Format is how points and values pass between clopt and a program.
type Format int

const (
	// Lines has a line for each point, its numbers with a space between them, and a line for each value. Numbers have
	// as many digits as it takes to read the same float64 back.
	Lines Format = iota
	// Npy has a .npy array of float64 of some rows, one for each point, and a .npy array of their values.
	Npy
)

// ParseFormat reads "text" or "npy".
func ParseFormat(s string) (Format, error) {
	switch s {
	case "text":
		return Lines, nil
	case "npy":
		return Npy, nil
	}
	return 0, fmt.Errorf("%q is neither text nor npy", s)
}

// together returns how many of some points have their values in one answer.
func (f Format) together(points int) int {
	if f == Npy {
		return points
	}
	return 1
}

// write writes points.
func (f Format) write(w io.Writer, points [][]float64) error {
	var b bytes.Buffer
	if f == Npy {
		npy := input.NewNpyWriter(&b, len(points), len(points[0]))
		for _, x := range points {
			for _, v := range x {
				if err := npy.Write(v); err != nil {
					return err
				}
			}
		}
		_, err := w.Write(b.Bytes())
		return err
	}
	number := make([]byte, 0, 32)
	for _, x := range points {
		for i, v := range x {
			if i > 0 {
				b.WriteByte(' ')
			}
			number = strconv.AppendFloat(number[:0], v, 'g', -1, 64)
			b.Write(number)
		}
		b.WriteByte('\n')
	}
	_, err := w.Write(b.Bytes())
	return err
}

// read reads the next answer. The error is io.EOF after the last one.
func (f Format) read(r *bufio.Reader) (values []float64, err error) {
	if f == Npy {
		if _, err := r.Peek(1); err != nil {
			return nil, io.EOF
		}
		head, err := input.ReadNpyHeader(r, -1, "f8", "f4", "i8", "i4")
		if err != nil {
			return nil, fmt.Errorf("the program has answered with something that is no .npy array: %w", err)
		}
		values = make([]float64, min(head.Count, 1<<20))
		if err := head.Each(r, func(i int, v float64) error {
			if i < len(values) {
				values[i] = v
			}
			return nil
		}); err != nil {
			return nil, io.EOF // it has ended in the middle of an answer
		}
		return values, nil
	}
	line, err := r.ReadString('\n')
	if err != nil && line == "" {
		return nil, io.EOF
	}
	v, err := value(line)
	if err != nil {
		return nil, err
	}
	return []float64{v}, nil
}

// value reads a line with a value. Fortran writes 1.5D+03.
func value(line string) (float64, error) {
	words := strings.Fields(line)
	if len(words) != 1 {
		return 0, fmt.Errorf("the program has printed a line of %d words, %s; it must print one number for each "+
			"point, and all else to stderr", len(words), shown(line))
	}
	v, err := strconv.ParseFloat(words[0], 64)
	if err != nil && errors.Is(err, strconv.ErrSyntax) {
		v, err = strconv.ParseFloat(strings.NewReplacer("D", "e", "d", "e").Replace(words[0]), 64)
	}
	if err != nil && !errors.Is(err, strconv.ErrRange) { // ±Inf is as good as what it stands for
		return 0, fmt.Errorf("the program has printed %s, which is no number; it must print one number for each "+
			"point, and all else to stderr", shown(line))
	}
	return v, nil
}

// shown returns a line for a message.
func shown(line string) string {
	line = strings.TrimSpace(line)
	if len(line) > 80 {
		line = line[:80] + "…"
	}
	return strconv.Quote(line)
}
