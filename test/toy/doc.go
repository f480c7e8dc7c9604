// Package toy adds two methods and a family of problems to clopt, as a program outside of it would. It imports public
// packages only, and no other package imports it. docs/add-a-method.md and docs/add-a-problem.md show its files.
package toy
