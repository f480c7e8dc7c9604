package plot

import (
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/clopt/clopt/solvers/runs"
)

// The size of a panel, and the resolution of a png.
const (
	panelWidth  = 16 * vg.Centimeter
	panelHeight = 11 * vg.Centimeter
	margin      = vg.Centimeter / 3
	resolution  = 150 // dots per inch
)

// Draw writes the panels to a file, in a grid about as wide as it is high. The format is png if the name ends in .png,
// otherwise svg.
func Draw(panels []Panel, out string) error {
	columns := int(math.Ceil(math.Sqrt(float64(len(panels)))))
	rows := (len(panels) + columns - 1) / columns
	width, height := vg.Length(columns)*panelWidth, vg.Length(rows)*panelHeight
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	if strings.EqualFold(filepath.Ext(out), ".png") {
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(resolution))}
	} else {
		canvas = vgsvg.New(width, height)
	}
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: vg.Centimeter / 2, PadY: vg.Centimeter / 2,
		PadTop: margin, PadBottom: margin, PadLeft: margin, PadRight: margin}
	all := draw.New(canvas)
	for i, p := range panels {
		picture, err := p.picture()
		if err != nil {
			return err
		}
		picture.Draw(tiles.At(all, i%columns, i/columns))
	}
	_, err := runs.WriteWhole(out, func(w io.Writer) error {
		_, err := canvas.WriteTo(w)
		return err
	})
	return err
}

// picture draws one panel: first the bands, then the lines, with marks if a line has few points.
func (p Panel) picture() (*plot.Plot, error) {
	pl := plot.New()
	pl.Title.Text = p.title
	pl.X.Label.Text, pl.Y.Label.Text = p.x, p.y
	if p.logX {
		pl.X.Scale, pl.X.Tick.Marker = plot.LogScale{}, logTicks{}
	}
	if p.logY {
		pl.Y.Scale, pl.Y.Tick.Marker = plot.LogScale{}, logTicks{}
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{230}, color.Gray{230}
	pl.Add(grid)
	for i, s := range p.Series {
		if s.lo == nil {
			continue
		}
		band, err := plotter.NewPolygon(s.band())
		if err != nil {
			return nil, err
		}
		r, g, b, _ := plotutil.Color(i).RGBA()
		band.Color = color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 60}
		band.LineStyle.Width = 0
		pl.Add(band)
	}
	for i, s := range p.Series {
		line, err := plotter.NewLine(s.points())
		if err != nil {
			return nil, err
		}
		line.LineStyle = draw.LineStyle{Color: plotutil.Color(i), Width: vg.Points(1.5),
			Dashes: plotutil.Dashes(i / len(plotutil.DefaultColors))}
		if s.dashed {
			line.LineStyle.Color, line.LineStyle.Width, line.LineStyle.Dashes = color.Gray{120}, vg.Points(1),
				[]vg.Length{vg.Points(4), vg.Points(3)}
		}
		pl.Add(line)
		if s.dashed || len(s.x) > 12 {
			pl.Legend.Add(s.name, line)
			continue
		}
		marks, err := plotter.NewScatter(s.points())
		if err != nil {
			return nil, err
		}
		marks.GlyphStyle = draw.GlyphStyle{Color: plotutil.Color(i), Radius: vg.Points(3), Shape: plotutil.Shape(i)}
		pl.Add(marks)
		pl.Legend.Add(s.name, line, marks)
	}
	pl.Legend.TextStyle.Font.Size = vg.Points(9)
	p.widen(pl)
	pl.Legend.Top, pl.Legend.Left = p.emptiest(pl)
	return pl, nil
}

// emptiest returns the corner for the legend: the one where curves are seldom (errors fall, speeds rise) if it is free,
// otherwise the one that fewest points cross.
func (p Panel) emptiest(pl *plot.Plot) (top, left bool) {
	crossed := func(top, left bool) (n int) {
		for _, s := range p.Series {
			for i := range s.x {
				const steps = 20 // points on the line from the last point to this one
				for k := range steps {
					x, y := pl.X.Norm(s.x[i]), pl.Y.Norm(s.y[i])
					if i > 0 {
						part := float64(k) / steps
						x += part * (pl.X.Norm(s.x[i-1]) - x)
						y += part * (pl.Y.Norm(s.y[i-1]) - y)
					}
					if top {
						y = 1 - y
					}
					if !left {
						x = 1 - x
					}
					if x < 0.25 && y < 0.05*float64(len(p.Series))+0.03 {
						n++
					}
				}
			}
		}
		return n
	}
	top, left = p.x == "devices", p.x != "variables"
	least := crossed(top, left)
	for _, c := range [][2]bool{{!top, left}, {top, !left}, {!top, !left}} {
		if n := crossed(c[0], c[1]); n < least {
			least, top, left = n, c[0], c[1]
		}
	}
	return top, left
}

// logTicks marks 1 to 9 times each power of ten. With several powers it labels only these; with few it also labels 2
// and 5, or every mark. If that gives fewer than two labels, the marks are those of a linear axis.
type logTicks struct{}

func (logTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	decades := math.Log10(high / low)
	every := math.Ceil(decades / 8) // every so many powers of ten are labelled
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for d := 1.0; d < 10; d++ {
			v := d * math.Pow(10, e)
			if v < low*(1-1e-9) || v > high*(1+1e-9) || d > 1 && every > 1 {
				continue
			}
			t := plot.Tick{Value: v}
			if d == 1 && math.Mod(e, every) == 0 || (d == 2 || d == 5) && decades < 2 || decades < 0.7 {
				t.Label = tickLabel(v)
			}
			ticks = append(ticks, t)
		}
	}
	labels := 0
	for _, t := range ticks {
		if t.Label != "" {
			labels++
		}
	}
	if labels < 2 {
		ticks = plot.DefaultTicks{}.Ticks(low, high)
		for i, t := range ticks {
			if t.Label != "" {
				ticks[i].Label = tickLabel(t.Value)
			}
		}
	}
	return ticks
}

// tickLabel writes a number for an axis: 200, 2e5, 1e-7.
func tickLabel(v float64) string {
	if v >= 0.01 && v < 1e5 {
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
	}{{&pl.X, p.logX}, {&pl.Y, p.logY}} {
		if a.axis.Max-a.axis.Min > 1e-9*math.Abs(a.axis.Max) {
			continue
		}
		if a.log {
			a.axis.Min, a.axis.Max = a.axis.Min/2, a.axis.Max*2
		} else {
			a.axis.Min, a.axis.Max = a.axis.Min-1, a.axis.Max+1
		}
	}
}

func (s series) points() plotter.XYs {
	xy := make(plotter.XYs, len(s.x))
	for i := range s.x {
		xy[i] = plotter.XY{X: s.x[i], Y: s.y[i]}
	}
	return xy
}

// band returns the outline of the band between lo and hi.
func (s series) band() plotter.XYs {
	var xy plotter.XYs
	for i := range s.x {
		xy = append(xy, plotter.XY{X: s.x[i], Y: s.lo[i]})
	}
	for i := len(s.x) - 1; i >= 0; i-- {
		xy = append(xy, plotter.XY{X: s.x[i], Y: s.hi[i]})
	}
	return xy
}
