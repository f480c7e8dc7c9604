// Package partial places problems in the Partial form, for methods that change few variables of a point at a time and
// evaluate only the components that read them. Each device has whole points, and points are not split.
package partial
