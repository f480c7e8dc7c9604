// Package campaign runs suites: tables of problems × methods × runs, built in or in a file. Every cell of a table is a
// folder of runs; those that are finished are not made again.
package campaign
