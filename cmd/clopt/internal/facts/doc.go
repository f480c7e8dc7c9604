// Package facts holds what commands show of problems, methods and suites, as text and as JSON: lists of them, and
// descriptions of one.
package facts
