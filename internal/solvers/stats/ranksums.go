package stats

import "math"

// SignedRanks is the result of Wilcoxon's test of two methods A and B on N problems.
type SignedRanks struct {
	N     int
	Plus  float64 // sum of ranks of problems on which A is better, plus half of those with equal values
	Minus float64 // the same for B
	P     float64 // two-sided, exact; 1 without problems
	T01   int     // critical value at 0.01: significant if min(Plus, Minus) is at most this; -1: never
	T05   int     // the same at 0.05
}

// Wilcoxon compares the values a of A and b of B on the same problems; both must have the same length. Differences of
// zero are kept, and their ranks are split between A and B; an odd one is not dropped. P is the probability of such
// sums if each difference that is not zero has either sign with equal probability. It counts the ranks as they are,
// also with ties. The critical values are those of tables, for the ranks 1 to n.
func Wilcoxon(a, b []float64) SignedRanks {
	w := SignedRanks{N: len(a)}
	size := make([]float64, len(a))
	for i := range a {
		if a[i] != b[i] { // the difference of equal infinite values is NaN
			size[i] = math.Abs(b[i] - a[i])
		}
	}
	ranks := Ranks(size)
	var signed []float64
	zeros := 0.0
	for i, r := range ranks {
		switch {
		case b[i] > a[i]:
			w.Plus += r
			signed = append(signed, r)
		case b[i] < a[i]:
			w.Minus += r
			signed = append(signed, r)
		default:
			zeros += r
		}
	}
	least := min(w.Plus, w.Minus)
	w.Plus, w.Minus = w.Plus+zeros/2, w.Minus+zeros/2
	w.P = min(1, 2*below(signedSums(signed), least))
	whole := make([]float64, w.N)
	for i := range whole {
		whole[i] = float64(i + 1)
	}
	table := signedSums(whole)
	w.T01, w.T05 = critical(table, 0.01), critical(table, 0.05)
	return w
}

// signedSums returns the probability of each sum of a random subset of the ranks: that of the sum t at index 2t, since
// average ranks are multiples of 1/2.
func signedSums(ranks []float64) []float64 {
	total := 0.0
	for _, r := range ranks {
		total += r
	}
	p := make([]float64, int(2*total)+1)
	p[0] = 1
	for _, r := range ranks {
		step := int(2 * r)
		for t := len(p) - 1; t >= 0; t-- {
			p[t] /= 2
			if t >= step {
				p[t] += p[t-step] / 2
			}
		}
	}
	return p
}

// below returns the probability of sums up to t.
func below(p []float64, t float64) (sum float64) {
	for _, v := range p[:min(len(p), int(2*t)+1)] {
		sum += v
	}
	return sum
}

// critical returns the largest whole t whose two-sided probability is at most alpha, or -1.
func critical(p []float64, alpha float64) int {
	t := -1
	for 2*(t+1) < len(p) && 2*below(p, float64(t+1)) <= alpha {
		t++
	}
	return t
}

// RankSum is the result of the test of Mann and Whitney for two methods A and B on one problem.
type RankSum struct {
	// A12 is the probability that a run of A is better than one of B, plus half of that of equal values (Vargha and
	// Delaney 2000, doi:10.3102/10769986025002101).
	A12 float64
	P   float64 // two-sided; exact up to mostExact runs, otherwise the normal approximation with ties
}

// mostExact is the largest number of runs of both methods for which the probability is exact.
const mostExact = 100

// MannWhitney compares the values a and b of one or more runs of A and B. P is the probability of ranks at least as
// far from the middle if all runs are of one distribution; it counts the ranks as they are, also with ties.
func MannWhitney(a, b []float64) RankSum {
	n, m := float64(len(a)), float64(len(b))
	ranks := Ranks(append(append([]float64{}, a...), b...))
	sum := 0.0
	for _, r := range ranks[:len(a)] {
		sum += r
	}
	least := n * (n + 1) / 2
	out := RankSum{A12: 1 - (sum-least)/(n*m)}
	far := math.Abs(sum - least - n*m/2)
	if len(ranks) <= mostExact {
		for t, p := range subsetSums(ranks, len(a)) {
			if math.Abs(float64(t)/2-least-n*m/2) >= far-1e-9 {
				out.P += p
			}
		}
		out.P = min(1, out.P)
		return out
	}
	mean, squares := (n+m+1)/2, 0.0
	for _, r := range ranks {
		squares += (r - mean) * (r - mean)
	}
	if sigma := math.Sqrt(n * m / ((n + m) * (n + m - 1)) * squares); sigma > 0 {
		out.P = math.Erfc(max(0, far-0.5) / sigma / math.Sqrt2)
	} else {
		out.P = 1
	}
	return out
}

// subsetSums returns the probability of each sum of a random subset of n of the ranks: that of the sum t at index 2t.
func subsetSums(ranks []float64, n int) []float64 {
	total := 0.0
	for _, r := range ranks {
		total += r
	}
	p := make([][]float64, n+1) // by the size of the subset of the ranks so far
	for i := range p {
		p[i] = make([]float64, int(2*total)+1)
	}
	p[0][0] = 1
	for seen, r := range ranks {
		step := int(2 * r)
		left := float64(len(ranks) - seen)
		for i := min(n, seen+1); i >= 0; i-- {
			// A rank joins a subset of i with probability (n-i)/left.
			stay := max(0, 1-float64(n-i)/left)
			for t := len(p[i]) - 1; t >= 0; t-- {
				p[i][t] *= stay
				if i > 0 && t >= step {
					p[i][t] += p[i-1][t-step] * min(1, float64(n-i+1)/left)
				}
			}
		}
	}
	return p[n]
}

// ExpectedTime returns the expected running time of runs that are repeated until one meets the target: the sum of the
// times of all runs divided by the number of those that have met it (Hansen, Auger, Ros, Mersmann, Tušar and Brockhoff
// 2021, doi:10.1080/10556788.2020.1808977). It is infinite if none has. times may be evaluations or seconds.
func ExpectedTime(times []float64, hit []bool) float64 {
	sum, hits := 0.0, 0.0
	for i, t := range times {
		if sum += t; hit[i] {
			hits++
		}
	}
	return sum / hits
}
