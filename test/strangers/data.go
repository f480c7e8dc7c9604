package main

import (
	"bufio"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/rng"
)

//go:embed objectives
var objectives embed.FS

// data makes the data of the objectives that have some. Each has random numbers of its own.
var data = []struct {
	name string
	make func(d *draws, to *folder)
}{
	{"logit", logit}, {"robust", robust}, {"portfolio", portfolio}, {"image", image}, {"spline", spline},
	{"turned", turned}, {"rounded", rounded}, {"waves", waves}, {"order", order}, {"factors", factors},
	{"sensors", sensors}, {"net", net}, {"kmeans", kmeans}, {"ridge", ridge},
}

// writeObjectives writes all objectives with their data to a folder.
func writeObjectives(dir string) error {
	text, err := fs.Sub(objectives, "objectives")
	if err != nil {
		return err
	}
	to := &folder{dir: dir, err: os.MkdirAll(dir, 0o777)}
	names, err := fs.Glob(text, "*.cl")
	for _, name := range names {
		b, err := fs.ReadFile(text, name)
		to.add(err, os.WriteFile(filepath.Join(dir, name), b, 0o666))
	}
	for i, d := range data {
		d.make(&draws{key: rng.Key{Seed: uint32(i + 1)}}, to)
	}
	to.add(err)
	return to.err
}

// folder is a folder to which data are written, with all errors so far.
type folder struct {
	dir string
	err error
}

func (f *folder) add(errs ...error) { f.err = errors.Join(f.err, errors.Join(errs...)) }

// write writes a file by means of fill.
func (f *folder) write(name string, fill func(w *bufio.Writer)) {
	file, err := os.Create(filepath.Join(f.dir, name))
	if err != nil {
		f.add(err)
		return
	}
	w := bufio.NewWriter(file)
	fill(w)
	f.add(w.Flush(), file.Close())
}

// table writes a table of numbers, one row after the other.
func (f *folder) table(name string, columns int, values []float64) {
	f.write(name, func(w *bufio.Writer) {
		npy := input.NewNpyWriter(w, len(values)/columns, columns)
		for _, v := range values {
			npy.Write(v) // the buffer keeps the error
		}
	})
}

// lists writes a line of variables for each component.
func (f *folder) lists(name string, lists [][]int) {
	f.write(name, func(w *bufio.Writer) {
		for _, list := range lists {
			for _, i := range list {
				fmt.Fprint(w, i, " ")
			}
			fmt.Fprintln(w)
		}
	})
}

// logit writes the data of a logistic regression: rows of numbers, each multiplied by its label, 1 or -1. The labels
// follow from weights, of which a fifth is not 0.
func logit(d *draws, to *folder) {
	const rows, weights = 800, 300
	weight := many(weights, func() float64 {
		if d.uniform(0, 1) < 0.2 {
			return d.normal()
		}
		return 0
	})
	var a []float64
	for range rows {
		row := many(weights, d.normal)
		if d.uniform(0, 1) > 1/(1+math.Exp(-dot(row, weight))) {
			for i := range row {
				row[i] = -row[i]
			}
		}
		a = append(a, row...)
	}
	to.table("logit.npy", weights, a)
}

// robust writes sparse rows with their right sides, of which 15 % are far off.
func robust(d *draws, to *folder) {
	const unknowns, rows = 3000, 9000
	x := many(unknowns, func() float64 { return d.uniform(-3, 3) })
	var a []float64
	var lists [][]int
	for range rows {
		list, row := d.choose(unknowns, 3), many(3, d.normal)
		right := 0.05 * d.normal()
		for j, i := range list {
			right += float64(row[j] * x[i])
		}
		if d.uniform(0, 1) < 0.15 {
			right += 10 * d.normal()
		}
		a, lists = append(append(a, row...), right), append(lists, list)
	}
	to.table("robust.npy", 4, a)
	to.lists("robust.txt", lists)
}

// portfolio writes, for each stock, its ten factors, its expected gain and its own risk.
func portfolio(d *draws, to *folder) {
	const stocks, factors = 2000, 10
	gain := many(factors, func() float64 { return 0.05 * d.normal() })
	var a []float64
	for range stocks {
		row := many(factors, func() float64 { return 0.3 * d.normal() })
		mean := 0.05 + d.uniform(0, 0.1) + dot(row, gain)
		a = append(append(a, row...), mean, d.uniform(0.01, 0.21))
	}
	to.table("portfolio.npy", factors+2, a)
}

// image writes a disc and a rectangle with noise.
func image(d *draws, to *folder) {
	const size = 150
	var a []float64
	for y := range size {
		for x := range size {
			light := 0.1 * d.normal()
			switch {
			case y >= 90 && y < 130 && x >= 80 && x < 140:
				light += 0.4
			case (y-60)*(y-60)+(x-70)*(x-70) < 1600:
				light += 0.8
			}
			a = append(a, light)
		}
	}
	to.table("image.npy", size, a)
}

// spline writes 20 noisy points of a sine whose frequency rises, for each interval: the place within the interval and
// the value.
func spline(d *draws, to *folder) {
	const n, points = 1000, 20
	var a []float64
	for k := range n - 3 {
		for range points {
			place := d.uniform(0, 1)
			z := (float64(k) + place) / n
			a = append(a, place, math.Sin(20*z*z)+0.1*d.normal())
		}
	}
	to.table("spline.npy", 2, a)
}

