package plot

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// axis maps values to places.
type axis struct {
	low, high    float64
	log, falling bool
	whole        bool // the values count, and have no places between 1 and 2
	sparse       bool // a logarithmic axis that has few labels
}

// label is a mark at an axis. Those without text are shorter.
type label struct {
	value float64
	text  string
}

// axes returns the axes of each panel. Axes that show the same have the same range, except those of OwnX and OwnY.
func (f Figure) axes() (x, y []*axis) {
	shared := map[string]*axis{}
	one := func(own bool, name string, a axis) *axis {
		known := shared[name]
		switch {
		case own:
			return &a
		case known == nil:
			shared[name] = &a
			return &a
		}
		known.low, known.high = min(known.low, a.low), max(known.high, a.high)
		return known
	}
	for _, p := range f.Panels {
		across := axis{log: p.LogX, falling: p.FallingX, whole: p.WholeX, sparse: p.OwnX}
		up := axis{log: p.LogY}
		var xs, ys []float64
		for _, s := range p.Series {
			xs, ys = append(xs, s.X...), slices.Concat(ys, s.Y, s.Low, s.High)
		}
		across.span(xs)
		up.span(ys)
		if p.Share {
			up.low, up.high = 0, 1
		}
		x = append(x, one(p.OwnX, fmt.Sprint("x ", p.X, p.LogX), across))
		y = append(y, one(p.OwnY, fmt.Sprint("y ", p.Y, p.LogY), up))
	}
	return x, y
}

// span sets the range of an axis to that of values. Where all values are equal, it is longer.
func (a *axis) span(values []float64) {
	a.low, a.high = slices.Min(values), slices.Max(values)
	switch {
	case a.high-a.low > 1e-9*math.Abs(a.high):
	case a.log:
		a.low, a.high = a.low/2, a.high*2
	case a.high == 0: // nothing shows less than 0 seconds
		a.high = 1
	default:
		a.low, a.high = a.low-1, a.high+1
	}
}

// at returns the place of a value: 0 at the begin of the axis, 1 at its end.
func (a *axis) at(v float64) float64 {
	place := (v - a.low) / (a.high - a.low)
	if a.log {
		place = math.Log(v/a.low) / math.Log(a.high/a.low)
	}
	if a.falling {
		return 1 - place
	}
	return place
}

// labels returns the marks of an axis of a length. A label has a size along the axis. Of labels that would touch each
// other only every second one stays, or every third, until they are apart. The marks stay.
func (a *axis) labels(length float64, size func(text string) float64) []label {
	all := a.marks()
	for every := 1; ; every++ {
		some := slices.Clone(all)
		n := 0
		end := math.Inf(-1)
		apart := true
		for i, l := range some {
			if l.text == "" {
				continue
			}
			if n++; (n-1)%every != 0 {
				some[i].text = ""
				continue
			}
			at, half := length*math.Abs(a.at(l.value)-a.at(a.low)), size(l.text)/2
			apart = apart && at-half >= end
			end = at + half
		}
		if apart || every > len(all) {
			return some
		}
	}
}

// marks returns the marks of an axis.
//
// A logarithmic one has them at 1 to 9 times each power of ten. With several powers only these have labels, about six
// of them; with few also 2 and 5, or every mark if the axis is not sparse. If that gives fewer than two labels, the
// marks are those of a linear axis.
func (a *axis) marks() []label {
	if !a.log {
		return a.steps()
	}
	decades := math.Log10(a.high / a.low)
	labelled := []string{"1", "125", "123456789"}
	switch {
	case decades < 0.7 && !a.sparse:
		labelled = labelled[2:]
	case decades < 1.6:
		labelled = labelled[1:]
	}
	for _, digits := range labelled {
		if marks, n := a.powers(digits); n >= 2 {
			return marks
		}
	}
	return a.steps()
}

// powers marks 1 to 9 times each power of ten, and labels the products with some digits, about six of the powers. n is
// the number of labels.
func (a *axis) powers(digits string) (marks []label, n int) {
	every := math.Ceil(math.Log10(a.high/a.low) / 6) // every so many powers of ten have labels
	for e := math.Floor(math.Log10(a.low)); e <= math.Ceil(math.Log10(a.high)); e++ {
		for d := 1; d < 10; d++ {
			m := label{value: float64(d) * math.Pow(10, e)}
			if m.value < a.low*(1-1e-9) || m.value > a.high*(1+1e-9) || d > 1 && every > 1 {
				continue
			}
			if math.Mod(e, every) == 0 && strings.Contains(digits, strconv.Itoa(d)) {
				m.text = number(m.value)
				n++
			}
			marks = append(marks, m)
		}
	}
	return marks, n
}

// mostSteps is the number of steps between labels that a linear axis may have at most.
const mostSteps = 5

// steps labels about five multiples of 1, 2 or 5 times a power of ten, and marks four places between two of them.
func (a *axis) steps() (marks []label) {
	length := a.high - a.low
	step := math.Pow(10, math.Floor(math.Log10(length/mostSteps)))
	for _, f := range []float64{1, 2, 5, 10} {
		if f*step*mostSteps >= length*(1-1e-9) {
			step *= f
			break
		}
	}
	between := 5.0 // steps of marks between labels
	if a.whole && step < 5 {
		step, between = max(step, 1), 1
	}
	for i := math.Ceil(a.low/step*between - 1e-9); i <= math.Floor(a.high/step*between+1e-9); i++ {
		m := label{value: i/between*step + 0} // not -0
		if math.Mod(i, between) == 0 {
			m.text = number(m.value)
		}
		marks = append(marks, m)
	}
	return marks
}

// number writes a number for an axis: 200, 2e4, 1e-7.
func number(v float64) string {
	if size := math.Abs(v); size == 0 || size >= 0.01 && size < 1e4 {
		return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64)
	}
	m, e, _ := strings.Cut(strconv.FormatFloat(v, 'e', 4, 64), "e") // 0.1 times a power is not exact
	m = strings.TrimRight(strings.TrimRight(m, "0"), ".")
	n, _ := strconv.Atoi(e)
	return m + "e" + strconv.Itoa(n)
}
