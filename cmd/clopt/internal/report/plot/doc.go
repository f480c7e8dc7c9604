// Package plot draws results: convergence, speed-up, throughput, scaling and ratios, as svg or png.
package plot
