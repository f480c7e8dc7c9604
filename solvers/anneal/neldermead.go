package anneal

import (
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
)

// nelderMead is the method of Nelder and Mead with the standard coefficients. The first simplex is x and x + s e_i,
// where s is two thousandths of the interval. It ends after 100 n steps without improvement. It makes the evaluations
// of gonum's package optimize, with the same bits.
type nelderMead struct {
	Best     found
	Move     simplexMove
	Next     []float64   // the point that is evaluated
	Vertex   int         // that it belongs to, in a start or a shrink
	Vertices [][]float64 // by value, after the start
	Values   []float64   // of the vertices
	Centroid []float64   // of all vertices but the last
	// Reflected is the point of the latest reflection, and ReflectedF its value.
	Reflected  []float64
	ReflectedF float64
	Progress   progress
}

// simplexMove says what the point is that is evaluated.
type simplexMove uint8

const (
	simplexStart   simplexMove = iota // a vertex of the first simplex
	simplexAgain                      // the first vertex once more
	simplexReflect                    // the worst vertex, reflected at the centroid
	simplexExpand                     // twice as far
	simplexOutside                    // half as far
	simplexInside                     // halfway from the worst vertex to the centroid
	simplexShrink                     // a vertex on its way to the best one
	simplexEnded
)

// scales are the distances from the centroid, as parts of that of the worst vertex on the other side.
var scales = map[simplexMove]float64{simplexReflect: 1, simplexExpand: 2, simplexOutside: 0.5, simplexInside: -0.5}

// newNelderMead begins at the best point so far.
func newNelderMead(f found, lo, hi []float64) asker {
	n := len(f.X)
	m := &nelderMead{Best: f, Next: slices.Clone(f.X), Vertices: [][]float64{slices.Clone(f.X)},
		Values: make([]float64, n+1), Centroid: make([]float64, n), Reflected: make([]float64, n)}
	for i := range n {
		y := slices.Clone(f.X)
		s := 0.002 * (hi[i] - lo[i])
		if y[i]+s > hi[i] {
			s = -s
		}
		y[i] += s
		m.Vertices = append(m.Vertices, y)
	}
	return m
}

func (m *nelderMead) found() *found { return &m.Best }

func (m *nelderMead) fits(n int) bool {
	if len(m.Best.X) != n || len(m.Next) != n || len(m.Vertices) != n+1 || len(m.Values) != n+1 ||
		len(m.Centroid) != n || len(m.Reflected) != n || m.Move > simplexEnded || m.Vertex < 0 || m.Vertex > n {
		return false
	}
	return !slices.ContainsFunc(m.Vertices, func(v []float64) bool { return len(v) != n })
}

func (m *nelderMead) ask() ([]float64, bool) {
	if m.Move == simplexEnded {
		return nil, false
	}
	return m.Next, false
}

func (m *nelderMead) tell(f float64, _ []float64) {
	n := len(m.Next)
	switch m.Move {
	case simplexStart:
		m.Values[m.Vertex] = f
		if m.Vertex++; m.Vertex <= n {
			copy(m.Next, m.Vertices[m.Vertex])
			return
		}
		m.Vertex = 0
		copy(m.Next, m.Vertices[0])
		m.Move = simplexAgain
	case simplexAgain:
		m.ended(f)
		m.order()
	case simplexReflect:
		m.ReflectedF = f
		copy(m.Reflected, m.Next)
		switch {
		case f >= m.Values[0] && f < m.Values[n-1]:
			m.replace(m.Next, f)
		case f < m.Values[0]:
			m.move(simplexExpand)
		case f < m.Values[n]:
			m.move(simplexOutside)
		default:
			m.move(simplexInside)
		}
	case simplexExpand:
		if f < m.ReflectedF {
			m.replace(m.Next, f)
		} else {
			m.replace(m.Reflected, m.ReflectedF)
		}
	case simplexOutside, simplexInside:
		if m.Move == simplexOutside && f <= m.ReflectedF || m.Move == simplexInside && f < m.Values[n] {
			m.replace(m.Next, f)
			return
		}
		m.shrink(1)
	case simplexShrink:
		copy(m.Vertices[m.Vertex], m.Next)
		m.Values[m.Vertex] = f
		if m.Vertex < n {
			m.shrink(m.Vertex + 1)
			return
		}
		m.order()
	}
}

// ended reports whether the method has ended, at the value f of the best vertex.
func (m *nelderMead) ended(f float64) bool { return m.Progress.ended(f, 1e-14, 100*len(m.Next)) }

// step begins a step with a reflection, unless the method has ended.
func (m *nelderMead) step() {
	if m.ended(m.Values[0]) {
		m.Move = simplexEnded
		return
	}
	m.move(simplexReflect)
}

// move asks for a point on the line through the worst vertex and the centroid.
func (m *nelderMead) move(to simplexMove) {
	m.Move = to
	floats.SubTo(m.Next, m.Centroid, m.Vertices[len(m.Next)])
	floats.Scale(scales[to], m.Next)
	floats.Add(m.Next, m.Centroid)
}

// shrink asks for a vertex halfway to the best one.
func (m *nelderMead) shrink(vertex int) {
	m.Move, m.Vertex = simplexShrink, vertex
	floats.SubTo(m.Next, m.Vertices[vertex], m.Vertices[0])
	floats.Scale(0.5, m.Next)
	floats.Add(m.Next, m.Vertices[0])
}

// order sorts the vertices, computes the centroid and begins a step.
func (m *nelderMead) order() {
	sort.Sort(byValue{m})
	clear(m.Centroid)
	n := len(m.Next)
	for _, v := range m.Vertices[:n] {
		for j, w := range v {
			m.Centroid[j] += w
		}
	}
	for j := range m.Centroid {
		m.Centroid[j] /= float64(n)
	}
	m.step()
}

// byValue sorts the vertices of a simplex.
type byValue struct{ *nelderMead }

func (s byValue) Len() int           { return len(s.Values) }
func (s byValue) Less(i, j int) bool { return s.Values[i] < s.Values[j] }
func (s byValue) Swap(i, j int) {
	s.Values[i], s.Values[j] = s.Values[j], s.Values[i]
	s.Vertices[i], s.Vertices[j] = s.Vertices[j], s.Vertices[i]
}

// replace puts x in the place of the worst vertex and begins a step.
func (m *nelderMead) replace(x []float64, f float64) {
	n := len(x)
	copy(m.Vertices[n], x)
	m.Values[n] = f
	for i := n - 1; i >= 0 && !(m.Values[i] < f); i-- {
		byValue{m}.Swap(i, i+1)
	}
	floats.AddScaled(m.Centroid, -1/float64(n), m.Vertices[n])
	floats.AddScaled(m.Centroid, 1/float64(n), x)
	m.step()
}
