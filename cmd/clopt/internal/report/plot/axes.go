package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawings returns the panels with their axes. Axes that show the same have the same range, except those of OwnX and
// OwnY.
func (f Figure) drawings() (all []drawing, err error) {
	ranges := map[string][2]float64{}
	methods := slices.Clone(f.Methods)
	for _, p := range f.Panels {
		for _, name := range p.results() {
			if !slices.Contains(methods, name) {
				methods = append(methods, name)
			}
		}
	}
	for _, p := range f.Panels {
		p.methods = methods
		pl, err := p.axes()
		if err != nil {
			return nil, err
		}
		all = append(all, drawing{p, pl})
	}
	each := func(do func(name string, a *plot.Axis)) {
		for _, d := range all {
			if !d.OwnX {
				do(fmt.Sprint("x ", d.X, d.LogX), &d.plot.X)
			}
			if !d.OwnY {
				do(fmt.Sprint("y ", d.Y, d.LogY), &d.plot.Y)
			}
		}
	}
	each(func(name string, a *plot.Axis) {
		r, ok := ranges[name]
		if !ok {
			r = [2]float64{a.Min, a.Max}
		}
		ranges[name] = [2]float64{min(r[0], a.Min), max(r[1], a.Max)}
	})
	each(func(name string, a *plot.Axis) { a.Min, a.Max = ranges[name][0], ranges[name][1] })
	return all, nil
}

// axes returns a plot of the panel without its title and names: first the bands, then the lines, with marks if a line
// has few points.
func (p Panel) axes() (*plot.Plot, error) {
	pl := plot.New()
	pl.BackgroundColor = nil
	pl.X.Label.Text = p.X
	for _, axis := range []*plot.Axis{&pl.X, &pl.Y} {
		axis.Label.TextStyle.Font.Size, axis.Tick.Label.Font.Size = labelSize, smallSize
		axis.Label.TextStyle.Color, axis.Tick.Label.Color = reference, ink
		axis.LineStyle.Color, axis.Tick.Color = ink, ink
	}
	pl.X.Tick.Marker, pl.Y.Tick.Marker = linearTicks{p.WholeX}, linearTicks{}
	if p.LogX {
		pl.X.Scale, pl.X.Tick.Marker = plot.LogScale{}, logTicks{sparse: p.OwnX}
	}
	if p.FallingX {
		pl.X.Scale = plot.InvertedScale{Normalizer: pl.X.Scale}
	}
	if p.LogY {
		pl.Y.Scale, pl.Y.Tick.Marker = plot.LogScale{}, logTicks{}
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = gridInk, gridInk
	pl.Add(grid)
	for _, s := range p.Series {
		if s.Low == nil {
			continue
		}
		band, err := plotter.NewPolygon(s.band(p.Steps))
		if err != nil {
			return nil, err
		}
		band.Color = bandColor(p.number(s.Name))
		band.LineStyle.Width = 0
		pl.Add(band)
	}
	for _, s := range p.Series {
		if err := p.add(pl, s); err != nil {
			return nil, err
		}
	}
	p.widen(pl)
	if p.Share {
		pl.Y.Min, pl.Y.Max = 0, 1
	}
	return pl, nil
}

// logTicks marks 1 to 9 times each power of ten. With several powers it labels only these, about six of them; with few
// it also labels 2 and 5, or every mark if it is not sparse. If that gives fewer than two labels, the marks are those
// of a linear axis.
type logTicks struct{ sparse bool }

func (l logTicks) Ticks(low, high float64) []plot.Tick {
	decades := math.Log10(high / low)
	labelled := [][]float64{{1}, {1, 2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9}}
	switch {
	case decades < 0.7 && !l.sparse:
		labelled = labelled[2:]
	case decades < 1.6:
		labelled = labelled[1:]
	}
	for _, digits := range labelled {
		if ticks, labels := powers(low, high, digits); labels >= 2 {
			return ticks
		}
	}
	return linearTicks{}.Ticks(low, high)
}

// powers marks 1 to 9 times each power of ten, and labels the products with some digits, about six of the powers.
func powers(low, high float64, digits []float64) (ticks []plot.Tick, labels int) {
	every := math.Ceil(math.Log10(high/low) / 6) // every so many powers of ten are labelled
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for d := 1.0; d < 10; d++ {
			v := d * math.Pow(10, e)
			if v < low*(1-1e-9) || v > high*(1+1e-9) || d > 1 && every > 1 {
				continue
			}
			t := plot.Tick{Value: v}
			if math.Mod(e, every) == 0 && slices.Contains(digits, d) {
				t.Label = tickLabel(v)
				labels++
			}
			ticks = append(ticks, t)
		}
	}
	return ticks, labels
}

// linearTicks labels about five multiples of 1, 2 or 5 times a power of ten, and marks four places between two of them.
// With whole an axis counts, and has no places between 1 and 2.
type linearTicks struct{ whole bool }

// labelSteps is the number of steps between labels that an axis may have at most.
const labelSteps = 5

