// Package ioh writes results as data for IOHanalyzer.
package ioh
