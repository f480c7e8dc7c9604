// Package report shows results in tables: means, deviations and medians with the tests of papers, or the quantities that
// a campaign asks for, beside what papers published.
package report
