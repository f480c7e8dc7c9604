// Package status shows on a terminal what a command does: lines, a status that is redrawn, or a stream of JSON lines.
//
// A Display takes sentences; a Monitor is the runs.Observer of one run after the other on a Display.
package status
