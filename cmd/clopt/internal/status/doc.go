// Package status shows on a terminal what a command does: as lines, a redrawn line, or a stream of JSON lines.
//
// A Display shows lines. A monitor is a runs.Observer that shows runs on a Display.
package status
