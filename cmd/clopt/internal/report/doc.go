// Package report shows results in tables, beside published ones: means, deviations and medians with statistical tests,
// or the metrics that a campaign asks for.
package report
