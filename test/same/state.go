package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// stateNumbers returns the numbers of a stored run without the names of sections and fields: the values of the host,
// and then the rows of each vector of the devices, joined from the columns of all shards. It leaves out the state of
// the run's loop and of the command, which contains times.
func stateNumbers(dir string) ([]byte, error) {
	_, host, err := sections(filepath.Join(dir, "host.ck"))
	if err != nil {
		return nil, err
	}
	values, err := afterList(host["state"])
	if err != nil {
		return nil, err
	}
	shards, err := filepath.Glob(filepath.Join(dir, "shard-*.ck"))
	if err != nil {
		return nil, err
	}
	var all [][][]byte // by shard and vector
	var rows []int     // by vector
	for _, name := range shards {
		names, vectors, err := sections(name)
		if err != nil {
			return nil, err
		}
		var cut struct{ Vectors []struct{ Rows int } }
		if err := json.Unmarshal(vectors["cut"], &cut); err != nil {
			return nil, err
		}
		names = slices.DeleteFunc(names, func(name string) bool { return name == "cut" })
		if len(names) != len(cut.Vectors) {
			return nil, fmt.Errorf("%d vectors, %d are announced", len(names), len(cut.Vectors))
		}
		var of [][]byte
		rows = rows[:0]
		for i, name := range names {
			of, rows = append(of, vectors[name]), append(rows, cut.Vectors[i].Rows)
		}
		all = append(all, of)
	}
	out := bytes.NewBuffer(values)
	for v := range rows {
		for row := range rows[v] {
			for _, of := range all {
				size := len(of[v]) / rows[v]
				out.Write(of[v][row*size : (row+1)*size])
			}
		}
	}
	return out.Bytes(), nil
}

// afterList returns the values of a struct, which come after the list of its fields.
func afterList(b []byte) ([]byte, error) {
	if len(b) < 4 || int(binary.LittleEndian.Uint32(b)) > len(b)-4 {
		return nil, fmt.Errorf("%d bytes are too few for a state", len(b))
	}
	return slices.Clone(b[4+binary.LittleEndian.Uint32(b):]), nil
}

// sections reads a file of package checkpoint and ignores its check sums. It does not import that package, so that it
// keeps working while the package changes. The names are in the order of the file.
func sections(path string) (names []string, data map[string][]byte, err error) {
	const magic, head, block = 8 + 4, 16 + 8 + 4, 1 << 20
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	short := fmt.Errorf("%s: cut off", filepath.Base(path))
	data = map[string][]byte{}
	for at := magic; at+head <= len(b); {
		name := string(bytes.TrimRight(b[at:at+16], "\x00"))
		left := int(binary.LittleEndian.Uint64(b[at+16:]))
		at += head
		if name == "end" {
			return names, data, nil
		}
		names = append(names, name)
		for left > 0 {
			n := min(left, block)
			if at+n+4 > len(b) {
				return nil, nil, short
			}
			data[name] = append(data[name], b[at:at+n]...)
			at, left = at+n+4, left-n
		}
	}
	return nil, nil, short
}
