// Package reporttest writes folders of runs whose values are known, for tests of what reads them.
package reporttest
