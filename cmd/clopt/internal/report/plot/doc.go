// Package plot draws results: convergence, speed-up, throughput, scaling and ratios, as SVG.
package plot
