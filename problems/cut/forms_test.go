package cut_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
)

// terms are those of a QUBO after a header "n m", as Biq Mac, QOBLIB and MQLib write them. Without linear terms its
// pairs are the edges of a graph.
const terms = "3 5\n1 1 -2\n2 2 -3\n3 3 1\n1 2 4\n2 3 -2\n"

// graphsOfOthers are in formats that are not read.
var graphsOfOthers = map[string]string{
	"g.gexf":  "<?xml version=\"1.0\"?>\n<gexf version=\"1.3\"></gexf>\n",
	"g.dot":   "graph G {\n a -- b;\n}\n",
	"g.net":   "*Vertices 3\n1 \"a\"\n*Edges\n1 2\n",
	"g.tsp":   "NAME : toy\nTYPE : TSP\nDIMENSION : 3\n",
	"g.gr":    "c a network\np sp 3 2\na 1 2 5\n",
	"nested":  "[[-1, 2, 0],\n [0, -1, 2],\n [0, 0, -1]]\n",
	"printed": "[[-1.  2.]\n [ 0. -1.]]\n",
	"repr":    "array([[-1.,  2.],\n       [ 0., -1.]])\n",
}

// TestForms reads files that look alike, with each family and without one: none is read as another problem, and no
// advice leads to one.
func TestForms(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range graphsOfOthers {
		os.WriteFile(name, []byte(text), 0o666)
		for _, family := range []string{"", "maxcut:", "qubo:", "ising:"} {
			_, err := catalog.Parse(family+name, problems.Options{})
			if got := fmt.Sprint(err); !strings.Contains(got, "which clopt does not read") {
				t.Errorf("%s%s: %s", family, name, got)
			}
		}
	}
	ring := "6 6\n2 6\n1 3\n2 4\n3 5\n4 6\n1 5\n" // as edges a graph with a largest cut of 4
	for _, c := range []struct{ name, text, spec, want string }{
		{"ring.graph", ring, "%s", "6"},
		{"ring.graph", "% a comment\n" + ring, "maxcut:%s", "6"},
		{"ring.metis", ring, "maxcut:%s", "6"},
		{"ring.graph", ring, "qubo:%s", "holds a graph in METIS form. Name it as maxcut:"},
		{"ring.graph", ring, "ising:%s", "holds a graph in METIS form. Name it as maxcut:"},
		{"ring.txt", ring, "%s", "Name it .rud if it is the former, and .graph if the latter."},
		{"ring.rud", ring, "%s", "4"},
		{"two.graph", "4 2 001\n2 5\n1 5\n4 2\n3 2\n", "%s", "7"},
		{"apart.graph", "4 2 011 2\n9 9 2 5\n9 9 1 5 4 1\n1 1\n9 9 2 1\n", "%s", "6"},
		{"apart.graph", "3 1\n2\n1\n\n", "%s", "1"},
		{"bad.graph", "3 2\n2 3\n1\n1 2\n", "%s", "the header announces 2 edges, and the lines have 5 neighbours"},
		{"bad.graph", "3 2\n2\n1 3\n1\n", "%s", "vertices 1 and 3 are neighbours in one of their lines only"},
		{"bad.graph", "3 2\n2 3\n1\n", "%s", "the file ends after the neighbours of 2 of 3 vertices"},
		{"bad.graph", "2 1\n2\n3\n", "%s", "\"3\" is no neighbour of vertex 2"},
		{"metis.txt", "4 5\n2 3 4\n1 3\n1 2 4\n1 3\n", "%s", "name the file .graph"},
		{"metis.txt", "5 7\n2 3 4 5\n1 3 4\n1 2 4\n1 2 3\n1\n", "%s", "name the file .graph"},

		{"q.txt", terms, "%s", "whose linear terms look like this, name it as qubo:q.txt"},
		{"q.txt", terms, "qubo:%s", "--pairs twice"},
		{"q.txt", terms, "qubo:%s,pairs=once", "-4"},
		{"q.txt", terms, "qubo:%s,pairs=twice", "-6"},
		{"q.txt", terms, "qubo:%s,pairs=once,maximize=true", "1"},
		{"q.txt", terms, "qubo:%s,pairs=twice,maximize=true", "3"},
		{"q.txt", terms, "qubo:%s,pairs=both", "pairs is \"both\"; use once or twice"},
		{"q.txt", "# a QUBO\n" + terms, "%s", "--pairs twice --maximize for MQLib"},
		{"q.sparse", terms, "%s", "-6"},
		{"q.sparse", terms, "qubo:%s,pairs=once", "-4"},
		{"q.sparse", terms, "qubo:%s,maximize=true", "3"},
		{"q.sparse", terms, "maxcut:%s", "pairs=once"},
		{"q.qs", "# ObjectiveOffset 37\n" + terms, "%s", "31"},
		{"q.txt", "# ObjectiveOffset 37\n" + terms, "%s", "31"},
		{"q.qs", terms, "ising:%s", "pairs=once"},
		{"q.bq", terms, "%s", "-4"},
		{"q.bq", "3 4\n1 1 -2\n1 2 1\n2 1 -4\n3 3 1\n", "%s", "-5"},
		{"q.txt", "# QUBO\n" + terms, "ising:%s", "pairs=once"},
		{"q.qh", "3 3\n0 0 1\n0 1 -2\n1 2 1\n", "%s", "-4"},
		{"q.bqp", "1\n2 2\n1 1 -2\n1 2 3\n", "%s", "4"},
		{"q.bqp", "1\n2 2\n1 1 -2\n1 2 3\n", "%s:maximize=false", "-2"},
		{"q.qubo", "p qubo 0 2 1 1\n0 0 -1\n0 1 3\n", "qubo:%s,pairs=twice",
			"which says how often the term of a pair counts"},
		{"list.coo", "0 0 -1\n0 1 3\n1 1 -2\n", "%s", "qubo:list.coo if they are 0 and 1, as ising:list.coo if " +
			"they are -1 and 1, and as maxcut:list.coo if the lines are edges"},
		{"list.coo", "0 0 -1\n0 1 3\n1 1 -2\n", "maxcut:%s", "name it as qubo:list.coo"},
		{"list.coo", "0 0 -1\n0 1 3\n1 1 -2\n", "qubo:%s", "-2"},
		{"edges.txt", "2 3\n1 2\n2 5\n3 1\n", "%s", "Line 1 is the header \"n m\""},

		{"m.mtx", "%%MatrixMarket matrix array real general\n2 2\n-1\n1\n-4\n2\n", "qubo:%s", "-2"},
		{"m.mtx", "%%MatrixMarket matrix array integer symmetric\n2 2\n-1\n-3\n2\n", "qubo:%s", "-5"},
		{"m.mtx", "%%MatrixMarket matrix array integer symmetric\n2 2\n0\n3\n0\n", "maxcut:%s", "3"},
		{"m.mtx", "%%MatrixMarket matrix array integer symmetric\n2 2\n0\n3\n", "maxcut:%s", "ends after 2 of 3"},
		{"pairs.txt", "1 2\n2 3\n3 4\n4 1\n", "%s", "4"},
		{"pairs.txt", "0 1\n1 2\n2 0\n", "%s", "2"},
		{"pairs.txt", "node1 node2\nnode2 node3\nnode3 node1\n", "%s", "2"},
		{"pairs.txt", "node1 node2\na b\nb c\nc a\n", "%s", "2"},
		{"pairs.csv", "7,9\n9,8\n8,7\n", "%s", "2"},
		{"small.txt", "-1 2\n0 -1\n", "%s", "-1"},
		{"small.txt", "-1 2 0\n0 -1 2\n0 0 -1\n", "%s", "-2"},
		{"edges.edges", "2 3\n1 2\n2 5\n3 1\n", "%s", "3"},
		{"edges.txt", "2 3 1.5\n1 2 1\n2 5 1\n3 1 1\n", "maxcut:%s", "3.5"},
		{"g.gml", "graph [\n  node [ id 7 ]\n  node [ id 1 ]\n  edge [ source 7 target 1 value 2.5 ]\n]\n", "%s",
			"2.5"},
		{"g.graphml", "<?xml version=\"1.0\"?>\n<graphml><key id=\"d1\" for=\"edge\" attr.name=\"weight\">" +
			"<default>2</default></key><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>" +
			"<node id=\"c\"/>" +
			"<edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"a\"/><edge source=\"b\" target=\"c\">" +
			"<data key=\"d1\">0.5</data></edge></graph></graphml>", "%s", "2.5"},
		{"g.json", `{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b", "weight": 3}]}`,
			"%s", "3"},
		{"snap.txt", "# Undirected graph: g.txt\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n0\t1\n1\t0\n1\t9\n",
			"%s", "2"},
		{"out.g", "% sym unweighted\n% 2 3 3\n1 2\n2 3\n", "%s", "2"},
		{"out.g", "% bip posweighted\n% 2 2 3\n1 1 2 9999\n1 2 3 9999\n", "%s", "5"},
		{"g.edgelist", "1 2 {'weight': 1}\n2 3 {'weight': 1.5}\n", "%s", "2.5"},
		{"names.txt", "ann bob 2\nbob cora 1\ncora ann 1\n", "%s", "3"},
		{"heading", "source,target,weight\na,b,1\nb,c,2\n", "%s", "3"},
		{"heading.csv", "id;from;since;to;weight\n1;\"a; b\";1999;b;2,5\n", "%s", "is not a decimal number"},
		{"heading.csv", "id;from;since;to;weight\n1;\"a; b\";1999;b;2.5\n", "%s", "2.5"},
		{"heading.csv", "var1,var2,bias\nx,x,-2\ny,y,-3\nx,y,4\n", "qubo:%s", "-3"},
		{"heading.csv", "a,b\n1,2\n2,3\n3,1\n", "qubo:%s", "Name it as maxcut:heading.csv"},
		{"heading.csv", "a,b\n1,2\n2,3\n3,1\n", "%s", "2"},
		{"differ.csv", "source,target,weight\na,b,1\nb,a,2\n", "%s", "has another weight in line 2"},
		{"differ.csv", "source,target,weight\na,b,1\nb,a,2\n", "maxcut:%s,merge-edges=true", "3"},
		{"g.qplib", "TOY\nQBN\nmaximize\n2 # variables\n1\n2 1 3\n-1\n1\n2 4\n0.5\n1e30\n", "%s", "6.5"},
		{"g.wcnf", "c a formula\np wcnf 3 4 9\n2 1 -2 0\n3 2 0\n4 -1 0\n9 1 2 3 0\n", "%s", "2"},
		{"g.cnf", "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n", "%s", "1"},
		{"g.wcnf", "h 1 2 0\n1 -1 0\n3 -2 0\n", "%s", "1"},

		{"c.lp", "Minimize\n obj: 4.5 Constant - x + [ 4 x * y ] / 2\nSubject To\nBounds\n Constant = " +
			"1\nBinaries\n x y\nEnd\n",
			"%s", "3.5"},
		{"c.lp", "Maximize\n obj: 2 one + [ 6 one * x - 2 one ^ 2 - 8 x * y + 10 zero * y ] / 2\nBounds\n zero <= " +
			"0\n one = 1\n" +
			"Binaries\n y x\nEnd\n", "%s", "4"},
		{"c.lp", "Minimize\n obj: 2 c - x\nBounds\n c >= 1\nBinaries\n x\nEnd\n", "%s",
			"the variable \"c\" is not binary"},
		{"c.lp", "Minimize\n obj: 2 c - x\nBounds\n c <= 1\nBinaries\n x\nEnd\n", "%s",
			"the variable \"c\" is not binary"},
		{"c.mps", "NAME\nROWS\n N obj\nCOLUMNS\n c obj 4.5\n MARKER 'MARKER' 'INTORG'\n x obj -1\n y obj 0\n " +
			"MARKER 'MARKER' " +
			"'INTEND'\nBOUNDS\n FX b c 1\n BV b x\n BV b y\nQUADOBJ\n x y 2\n c x -3\nENDATA\n", "%s", "0.5"},

		{"m.csv", "1;-2;0\n-2;1;0\n0;0;-1\n", "%s", "-3"},
		{"m.txt", " 1 -2 0 0\n-2  1 0 0\n\n0 0 -1 0\n0 0 0 1e0 \n", "%s", "-3"},
		{"m.txt", "0 1 0 0\n1 0 0 0\n0 0 0 2\n0 0 2 0\n", "maxcut:%s", "3"},
		{"m.csv", "1,-2\n-2,1\n", "ising:%s", "or as the weights of a graph"},
		{"m.csv", "1,-2\n-2,1\n", "maxcut:%s", "name it as qubo:m.csv"},
		{"m.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 -1\n2 1 3\n", "qubo:%s",
			"-1"},
		{"m.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 -1\n2 1 -3\n2 2 2\n", "qubo:%s", "-5"},
		{"m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 -1\n2 1 -3\n2 2 2\n", "qubo:%s", "-2"},
		{"m.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 3\n", "ising:%s",
			"or as the weights of a graph"},
		{"b.json", `{"type": "BinaryQuadraticModel", "variable_type": "BINARY", "linear_biases": [1]}`, "maxcut:%s",
			"Name it as qubo:b.json"},
	} {
		os.WriteFile(c.name, []byte(c.text), 0o666)
		p, err := catalog.Parse(fmt.Sprintf(c.spec, c.name), problems.Options{})
		got := fmt.Sprint(err)
		if err == nil {
			f, _ := p.Info().BestKnown()
			if p.Info().Maximize {
				f = -f
			}
			if got = fmt.Sprint(f); got == c.want {
				continue
			}
		}
		if err == nil || !strings.Contains(got, c.want) {
			t.Errorf("%s of %q: %s, want %s", fmt.Sprintf(c.spec, c.name), c.text, got, c.want)
		}
		os.Remove(c.name)
	}
	os.WriteFile("m.csv", []byte("0,1\n1,0\n"), 0o666)
	p, err := catalog.Parse("m.csv", problems.Options{})
	if err != nil || !strings.Contains(fmt.Sprint(p.Info().Notes), "the matrix of a graph is named maxcut:m.csv") {
		t.Errorf("a matrix without a diagonal: %v, %v", p, err)
	}
	if _, err := catalog.Parse(filepath.Join("no", "file"), problems.Options{}); err == nil {
		t.Error("no file is read")
	}
}
