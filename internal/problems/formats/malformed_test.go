package formats

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/test/battery"
)

// malformed is a file called "g" and the error that it causes.
type malformed struct {
	read func(path string) error
	text string
	want string
}

func asGraph(path string) error { _, _, err := Read(path, graph.Sides, Options{}); return err }
func asQUBO(path string) error  { _, _, err := Read(path, graph.Bits, Options{}); return err }
func asIsing(path string) error { _, _, err := Read(path, graph.Spins, Options{}); return err }
func asSides(path string) error { _, err := input.ReadAssignments(path, 3); return err }
func asBest(path string) error  { _, err := input.ReadBest(path); return err }

// TestR1Graphs checks that every error has the place, the value seen and what to
// do, and that it comes at once.
func TestR1Graphs(t *testing.T) {
	count := battery.Begin(t)
	t.Chdir(t.TempDir())
	all := slices.Concat(malformedGraphs, malformedOthers, malformedFormats, malformedByHand, malformedReaders)
	for _, c := range all {
		if err := os.WriteFile("g", []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		err := c.read("g")
		if e, ok := err.(*input.Error); !ok || e.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
		if d := time.Since(start); d > time.Second {
			t.Errorf("%q: %v", c.text, d)
		}
		count.Count(!t.Failed())
	}
	if len(all) < 200 {
		t.Errorf("%d malformed files", len(all))
	}
	dir := t.TempDir()
	for path, want := range map[string]string{
		dir: "is a folder", filepath.Join(dir, "none.txt"): "none.txt: error: no such file",
		os.DevNull: "is not a regular file",
	} {
		for _, read := range []func(string) error{asGraph, asQUBO, asIsing, asSides, asBest} {
			if err := read(path); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

var malformedGraphs = []malformed{
	{asGraph, "", "g:1:1: error: is empty."},
	{asGraph, "\n\n", "g:3:1: error: no header. Begin with the numbers of vertices and edges, \"n m\"."},
	{asGraph, "# nothing\nc\n% no\n", "g:4:1: error: no header. Begin with the numbers of vertices and edges, \"n " +
		"m\"."},
	{asGraph, "3\n1 2 1\n",
		"g:1:2: error: the header ends after 1 number. Write the numbers of vertices and edges, \"n m\"."},
	{asGraph, "3 x\n",
		"g:1:3: error: \"x\" is not a number of edges. Begin with a header \"n m\" of two whole numbers."},
	{asGraph, "x 3\n", "g:1:1: error: \"x\" is not a number of vertices. Begin with a header \"n m\" of two whole " +
		"numbers."},
	{asGraph, "3 2.0\n", "g:1:3: error: \"2.0\" is not a number of edges. Begin with a header \"n m\" of two whole " +
		"numbers."},
	{asGraph, "-3 2\n", "g:1:1: error: \"-3\" is not a number of vertices. Begin with a header \"n m\" of two whole " +
		"numbers."},
	{asGraph, "3 -2\n", "g:1:3: error: \"-2\" is not a number of edges. Begin with a header \"n m\" of two whole " +
		"numbers."},
	{asGraph, "0 0\n",
		"g:1:1: error: 0 vertices in the header \"n m\". Begin with the numbers of vertices and edges, and count " +
			"vertices from 1. " +
			"(A list of terms \"i i a\" and \"i j q\" without a header is named qubo:FILE if its variables are 0 " +
			"and 1, " +
			"and ising:FILE if they are -1 and 1.)"},
	{asGraph, "0x10 1\n",
		"g:1:1: error: \"0x10\" is not a number of vertices. Begin with a header \"n m\" of two whole numbers."},
	{asGraph, "3 2 001\n2 5\n1 5 3 1\n2 1\n",
		"g:1:5: error: the header has a third word, \"001\". Write the numbers of " +
			"vertices and edges, \"n m\", then one edge a line. " +
			"(A list of terms \"i i a\" and \"i j q\" without a header is named qubo:FILE if its variables are 0 " +
			"and 1, and ising:FILE if they are -1 and 1.) " +
			"If line i after the header has the neighbours of vertex i, as METIS writes them, name the file .graph."},
	{asGraph, "3 1 5 7\n1 2 1\n",
		"g:1:5: error: the header has a third word, \"5\". Write the numbers of vertices and edges, \"n m\", then " +
			"one edge a line. " +
			"(A list of terms \"i i a\" and \"i j q\" without a header is named qubo:FILE if its variables are 0 " +
			"and 1, " +
			"and ising:FILE if they are -1 and 1.)"},
	{asGraph, "2000000000 8\n",
		"g:1:1: error: 2000000000 vertices in a file of at most 13 bytes: the header cannot be right. Check it."},
	{asGraph, "4294967298 1\n1 2 1\n",
		"g:1:1: error: 4294967298 vertices are beyond the maximum of 2147483647. Check the header."},
	{asGraph, "99999999999999999999999 1\n",
		"g:1:1: error: 99999999999999999999999 vertices are beyond the maximum of 2147483647. Check the header."},
	{asGraph, "3 999999999\n1 2 1\n",
		"g:1:3: error: 999999999 edges, for which the file has too few bytes (at most 18). Check the " +
			"header, or fetch the file again. (Line 1 is the header \"n m\": if it is an edge, name the file " +
			".edges.)"},
	{asGraph, "3 4\n1 2 1\n1 3 1\n2 3 1\n1 2 1\n",
		"g:5:1: error: the edge between vertices 1 and 2 is in line 2 already. Remove one, or " +
			"use --merge-edges to add them."},
	{asGraph, "3 4\n1 2 1\n1 3 1\n2 3 1\n2 1 1\n",
		"g:5:1: error: the edge between vertices 1 and 2 is in line 2 already, in the other direction. If " +
			"every edge is in the file in both directions, keep one of the two lines: --merge-edges adds them, " +
			"which counts each edge twice."},
	{asGraph, "3 2\n1 2 1\n1 4 1\n",
		"g:3:3: error: vertex 4 is beyond 3, the last one. Correct it, or the number of vertices in the " +
			"header. (Line 1 is the header \"n m\": if it is an edge, name the file .edges.)"},
	{asGraph, "3 2\n1 2 1\n-1 2 1\n", "g:3:1: error: vertex -1 is below 1, the first one. Correct it."},
	{asGraph, "3 1\n1 4294967298 1\n",
		"g:2:3: error: vertex 4294967298 is beyond 3, the last one. Correct it, or the number of vertices " +
			"in the header. (Line 1 is the header \"n m\": if it is an edge, name the file .edges.)"},
	{asGraph, "3 1\n1.5 2 1\n", "g:2:1: error: \"1.5\" is not the index of a vertex. Write whole numbers from 1 to 3."},
	{asGraph, "3 1\n1x 2 1\n", "g:2:1: error: \"1x\" is not the index of a vertex. Write whole numbers from 1 to 3."},
	{asGraph, "3 1\nc1 2 1\n", "g:2:1: error: \"c1\" is not the index of a vertex. Write whole numbers from 1 to 3."},
	{asGraph, "3 1\n2 2 1\n",
		"g:2:1: error: an edge from vertex 2 to itself, which no cut counts. If the file is " +
			"a QUBO, whose linear terms look like this, name it as qubo:g. In a graph, remove it, or leave all of " +
			"them out with --drop-loops."},
	{asGraph, "3 2\n1 2 1\n1 2 1\n",
		"g:3:1: error: the edge between vertices 1 and 2 is in line 2 already. Remove one, or " +
			"use --merge-edges to add them."},
	{asGraph, "3 3\n1 2 1\n# again\n\n3 1 1\n2 1 4\n",
		"g:6:1: error: the edge between vertices 1 and 2 is in line 2 already, in the other direction. If " +
			"every edge is in the file in both directions, keep one of the two lines: --merge-edges adds them, " +
			"which counts each edge twice."},
	{asGraph, "3 1\n1\n",
		"g:2:2: error: the line ends after 1 number. Write an edge as \"i j w\". If line i after the header " +
			"has the neighbours of vertex i, as METIS writes them, name the file .graph."},
	{asGraph, "3 1\n1 2 1 7\n",
		"g:2:7: error: \"7\" is one word too many: an edge is \"i j w\". Remove it. If line i after the " +
			"header has the neighbours of vertex i, as METIS writes them, name the file .graph."},
	{asGraph, "3 1\n1 2 nan\n", "g:2:5: error: \"nan\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asGraph, "3 1\n1 2 inf\n", "g:2:5: error: \"inf\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asGraph, "3 1\n1 2 -Infinity\n",
		"g:2:5: error: \"-Infinity\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asGraph, "3 1\n1 2 1e400\n",
		"g:2:5: error: \"1e400\" is beyond 1e280. Scale the numbers down."},
	{asGraph, "3 1\n1 2 0x10\n", "g:2:5: error: \"0x10\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asGraph, "3 1\n1 2 1,5\n", "g:2:5: error: \"1,5\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asGraph, "3 1\n1 2 1x\n", "g:2:5: error: \"1x\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asGraph, "3 1\n1 2 1e\n", "g:2:5: error: \"1e\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asGraph, "3 1\n1 2 .\n", "g:2:5: error: \".\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asGraph, "3 1\n1 2 --1\n", "g:2:5: error: \"--1\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asGraph, "3 1\n1 2 1_000\n", "g:2:5: error: \"1_000\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asGraph, "3 3\n1 2 1\n1 3 1\n",
		"g:4:1: error: the file ends after 2 of 3 edges. Correct the header, or fetch the file again."},
	{asGraph, "3 1\n1 2 1\n1 3 1\n",
		"g:3:1: error: the header announces 1 edges, and 2 follow; this is the first too many. Correct the " +
			"header. (Line 1 is the header \"n m\": if it is an edge, name the file .edges.)"},
	{asGraph, "3 1\n1 2\x00 1\n", "g:2:4: error: a NUL byte. Give a text file in UTF-8 or ASCII."},
	{asGraph, "\xff\xfe3\x00", "g:1:1: error: a text in UTF-16. Save it in UTF-8 or ASCII."},
	{asGraph, "٣ 1\n", "g:1:1: error: \"٣\" is not a number of vertices. Begin with a header \"n m\" of two whole " +
		"numbers."},
	{asGraph, "3;1\n1;2;1\n",
		"g:1:1: error: an edge from vertex 0 to itself, which no cut counts. If the file is a QUBO, whose " +
			"linear terms look like this, name it as qubo:g. In a graph, remove it, or leave all of them out " +
			"with --drop-loops."},
	{asGraph, "\x1f\x8b\b\x00", "g: error: damaged gzip data: unexpected EOF. Fetch the file again."},
	{asGraph, "p qubo 0 2 1 1\n", "g:1:1: error: holds a QUBO. Name it as qubo:g."},
	{asGraph, "3 1\r1 2 1\r", carriage},
	{asGraph, "%%MatrixMarket matrix coordinate real symmetric",
		"g:1:1: error: the header has no end. Write \"%%MatrixMarket matrix coordinate real symmetric\"; integer, " +
			"pattern and general are read as well."},
	{asGraph, "%%MatrixMarket matrix coordinate complex symmetric\n2 2 1\n2 1 1 1\n",
		"g:1:34: error: the field \"complex\" cannot be read. Write \"%%MatrixMarket matrix coordinate real " +
			"symmetric\"; integer, pattern and general are read as well."},
	{asGraph, "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n",
		"g:1:39: error: the symmetry \"skew-symmetric\" cannot be read. Write \"%%MatrixMarket matrix coordinate " +
			"real symmetric\"; integer, pattern and general are read as well."},
	{asGraph, "%%MatrixMarket matrix array real general\n2 2\n",
		"g:3:1: error: the file ends after 0 of 4 elements. Correct the header, or fetch the file again."},
	{asGraph, "%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 1\n",
		"g:1:1: error: the banner \"%MatrixMarket\" cannot be read. Write \"%%MatrixMarket matrix coordinate real " +
			"symmetric\"; integer, pattern and general are read as well."},
	{asGraph, "%%MatrixMarket matrix coordinate real\n",
		"g:1:38: error: the header ends without its symmetry. Write \"%%MatrixMarket matrix coordinate real " +
			"symmetric\"; integer, pattern and general are read as well."},
	{asGraph, "%%MatrixMarket matrix coordinate real symmetric\n",
		"g:2:1: error: no sizes. Write a line \"rows columns entries\" after the header."},
	{asGraph, "%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n2 1 1\n",
		"g:2:1: error: a matrix of 2 rows and 3 columns. Edges need a square one."},
	{asGraph, "%%MatrixMarket matrix coordinate real symmetric\n2 2\n2 1 1\n",
		"g:2:4: error: the sizes end after 2 of 3 numbers. Write \"rows columns entries\"."},
	{asGraph, "%%MatrixMarket matrix coordinate real symmetric\n2 2 1 1\n",
		"g:2:7: error: the sizes have a fourth word, \"1\". Write \"rows columns entries\"."},
	{asGraph, "%%MatrixMarket matrix coordinate real symmetric\n2 2 x\n",
		"g:2:5: error: \"x\" is not a whole number. Write \"rows columns entries\"."},
	{asGraph, "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1\n",
		"g:3:4: error: the line ends after 2 numbers. Write an entry as \"i j a\"."},
	{asGraph, "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1 1\n",
		"g:3:5: error: \"1\" is one word too many: an entry of a pattern is \"i j\". Remove it."},
	{asGraph, "%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n1 1 3\n",
		"g:3:1: error: an edge from vertex 1 to itself, which no cut counts. If the file is " +
			"a QUBO, whose linear terms look like this, name it as qubo:g. In a graph, remove it, or leave all of " +
			"them out with --drop-loops."},
	{asGraph, "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n2 1 3\n1 2 3\n",
		"g:4:1: error: the edge between vertices 1 and 2 is in line 3 already, in the other direction. If " +
			"every edge is in the file in both directions, keep one of the two lines: --merge-edges adds them, " +
			"which counts each edge twice."},
	{asGraph, "%%MatrixMarket matrix coordinate integer general\n3 3 3\n2 1 3\n1 2 3\n3 1 4\n",
		"g:5:1: error: there is an entry for (1, 3) in one order only: the matrix is not symmetric. Add the other " +
			"one, or write \"symmetric\" in the header."},
	{asGraph, "%%MatrixMarket matrix coordinate integer general\n2 2 2\n2 1 3\n1 2 4\n",
		"g:4:1: error: the entry for (1, 2) differs from that in the other order: the matrix is not symmetric. Edges " +
			"need a symmetric one."},
	{asGraph, "%%MatrixMarket matrix coordinate integer general\n3 3 4\n2 1 3\n1 2 3\n2 1 3\n1 2 3\n",
		"g:6:1: error: the edge between vertices 1 and 2 is in line 4 already. Remove one, or " +
			"use --merge-edges to add them."},
	{asGraph, "%%MatrixMarket matrix coordinate integer symmetric\n2 2 3\n2 1 3\n",
		"g:2:5: error: 3 edges, for which the file has too few bytes (at most 63). Check the header, or fetch the " +
			"file again."},
	{asGraph, "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 1\n2 1 1\n",
		"g:4:1: error: the sizes announce 1 entries, and 2 follow; this is the first too many. Correct the sizes."},
	{asGraph, "%%MatrixMarket matrix coordinate real symmetric\n900000000 900000000 1\n2 1 1\n",
		"g:2:1: error: 900000000 vertices in a file of at most 76 bytes: the header cannot be right. Check it."},
}

var malformedOthers = []malformed{
	{asQUBO, "c no header\n", "g:2:1: error: no header. Write \"p qubo 0 N nodes couplers\"."},
	{asQUBO, "3 1\n1 2 1\n",
		"g:1:1: error: has a header \"n m\", after which QUBOs are written in several ways. Say which it " +
			"is: --pairs twice --maximize for MQLib, --pairs twice for x'Qx with one triangle of a symmetric " +
			"Q, as of Biq Mac, or --pairs once for the sum of the terms as they are; or name it " +
			"qubo:g,pairs=once. A graph is maxcut:g."},
	{asQUBO, "0 1\n0 1 5\n",
		"g:1:1: error: has a header \"n m\", after which QUBOs are written in several ways. Say which it " +
			"is: --pairs twice --maximize for MQLib, --pairs twice for x'Qx with one triangle of a symmetric " +
			"Q, as of Biq Mac, or --pairs once for the sum of the terms as they are; or name it " +
			"qubo:g,pairs=once. A graph is maxcut:g."},
	{asQUBO, "# vartype=SPIN\n0 1 5\n", "g:1:1: error: holds an Ising problem. Name it as ising:g."},
	{asIsing, "# vartype=BINARY\n0 1 5\n", "g:1:1: error: holds a QUBO. Name it as qubo:g."},
	{asQUBO, "p qubo 0 2 1\n",
		"g:1:13: error: the header ends after 5 of 6 words. Write \"p qubo 0 N nodes couplers\"."},
	{asQUBO, "p qubo 1 2 1 1\n", "g:1:8: error: the header has \"1\". Write \"p qubo 0 N nodes couplers\"."},
	{asQUBO, "p cnf 0 2 1 1\n",
		"g:1:1: error: the header. Write \"p wcnf\", the numbers of variables and clauses, and the weight " +
			"of hard clauses, once and before the clauses."},
	{asQUBO, "p qubo 0 2 3 1\n", "g:1:12: error: 3 nodes with a linear term, but there are only 2. Check the header."},
	{asQUBO, "p qubo 0 2 1 1 1\n",
		"g:1:16: error: the header has a seventh word, \"1\". Write \"p qubo 0 N nodes couplers\"."},
	{asQUBO, "p qubo 0 2 1 y\n", "g:1:14: error: \"y\" is not a whole number. Write \"p qubo 0 N nodes couplers\"."},
	{asQUBO, "p qubo 0 2 1 1\n0 0 1\n1 0 2\n", "g:3:1: error: a coupler of 1 and 0. Write the smaller index first."},
	{asQUBO, "p qubo 0 2 1 1\n0 0 1\n0 2 2\n",
		"g:3:3: error: vertex 2 is beyond 1, the last one. Correct it, or the number of vertices in the header."},
	{asQUBO, "p qubo 0 2 2 1\n0 0 1\n0 0 2\n0 1 1\n",
		"g:3:1: error: the linear term of 0 is in line 2 already. Remove one, or " +
			"use --merge-edges to add them."},
	{asQUBO, "p qubo 0 2 1 1\n0 0 1\n",
		"g:3:1: error: the file ends after 0 of 1 couplers. Correct the header, or fetch the file again."},
	{asQUBO, "p qubo 0 2 1 1\n0 0 1\n1 1 1\n0 1 1\n",
		"g:3:1: error: node 2, but the header announces 1. Correct the header or remove it."},
	{asQUBO, "p qubo 0 2 0 1\n0 1\n",
		"g:2:4: error: the line ends after 2 of 3 numbers. Write \"i i a\" or \"i j q\"."},
	{asQUBO, "p qubo 0 2000000000 0 0\n",
		"g:1:10: error: 2000000000 vertices in a file of at most 24 bytes: the header cannot be right. Check it."},
	{asQUBO, "p qubo 0 3 0 2\n0 1 2\n0 1 3\n",
		"g:3:1: error: the edge between vertices 0 and 1 is in line 2 already. Remove one, or " +
			"use --merge-edges to add them."},
	{asIsing, "0 1 2\n1 0 3\n",
		"g:2:1: error: the edge between vertices 0 and 1 is in line 1 already. Remove one, or " +
			"use --merge-edges to add them."},
	{asIsing, "0 1\n",
		"g:1:1: error: 0 vertices in the header \"n m\". Begin with the numbers of vertices and edges, and count " +
			"vertices from 1. " +
			"(A list of terms \"i i a\" and \"i j q\" without a header is named qubo:FILE if its variables are 0 " +
			"and 1, " +
			"and ising:FILE if they are -1 and 1.)"},
	{asIsing, "0 1 2 3\n", "g:1:7: error: \"3\" is one word too many: a term is \"i i a\" or \"i j q\". Remove it."},
	{asIsing, "1 2 x\n", "g:1:5: error: \"x\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asIsing, "0 0 1\n0 0 2\n0 1 1\n",
		"g:2:1: error: the linear term of 0 is in line 1 already. Remove one, or " +
			"use --merge-edges to add them."},
	{asIsing, "1 1 1\n1 2 5\n1 1 2\n",
		"g:3:1: error: the linear term of 1 is in line 1 already. Remove one, or " +
			"use --merge-edges to add them."},
	{asIsing, "0 1900000000 2\n",
		"g:1:3: error: spin 1900000000 in a file of at most 15 bytes cannot be right. Correct it."},
	{asIsing, "", "g:1:1: error: is empty."},
	{asIsing, "c x\n", "g:2:1: error: no terms. Write lines \"i i h\" and \"i j J\"."},
	{asIsing, "2 1\n1 3 2\n",
		"g:2:3: error: vertex 3 is beyond 2, the last one. Correct it, or the number of vertices in the " +
			"header. (Line 1 is the header \"n m\": if it is an edge, name the file .edges.)"},
	{asIsing, "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 1\n",
		"g:1:1: error: holds a MatrixMarket matrix, which is read as the Q of x'Qx, qubo:g, or as the " +
			"weights of a graph, maxcut:g. Write an Ising problem as lines \"i i h\" and \"i j J\"."},
	{asIsing, "3 2\n1 1 2\n1 1 3\n",
		"g:3:1: error: the linear term of 1 is in line 2 already. Remove one, or " +
			"use --merge-edges to add them."},
	{asSides, "", "g:1:1: error: is empty."},
	{asSides, "0\n", "g:2:1: error: 1 of 3 entries, one for each vertex. Complete them."},
	{asSides, "0110\n", "g:1:4: error: more than the 3 entries of one point, one for each vertex. Remove the rest."},
	{asSides, "0 1 1 0\n", "g:1:7: error: more than the 3 entries of one point, one for each vertex. Remove the rest."},
	{asSides, "0 1 2\n", "g:1:5: error: \"2\" where 0 was in line 1, column 1. Write 0 and 1, -1 and 1, or 1 and 2, " +
		"not a mixture."},
	{asSides, "-1 1 0\n",
		"g:1:6: error: \"0\" where -1 was in line 1, column 1. Write 0 and 1, -1 and 1, or 1 and 2, not a mixture."},
	{asSides, "1 2 -1\n",
		"g:1:5: error: \"-1\" where 2 was in line 1, column 3. Write 0 and 1, -1 and 1, or 1 and 2, not a mixture."},
	{asSides, "0 1 x\n", "g:1:5: error: \"x\" is not a side. Write 0 and 1, -1 and 1, or 1 and 2 for the vertices."},
	{asSides, "012\n", "g:1:3: error: \"2\" in a row of 0s and 1s. Write 0 or 1 for each vertex."},
	{asSides, "0.5 1 1\n",
		"g:1:1: error: \"0.5\" is not a side. Write 0 and 1, -1 and 1, or 1 and 2 for the vertices."},
	{asSides, "0 1 3\n", "g:1:5: error: \"3\" is not a side. Write 0 and 1, -1 and 1, or 1 and 2 for the vertices."},
	{asSides, "010\n01\n", "g:3:1: error: 5 of 3 entries, one for each vertex. Complete them."},
	{asSides, "0,1;1\n", "g:1:3: error: \"1;1\" is not a side. Write 0 and 1, -1 and 1, or 1 and 2 for the vertices."},
	{asSides, "01x\n", "g:1:3: error: \"x\" in a row of 0s and 1s. Write 0 or 1 for each vertex."},
	{asBest, "", "g:1:1: error: is empty."},
	{asBest, "x\n", "g:1:1: error: \"x\" is not a decimal number."},
	{asBest, "1 2\n", "g:1:3: error: \"2\" is one word too many. Write the best known value and nothing else."},
	{asBest, "1e400\n", "g:1:1: error: \"1e400\" is beyond 1e280. Scale the numbers down."},
}