// turned writes a rotation for each group of eight variables, the variables of the groups, and the lowest point.
func turned(d *draws, to *folder) {
	const groups, size = 60, 8
	var q []float64
	var lists [][]int
	for list := range slices.Chunk(d.shuffled(groups*size), size) {
		slices.Sort(list)
		q, lists = append(q, d.rotation(size)...), append(lists, list)
	}
	to.table("turned.npy", size, q)
	to.table("turned-shift.npy", 1, many(groups*size, func() float64 { return d.uniform(-3, 3) }))
	to.lists("turned.txt", lists)
}

// rounded writes sums of four integers each, and which ones they are.
func rounded(d *draws, to *folder) {
	const n, rows = 300, 450
	x := many(n, func() float64 { return float64(d.below(41) - 20) })
	var b []float64
	var lists [][]int
	for range rows {
		list, sum := d.choose(n, 4), 0.0
		for _, i := range list {
			sum += x[i]
		}
		b, lists = append(b, sum), append(lists, list)
	}
	to.table("rounded.npy", 1, b)
	to.lists("rounded.txt", lists)
}

// waves writes three waves of a component: their frequencies in each of four variables, then their phases.
func waves(d *draws, to *folder) {
	const n = 400
	var a []float64
	var lists [][]int
	for k := range n {
		list := []int{k}
		for len(list) < 4 {
			if i := d.below(n); !slices.Contains(list, i) {
				list = append(list, i)
			}
		}
		slices.Sort(list)
		a = append(append(a, many(12, func() float64 { return 2 * d.normal() })...),
			many(3, func() float64 { return d.uniform(0, 2*math.Pi) })...)
		lists = append(lists, list)
	}
	to.table("waves.npy", 15, a)
	to.lists("waves.txt", lists)
}

// order writes a rising line with noise.
func order(d *draws, to *folder) {
	const n = 400
	var y []float64
	for k := range n {
		y = append(y, d.normal()-3+6*float64(k)/(n-1))
	}
	to.table("order.npy", 1, y)
}

// factors writes 35 % of the elements of a matrix of rank 4, and the variables of the row and the column of each.
func factors(d *draws, to *folder) {
	const rows, columns, rank = 80, 60, 4
	x := many((rows+columns)*rank, d.normal)
	of := func(i int) (list []int) { // the variables of row i, or of column i - rows
		for c := range rank {
			list = append(list, rank*i+c)
		}
		return list
	}
	var b []float64
	var lists [][]int
	for i := range rows {
		for j := rows; j < rows+columns; j++ {
			if d.uniform(0, 1) < 0.35 {
				b = append(b, dot(x[rank*i:rank*i+rank], x[rank*j:rank*j+rank]))
				lists = append(lists, append(of(i), of(j)...))
			}
		}
	}
	to.table("factors.npy", 1, b)
	to.lists("factors.txt", lists)
}

// sensors writes the distances of near sensors from each other, then those from anchors with the places of these.
func sensors(d *draws, to *folder) {
	const sensors, anchors = 150, 12
	place := func() float64 { return d.uniform(0, 1) }
	x, fixed := many(2*sensors, place), many(2*anchors, place)
	distance := func(a, b []float64) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }
	var a []float64
	var lists [][]int
	for i := range sensors {
		for j := range i {
			if r := distance(x[2*i:], x[2*j:]); r < 0.16 {
				a, lists = append(a, r, 0, 0), append(lists, []int{2 * j, 2*j + 1, 2 * i, 2*i + 1})
			}
		}
	}
	for i := range sensors {
		for anchor := range slices.Chunk(fixed, 2) {
			if r := distance(x[2*i:], anchor); r < 0.2 {
				a, lists = append(a, r, anchor[0], anchor[1]), append(lists, []int{2 * i, 2*i + 1})
			}
		}
	}
	to.table("sensors.npy", 3, a)
	to.lists("sensors.txt", lists)
}

// net writes points of a function of two variables, and its values there.
func net(d *draws, to *folder) {
	var a []float64
	for range 150 {
		x, y := d.uniform(-2, 2), d.uniform(-2, 2)
		a = append(a, x, y, math.Sin(2*x)*math.Cos(1.5*y))
	}
	to.table("net.npy", 3, a)
}

// kmeans writes points around twelve centres.
func kmeans(d *draws, to *folder) {
	const clusters, points = 12, 600
	centre := many(2*clusters, func() float64 { return d.uniform(-8, 8) })
	var a []float64
	for range points {
		c := centre[2*d.below(clusters):]
		a = append(a, c[0]+0.6*d.normal(), c[1]+0.6*d.normal())
	}
	to.table("kmeans.npy", 2, a)
}

// ridge writes rows of five coefficients and a right side, and the columns of the coefficients.
func ridge(d *draws, to *folder) {
	const unknowns, rows = 3000, 6000
	var a, columns []float64
	for range rows {
		columns = append(columns, many(5, func() float64 { return float64(d.below(unknowns)) })...)
		a = append(a, many(6, d.normal)...)
	}
	to.table("ridge-columns.npy", 5, columns)
	to.table("ridge.npy", 6, a)
}
