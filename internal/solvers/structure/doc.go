// Package structure tests what a problem declares about its components, and finds it where nothing is declared.
//
// A component may read only the variables that the problem declares for it, and two variables that no component reads
// together must not interact. A component with inner sums rises with each of them. Verify tests this on a device. Learn
// notes what components read, and groups variables that interact by recursive differential grouping.
//
// Two sets of variables interact in a component if the change of its value by one set depends on the other set.
// Rounding is not taken for interaction: a second difference counts only if it exceeds the bound of ERDG.
//
//	Omidvar, Yang, Mei, Li, Yao 2017, doi:10.1109/TEVC.2017.2694221 (DG2)
//	Sun, Kirley, Halgamuge 2018, doi:10.1109/TEVC.2017.2778089 (recursive differential grouping)
//	Yang, Zhou, Li, Yao 2021, doi:10.1109/TEVC.2020.3009390 (ERDG)
//
// Unlike these, the tests compare single components, not f: a device has them at no more cost, and the rounding of the
// sum over all components does not hide a small interaction.
package structure
