package problems

import (
	"cmp"
	"fmt"
	"slices"
)

// grid is a grid of cells in up to three dimensions. Its zero value is no grid.
type grid struct {
	size  [3]int   // planes, rows of a plane, cells of a row
	steps [][3]int // each of -1, 0 or 1, from a cell to a variable that its component reads, by their numbers
}

// Grid returns the structure of one variable and one component for each cell of a grid of size[0] planes with size[1]
// rows of size[2] cells. Cell k is in the order of the planes, of the rows, and in the row. Component k reads the
// variables of the cells at the given steps from cell k, as far as they are inside the grid. A step is -1, 0 or 1 in
// each direction. It panics for other steps and where a size is below 1.
func Grid(size [3]int, steps ...[3]int) Structure {
	if min(size[0], size[1], size[2]) < 1 || len(steps) == 0 {
		panic("problems: a grid needs cells and steps")
	}
	for _, step := range steps {
		if slices.Min(step[:]) < -1 || slices.Max(step[:]) > 1 {
			panic("problems: a step of a grid is -1, 0 or 1 in each direction")
		}
	}
	g := grid{size: size, steps: slices.Clone(steps)}
	// In an order in which the neighbours of every cell increase.
	slices.SortFunc(g.steps, func(a, b [3]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1], a[2]-b[2]) })
	g.steps = slices.Compact(g.steps)
	n := size[0] * size[1] * size[2]
	return Structure{n: n, m: n, grid: g, memo: new(memo)}
}

// offset returns the difference of the numbers of two cells at a step.
func (g grid) offset(step [3]int) int { return (step[0]*g.size[1]+step[1])*g.size[2] + step[2] }

// from returns the cell at sign times a step from cell i, if it is inside the grid.
func (g grid) from(i int, step [3]int, sign int) (cell int, inside bool) {
	at := [3]int{i / g.size[2] / g.size[1], i / g.size[2] % g.size[1], i % g.size[2]}
	for a := range at {
		at[a] += sign * step[a]
		if at[a] < 0 || at[a] >= g.size[a] {
			return 0, false
		}
	}
	return i + sign*g.offset(step), true
}

// meanTouched returns the mean number of components that read a variable.
func (g grid) meanTouched() float64 {
	mean := 0.0
	for _, step := range g.steps {
		share := 1.0
		for a, size := range g.size {
			share *= float64(size-max(step[a], -step[a])) / float64(size)
		}
		mean += share
	}
	return mean
}

// Grid returns the arguments of Grid, steps in the order of the cells that they lead to; ok is false for another
// structure.
func (s Structure) Grid() (size [3]int, steps [][3]int, ok bool) {
	return s.grid.size, s.grid.steps, s.grid.steps != nil
}

// gridClasses is the number of classes of cells: at the lower and at the upper end of each direction, or not.
const gridClasses = 64

// GridClass returns the class of cell i as an expression in OpenCL C, and false for other structures than grids. Cells
// of a class have the same neighbours.
func (s Structure) GridClass(i string) (expression string, ok bool) {
	if s.grid.steps == nil {
		return "", false
	}
	z := s.grid.size[0]
	y := s.grid.size[1]
	x := s.grid.size[2]
	for a, at := range []string{fmt.Sprintf("(%s) / %du", i, x*y), fmt.Sprintf("(%s) / %du %% %du", i, x, y),
		fmt.Sprintf("(%s) %% %du", i, x)} {
		if a > 0 {
			expression += " | "
		}
		expression += fmt.Sprintf("(%s == 0u) << %d | (%s == %du) << %d", at, 2*a, at, []int{z, y, x}[a]-1, 2*a+1)
	}
	return "(" + expression + ")", true
}

// classes returns, for each class c of cells, the offsets modulo 2^32 of those steps that lead into the grid with the
// sign: offsets[start[c]:start[c+1]], so that cell i + sign*offset increases.
func (g grid) classes(sign int) (offsets, start []uint32) {
	start = []uint32{0}
	steps := slices.Clone(g.steps)
	if sign < 0 {
		slices.Reverse(steps)
	}
	for c := range gridClasses {
		for _, step := range steps {
			inside := true
			for a, d := range step {
				end := 1 << (2 * a) // the lower end
				if sign*d > 0 {
					end <<= 1
				}
				inside = inside && (d == 0 || c&end == 0)
			}
			if inside {
				offsets = append(offsets, uint32(g.offset(step)))
			}
		}
		start = append(start, uint32(len(offsets)))
	}
	return offsets, start
}

// GridTables returns the offsets of the variables that components of a grid read: component k reads variable k+o,
// modulo 2^32, for each o of reads[start[c]:start[c+1]] with the class c of cell k. ok is false for other structures.
func (s Structure) GridTables() (reads, start []uint32, ok bool) {
	if s.grid.steps == nil {
		return nil, nil, false
	}
	reads, start = s.grid.classes(1)
	return reads, start, true
}
