package input

import "strconv"

// ReadAssignments reads partitions of n vertices and returns the side of each vertex, 0 or 1. A file has one partition,
// or one on each line. Entries are 0 and 1, -1 and 1, or 1 and 2. The smaller number is side 0; if there are only 1s,
// they are side 1. Entries are separated by blanks, commas or line ends; 0s and 1s need no separator. Blank lines and
// lines that begin with # or % are skipped. A fault is an *Error.
func ReadAssignments(path string, n int) ([][]uint8, error) {
	src, err := FileSource(path)
	if err != nil {
		return nil, err
	}
	return assignments(src, n)
}

// assignment collects entries.
type assignment struct {
	*Scanner
	n        int
	sides    []uint8 // all entries; 2 is an entry "1" whose side is not known yet
	low      int     // the smaller of the two entries: 0, -1 or 1; 2: not known yet
	lowAt    struct{ line, col int }
	lines    int
	perLine  bool // every line so far has n entries
	lastLine int  // number of entries before the current line
}

func assignments(src Source, n int) ([][]uint8, error) {
	t, err := src.Text()
	if err != nil {
		return nil, err
	}
	defer t.Close()
	a := &assignment{Scanner: NewScanner(t, src.Name), n: n, low: 2, perLine: true}
	a.Whole, a.Commas = true, true
	for {
		kind, word, err := a.Next()
		switch {
		case err != nil:
			return nil, err
		case kind == EndText:
			return a.split()
		case kind == EndLine:
			a.lines++
			a.perLine = a.perLine && len(a.sides)-a.lastLine == n
			a.lastLine = len(a.sides)
			continue
		}
		if err := a.word(word); err != nil {
			return nil, err
		}
		if len(a.sides) > n && !a.perLine || len(a.sides)-a.lastLine > n {
			return nil, a.tooMany(a.Col)
		}
	}
}

// word adds one entry, or a run of 0s and 1s.
func (a *assignment) word(word []byte) error {
	if len(word) == 1 {
		return a.entry(int(word[0])-'0', word, a.Col)
	}
	for i, c := range word {
		if c != '0' && c != '1' {
			return a.number(word, i)
		}
	}
	col := a.Col
	for i, c := range word {
		if err := a.entry(int(c-'0'), word[i:i+1], col+i); err != nil {
			return err
		}
		if len(a.sides)-a.lastLine > a.n {
			return a.tooMany(col + i)
		}
	}
	return nil
}

func (a *assignment) tooMany(col int) error {
	return a.Fail(col, "more than the %d entries of one point, one for each vertex. Remove the rest.", a.n)
}

// number adds an entry that is not a single digit: -1, +1, 1.0. bad is the index of
// the first byte of word that is neither 0 nor 1.
func (a *assignment) number(word []byte, bad int) error {
	v, err := strconv.ParseFloat(string(word), 64)
	if err == nil && (v == -1 || v == 0 || v == 1 || v == 2) {
		return a.entry(int(v), word, a.Col)
	}
	if bad > 1 {
		return a.Fail(a.Col+bad, "%s in a row of 0s and 1s. Write 0 or 1 for each vertex.",
			Shown(word[bad:bad+1]))
	}
	return a.entry(9, word, a.Col)
}

func (a *assignment) entry(v int, word []byte, col int) error {
	var low int
	switch v {
	case 0:
		low = 0
	case -1:
		low = -1
	case 2:
		low = 1
	case 1:
		a.sides = append(a.sides, 2)
		return nil
	default:
		return a.Fail(col, "%s is not a side. Write 0 and 1, -1 and 1, or 1 and 2 for the vertices.", Shown(word))
	}
	if a.low == 2 {
		a.low = low
		a.lowAt.line, a.lowAt.col = a.Line, col
	} else if a.low != low {
		seen := map[int]string{0: "0", -1: "-1", 1: "2"}[a.low]
		return a.Fail(col, "%s where %s was in line %d, column %d. Write 0 and 1, -1 and 1, or 1 and 2, not a mixture.",
			Shown(word), seen, a.lowAt.line, a.lowAt.col)
	}
	a.sides = append(a.sides, uint8(min(max(v, 0), 1))) // 2 is side 1
	return nil
}

// split splits the entries into points.
func (a *assignment) split() ([][]uint8, error) {
	if len(a.sides) == 0 {
		return nil, a.Fail(a.Col, "no entries. Write 0 or 1 for each of %d vertices.", a.n)
	}
	one := uint8(1)
	if a.low == 1 {
		one = 0 // the entries are 1 and 2
	}
	for i, v := range a.sides {
		if v == 2 {
			a.sides[i] = one
		}
	}
	if !a.perLine && len(a.sides) != a.n || len(a.sides)%a.n != 0 {
		return nil, a.Fail(a.Col, "%d of %d entries, one for each vertex. Complete them.", len(a.sides), a.n)
	}
	var points [][]uint8
	for s := a.sides; len(s) > 0; s = s[a.n:] {
		points = append(points, s[:a.n:a.n])
	}
	return points, nil
}

// ReadBest reads a file with one number, the best known value (".bkv").
func ReadBest(path string) (float64, error) {
	src, err := FileSource(path)
	if err != nil {
		return 0, err
	}
	t, err := src.Text()
	if err != nil {
		return 0, err
	}
	defer t.Close()
	s := NewScanner(t, src.Name)
	var v float64
	for fields := 0; ; {
		kind, word, err := s.Next()
		switch {
		case err != nil:
			return 0, err
		case kind == EndText && fields == 0:
			return 0, s.Fail(s.Col, "no number. Write the best known value.")
		case kind == EndText:
			return v, nil
		case kind == EndLine:
			continue
		case fields == 1:
			return 0, s.Fail(s.Col, "%s is one word too many. Write the best known value and nothing else.",
				Shown(word))
		}
		fields++
		w, digits, bad := Exact(word)
		if bad != nil {
			return 0, s.Fail(s.Col, "%s %v.", Shown(word), bad)
		}
		v, _ = Ratio(w, digits).Float64()
	}
}
