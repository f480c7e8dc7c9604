package readers

import (
	"slices"
	"strconv"
)

// vertices are those that a text names, by words. Whole numbers are kept in a table; other words in a map.
type vertices struct {
	most    int      // numbers from here on are names
	numbers []uint32 // of each number: 0, or 1 and then the vertex
	byName  map[string]uint32
	names   []string // of the vertices that are no numbers, in the order of their first mention
	n       int
}

func newVertices(most int) *vertices { return &vertices{most: most, byName: map[string]uint32{}} }

// see notes that the text names a vertex.
func (s *vertices) see(w []byte) {
	if v, ok := whole(w); ok && v < s.most {
		if v >= len(s.numbers) {
			s.numbers = append(s.numbers, make([]uint32, v+1-len(s.numbers))...)
		}
		s.numbers[v] = 1
		return
	}
	if _, known := s.byName[string(w)]; !known {
		s.byName[string(w)] = uint32(len(s.names))
		s.names = append(s.names, string(w))
	}
}

// has reports whether see was called with a word.
func (s *vertices) has(w []byte) bool {
	if v, ok := whole(w); ok && v < s.most {
		return v < len(s.numbers) && s.numbers[v] > 0
	}
	_, known := s.byName[string(w)]
	return known
}

// arrange gives numbers to all vertices that the text names: first those that are numbers, in their order. If they are
// 0 to n-1 or 1 to n, for an n that the text may give, names is nil, and base is the first one.
func (s *vertices) arrange(given int) (base int, names []string) {
	first, last, found := len(s.numbers), -1, 0
	for v, seen := range s.numbers {
		if seen > 0 {
			first, last, found = min(first, v), v, found+1
		}
	}
	if len(s.names) == 0 && first > 0 && last <= given { // also those that no edge has
		for v := 1; v <= given; v++ {
			s.see(strconv.AppendInt(nil, int64(v), 10))
		}
		first, last, found = 1, given, given
	}
	counted := len(s.names) == 0 && first <= 1 && last-first+1 == found
	if !counted {
		names = make([]string, 0, found+len(s.names))
	}
	for v, seen := range s.numbers {
		if seen > 0 {
			s.numbers[v] = uint32(s.n + 1)
			s.n++
			if !counted {
				names = append(names, strconv.Itoa(v))
			}
		}
	}
	for i, name := range s.names {
		s.byName[name] = uint32(s.n + i)
	}
	s.n += len(s.names)
	if counted {
		return first, nil
	}
	return 0, slices.Concat(names, s.names)
}

// of returns the vertex of a word that see was called with.
func (s *vertices) of(w []byte) int {
	if v, ok := whole(w); ok && v < s.most {
		return int(s.numbers[v]) - 1
	}
	return int(s.byName[string(w)])
}