func (l linearTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/labelSteps)))
	for _, f := range []float64{1, 2, 5, 10} {
		if f*step*labelSteps >= (high-low)*(1-1e-9) {
			step *= f
			break
		}
	}
	between := 5.0 // steps of marks between labels
	if l.whole && step < 5 {
		step, between = max(step, 1), 1
	}
	for i := math.Ceil(low/step*between - 1e-9); i <= math.Floor(high/step*between+1e-9); i++ {
		t := plot.Tick{Value: i/between*step + 0} // not -0
		if math.Mod(i, between) == 0 {
			t.Label = tickLabel(t.Value)
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// labelledTicks are the ticks of another marker that have labels.
type labelledTicks struct{ plot.Ticker }

func (l labelledTicks) Ticks(low, high float64) []plot.Tick {
	return slices.DeleteFunc(l.Ticker.Ticks(low, high), func(t plot.Tick) bool { return t.Label == "" })
}

// labelGap is the smallest space between two labels side by side.
const labelGap = vg.Length(4)

// spaceLabels removes labels that would touch each other if the axes fill a canvas: it keeps every second one, or every
// third, until they are apart. The marks stay.
func (d drawing) spaceLabels(c draw.Canvas) {
	data := d.plot.DataCanvas(c)
	space := func(a *plot.Axis, length vg.Length, size func(label string) vg.Length) {
		ticks := a.Tick.Marker.Ticks(a.Min, a.Max)
		for every := 1; ; every++ {
			some := everyLabel(ticks, every)
			if every > len(ticks) || apart(some, func(t plot.Tick) (at, half vg.Length) {
				return length * vg.Length(a.Norm(t.Value)), size(t.Label) / 2
			}) {
				a.Tick.Marker = plot.ConstantTicks(some)
				return
			}
		}
	}
	style := d.plot.X.Tick.Label
	space(&d.plot.X, data.Max.X-data.Min.X, func(label string) vg.Length { return style.Width(label) + labelGap })
	space(&d.plot.Y, data.Max.Y-data.Min.Y, func(string) vg.Length { return smallSize })
}

// everyLabel returns ticks of which only the first labelled one, and every so many after it, keep their labels.
func everyLabel(ticks []plot.Tick, every int) []plot.Tick {
	ticks, n := slices.Clone(ticks), 0
	for i := range ticks {
		if ticks[i].Label == "" {
			continue
		}
		if n%every != 0 {
			ticks[i].Label = ""
		}
		n++
	}
	return ticks
}

// apart reports whether no two labels touch. place returns the middle of a label and half of its size.
func apart(ticks []plot.Tick, place func(plot.Tick) (at, half vg.Length)) bool {
	end, first := vg.Length(0), true
	slices.SortFunc(ticks, func(a, b plot.Tick) int {
		x, _ := place(a)
		y, _ := place(b)
		return cmp.Compare(x, y)
	})
	for _, t := range ticks {
		if t.Label == "" {
			continue
		}
		at, half := place(t)
		if !first && at-half < end {
			return false
		}
		end, first = at+half, false
	}
	return true
}

// tickLabel writes a number for an axis: 200, 2e4, 1e-7.
func tickLabel(v float64) string {
	if size := math.Abs(v); size == 0 || size >= 0.01 && size < 1e4 {
		return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64)
	}
	m, e, _ := strings.Cut(strconv.FormatFloat(v, 'e', 4, 64), "e") // 0.1 times a power is not exact
	m = strings.TrimRight(strings.TrimRight(m, "0"), ".")
	n, _ := strconv.Atoi(e)
	return m + "e" + strconv.Itoa(n)
}

// widen lengthens axes on which all values are equal. A logarithmic axis without length cannot be drawn.
func (p Panel) widen(pl *plot.Plot) {
	for _, a := range []struct {
		axis *plot.Axis
		log  bool
	}{{&pl.X, p.LogX}, {&pl.Y, p.LogY}} {
		if a.axis.Max-a.axis.Min > 1e-9*math.Abs(a.axis.Max) {
			continue
		}
		switch {
		case a.log:
			a.axis.Min, a.axis.Max = a.axis.Min/2, a.axis.Max*2
		case a.axis.Max == 0: // nothing shows less than 0 seconds
			a.axis.Max = 1
		default:
			a.axis.Min, a.axis.Max = a.axis.Min-1, a.axis.Max+1
		}
	}
}

// points returns the points of a line. With steps a value of a result holds until the next x.
func (s series) points(steps bool) plotter.XYs {
	return line(s.X, s.Y, steps && !s.Reference)
}

// line returns the points (x, y), with steps two for each after the first.
func line(x, y []float64, steps bool) (xy plotter.XYs) {
	for i := range x {
		if steps && i > 0 {
			xy = append(xy, plotter.XY{X: x[i], Y: y[i-1]})
		}
		xy = append(xy, plotter.XY{X: x[i], Y: y[i]})
	}
	return xy
}

// band returns the outline of the band between lo and hi.
func (s series) band(steps bool) plotter.XYs {
	back := line(s.X, s.High, steps)
	slices.Reverse(back)
	return append(line(s.X, s.Low, steps), back...)
}
