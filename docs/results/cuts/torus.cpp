// torus GRAPH COLUMNS CUT proves that no cut of a graph on a torus is larger than CUT, or says what it found.
// GRAPH is a file of the G-set; vertex x + COLUMNS*y is joined to those at its right and above, around the torus.
//
// A cut is a set of edges that has an even number of edges at each face, and on a row and a column of vertices. Sets
// that are even at each face are perfect matchings: a face is four vertices, one for each of its sides, joined to each
// other with the weight 0, and an edge joins the two vertices of its sides (Thomas and Middleton 2007,
// doi:10.1103/PhysRevB.76.220406). If the best of them is odd on the row, it is not a cut, and one edge of the row has
// to change: the search branches by the first one that does.
//
//	apt-get install liblemon-dev
//	g++ -O2 torus.cpp -o torus && ./torus G12.txt 16 556
#include <lemon/matching.h>
#include <lemon/smart_graph.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

using namespace lemon;
typedef MaxWeightedPerfectMatching<SmartGraph, SmartGraph::EdgeMap<int>> Matching;

static const int forced = 1 << 16; // more than all weights
static SmartGraph graph;
static SmartGraph::EdgeMap<int> weight(graph, 0);
static std::vector<SmartGraph::Edge> loops[2]; // the edges of a row, and of a column
static int cut, matchings, first;

// search looks for sets of edges above cut in which the fixed edges keep their state. sum is what forcing adds.
static bool search(int sum) {
	Matching matching(graph, weight);
	bool found = matching.run();
	int value = found ? matching.matchingWeight() - sum : -forced;
	if (matchings++ == 0) first = value;
	if (value <= cut) return true;

	for (auto &loop : loops) {
		std::vector<bool> in;
		int odd = 0;
		for (auto e : loop) {
			in.push_back(matching.matching(e));
			odd ^= in.back();
		}
		if (!odd) continue;
		bool proven = true;
		std::vector<int> before;
		for (size_t i = 0; i < loop.size() && proven; i++) {
			int w = weight[loop[i]];
			before.push_back(w);
			if (abs(w) > forced / 2) continue; // fixed already
			weight[loop[i]] = w + (in[i] ? -forced : forced);
			proven = search(in[i] ? sum : sum + forced);
			weight[loop[i]] = w + (in[i] ? forced : -forced);
			if (in[i]) sum += forced;
		}
		for (size_t i = 0; i < before.size(); i++) weight[loop[i]] = before[i];
		return proven;
	}
	printf("a cut of %d\n", value);
	return false;
}

int main(int argc, char **argv) {
	FILE *file = argc == 4 ? fopen(argv[1], "r") : nullptr;
	int n, m, columns = argc == 4 ? atoi(argv[2]) : 0;
	if (!file || columns < 3 || fscanf(file, "%d %d", &n, &m) != 2) {
		fprintf(stderr, "usage: torus GRAPH COLUMNS CUT\n");
		return 2;
	}
	std::vector<std::map<int, int>> weights(n);
	for (int i, j, w; fscanf(file, "%d %d %d", &i, &j, &w) == 3;)
		weights[i - 1][j - 1] = weights[j - 1][i - 1] = w;
	cut = atoi(argv[3]);

	int rows = n / columns, edges = 0;
	std::vector<SmartGraph::Node> side(4 * n);
	for (auto &s : side) s = graph.addNode();
	for (int i = 0; i < n; i++) { // the face at the right of and above vertex i; its sides: below, right, above, left
		int x = i % columns, y = i / columns;
		int right = (x + 1) % columns + columns * y, above = x + columns * ((y + 1) % rows);
		int left = (x + columns - 1) % columns + columns * y, below = x + columns * ((y + rows - 1) % rows);
		edges += weights[i].count(right) + weights[i].count(above);
		for (int p = 0; p < 4; p++)
			for (int q = p + 1; q < 4; q++) graph.addEdge(side[4*i + p], side[4*i + q]);
		auto e = graph.addEdge(side[4*i], side[4*below + 2]);
		weight[e] = weights[i][right];
		if (y == 0) loops[0].push_back(e);
		e = graph.addEdge(side[4*i + 3], side[4*left + 1]);
		weight[e] = weights[i][above];
		if (x == 0) loops[1].push_back(e);
	}
	if (edges != m || edges != 2 * n) {
		fprintf(stderr, "%s is no torus of %d columns\n", argv[1], columns);
		return 2;
	}
	bool proven = search(0);
	printf("bound %d; no cut above %d: %s, %d matchings\n", first, cut, proven ? "proven" : "not proven", matchings);
	return !proven;
}
