// Package campaign runs suites: tables of problems × methods × runs, built in or in a file. A cell of a table, one
// method on one problem, is a folder of runs. Finished runs are not repeated.
package campaign
